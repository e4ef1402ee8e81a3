import type { Clock } from '../clock.ts';
import type { Job } from '../jobs.ts';
import type { Log } from '../log.ts';
import { Unavailable } from './faults.ts';
import type { Db } from './open-db.ts';
import { statement } from './statement.ts';
import { isWriteStatement } from './writes.ts';

/**
 * How far this machine's clock may be from the database's, in seconds. Times of orders, tokens, locks and sums are this machine's. Several
 * servers write them in turn, and ten seconds is the shortest time that any of them compares (a key that has ended, a reversal after 50).
 * Half a minute is far beyond what machines with a time server differ by, and below all terms of the business. The doctor has the same bound.
 */
export const MOST_SECONDS_APART = 30;

const EVERY_MS = 10_000;
const NOW = statement('db.read_clock', 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms');

/** Refuses to write while the clock of this machine is far from the database's. */
export type ClockGuard = {
  /** The same database. What writes throws Unavailable, without a round trip, while the clocks are apart. Reads go on. */
  readonly db: Db;
  /** Compares the clocks every ten seconds. Between, a monotonic clock says how far this machine's was set. */
  readonly job: Job;
  /** Compares them now. */
  compare(): Promise<void>;
  /** Why nothing is written. Undefined: the clocks agree. */
  reason(): string | undefined;
};

/** Makes the guard of a database. `monotonicMs`: time that nobody can set. Until the first comparison nothing is refused. */
export function guardClock(
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log },
  monotonicMs: () => number = () => performance.now(),
): ClockGuard {
  /** What has to be added to the monotonic clock for the database's. */
  let offsetMs: number | undefined;
  let isApart = false;
  let comparing: Promise<void> | undefined;
  let nextMs = -Infinity;

  const apartSeconds = (): number => (offsetMs === undefined ? 0 : (clock.now().epochMilliseconds - monotonicMs() - offsetMs) / 1_000);

  function reason(): string | undefined {
    const seconds = apartSeconds();
    const isNow = Math.abs(seconds) > MOST_SECONDS_APART;
    if (isNow !== isApart) {
      isApart = isNow;
      if (isNow)
        log.error(
          { seconds: Math.round(seconds) },
          'the clock of this machine is far from the database’s: nothing is written until they agree',
        );
      else log.warn('the clocks of this machine and the database agree again');
    }
    return isNow
      ? `the clock of this machine is ${Math.abs(seconds).toFixed(0)} seconds ${seconds < 0 ? 'behind' : 'ahead of'} the database’s`
      : undefined;
  }

  async function ask(): Promise<void> {
    const before = monotonicMs();
    const [row] = await db.query<{ ms: number }>(NOW, []);
    if (row !== undefined) offsetMs = row.ms - (before + monotonicMs()) / 2;
    nextMs = monotonicMs() + EVERY_MS;
    reason();
  }
  const compare = (): Promise<void> => (comparing ??= ask().finally(() => (comparing = undefined)));

  async function refuseWhileApart(): Promise<void> {
    if (reason() === undefined) return;
    // Whichever of the two was set, or a machine that slept: the next comparison knows.
    await compare();
    const why = reason();
    if (why !== undefined) throw new Unavailable(why);
  }

  return {
    db: {
      ...db,
      transaction: async (work) => {
        if (isApart || reason() !== undefined) await refuseWhileApart();
        return db.transaction(work);
      },
      query: async <Row>(...[asked, values]: Parameters<Db['query']>) => {
        if (isWriteStatement(asked)) await refuseWhileApart();
        return db.query<Row>(asked, values);
      },
    },
    compare,
    reason,
    job: {
      name: 'db.compare-clocks',
      step: async () => {
        if (monotonicMs() >= nextMs) await compare();
        return false;
      },
    },
  };
}
