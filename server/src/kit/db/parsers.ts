import { types as driverTypes, type CustomTypesConfig } from 'pg';

/** Days already parsed. The rows of a page share few days, so each is made once. */
const days = new Map<string, Temporal.PlainDate>();
/** 270 years of days; the map is emptied when it is full. */
const MAX_DAYS = 100_000;

/** Reads a day as the database prints it, `YYYY-MM-DD`. */
export function storedDay(text: string): Temporal.PlainDate {
  let day = days.get(text);
  if (day === undefined) {
    if (days.size === MAX_DAYS) days.clear();
    day = Temporal.PlainDate.from(text);
    days.set(text, day);
  }
  return day;
}

/** Replaces parsers of the driver. Its days become local instants, it drops microseconds, and its numeric arrays become floats. */
const EXACT: readonly { readonly oid: number; readonly arrayOid: number; readonly parse: (text: string) => unknown }[] = [
  { oid: 20, arrayOid: 1016, parse: BigInt },
  { oid: 1082, arrayOid: 1182, parse: storedDay },
  { oid: 1184, arrayOid: 1185, parse: (timestamptz) => Temporal.Instant.from(timestamptz) },
  { oid: 1700, arrayOid: 1231, parse: (numeric) => numeric },
];
const driverParser: (oid: number, format?: 'text' | 'binary') => (text: string) => unknown = driverTypes.getTypeParser;
const TEXT_ARRAY_OID = 1009;
const parseTexts = driverParser(TEXT_ARRAY_OID) as (text: string) => (string | null)[];

const exactParsers: ReadonlyMap<number, (text: string) => unknown> = new Map(
  EXACT.flatMap(({ oid, arrayOid, parse }) => [
    [oid, parse],
    [arrayOid, (text: string) => parseTexts(text).map((one) => (one === null ? null : parse(one)))],
  ]),
);

/** The parsers of all our connections: `bigint`, `date`, `timestamptz` and `numeric` keep every digit. */
export const exactTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : exactParsers.get(oid)) ?? driverParser(oid, format),
};
