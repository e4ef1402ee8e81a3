import { types as driverTypes, type CustomTypesConfig } from 'pg';

/** 270 years of days; a memory is emptied when it is full. */
const MAX_REMEMBERED = 100_000;

/** Makes each value of few texts once: many rows share them. */
function remembering<Value>(parse: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      if (known.size === MAX_REMEMBERED) known.clear();
      value = parse(text);
      known.set(text, value);
    }
    return value;
  };
}

/** Reads a day as the database prints it, `YYYY-MM-DD`. */
export const storedDay = remembering((text) => Temporal.PlainDate.from(text));

/** Reads an instant that many rows share, such as the end of a day. */
export const storedSharedInstant = remembering((text) => Temporal.Instant.from(text));

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
