import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectClient, connectionConfig, toParameter, type Tx } from '../../kit/db.ts';
import { LINE_RULES, separatorIn, type RowRefusal } from '../../kit/files/csv.ts';
import { readLines, type Line } from '../../kit/files/lines.ts';
import type { FileProgress } from '../../kit/files/progress.ts';
import { COUNT_CHANGES } from '../cashout-rows.ts';
import { createRowReader, readFormat, type ImportedCashout, type ImportingMerchant } from './import-cashouts.wire.ts';
import {
  COPY_INCOMING,
  CREATE_INCOMING,
  DECLARE_CONFLICTS,
  END_OF_SLICE,
  FETCH_CONFLICTS,
  INDEX_INCOMING,
  SETTINGS,
  STORE_SLICE,
  toCopyLine,
  type Conflict,
  type StoredCount,
} from './statements.ts';

/** Where rows go that are skipped. Closed before the rest is committed, so that no row is ever lost. */
export type Rejects = { write(refusal: RowRefusal, text: string | undefined): Promise<void>; close(): Promise<void> };

export type ImportOptions = {
  readonly url: string;
  readonly merchant: ImportingMerchant;
  readonly now: Temporal.Instant;
  readonly source: AsyncIterable<Uint8Array>;
  /** Undefined: a bad row refuses the file. */
  readonly rejects: Rejects | undefined;
  /** Records who imports them, in the transaction of the import. Undefined: the service itself. */
  readonly record?: ((tx: Pick<Tx, 'send'>, counts: ImportCounts) => void) | undefined;
  /** Called often. */
  readonly onProgress: (progress: FileProgress) => void;
};

/** `rows` are added, unchanged or rejected. */
type ImportCounts = { readonly rows: number; readonly added: number; readonly unchanged: number; readonly rejected: number };

/** A refused file changed nothing; its first refusals come with it. */
export type ImportOutcome =
  | ({ readonly outcome: 'imported' } & ImportCounts)
  | { readonly outcome: 'refused'; readonly refusals: readonly RowRefusal[] };

/** A file is given up after so many bad rows: they are mostly of one kind. */
const MAX_REFUSALS = 10;
/** Bounds what the database keeps of one statement: it queues a check of the merchant for each row. Progress is seen after each slice. */
const SLICE_ROWS = 50_000;

/**
 * Imports the cashouts that a merchant brings from another service, in one transaction: all of a file or nothing.
 * Shape: bytes of CSV or NDJSON → ImportOutcome. Memory does not grow with the file. A cashout that is stored already, with the same
 * values, keeps them: a file may be imported again.
 * Refuses (per row): as createRowReader; a cashout that is stored, or came earlier in the file, with other values.
 * Effects: rows are copied into a table of this transaction and from there into cashouts in the order of their key; the day's counts,
 * which running servers change all the time, are locked at the very end. A server that registers one of them meanwhile
 * waits for the commit. No history: what an imported cashout went through happened elsewhere.
 * Source: contract §4.1, §4.3.
 */
export async function importCashouts(options: ImportOptions): Promise<ImportOutcome> {
  const client = await connectClient(connectionConfig(options.url, null));
  try {
    await client.query('begin');
    const outcome = await importInto(client, options);
    if (outcome.outcome === 'imported') {
      await options.rejects?.close();
      await recordIn(client, options, outcome);
      await client.query('commit');
    }
    return outcome;
  } finally {
    await client.end(); // Also rolls back.
  }
}

async function recordIn(client: Client, { record }: ImportOptions, { rows, added, unchanged, rejected }: ImportCounts): Promise<void> {
  const sent: Promise<unknown>[] = [];
  record?.(
    { send: ({ text }, values) => void sent.push(client.query(text, values.map(toParameter))) },
    { rows, added, unchanged, rejected },
  );
  await Promise.all(sent);
}

