import { statement, type Db, type Tx } from '../kit/db.ts';
import { findCountry, type Country } from './countries.ts';

const SELECT = statement(
  'merchants.select_countries',
  `select merchant_id as "merchantId", country from merchants where merchant_id = any ($1::text[])`,
);

/**
 * Reads the time zones of merchants inside a transaction. The directory may need another connection, so it must not be asked there.
 * Shape: ids of merchants that exist, repeated or not → a function from the id to the IANA zone.
 * Throws: for an unknown id, which is a programming error.
 */
export async function readTimeZones(tx: Pick<Tx, 'query'>, merchantIds: readonly string[]): Promise<(merchantId: string) => string> {
  const rows = await tx.query<{ readonly merchantId: string; readonly country: string }>(SELECT, [[...new Set(merchantIds)]]);
  const zones = new Map(rows.map(({ merchantId, country }) => [merchantId, (findCountry(country) as Country).timeZone]));
  return (merchantId) => {
    const zone = zones.get(merchantId);
    if (zone === undefined) throw new Error(`there is no merchant ${merchantId}`);
    return zone;
  };
}

/**
 * Reads the time zone in which a command shows times. It is the one that all these merchants share, else UTC.
 * Shape: ids of merchants that exist, repeated or not → the IANA zone.
 */
export async function readSharedZone(db: Pick<Tx, 'query'>, merchantIds: readonly string[], isUtc: boolean): Promise<string> {
  if (isUtc || merchantIds.length === 0) return 'UTC';
  const zoneOf = await readTimeZones(db, merchantIds);
  const [zone = 'UTC', ...others] = new Set(merchantIds.map(zoneOf));
  return others.length === 0 ? zone : 'UTC';
}

const SELECT_ALL = statement('merchants.select_all_countries', 'select distinct country from merchants');

/** The time zone of all merchants; undefined where they have several, or there is none yet. */
export async function zoneOfAll({ db }: { readonly db: Pick<Db, 'query'> }): Promise<string | undefined> {
  const rows = await db.query<{ readonly country: string }>(SELECT_ALL, []);
  const zones = new Set(rows.map(({ country }) => (findCountry(country) as Country).timeZone));
  return zones.size === 1 ? [...zones][0] : undefined;
}

/** The time zone of the days of a list: that of its one merchant. Of everybody it is the one that all merchants have, else UTC. */
export async function zoneOfMerchant({ db }: { readonly db: Pick<Db, 'query'> }, merchantId: string | undefined): Promise<string> {
  if (merchantId === undefined) return (await zoneOfAll({ db })) ?? 'UTC';
  const [row] = await db.query<{ readonly country: string }>(SELECT, [[merchantId]]);
  return row === undefined ? 'UTC' : (findCountry(row.country) as Country).timeZone;
}
