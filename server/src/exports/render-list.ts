import { minorUnitSql } from '../kit/money.ts';
import type { ColumnKind, ExportedList, Query } from './exported-list.ts';

/**
 * The forms of an export. `csv` and `ndjson` hold the stored values, for programs. `csv-safe` is for spreadsheets: no value runs as a
 * formula there.
 */
export const FORMATS = ['csv-safe', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** A spreadsheet without it takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A text that starts so may run as a formula, in half and in full width (OWASP, CSV injection). A line break may start a new cell.
 * The quote that is put before it makes it a text in every common spreadsheet.
 */
const FORMULA_START = String.raw`^[[:space:]]*[=+@\-＝＋＠－]|^[\t\r\n]`;

type Writing = {
  /** The options of `copy`. */
  readonly options: string;
  text(column: string): string;
  /** Turns the select of the written columns into the select that is copied. */
  row(select: string): string;
  /** The bytes before the first row. */
  head(columns: readonly string[]): string;
};

const asIs = (text: string): string => text;
const line = (cells: readonly string[]): string => `${cells.join(',')}\n`;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const WRITINGS: Readonly<Record<Format, Writing>> = {
  csv: { options: 'format csv', text: asIs, row: asIs, head: line },
  'csv-safe': {
    // A value with a semicolon would be two cells where commas are decimal points.
    options: 'format csv, force_quote *',
    text: (column) => `case when ${column} ~ '${FORMULA_START}' then '''' || ${column} else ${column} end`,
    row: asIs,
    head: (columns) => BYTE_ORDER_MARK + line(columns.map(quoted)),
  },
  ndjson: {
    // JSON has neither of these characters, so nothing is quoted and each row is its text.
    options: String.raw`format csv, quote e'\x01', delimiter e'\x02'`,
    text: asIs,
    row: (select) => `select row_to_json(written) from (${select}) as written`,
    head: () => '',
  },
};

/** The bytes of an export before its first row. */
export const headOf = (list: ExportedList, format: Format): string => WRITINGS[format].head(Object.keys(list.columns));

/** The statement whose copy is the rows of an export, and the options of that copy. */
export function copyOf({ columns, order }: ExportedList, format: Format, { text }: Pick<Query, 'text'>): { text: string; options: string } {
  const { options, text: writeText, row } = WRITINGS[format];
  const written = Object.entries(columns).map(([name, kind]) => `${write(`listed."${name}"`, kind, writeText)} as "${name}"`);
  const select = `select ${written.join(', ')} from (${text}) as listed order by ${order.map((name) => `listed."${name}"`).join(', ')}`;
  return { text: row(select), options };
}

function write(column: string, kind: ColumnKind, writeText: Writing['text']): string {
  if (kind === 'text') return writeText(column);
  if (kind === 'amount') return `(${column} * ${minorUnitSql('listed.currency')})::text`;
  if (kind === 'instant') return `replace((${column} at time zone 'UTC')::text, ' ', 'T') || 'Z'`;
  return column;
}

/** Counts the rows of an export by currency, with the sum of their amounts as it is written. */
export function sumsOf({ isOfMoney }: ExportedList, { text }: Pick<Query, 'text'>): string {
  if (!isOfMoney) return `select null as currency, count(*)::text as rows, null as sum from (${text}) as listed`;
  return `select currency, count(*)::text as rows, (sum(amount) * ${minorUnitSql('currency')})::text as sum
            from (${text}) as listed group by currency order by currency`;
}
