import { splitCsv } from '../kit/files/csv.ts';
import type { FilterTexts } from './exported-list.ts';
import { formatCount } from '../kit/files/progress.ts';
import { isFileFormat, isPaged, separatorOf, type FileFormat } from './formats.ts';

/** The last line of an export: what the file must hold. Without it a file is not whole. */
export type Trailer = {
  readonly list: string;
  readonly format: FileFormat;
  readonly filter: FilterTexts;
  /** The instant of the one snapshot that all rows are of. */
  readonly at: string;
  readonly rows: number;
  /** Currency to the sum of the rows' amounts. */
  readonly sums: Readonly<Record<string, string>>;
  /** In hex, of every byte of the file before it. So it covers the rest of the trailer too. */
  readonly sha256: string;
};

/** The first cell of a CSV's last line, and the first name in that of the others. No merchant's id has the mark. */
const END = '#end';
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/**
 * Writes the last line in two parts: the digest is of what comes before the second one.
 * In a CSV it has as many cells as the others. Programs know it by its first cell. In a PDF it is a comment, before the last lines that
 * such a file must have.
 */
export function trailerParts(trailer: Omit<Trailer, 'sha256'>, columns: number): { readonly head: string; tail(sha256: string): string } {
  const { list, format, filter, at, rows, sums } = trailer;
  const json = JSON.stringify({ list, format, filter, at, rows, sums }).replace(/\}$/, ',"sha256":"');
  if (format === 'ndjson') return { head: `{"${END}":${json}`, tail: (sha256) => `${sha256}"}}\n` };
  if (isPaged(format)) return { head: `%{"${END}":${json}`, tail: (sha256) => `${sha256}"}}\n` };
  const isSafe = format !== 'csv';
  const separator = separatorOf(format);
  const rest = (isSafe ? `${separator}""` : separator).repeat(columns - 2);
  return { head: `${isSafe ? quoted(END) : END}${separator}${quoted(json).slice(0, -1)}`, tail: (sha256) => `${sha256}""}"${rest}\n` };
}

/**
 * Reads the last line of a file, without its line break.
 * Shape: → the trailer, and how many characters of the line are before its digest. Undefined: it is not a trailer.
 */
export function readTrailer(line: string): { readonly trailer: Trailer; readonly head: string } | undefined {
  const cells = /^%?\{/.test(line) ? [] : (splitCsv(line, line.startsWith(`${quoted(END)};`) ? ';' : ',') ?? []);
  const json = cells.length === 0 ? /^%?\{"#end":(.*)\}$/.exec(line)?.[1] : cells[1];
  const trailer = parse(json ?? '');
  if (trailer === undefined) return undefined;
  // Written again it is the same line: nothing was added to it.
  const { head, tail } = trailerParts(trailer, Math.max(2, cells.length));
  return head + tail(trailer.sha256) === `${line}\n` ? { trailer, head } : undefined;
}

function parse(json: string): Trailer | undefined {
  try {
    const trailer = JSON.parse(json) as Partial<Trailer> | null;
    return isTrailer(trailer) ? trailer : undefined;
  } catch {
    return undefined;
  }
}

const isTexts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');

function isTrailer(value: Partial<Trailer> | null): value is Trailer {
  if (typeof value !== 'object' || value === null) return false;
  const { list, format, filter, at, rows, sums, sha256 } = value;
  return (
    [list, at, sha256].every((text) => typeof text === 'string') &&
    isFileFormat(format) &&
    Number.isSafeInteger(rows) &&
    isTexts(filter) &&
    isTexts(sums)
  );
}

/** What a file holds, on one line. */
export function describeTrailer({ list, filter, at, rows, sums, sha256 }: Trailer): string {
  const named = Object.entries(filter).map(([name, text]) => `${name} ${text}`);
  const money = Object.entries(sums).map(([currency, sum]) => `${sum} ${currency}`);
  return [
    `${formatCount(rows)} ${list}${named.length === 0 ? '' : ` (${named.join(', ')})`}`,
    ...(money.length === 0 ? [] : [`sum ${money.join(' and ')}`]),
    `as they were at ${at}`,
    `SHA-256 ${sha256}.`,
  ].join(', ');
}
