/** What a statement accepts as one of its values. */
export type Value = string | number | bigint | boolean | null | Uint8Array | Temporal.Instant | Temporal.PlainDate | readonly Value[];

/** A value as the protocol carries it: text, bytes, or null. */
export type Parameter = string | Buffer | null;

/** Gives one array for each column, as `unnest` takes them. The names are in the order of the statement's parameters. */
export const columnsOf = <Row extends object, Name extends keyof Row>(rows: readonly Row[], ...names: readonly Name[]): Row[Name][][] =>
  names.map((name) => rows.map((row) => row[name]));

/** Writes a value as PostgreSQL reads it. */
export function toParameter(value: Value): Parameter {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return isArray(value) ? arrayText(value) : scalarText(value);
}

const isArray: (value: Value) => value is readonly Value[] = Array.isArray;
const arrayText = (values: readonly Value[]): string => `{${values.map(elementText).join(',')}}`;

function elementText(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `"${value.replace(/[\\"]/g, '\\$&')}"`;
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return isArray(value) ? arrayText(value) : scalarText(value);
}

const scalarText = (value: number | bigint | boolean | Time): string => (typeof value === 'object' ? storedTime(value) : String(value));

type Time = Temporal.Instant | Temporal.PlainDate;
let last: { readonly time: Time; readonly text: string } | undefined;

/**
 * Writes an instant or a day as PostgreSQL reads it. ISO 8601 writes the year after 9999 as +010000, PostgreSQL as 10000.
 * Neighbours mostly are the same object. It is printed once.
 */
export function storedTime(time: Time): string {
  if (last?.time !== time) {
    const text = time.toString();
    last = { time, text: text.startsWith('+0') ? text.slice(2) : text };
  }
  return last.text;
}
