import { asking, nameSome, warning, when, type DoctorCheck } from '../kit/checks/doctor.ts';

type Some = { readonly names: readonly string[]; readonly total: number };
const LISTED = '(array_agg(network_id order by network_id))[:5] as names, count(*)::int as total';

/** What networks lack that keeps them safe. */
export const NETWORK_CHECKS: readonly DoctorCheck[] = [
  asking<Some>(
    'networks that do not sign',
    `select ${LISTED} from networks where signing <> 'require' and disabled_at is null`,
    ({ names, total }, { isSandbox }) =>
      when(total > 0 && !isSandbox, () =>
        warning(
          `payments and collections of ${nameSome(names, total)} are proved by a checksum alone`,
          './caudal networks signing NETWORK require, once it signs',
        ),
      ),
  ),
  asking<Some>(
    'where networks serve',
    `select ${LISTED} from networks where countries is null and disabled_at is null`,
    ({ names, total }, { isSandbox }) =>
      when(total > 0 && !isSandbox, () =>
        warning(`${nameSome(names, total)} may take money for every country`, './caudal networks serves NETWORK --countries …'),
      ),
  ),
];