async function importInto(client: Client, options: ImportOptions): Promise<ImportOutcome> {
  const { merchant, rejects, onProgress } = options;
  const { copied, rejected: misread, refusals } = await copyRows(client, options);
  if (refusals.length > 0) return { outcome: 'refused', refusals };
  if (copied + misread === 0) return { outcome: 'refused', refusals: [{ line: 1, rule: LINE_RULES.empty }] };
  onProgress({ stage: 'sorting', rows: copied });
  await client.query(INDEX_INCOMING);
  const counts = await storeRows(client, merchant.merchantId, copied, onProgress);
  const added = counts.reduce((sum, { delta }) => sum + delta, 0);
  let conflicting = 0;
  if (added < copied) {
    onProgress({ stage: 'comparing', rows: copied - added });
    await client.query(DECLARE_CONFLICTS, [merchant.merchantId]);
    for await (const refusal of conflictsOf(client)) {
      conflicting++;
      if (rejects !== undefined) await rejects.write(refusal, undefined);
      else if (refusals.push(refusal) === MAX_REFUSALS) break;
    }
    if (refusals.length > 0) return { outcome: 'refused', refusals };
  }
  onProgress({ stage: 'finishing', rows: added });
  if (counts.length > 0) await addCounts(client, merchant.merchantId, counts);
  const rejected = misread + conflicting;
  return { outcome: 'imported', rows: copied + misread, added, unchanged: copied - added - conflicting, rejected };
}

type Copied = { copied: number; rejected: number; readonly refusals: RowRefusal[] };

async function copyRows(client: Client, { source, merchant, now, rejects, onProgress }: ImportOptions): Promise<Copied> {
  const result: Copied = { copied: 0, rejected: 0, refusals: [] };
  let readRow: ReturnType<typeof createRowReader> | undefined;
  let separator: string | undefined;

  async function* copyLines(): AsyncGenerator<Buffer> {
    for await (const lines of readLines(source)) {
      let text = '';
      for (const line of lines) {
        if (readRow === undefined) {
          if ('text' in line && line.text.trim() === '') continue;
          const named = separator === undefined ? separatorIn(line) : undefined;
          if (named !== undefined) {
            separator = named;
            continue;
          }
          const format = readFormat(line, separator);
          if ('rule' in format) return void result.refusals.push(format);
          readRow = createRowReader(format, merchant, now);
        }
        const row = readRow(line);
        if (row === undefined) continue;
        if (isRow(row)) {
          text += toCopyLine(row);
          result.copied++;
        } else if (rejects !== undefined) {
          result.rejected++;
          await rejects.write(row, textOf(line));
        } else if (result.refusals.push(row) === MAX_REFUSALS) return;
      }
      onProgress({ stage: 'reading', rows: result.copied + result.rejected });
      if (text !== '') yield Buffer.from(text);
    }
  }

  await client.query(`${SETTINGS}; ${CREATE_INCOMING}`);
  await pipeline(copyLines, client.query(copyFrom(COPY_INCOMING)));
  return result;
}

async function storeRows(
  client: Client,
  merchantId: string,
  copied: number,
  onProgress: ImportOptions['onProgress'],
): Promise<readonly StoredCount[]> {
  const sums = new Map<string, StoredCount>();
  let after = '';
  for (let done = 0; done < copied;) {
    onProgress({ stage: 'storing', rows: done, of: copied });
    const { rows: ends } = await client.query<{ end: string }>(END_OF_SLICE, [after, SLICE_ROWS - 1]);
    const end = ends[0]?.end ?? null;
    const { rows } = await client.query<StoredCount>(STORE_SLICE, [merchantId, after, end]);
    for (const count of rows) {
      const key = `${count.updatedOn.toString()} ${count.updatedAt.epochMilliseconds} ${count.state}`;
      sums.set(key, { ...count, delta: count.delta + (sums.get(key)?.delta ?? 0) });
    }
    if (end === null) break;
    after = end;
    done += SLICE_ROWS;
  }
  return [...sums.values()];
}

async function* conflictsOf(client: Client): AsyncGenerator<RowRefusal> {
  for (;;) {
    const { rows } = await client.query<Conflict>(FETCH_CONFLICTS);
    if (rows.length === 0) return;
    for (const { line, operationId, firstLine } of rows) {
      const where = firstLine < line ? `is stored or stands in line ${firstLine}` : 'is stored';
      yield { line, field: 'operation', rule: `${operationId} ${where} with other values` };
    }
  }
}

async function addCounts(client: Client, merchantId: string, counts: readonly StoredCount[]): Promise<void> {
  await client.query(COUNT_CHANGES.text, [
    counts.map(() => merchantId),
    counts.map(({ updatedOn }) => updatedOn.toString()),
    counts.map(({ updatedAt }) => updatedAt.toString()),
    counts.map(({ state }) => state),
    counts.map(({ delta }) => delta),
  ]);
}

const isRow = (row: ImportedCashout | RowRefusal): row is ImportedCashout => !('rule' in row);

const textOf = (line: Line): string | undefined => ('text' in line ? line.text : undefined);
