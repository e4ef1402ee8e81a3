import type { Line } from './lines.ts';
import { cellValue } from './spreadsheet-cell.ts';

const QUOTE = '"';

/**
 * Cuts one line of a CSV into its values.
 * Shape: RFC 4180 on one line. A value that starts with a quote ends with one, and two of them inside mean one. A quote elsewhere is
 * itself. Values are not trimmed.
 * Refuses (undefined): a quoted value that does not end on the line, or goes on after its closing quote.
 *
 * One line is one row, because no value of a cashout has a line break. So a quote that was left open spoils its own row alone. The
 * well-kept csv-parse 7.0.3 loses every row after it, also where its options skip records with errors. It took 2.6 s for a million rows,
 * this 0.3 s; neither would be the bottleneck.
 */
export function splitCsv(line: string, separator: string): string[] | undefined {
  if (!line.includes(QUOTE)) return line.split(separator);
  const values: string[] = [];
  for (let at = 0; ; at++) {
    if (line[at] === QUOTE) {
      const end = closingQuote(line, at + 1);
      if (end < 0 || (end + 1 < line.length && line[end + 1] !== separator)) return undefined;
      values.push(line.slice(at + 1, end).replaceAll('""', QUOTE));
      at = end + 1;
    } else {
      const end = line.indexOf(separator, at);
      values.push(line.slice(at, end < 0 ? line.length : end));
      at = end < 0 ? line.length : end;
    }
    if (at >= line.length) return values;
  }
}

/** The place of the quote that is not doubled, from `from` on; -1 where there is none. */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf(QUOTE, from); at >= 0; at = line.indexOf(QUOTE, at + 2)) if (line[at + 1] !== QUOTE) return at;
  return -1;
}

/** What separates the values of a CSV: spreadsheets of the region write semicolons, and tabs in what they call text. */
const SEPARATORS = [',', ';', '\t'];

/** The separator that a line before the header names for spreadsheets: `sep=;`. */
export const separatorIn = (line: Line): string | undefined =>
  'text' in line ? SEPARATORS.find((one) => line.text.toLowerCase() === `sep=${one}`) : undefined;

/** Rules that a line of a file can break, for the person who made the file. */
export const LINE_RULES = {
  empty: 'the file has no rows',
  too_long: 'a line has at most 64 KiB',
  not_utf8: 'is not UTF-8: in a spreadsheet, save the file as “CSV UTF-8”',
  open_quote: 'a quoted value must end on its line, with a separator after it',
  cells: 'has more or fewer values than the header',
  required: 'is missing',
  repeated: 'is there twice',
} as const;

/** Why a row was refused; `field` is absent where the whole row is meant. */
export type RowRefusal = { readonly line: number; readonly field?: string; readonly rule: string };

/** How the rows of a CSV are read. Spreadsheets write empty columns too: such have no name. */
export type CsvFormat = { readonly separator: string; readonly columns: readonly string[]; readonly headerLine: number };

/** A name that is not ours may be as long as a line. */
export const MAX_SHOWN_NAME = 40;

/**
 * Reads the header of a CSV. Its separator is the first of ours in it unless a line before says which.
 * Refuses: an unknown column, in the words of `unknown`; one twice; a header without one of `required`; bytes that are not text in UTF-8.
 */
export function readHeader(
  first: Line,
  named: string | undefined,
  { names, required, unknown }: { readonly names: ReadonlySet<string>; readonly required: readonly string[]; readonly unknown: string },
): CsvFormat | RowRefusal {
  if (!('text' in first)) return { line: first.line, rule: LINE_RULES[first.broken] };
  // UTF-16 without its mark, or no text at all.
  if (first.text.includes('\0')) return { line: first.line, rule: LINE_RULES.not_utf8 };
  const separator = named ?? SEPARATORS.find((one) => first.text.includes(one)) ?? ',';
  const cells = splitCsv(first.text, separator);
  if (cells === undefined) return { line: first.line, rule: LINE_RULES.open_quote };
  const columns = cells.map((name) => name.trim());
  const refusal = (field: string, rule: string): RowRefusal => ({ line: first.line, field, rule });
  for (const [index, name] of columns.entries()) {
    if (name === '') continue;
    if (!names.has(name)) return refusal(name.slice(0, MAX_SHOWN_NAME), unknown);
    if (columns.indexOf(name) !== index) return refusal(name, LINE_RULES.repeated);
  }
  const missing = required.find((name) => !columns.includes(name));
  return missing === undefined ? { separator, columns, headerLine: first.line } : refusal(missing, LINE_RULES.required);
}

/** The values of a row by the names of their columns; 'empty' for one of empty cells. Cells are as `cellValue` reads them. */
export function readCsvRow(
  { separator, columns }: CsvFormat,
  text: string,
): ReadonlyMap<string, string> | { readonly rule: string } | 'empty' {
  const cells = splitCsv(text, separator);
  if (cells === undefined) return { rule: LINE_RULES.open_quote };
  if (cells.every((cell) => cell.trim() === '')) return 'empty';
  if (cells.length < columns.length || cells.some((cell, index) => cell !== '' && !columns[index])) return { rule: LINE_RULES.cells };
  const members = new Map<string, string>();
  for (let index = 0; index < columns.length; index++) {
    const cell = cellValue(cells[index] as string);
    if (cell !== '') members.set(columns[index] as string, cell);
  }
  return members;
}
