import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../kit/clock.ts';
import type { FileProgress } from '../kit/files/progress.ts';
import { byText } from '../kit/lists/merges.ts';
import { withSnapshot, type Snapshot } from '../kit/snapshot.ts';
import type { ExportedList, FilterTexts, ExportQuery } from './exported-list.ts';
import { mergeCopies } from './merge-copies.ts';
import { openPace, type Pace } from './pace.ts';
import { type Format } from './formats.ts';
import { copyOf, headOf, keyedCopyOf, sumsOf } from './render-list.ts';
import { trailerParts, type Trailer } from './trailer.ts';

/** Longest life of an export's snapshot. While one is open, the database keeps every row version that was replaced since. */
const LIFE_MS = 15 * 60_000;
/** Bytes that are handed on together. The memory of an export does not grow beyond a few of them. */
const PART_BYTES = 1024 * 1024;
/** An export that fell behind its pace makes up for so much of it. */
const MOST_BEHIND_MS = 1_000;
const NEWLINE = 0x0a;

type WhatToExport = {
  readonly list: ExportedList;
  readonly filter: FilterTexts;
  readonly query: ExportQuery;
  readonly format: Format;
  /** Of instants in a format that has a language. UTC where absent. */
  readonly zone?: string | undefined;
};

export type ExportOptions = {
  readonly url: string;
  /** The databases of other cells, whose rows belong to it too. */
  readonly otherUrls?: readonly string[];
  readonly clock: Clock;
  readonly what: WhatToExport;
  /** Takes the bytes in their order. An export waits for it. */
  readonly sink: (bytes: Buffer) => Promise<void>;
  readonly onProgress?: (progress: FileProgress) => void;
  readonly lifeMs?: number;
};

/**
 * Writes a whole list, as it was at one instant, and its trailer at the end. Of several cells there is a snapshot of each, of nearly the
 * same instant, and their rows are in one order.
 * Shape: → the trailer. The rows that were counted, and those that the database says it has copied, are the same number.
 * Throws: Unavailable when the database cannot be reached, or the life of the snapshot is over. What was written then has no trailer.
 */
export async function writeExport(options: ExportOptions): Promise<Trailer> {
  const urls = [options.url, ...(options.otherUrls ?? [])];
  const paces: Pace[] = [];
  try {
    for (const url of urls) paces.push(await openPace(url));
    // The slowest one: nobody is delayed in any cell.
    const perSecond = (rows: number): number => Math.min(...paces.map((pace) => pace.perSecond(rows)));
    return await write(options, urls, perSecond);
  } finally {
    for (const pace of paces) await pace.close();
  }
}

/** Opens a snapshot of each database. */
function withSnapshots<T>(
  urls: readonly string[],
  look: (snapshots: readonly Snapshot[]) => Promise<T>,
  lifeMs: number,
  opened: readonly Snapshot[] = [],
): Promise<T> {
  const [url, ...others] = urls;
  if (url === undefined) return look(opened);
  return withSnapshot(url, (snapshot) => withSnapshots(others, look, lifeMs, [...opened, snapshot]), lifeMs);
}

