import {
  checkOfRow,
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
import { hasFewCharacters, isGuessedFirst, LEAST_BITS, mostBits } from '../kit/checks/weak-secrets.ts';
import type { Sealed } from '../kit/secrets.ts';
import { findCountry } from './countries.ts';
import { merchantSecretPlace } from './merchant-rows.ts';

type Some = { readonly names: readonly string[]; readonly total: number };

/** What merchants lack that keeps them safe. */
export const MERCHANT_CHECKS: readonly DoctorCheck[] = [
  checkOfRow<Some>(
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
  checkOfRow<Some>(
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
  { name: 'weak secrets of merchants', look: lookAtSecrets },
  { name: 'time zones', look: lookAtZones },
];

type SecretRow = Sealed & { readonly merchantId: string; readonly kind: 'fixed' | 'notice'; readonly generation: number };

/** Merchants may bring these along from another service. */
const BROUGHT = { fixed: ['fixed hash', 'rotate-hash'], notice: ['notice hash', 'rotate-notice-hash'] } as const;
const PAGE = 1_000;

/** The secrets of the examples in `contract/`. */
const PUBLISHED = new Set(['9f1c7b52e0a84d6bb3a1c5d0e7f24688', 'c0ffee11aa22bb33cc44dd55ee66ff77', 'net-secret']);

/** Secrets of merchants that can be guessed. What is found says whose they are, and never what they are. */
async function lookAtSecrets({ query, isSandbox, openSecret }: Examined): Promise<readonly Ailment[]> {
  if (isSandbox) return [];
  const weak: { readonly merchantId: string; readonly kind: SecretRow['kind']; readonly isGuessed: boolean }[] = [];
  let rows: readonly SecretRow[] = [];
  do {
    const { merchantId: after, kind: afterKind } = rows.at(-1) ?? { merchantId: '', kind: '' };
    rows = await query<SecretRow>(
      `select merchant_id as "merchantId", kind, generation, master_key_id as "masterKeyId", sealed
         from merchant_secrets join merchants using (merchant_id)
        where kind in ('fixed', 'notice') and expires_at is null and disabled_at is null and (merchant_id, kind) > ($1, $2)
        order by merchant_id, kind limit ${PAGE}`,
      [after, afterKind],
    );
    for (const { merchantId, kind, generation, ...sealed } of rows) {
      const secret = openSecret(sealed, merchantSecretPlace(merchantId, kind, generation));
      const isGuessed = PUBLISHED.has(secret) || isGuessedFirst(secret, merchantId);
      if (isGuessed || mostBits(secret) < LEAST_BITS || hasFewCharacters(secret)) weak.push({ merchantId, kind, isGuessed });
    }
  } while (rows.length === PAGE);
  return [...Map.groupBy(weak, ({ kind, isGuessed }) => `${kind} ${isGuessed}`).values()].map((alike) => {
    const [{ kind, isGuessed }] = alike as [(typeof alike)[number]];
    const [name, rotate] = BROUGHT[kind];
    const whose = `the ${name} of ${nameSome(
      alike.slice(0, 5).map(({ merchantId }) => merchantId),
      alike.length,
    )}`;
    const remedy = `./caudal merchants ${rotate} MERCHANT, and give the new one to its clients`;
    return isGuessed
      ? fault(`${whose} is one that is guessed first`, remedy)
      : warning(`${whose} holds less than ${LEAST_BITS} bits: who has one request can search for it`, remedy);
  });
}

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
