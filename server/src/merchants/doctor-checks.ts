import { asking, nameSome, warning, when, type DoctorCheck } from '../kit/checks/doctor.ts';

type Some = { readonly names: readonly string[]; readonly total: number };

/** After so many days without a change more people and programs know a secret than should. */
const OLD_DAYS = 400;

/** What merchants lack that keeps them safe. */
export const MERCHANT_CHECKS: readonly DoctorCheck[] = [
  asking<Some>(
    'merchants on checksum alone',
    `select (array_agg(merchant_id order by merchant_id))[:5] as names, count(*)::int as total
       from merchants where signing in ('off', 'accept') and disabled_at is null`,
    ({ names, total }, { isSandbox }) =>
      when(total > 0 && !isSandbox, () =>
        warning(
          `requests of ${nameSome(names, total)} are proved by a checksum alone, which does not cover all of their fields`,
          'let them sign: ./caudal merchants signing MERCHANT accept, then require',
        ),
      ),
  ),
  asking<Some>(
    'secrets of merchants',
    `select (array_agg(distinct merchant_id))[:5] as names, count(distinct merchant_id)::int as total
       from (select merchant_id from merchant_secrets where expires_at is null
              group by merchant_id, kind having max(created_at) < $1::timestamptz - interval '${OLD_DAYS} days') old`,
    ({ names, total }) =>
      when(total > 0, () =>
        warning(
          `secrets of ${nameSome(names, total)} are older than ${OLD_DAYS} days`,
          './caudal merchants rotate-hash MERCHANT: the old one stays valid for seven days',
        ),
      ),
    ({ now }) => [now.toString()],
  ),
];
