import { createHash } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import type { FileProgress } from '../kit/files/progress.ts';
import { byText } from '../kit/lists/merges.ts';
import { formatAllDecimals } from '../kit/money.ts';
import { requireWhole, type PerCell } from '../kit/per-cell.ts';
import { withSnapshot, type Snapshot } from '../kit/snapshot.ts';
import type { ExportedList, FilterTexts, ExportQuery } from './exported-list.ts';
import { mergeCopies } from './merge-copies.ts';
import { openPace, restUntil, type Pace } from '../kit/limits/pace.ts';
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
  /** The databases whose rows belong to it: one, or those of several cells. */
  readonly urls: readonly string[];
  readonly clock: Clock;
  readonly what: WhatToExport;
  /** Takes the bytes in their order. An export waits for it. */
  readonly sink: (bytes: Buffer) => Promise<void>;
  readonly onProgress?: (progress: FileProgress) => void;
  readonly lifeMs?: number;
};

/** The databases of a service, as exports read them. */
export type ExportedCells = {
  readonly cells: PerCell<{ readonly url: string }>;
  /** The cell of a merchant. */
  readonly cellOf: (merchantId: string) => Promise<number>;
};

/**
 * The databases whose rows a list has, of one merchant or of all.
 * Throws: Unavailable where one of them is not reached from here: a file is whole.
 */
export async function urlsOf(
  { cells, cellOf }: ExportedCells,
  { isEverywhere }: ExportedList,
  merchantId: string | undefined,
): Promise<readonly string[]> {
  if (merchantId !== undefined && isEverywhere !== true) return [cells.of(await cellOf(merchantId)).url];
  requireWhole(cells);
  return cells.all.map(([, { url }]) => url);
}

/**
 * Writes a whole list, as it was at one instant, and its trailer at the end. Of several cells there is a snapshot of each, of nearly the
 * same instant, and their rows are in one order.
 * Shape: → the trailer. The rows that were counted, and those that the database says it has copied, are the same number.
 * Throws: Unavailable when the database cannot be reached, or the life of the snapshot is over. What was written then has no trailer.
 */
export async function writeExport(options: ExportOptions): Promise<Trailer> {
  const { urls } = options;
  const paces: Pace[] = [];
  try {
    for (const url of urls) paces.push(await openPace(url));
    // The slowest one: nobody is delayed in any cell.
    const perSecond = (rows: number): number => Math.min(...paces.map((pace) => pace.perSecond(rows)));
    return await write(options, perSecond);
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
  { urls, clock, what, sink, onProgress = () => undefined, lifeMs = LIFE_MS }: ExportOptions,
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

/** What two cells have. */
function addCounted(one: Sums, other: Sums): Sums {
  const sums = { ...one.sums };
  for (const [currency, sum] of Object.entries(other.sums)) {
    const before = sums[currency];
    sums[currency] = before === undefined ? sum : formatAllDecimals(minorUnits(before) + minorUnits(sum), currency);
  }
  const inOrder = Object.entries(sums).toSorted(([first], [second]) => byText(first, second));
  return { rows: one.rows + other.rows, sums: Object.fromEntries(inOrder) };
}

/** A sum as the database writes it has all decimals of its currency. */
const minorUnits = (sum: string): bigint => BigInt(sum.replace('.', ''));

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
    await restUntil(dueAt);
  }
}

function newlines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
