import {
  asking,
  atNow,
  fault,
  nameSome,
  OLD_DAYS,
  warning,
  when,
  type Ailment,
  type DoctorCheck,
  type Examined,
} from '../kit/checks/doctor.ts';
import { findCountry } from './countries.ts';

type Some = { readonly names: readonly string[]; readonly total: number };

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
    atNow,
  ),
  { name: 'time zones', look: lookAtZones },
];

/** Half a year from now as well: a country may change its clocks. */
const LATER = { hours: 24 * 182 };

type Offset = { readonly zone: string; readonly place: number; readonly seconds: number };

/** Days of merchants are counted here. Reports of the operator's own count them in the database. */
async function lookAtZones({ query, now, offsetAt }: Examined): Promise<readonly Ailment[]> {
  const countries = await query<{ country: string }>('select distinct country from merchants order by country');
  const zones = [...new Set(countries.flatMap(({ country }) => findCountry(country)?.timeZone ?? []))];
  const instants = [now, now.add(LATER)];
  const offsets = await query<Offset>(
    `select zone, place::int, extract(epoch from (at at time zone zone) - (at at time zone 'UTC'))::int as seconds
       from unnest($1::text[]) zone, unnest($2::text[]::timestamptz[]) with ordinality as instants (at, place)
      where zone in (select name from pg_timezone_names)`,
    [zones, instants.map(String)],
  );
  return zones.flatMap((zone) =>
    judgeZone(
      zone,
      offsets.filter((one) => one.zone === zone),
      instants,
      offsetAt,
    ),
  );
}

function judgeZone(
  zone: string,
  there: readonly Offset[],
  instants: readonly Temporal.Instant[],
  offsetAt: Examined['offsetAt'],
): readonly Ailment[] {
  if (there.length === 0)
    return [warning(`the database does not know the time zone ${zone}`, 'bring tzdata on its machine up to date, and restart PostgreSQL')];
  try {
    const differs = there.some(({ place, seconds }) => seconds !== offsetAt(zone, instants[place - 1] as Temporal.Instant));
    return when(differs, () =>
      warning(
        `this machine and the database do not agree on the clocks of ${zone}`,
        'bring tzdata of the database, and Node here, up to date: one has earlier rules',
      ),
    );
  } catch {
    return [fault(`Node does not know the time zone ${zone}, so its merchants cannot be served`, 'use the Node that package.json names')];
  }
}
