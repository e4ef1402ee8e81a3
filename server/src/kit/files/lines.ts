import { isUtf8 } from 'node:buffer';

/** One line of a file, without its line break: its text, or why it has none. */
export type Line = { readonly line: number } & ({ readonly text: string } | { readonly broken: 'too_long' | 'not_utf8' });

/** No cashout comes near this; a file without line breaks must not fill the memory. */
export const MAX_LINE_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = 0xfeff;
const UTF8_MAX_BYTES_PER_UNIT = 3;

/**
 * Cuts a stream of bytes into lines, a block of them for each chunk that arrives.
 * Shape: line numbers from 1; LF or CRLF ends a line, the last one may lack it; a byte order mark at the start is skipped.
 * Refuses, for one line only: too_long, not_utf8. Holds one chunk and one line at most, whatever the size of the file.
 */
export async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  let line = 0;
  let begun: Buffer = Buffer.alloc(0);
  /** True while the rest of a line that was found too long passes by. */
  let isPassing = false;
  for await (const chunk of source) {
    let bytes = begun.length === 0 ? asBuffer(chunk) : Buffer.concat([begun, chunk]);
    if (isPassing) {
      const end = bytes.indexOf(NEWLINE);
      if (end < 0) continue;
      isPassing = false;
      bytes = bytes.subarray(end + 1);
    }
    const lines: Line[] = [];
    const end = bytes.lastIndexOf(NEWLINE);
    if (end >= 0) {
      cut(bytes.subarray(0, end), line, lines);
      line += lines.length;
    }
    begun = bytes.subarray(end + 1);
    if (begun.length > MAX_LINE_BYTES) {
      lines.push({ line: ++line, broken: 'too_long' });
      begun = Buffer.alloc(0);
      isPassing = true;
    }
    if (lines.length > 0) yield lines;
  }
  if (begun.length === 0) return;
  const last: Line[] = [];
  cut(begun, line, last);
  yield last;
}

/** Adds the lines of a block, which has no line break at its end, to `lines`. */
function cut(block: Buffer, linesBefore: number, lines: Line[]): void {
  let line = linesBefore;
  if (isUtf8(block)) {
    for (const text of block.toString('utf8').split('\n')) lines.push(lineOf(++line, text));
    return;
  }
  for (let from = 0; from <= block.length;) {
    const end = block.indexOf(NEWLINE, from);
    const bytes = block.subarray(from, end < 0 ? block.length : end);
    line++;
    lines.push(isUtf8(bytes) ? lineOf(line, bytes.toString('utf8')) : { line, broken: 'not_utf8' });
    from += bytes.length + 1;
  }
}

function lineOf(line: number, text: string): Line {
  // The bytes are counted only where the units, at most three bytes each, leave it open.
  if (text.length * UTF8_MAX_BYTES_PER_UNIT > MAX_LINE_BYTES && Buffer.byteLength(text) > MAX_LINE_BYTES)
    return { line, broken: 'too_long' };
  const start = line === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  return { line, text: start === 0 && end === text.length ? text : text.slice(start, end) };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
