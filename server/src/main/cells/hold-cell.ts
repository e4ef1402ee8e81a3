import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable, type Db } from '../../kit/db.ts';
import type { Job } from '../../kit/jobs.ts';
import type { Log } from '../../kit/log.ts';
import { explainFault } from '../explain-fault.ts';

/** How long a cell that cannot be used rests before it is looked at again. */
const AGAIN_MS = 2_000;

/** How long a server that starts waits for a cell. */
const FIRST_LOOK_MS = 5_000;

type HeldCell = {
  /** The same database. Until the cell is ready everything throws Unavailable. */
  readonly db: Db;
  /** Tries again. */
  readonly job: Job;
};

/**
 * Holds a cell back until its database has the schema of this release. One that was away when the server started is migrated once it is
 * back: before that, no statement of this release meets an older schema.
 * Shape: resolves after the first try. `prepare` throws what explainFault knows where the cell cannot be used yet.
 */
export async function holdCell(
  { name, db, log }: { readonly name: string; readonly db: Db; readonly log: Log },
  prepare: () => Promise<void>,
): Promise<HeldCell> {
  let why: string | undefined = 'it was not asked yet';
  let nextMs = 0;
  const look = async (): Promise<void> => {
    const before = why;
    try {
      await prepare();
      why = undefined;
      if (nextMs > 0) log.info({ cell: name }, 'the cell can be used again');
    } catch (error) {
      const line = explainFault(error);
      if (line === undefined) throw error;
      why = line;
      nextMs = performance.now() + AGAIN_MS;
      if (before !== line) log.warn({ cell: name, reason: line }, 'a cell cannot be used: its merchants are answered 503');
    }
  };
  const requireReady = (): void => {
    if (why !== undefined) throw new Unavailable(`the cell ${name}: ${why}`);
  };
  let looking: Promise<void> | undefined;
  const lookOnce = (): Promise<void> => (looking ??= look().finally(() => void (looking = undefined)));
  const first = lookOnce();
  // One that hangs is served once it is ready, and keeps the server from serving the others no longer than this.
  await Promise.race([first, delay(FIRST_LOOK_MS, undefined, { ref: false })]);
  first.catch((error: unknown) => log.error({ cell: name, error }, 'a cell could not be prepared'));
  return {
    db: {
      ...db,
      transaction: async (work) => {
        requireReady();
        return db.transaction(work);
      },
      query: async (asked, values) => {
        requireReady();
        return db.query(asked, values);
      },
      readTogether: async (work) => {
        requireReady();
        return db.readTogether(work);
      },
    },
    job: {
      name: 'cells.prepare',
      step: async () => {
        if (why !== undefined && performance.now() >= nextMs) await lookOnce();
        return false;
      },
    },
  };
}
