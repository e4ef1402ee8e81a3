import type { Clock } from '../../kit/clock.ts';
import type { Db, Tx } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';
import { holdReleased, postTransactions } from '../../ledger/index.ts';
import { lockDueHolds, saveAllReleased } from './hold-rows.ts';

const ROUND_SECONDS = 60;
/** Holds of one step. It is one transaction. */
const AT_ONCE = 1_000;

type Deps = {
  readonly db: Pick<Db, 'transaction'>;
  readonly clock: Clock;
  /** The most holds of a step. */
  readonly most?: number;
};

/** Makes the job that gives merchants what was held back until a day. It posts what is due in one transaction, each hold once. */
export const releaseDueHolds = ({ db, clock, most = AT_ONCE }: Deps): Job =>
  inRounds(clock, ROUND_SECONDS, {
    name: 'settlements.release_holds',
    step: () => db.transaction((tx) => releaseDue(tx, clock.now(), most)),
  });

async function releaseDue(tx: Tx, now: Temporal.Instant, most: number): Promise<boolean> {
  const due = await lockDueHolds(tx, now, most);
  if (due.length === 0) {
    tx.wroteNothing();
    return false;
  }
  saveAllReleased(tx, due, now);
  postTransactions(
    tx,
    due.map((hold) => holdReleased(hold, now)),
  );
  return true;
}
