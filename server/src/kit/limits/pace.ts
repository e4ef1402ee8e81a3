import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { classify, connectClient, connectionConfig } from '../db.ts';

/** Rows that an export copies in a second while nobody writes. */
const ALONE = 40_000;
/** The same while others write: most of the time belongs to payments. */
const BESIDE_OTHERS = 5_000;
/** A longer list is copied faster: its snapshot must not grow old. */
const MOST_SECONDS = 300;
/** Somebody works where so many rows are written in a second. An update of an order writes two. */
const BUSY = 200;
/** PostgreSQL counts what a transaction wrote within about a second. */
const LOOK_MS = 1_000;

const WRITTEN = `select tup_inserted + tup_updated + tup_deleted as written from pg_stat_database where datname = current_database()`;

/** How many rows of an export may be copied in a second now, so that it delays nobody. */
export type Pace = { perSecond(rows: number): number; close(): Promise<void> };

/**
 * Watches how much others write. Until that is known, somebody is supposed to work.
 * Throws: Unavailable when the database cannot be reached. One that is lost later ends the watching, not the export.
 */
export async function openPace(url: string): Promise<Pace> {
  const client = await connectClient(connectionConfig(url, null)).catch((error: unknown) => {
    throw classify(error);
  });
  let isBusy = true;
  let before: { readonly at: number; readonly written: number } | undefined;

  async function look(): Promise<void> {
    const { rows } = await client.query<{ written: bigint }>(WRITTEN);
    const now = { at: performance.now(), written: Number(rows[0]?.written) };
    if (before !== undefined) isBusy = (now.written - before.written) * 1_000 >= BUSY * (now.at - before.at);
    before = now;
  }
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), LOOK_MS);
  await look();
  return {
    perSecond: (rows) => Math.max(isBusy ? BESIDE_OTHERS : ALONE, rows / MOST_SECONDS),
    close: async () => {
      clearInterval(timer);
      await client.end();
    },
  };
}

/** Rests until that instant of `performance.now()`. Where it is past, requests have their turn, and no timer makes it a millisecond longer. */
export async function restUntil(dueAt: number): Promise<void> {
  const ms = dueAt - performance.now();
  await (ms > 0 ? delay(ms) : nextTurn());
}
