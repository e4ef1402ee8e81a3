import { dayOf } from '../kit/calendar.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import { readAll } from '../kit/db/ask-cells.ts';
import type { PerCell } from '../kit/per-cell.ts';
import { ALL_CODES, findCountry, type Country } from './countries.ts';
import { countryOf } from './merchant-rows.ts';

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
 * The day of each country at an instant.
 * Shape: `byCountry`: the value that `dayOfMerchant` takes. `latest`: no merchant has a later day; with it a statement goes along its index.
 */
export function daysAt(at: Temporal.Instant): { readonly byCountry: string; readonly latest: Temporal.PlainDate } {
  const days = ALL_CODES.map(([code, { timeZone }]) => [code, dayOf(at, timeZone)] as const);
  const latest = days.map(([, day]) => day).reduce((one, other) => (Temporal.PlainDate.compare(one, other) < 0 ? other : one));
  return { byCountry: JSON.stringify(Object.fromEntries(days)), latest };
}

/** SQL: the day in the zone of a merchant. `days`: the place of the `byCountry` of daysAt. */
export const dayOfMerchant = (merchantId: string, days: string): string => `(${days}::jsonb ->> ${countryOf(merchantId)})::date`;

const SELECT_ALL = statement('merchants.select_all_countries', 'select distinct country from merchants');

type Reads = { readonly db: Pick<Db, 'query'> };

const zonesOf = (countries: readonly string[]): ReadonlySet<string> =>
  new Set(countries.map((country) => (findCountry(country) as Country).timeZone));

async function readCountries({ db }: Reads, merchantId: string | undefined): Promise<readonly string[]> {
  const [select, values] = merchantId === undefined ? [SELECT_ALL, []] : [SELECT, [[merchantId]]];
  const rows = await db.query<{ readonly country: string }>(select, values);
  return rows.map(({ country }) => country);
}

const onlyOne = (zones: ReadonlySet<string>): string | undefined => (zones.size === 1 ? [...zones][0] : undefined);

/** The time zone of one merchant of a cell, or the one that all of them have; undefined where they have several, or there is none. */
export const commonZone = async (reads: Reads, merchantId: string | undefined): Promise<string | undefined> =>
  onlyOne(zonesOf(await readCountries(reads, merchantId)));

/** The time zone of one merchant, or the one that all merchants of the service have; undefined where they have several, or there is none. */
export type TimeZoneOf = (merchantId: string | undefined) => Promise<string | undefined>;

/**
 * Opens what finds time zones of the merchants of all cells. A cell that is away has no part in the zone that all have.
 * Shape: `cellOf` finds the cell of a merchant.
 */
export function openTimeZones(dbs: PerCell<Reads>, cellOf: (merchantId: string) => Promise<number>): TimeZoneOf {
  // What is carried out in every cell asks for it as often as there are cells, at once.
  let asking: Promise<string | undefined> | undefined;
  const ofAll = async (): Promise<string | undefined> => {
    const { answers } = await readAll(dbs, (reads) => readCountries(reads, undefined));
    return onlyOne(zonesOf(answers.flat()));
  };
  return async (merchantId) => {
    if (dbs.isAlone) return commonZone(dbs.home, merchantId);
    if (merchantId !== undefined) return commonZone(dbs.of(await cellOf(merchantId)), merchantId);
    return (asking ??= ofAll().finally(() => void (asking = undefined)));
  };
}

/** The time zone of the days of a list: that of its one merchant. Of everybody it is the one that all merchants have, else UTC. */
export const zoneOfMerchant = async (reads: Reads, merchantId: string | undefined): Promise<string> =>
  (await commonZone(reads, merchantId)) ?? 'UTC';

/** The same of all cells, for the days of a filter: read once, when the first day is. */
export function zoneOfDays({ timeZoneOf }: { readonly timeZoneOf: TimeZoneOf }, merchantId: string | undefined): () => Promise<string> {
  let zone: Promise<string> | undefined;
  return () => (zone ??= timeZoneOf(merchantId).then((found) => found ?? 'UTC'));
}
