import type { Language } from '../kit/language.ts';
import { minorUnitSql } from '../kit/money.ts';
import type { ColumnKind, ExportedList, ExportQuery } from './exported-list.ts';
import { separatorOf, type Format } from './formats.ts';
import type { KeyedForm } from './merge-copies.ts';
import { flagWords, headingOf, stateWords } from './spreadsheet-words.ts';

/** A spreadsheet without it takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A text that starts so may run as a formula, in half and in full width (OWASP, CSV injection). A line break may start a new cell.
 * The quote that is put before it makes it a text in every common spreadsheet.
 */
const FORMULA_START = String.raw`^[[:space:]]*[=+@\-＝＋＠－]|^[\t\r\n]`;

/**
 * A text that a spreadsheet would make a number, a day or a yes of: `0102030405`, 25 digits, `1e5`, `3-4`, `MAR1`, `TRUE`. It becomes
 * the formula `="0102030405"`, whose value is that very text, unless it is longer than a text in a formula may be.
 */
const YES_OR_NO = ['true', 'false', 'verdadero', 'falso', 'verdadeiro'].map((word) =>
  word.replaceAll(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`),
);
const LOOKS_LIKE_VALUE = String.raw`^[[:space:]]*[-+($€£¥]*[[:space:]]*[.,]?[0-9]|^[[:alpha:]]{3,10}[.]?[-./ ]?[0-9]{1,4}([-./, ]+[0-9]{1,4})?$|^(${YES_OR_NO.join('|')})$`;
const MOST_IN_FORMULA = 255;

const kept = (column: string): string =>
  `case when length(${column}) <= ${MOST_IN_FORMULA} and ${column} !~ '[[:cntrl:]]' and ${column} ~ '${LOOKS_LIKE_VALUE}'
          then '="' || replace(${column}, '"', '""') || '"'
        when ${column} ~ '${FORMULA_START}' then '''' || ${column} else ${column} end`;

/** Which column it is, and the zone of its instants. */
type ColumnOf = { readonly list: string; readonly name: string; readonly zone: string };

type Writing = {
  /** The options of `copy`. */
  readonly options: string;
  /** The SQL of a column's value. */
  write(column: string, kind: ColumnKind, of: ColumnOf): string;
  /** Turns the select of the written columns into the select that is copied. */
  row(select: string): string;
  /** The bytes before the first row. */
  head(columns: ExportedList['columns'], zone: string): string;
};

const asIs = (text: string): string => text;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A value as it is stored: an amount with all decimals, an instant in UTC. */
function stored(column: string, kind: ColumnKind): string {
  if (kind === 'amount') return `(${column} * ${minorUnitSql('listed.currency')})::text`;
  if (kind === 'instant') return `replace((${column} at time zone 'UTC')::text, ' ', 'T') || 'Z'`;
  return column;
}

/** For spreadsheets: a value as it is stored, and kept from being another one there. */
const safe = (column: string, kind: ColumnKind): string => (kind === 'text' || kind === 'name' ? kept(column) : stored(column, kind));

// Every cell is quoted: one with a semicolon would be two cells where commas are decimal points.
const safeOptions = (separator: string): string => `format csv, force_quote *, delimiter '${separator}'`;
const safeHead = (headings: readonly string[], separator: string): string => `${BYTE_ORDER_MARK}${headings.map(quoted).join(separator)}\n`;

function inLanguage(language: Language): Writing {
  const separator = separatorOf(`csv-${language}`);
  const day = language === 'en' ? 'YYYY-MM-DD' : 'DD/MM/YYYY';
  const [yes, no] = flagWords(language).map(literal);
  return {
    options: safeOptions(separator),
    row: asIs,
    write: (column, kind, { list, name, zone }) => {
      if (name === 'state') {
        const states = stateWords(list, language).map(([state, word]) => `when ${literal(state)} then ${literal(word)}`);
        return `case ${column} ${states.join(' ')} else ${column} end`;
      }
      if (kind === 'flag') return `case when ${column} then ${yes} when not ${column} then ${no} end`;
      if (kind === 'day') return `to_char(${column}, '${day}')`;
      if (kind === 'instant') return `to_char(${column} at time zone ${literal(zone)}, '${day} HH24:MI:SS')`;
      if (kind === 'amount' && language !== 'en') return `replace(${stored(column, kind)}, '.', ',')`;
      return safe(column, kind);
    },
    head: (columns, zone) => {
      const headings = Object.entries(columns).map(([name, kind]) => headingOf(name, language) + (kind === 'instant' ? ` (${zone})` : ''));
      return safeHead(headings, separator);
    },
  };
}

const WRITINGS: Readonly<Record<Format, Writing>> = {
  csv: { options: 'format csv', write: stored, row: asIs, head: (columns) => `${Object.keys(columns).join(',')}\n` },
  'csv-safe': { options: safeOptions(','), write: safe, row: asIs, head: (columns) => safeHead(Object.keys(columns), ',') },
  'csv-es': inLanguage('es'),
  'csv-en': inLanguage('en'),
  'csv-pt': inLanguage('pt'),
  ndjson: {
    // JSON has neither of these characters, so nothing is quoted and each row is its text.
    options: String.raw`format csv, quote e'\x01', delimiter e'\x02'`,
    write: stored,
    row: (select) => `select row_to_json(written) from (${select}) as written`,
    head: () => '',
  },
};

/** The bytes of an export before its first row. `zone`: of instants, where the format has a language. */
export const headOf = (list: ExportedList, format: Format, zone: string): string => WRITINGS[format].head(list.columns, zone);

type Query = Pick<ExportQuery, 'text'>;

/** What a copy consists of: its columns as they are written, and its rows in the order of the list. */
function partsOf({ name: list, columns, order }: ExportedList, format: Format, zone: string, { text }: Query) {
  const { write } = WRITINGS[format];
  const written = Object.entries(columns).map(([name, kind]) => `${write(`listed."${name}"`, kind, { list, name, zone })} as "${name}"`);
  return { written: written.join(', '), from: `from (${text}) as listed order by ${order.map((name) => `listed."${name}"`).join(', ')}` };
}

/** The statement whose copy is the rows of an export, and the options of that copy. */
export function copyOf(list: ExportedList, format: Format, zone: string, query: Query): { text: string; options: string } {
  const { options, row } = WRITINGS[format];
  const { written, from } = partsOf(list, format, zone, query);
  return { text: row(`select ${written} ${from}`), options };
}

/**
 * The same where rows of several databases are merged: a key stands before each. In the order of their bytes keys are in the order of the
 * list. `form`: how the rows are told apart.
 */
export function keyedCopyOf(
  list: ExportedList,
  format: Format,
  zone: string,
  query: Query,
): { readonly text: string; readonly options: string; readonly form: KeyedForm } {
  const { written, from } = partsOf(list, format, zone, query);
  const key = list.order.map((name) => keyOf(`listed."${name}"`, list.columns[name] as ColumnKind)).join(` || '.' || `);
  const isJson = format === 'ndjson';
  const row = isJson ? `(select row_to_json(written) from (select ${written}) as written)` : written;
  const form = { isQuoted: !isJson, separator: isJson ? '\x02' : separatorOf(format) };
  return { text: `select ${key} as "#key", ${row} ${from}`, options: WRITINGS[format].options, form };
}

/** A value of the order of a list as ASCII that is in the same order. No point is in it, which ends a value before longer ones. */
function keyOf(column: string, kind: ColumnKind): string {
  if (kind === 'number') return `lpad(${column}::text, 20, '0')`;
  if (kind === 'instant') return `to_char(${column} at time zone 'UTC', 'YYYYMMDDHH24MISSUS')`;
  return `encode(convert_to(${column}, 'UTF8'), 'hex')`;
}

/** Counts the rows of an export by currency, with the sum of their amounts as it is written. */
export function sumsOf({ isOfMoney }: ExportedList, { text }: Query): string {
  if (!isOfMoney) return `select null as currency, count(*)::text as rows, null as sum from (${text}) as listed`;
  return `select currency, count(*)::text as rows, (sum(amount) * ${minorUnitSql('currency')})::text as sum
            from (${text}) as listed group by currency order by currency`;
}
