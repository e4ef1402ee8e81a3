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

const SELECT_ALL = statement('merchants.select_all_countries', 'select distinct country from merchants');

type Reads = { readonly db: Pick<Db, 'query'> };

/** The time zone of one merchant, or the one that all have; undefined where they have several, or there is none. */
export async function commonZone({ db }: Reads, merchantId: string | undefined): Promise<string | undefined> {
  const [select, values] = merchantId === undefined ? [SELECT_ALL, []] : [SELECT, [[merchantId]]];
  const rows = await db.query<{ readonly country: string }>(select, values);
  const zones = new Set(rows.map(({ country }) => (findCountry(country) as Country).timeZone));
  return zones.size === 1 ? [...zones][0] : undefined;
}

/** The time zone of the days of a list: that of its one merchant. Of everybody it is the one that all merchants have, else UTC. */
export const zoneOfMerchant = async (reads: Reads, merchantId: string | undefined): Promise<string> =>
  (await commonZone(reads, merchantId)) ?? 'UTC';

/** The same for the days of a filter: read once, when the first day is. */
export function zoneOfDays(reads: Reads, merchantId: string | undefined): () => Promise<string> {
  let zone: Promise<string> | undefined;
  return () => (zone ??= zoneOfMerchant(reads, merchantId));
}
