import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type { Clock } from '../kit/clock.ts';
import { Unavailable, type Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import type { ExportedList } from './exported-list.ts';
import { addPart, claimExport, endExport, pruneExports, returnExport, type StoredExport } from './export-rows.ts';
import { isFull } from './shares.ts';
import { isFaults, readFilter } from './read-filter.ts';
import { urlsOf, writeExport, type ExportedCells } from './write-export.ts';

/** A part is written within a second or two. A server that is silent for longer has died, or has lost the database. */
const LEASE_SECONDS = 60;
/** An export that ends the server which writes it must not end them all, again and again. Waiting for a database is no try. */
const MOST_TRIES = 3;
const KEPT_HOURS = 24;
const PRUNE_EVERY_SECONDS = 60;

/** `cells`: each export has a connection of its own to each cell that it reads. */
export type MakeExports = ExportedCells & {
  /** Home, which has what was asked for and what is written of it. */
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly lists: readonly ExportedList[];
  /** All kept exports together may have so many bytes in the database. */
  readonly mostStoredBytes: number;
};

/** The export is gone, or another server writes it. */
class Lost extends Error {}
/** The kept exports take all the room that they may. */
class Full extends Error {}

const pack = promisify(zstdCompress);
/** The fastest: a part of 1 MiB takes some milliseconds of another thread, and becomes a small fraction. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Makes the jobs that write what was asked for, and delete it after a day. Each server writes one export at a time. */
export function makeExports(deps: MakeExports): readonly Job[] {
  const { db, clock } = deps;
  const lease = (): Temporal.Instant => clock.now().add({ seconds: LEASE_SECONDS });
  const write: Job = {
    name: 'exports.write',
    step: async () => {
      const claimed = await claimExport(db, clock.now(), lease());
      if (claimed === undefined) return false;
      await make(deps, claimed, lease);
      return true;
    },
  };
  const prune = async (): Promise<boolean> => {
    await pruneExports(db, clock.now().subtract({ hours: KEPT_HOURS }));
    return false;
  };
  return [write, inRounds(clock, PRUNE_EVERY_SECONDS, { name: 'exports.prune', step: prune })];
}

async function make(deps: MakeExports, claimed: StoredExport, lease: () => Temporal.Instant): Promise<void> {
  const { db, clock, log } = deps;
  let hasBegun = false;
  try {
    const trailer = await write(deps, claimed, lease, () => (hasBegun = true));
    await endExport(db, claimed, { trailer }, clock.now());
  } catch (error) {
    if (error instanceof Lost) return;
    // A cell may be away for long: the export waits as if nobody had tried.
    if (error instanceof Unavailable && !hasBegun) {
      await returnExport(db, claimed);
      throw error;
    }
    // The lease ends, and the next try begins with a new snapshot.
    if (error instanceof Unavailable && claimed.tries < MOST_TRIES) throw error;
    if (!(error instanceof Full)) log.error({ exportId: claimed.exportId, error }, 'an export failed');
    await endExport(db, claimed, { failure: error instanceof Full ? 'too_large' : 'interrupted' }, clock.now());
  }
}

/** `onBegin`: all databases are open, and rows are read. */
async function write(deps: MakeExports, claimed: StoredExport, lease: () => Temporal.Instant, onBegin: () => void) {
  const { db, clock, lists, mostStoredBytes } = deps;
  const list = lists.find(({ name }) => name === claimed.list);
  if (list === undefined || claimed.tries > MOST_TRIES) throw new Error(`the export was begun ${claimed.tries} times`);
  const values = readFilter(list, claimed.filter, claimed.zone);
  if (isFaults(values)) throw new Error('another release knows this filter');
  const scope = claimed.merchantId === null ? 'everybody' : { merchantId: claimed.merchantId };
  const named = { ...(claimed.merchantId === null ? {} : { merchant: claimed.merchantId }), ...claimed.filter };
  const what = {
    list,
    format: claimed.format,
    zone: claimed.zone,
    filter: named,
    query: list.query(scope, values, clock.now()),
  };
  const rows = { total: 0, written: 0 };
  let firstByte = 0;
  return writeExport({
    urls: await urlsOf(deps, list, claimed.merchantId ?? undefined),
    clock,
    what,
    onProgress: ({ rows: written, of = 0 }) => {
      onBegin();
      Object.assign(rows, { total: of, written });
    },
    sink: async (bytes) => {
      const part = { firstByte, bytes: bytes.length, packed: await pack(bytes, FAST), rows, until: lease() };
      const stored = await addPart(db, claimed, part);
      if (stored === undefined) throw new Lost();
      if (isFull(stored, claimed.boundTo, mostStoredBytes)) throw new Full();
      firstByte += bytes.length;
    },
  });
}
