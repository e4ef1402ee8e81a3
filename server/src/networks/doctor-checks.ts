import { checkOfRow, atNow, nameSome, OLD_DAYS, warning, when, type DoctorCheck } from '../kit/checks/doctor.ts';

type Some = { readonly names: readonly string[]; readonly total: number };
const LISTED = '(array_agg(network_id order by network_id))[:5] as names, count(*)::int as total';

/** What networks lack that keeps them safe. */
export const NETWORK_CHECKS: readonly DoctorCheck[] = [
  checkOfRow<Some>(
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
  checkOfRow<Some>(
    'secrets of networks',
    `select (array_agg(network_id order by network_id))[:5] as names, count(*)::int as total
       from network_secrets join networks using (network_id)
      where expires_at is null and disabled_at is null and network_secrets.created_at < $1::timestamptz - interval '${OLD_DAYS} days'`,
    ({ names, total }) =>
      when(total > 0, () =>
        warning(
          `secrets of ${nameSome(names, total)} are older than ${OLD_DAYS} days`,
          './caudal networks rotate NETWORK: the old one stays valid for seven days',
        ),
      ),
    atNow,
  ),
];
