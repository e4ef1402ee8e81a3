import { cashoutFigures } from '../cashouts/index.ts';
import {
  atSnapshot,
  readForeign,
  readPlace,
  startReader,
  takeChanges,
  waitForReader,
  type Taken,
  type FigureRow,
  type FigureSource,
  type ReportedEvent,
} from '../events/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import { withSnapshot, type Snapshot } from '../kit/snapshot.ts';
import { noticeFigures } from '../notices/index.ts';
import { orderFigures, refusedFigures } from '../orders/index.ts';
import { addFigures, forgetFigures } from './figure-rows.ts';

/** Its name among those that see every change once. */
export const READER = 'figures';
/** What is counted. */
export const SOURCES: readonly FigureSource[] = [orderFigures, refusedFigures, cashoutFigures, noticeFigures];
export const EVENTS: readonly string[] = SOURCES.flatMap(({ events }) => events);

/** Counts events that were reported. */
export async function countReported(
  tx: Pick<Tx, 'query'>,
  reported: readonly ReportedEvent[],
  sources = SOURCES,
): Promise<readonly FigureRow[]> {
  const counted: FigureRow[] = [];
  for (const { events, count } of sources) {
    const own = reported.filter(({ event }) => events.includes(event));
    if (own.length > 0) counted.push(...(await count(tx, own)));
  }
  return counted;
}

/** Adds what was reported since the last time. Each change is counted exactly once, whichever server does it. */
export const countNew = (db: Pick<Db, 'transaction'>, clock: Clock): Promise<Taken> =>
  takeChanges(db, READER, EVENTS, clock.now(), async (tx, reported) => addFigures(tx, await countReported(tx, reported)));

const ROWS_AT_ONCE = 5_000;
/** Before all that is stored. */
export const EVER = Temporal.Instant.fromEpochMilliseconds(0);
/** Changes are kept for an hour. What was reported during a longer count might be gone before it is added. */
const MOST_MINUTES = 50;

/** `db` waits for its statements as long as they take. */
type CountAgain = { readonly db: Pick<Db, 'transaction'>; readonly url: string; readonly clock: Clock };

/**
 * Counts everything again, from histories, in one state of the database. Changes that are made meanwhile are added afterwards.
 * Effects: other servers count nothing meanwhile; requests are served. Figures of notices that are deleted stay.
 * Throws: Unavailable; Error where it takes too long.
 */
export async function countAgain({ db, url, clock }: CountAgain): Promise<void> {
  const startedAt = performance.now();
  await db.transaction(async (tx) => {
    await waitForReader(tx, READER);
    await withSnapshot(url, async (snapshot) => {
      const now = clock.now();
      const shown = atSnapshot(snapshot);
      const place = { ...(await readPlace(shown)), foreign: await readForeign(shown) };
      for (const source of SOURCES) await countSource(tx, snapshot, source);
      if (performance.now() - startedAt > MOST_MINUTES * 60_000)
        throw new Error(`counting took longer than ${MOST_MINUTES} minutes, so nothing was changed`);
      startReader(tx, READER, place, now);
    });
  });
}

async function countSource(tx: Tx, snapshot: Snapshot, { events, countAll, countableSince }: FigureSource): Promise<void> {
  const since = countableSince === undefined ? EVER : await countableSince(atSnapshot(snapshot));
  if (since === undefined) return;
  await forgetFigures(tx, events, since);
  let portion: FigureRow[] = [];
  for await (const row of snapshot.rows<FigureRow>(countAll, [since])) {
    if (portion.push(row) < ROWS_AT_ONCE) continue;
    await addFigures(tx, portion);
    portion = [];
  }
  await addFigures(tx, portion);
}