function write(
  { clock, what, sink, onProgress = () => undefined, lifeMs = LIFE_MS }: ExportOptions,
  urls: readonly string[],
  perSecond: (rows: number) => number,
): Promise<Trailer> {
  const { list, filter, query, format, zone = 'UTC' } = what;
  return withSnapshots(
    urls,
    async (snapshots) => {
      const at = clock.now().toString();
      onProgress({ stage: 'counting', rows: 0 });
      const { rows, sums } = (await Promise.all(snapshots.map((snapshot) => count(snapshot, list, query)))).reduce(addCounted);
      const hash = createHash('sha256');
      const send = async (bytes: Buffer): Promise<void> => {
        hash.update(bytes);
        await sink(bytes);
      };
      onProgress({ stage: 'writing', rows: 0, of: rows });
      const head = headOf(list, format, zone);
      if (head !== '') await send(Buffer.from(head));
      const copied = await inParts(
        copyAll(snapshots, what, zone),
        send,
        () => perSecond(rows),
        (lines) => onProgress({ stage: 'writing', rows: Math.min(lines, rows), of: rows }),
      );
      if (copied !== rows) throw new Error(`${list.name}: ${rows} rows were counted and ${copied} copied`);
      const unproved = { list: list.name, format, filter, at, rows, sums };
      const last = trailerParts(unproved, Object.keys(list.columns).length);
      const sha256 = hash.update(last.head).digest('hex');
      await sink(Buffer.from(last.head + last.tail(sha256)));
      return { ...unproved, sha256 };
    },
    lifeMs,
  );
}

/** The rows of all databases in the order of the list. */
function copyAll(snapshots: readonly Snapshot[], { list, format, query }: WhatToExport, zone: string): AsyncGenerator<Buffer, number> {
  const [alone, ...others] = snapshots as [Snapshot, ...Snapshot[]];
  if (others.length === 0) {
    const { text, options } = copyOf(list, format, zone, query);
    return alone.copy({ text }, query.values, options);
  }
  const { text, options, form } = keyedCopyOf(list, format, zone, query);
  return mergeCopies(
    snapshots.map((snapshot) => snapshot.copy({ text }, query.values, options)),
    form,
  );
}

type Sums = { rows: number; readonly sums: Record<string, string> };

/** What two cells have. Sums of one currency have the same number of decimals. */
function addCounted(one: Sums, other: Sums): Sums {
  const sums = { ...one.sums };
  for (const [currency, sum] of Object.entries(other.sums))
    sums[currency] = sums[currency] === undefined ? sum : addTexts(sums[currency], sum);
  const inOrder = Object.entries(sums).toSorted(([first], [second]) => byText(first, second));
  return { rows: one.rows + other.rows, sums: Object.fromEntries(inOrder) };
}

function addTexts(one: string, other: string): string {
  const decimals = one.split('.')[1]?.length ?? 0;
  const sum = BigInt(one.replace('.', '')) + BigInt(other.replace('.', ''));
  const digits = (sum < 0n ? -sum : sum).toString().padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return sum < 0n ? `-${text}` : text;
}

async function count(snapshot: Snapshot, list: ExportedList, query: ExportQuery): Promise<Sums> {
  const found: Sums = { rows: 0, sums: {} };
  type Row = { readonly currency: string | null; readonly rows: string; readonly sum: string | null };
  for await (const { currency, rows, sum } of snapshot.rows<Row>({ text: sumsOf(list, query) }, query.values)) {
    found.rows += Number(rows);
    if (currency !== null && sum !== null) found.sums[currency] = sum;
  }
  return found;
}

/** Hands bytes on in parts, and rests after each. Shape: → what the bytes end with. `onLines` gets the number of lines so far. */
async function inParts(
  bytes: AsyncGenerator<Buffer, number>,
  send: (part: Buffer) => Promise<void>,
  perSecond: () => number,
  onLines: (lines: number) => void,
): Promise<number> {
  let chunks: Buffer[] = [];
  let size = 0;
  let lines = 0;
  let dueAt = performance.now();
  for (;;) {
    const next = await bytes.next();
    if (next.done !== true) {
      chunks.push(next.value);
      size += next.value.length;
      if (size < PART_BYTES) continue;
    }
    const part = Buffer.concat(chunks);
    if (part.length > 0) await send(part);
    if (next.done === true) return next.value;
    const more = newlines(part);
    onLines((lines += more));
    chunks = [];
    size = 0;
    dueAt = Math.max(dueAt, performance.now() - MOST_BEHIND_MS) + (more / perSecond()) * 1_000;
    await delay(Math.max(0, dueAt - performance.now()));
  }
}

function newlines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
