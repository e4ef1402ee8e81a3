import { createHash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { splitCsv } from '../kit/files/csv.ts';
import { readLines } from '../kit/files/lines.ts';
import { isPaged, languageOf, separatorOf, type FileFormat } from './formats.ts';
import { headingOf } from './spreadsheet-words.ts';
import { readTrailer, type Trailer } from './trailer.ts';

/** No trailer is longer: a filter is a part of a request. */
const MOST_TRAILER_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** How a PDF ends, behind its trailer: where its table of objects is. */
const PDF_END = /^startxref\n([0-9]{1,15})\n%%EOF\n$/;
const PDF_TABLE = 'xref\n';

/** What a file is. `problem`: why it is not whole. */
export type Checked = { readonly trailer: Trailer } | { readonly problem: string };

/**
 * Proves that a file is a whole export: its bytes have the digest of its trailer. Its rows and their sums are counted again, except those
 * of a PDF, which are drawn.
 * Shape: path → the trailer, or what is wrong. Memory does not grow with the file.
 * It proves nothing about who wrote the file: the audit log has the digest of each export.
 */
export async function checkExport(path: string): Promise<Checked> {
  const file = await open(path);
  try {
    const bytes = await readEnd(file);
    const end = await readPdfEnd(file, bytes);
    const last = end ?? lastLineOf(bytes);
    const read = last === undefined ? undefined : readTrailer(last.text);
    if (last === undefined || read === undefined || isPaged(read.trailer.format) !== (end !== undefined))
      return { problem: 'its last line is not a trailer: the end is missing' };
    const { trailer, head } = read;
    const hash = createHash('sha256');
    const problem = await recount(hashed(file, last.start, hash), trailer);
    if (hash.update(head).digest('hex') !== trailer.sha256) return { problem: 'its bytes do not have the SHA-256 of its trailer' };
    return problem === undefined ? { trailer } : { problem };
  } finally {
    await file.close();
  }
}

type LastLine = { readonly start: number; readonly text: string };

type End = { readonly start: number; readonly buffer: Buffer; readonly bytesRead: number };

async function readEnd(file: FileHandle): Promise<End> {
  const { size } = await file.stat();
  const start = Math.max(0, size - MOST_TRAILER_BYTES);
  return { start, ...(await file.read(Buffer.alloc(size - start), 0, size - start, start)) };
}

/** The trailer of a PDF. Undefined: it is none, or its last lines are not those of the file that has this trailer. */
async function readPdfEnd(file: FileHandle, { start, buffer }: End): Promise<LastLine | undefined> {
  const lineStart = buffer.lastIndexOf('\n%{"') + 1;
  const lineEnd = buffer.indexOf(NEWLINE, lineStart);
  if (lineStart === 0 || lineEnd < 0) return undefined;
  const [, table] = PDF_END.exec(buffer.toString('latin1', lineEnd + 1)) ?? [];
  if (table === undefined) return undefined;
  const { buffer: found } = await file.read(Buffer.alloc(PDF_TABLE.length), 0, PDF_TABLE.length, Number(table));
  return found.toString('latin1') === PDF_TABLE
    ? { start: start + lineStart, text: buffer.toString('utf8', lineStart, lineEnd) }
    : undefined;
}

function lastLineOf({ start, buffer, bytesRead }: End): LastLine | undefined {
  if (bytesRead === 0 || buffer[bytesRead - 1] !== NEWLINE) return undefined;
  const lineStart = buffer.lastIndexOf(NEWLINE, bytesRead - 2) + 1;
  return { start: start + lineStart, text: buffer.toString('utf8', lineStart, bytesRead - 1) };
}

/** The bytes before `end`, which the hash sees too. */
async function* hashed(file: FileHandle, end: number, hash: Hash): AsyncGenerator<Buffer> {
  if (end === 0) return;
  for await (const chunk of file.createReadStream({ start: 0, end: end - 1, highWaterMark: MOST_TRAILER_BYTES, autoClose: false })) {
    hash.update(chunk as Buffer);
    yield chunk as Buffer;
  }
}

/** Counts rows and adds up amounts, by another program than the one that wrote them. Shape: → what differs from the trailer. */
async function recount(source: AsyncIterable<Buffer>, { format, rows, sums }: Trailer): Promise<string | undefined> {
  let counted = 0;
  const added = new Map<string, bigint>();
  if (isPaged(format)) {
    // Its bytes are read for their digest alone.
    const bytes = source[Symbol.asyncIterator]();
    while ((await bytes.next()).done !== true);
    return undefined;
  }
  for await (const row of format === 'ndjson' ? jsonRows(source) : csvRows(source, format)) {
    counted++;
    const { amount, currency } = row;
    if (amount && currency) added.set(currency, (added.get(currency) ?? 0n) + digitsOf(amount));
  }
  if (counted !== rows) return `it has ${counted} rows, and its trailer says ${rows}`;
  const claimed = Object.entries(sums).map(([currency, sum]) => [currency, digitsOf(sum)] as const);
  const isSame = (claimed.length === 0 || added.size === claimed.length) && claimed.every(([currency, sum]) => added.get(currency) === sum);
  return isSame ? undefined : 'its amounts do not have the sums of its trailer';
}

/** All amounts of a currency have the same number of decimals. */
const digitsOf = (amount: string): bigint => (/^-?[0-9]+(?:[.,][0-9]+)?$/.test(amount) ? BigInt(amount.replace(/[.,]/, '')) : 0n);

type Row = { readonly amount?: string | undefined; readonly currency?: string | undefined };

async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const lines of readLines(source)) for (const line of lines) yield 'text' in line ? line.text : '';
}

async function* jsonRows(source: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  for await (const line of linesOf(source)) {
    let row: Row = {};
    try {
      row = JSON.parse(line) as Row;
    } catch {
      // The digest finds what is not JSON. It is counted as a row without an amount.
    }
    yield row;
  }
}

async function* csvRows(source: AsyncIterable<Buffer>, format: FileFormat): AsyncGenerator<Row> {
  const language = languageOf(format);
  const [amount, currency] = ['amount', 'currency'].map((name) => (language === undefined ? name : headingOf(name, language)));
  let columns: readonly string[] | undefined;
  let begun = '';
  for await (const line of linesOf(source)) {
    const record = begun + line;
    // A record is whole where each quote has its second one. Else a value goes on after a line break.
    if (hasOpenQuote(record)) {
      begun = `${record}\n`;
      continue;
    }
    begun = '';
    const cells = splitCsv(record, separatorOf(format)) ?? [];
    if (columns === undefined) columns = cells;
    else yield { amount: cells[columns.indexOf(amount ?? '')], currency: cells[columns.indexOf(currency ?? '')] };
  }
}

function hasOpenQuote(record: string): boolean {
  let isOpen = false;
  for (let at = record.indexOf('"'); at >= 0; at = record.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}
