import { dayOf } from '../../kit/calendar.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db, Tx } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';
import { holdReleased, postTransactions } from '../../ledger/index.ts';
import { readTimeZones } from '../../merchants/index.ts';
import { lockDueHolds, saveAllReleased } from './hold-rows.ts';

const ROUND_SECONDS = 60;
/** The zone in which a day begins first. */
const FIRST_ZONE = 'Pacific/Kiritimati';

/** Makes the job that gives merchants what was held back until a day. It posts what is due in one transaction, each hold once. */
export const releaseDueHolds = ({ db, clock }: { readonly db: Pick<Db, 'transaction'>; readonly clock: Clock }): Job =>
  inRounds(clock, ROUND_SECONDS, {
    name: 'settlements.release_holds',
    step: () => db.transaction((tx) => releaseDue(tx, clock.now())),
  });

async function releaseDue(tx: Tx, now: Temporal.Instant): Promise<boolean> {
  const found = await lockDueHolds(tx, dayOf(now, FIRST_ZONE));
  const zoneOf = await readTimeZones(
    tx,
    found.map(({ merchantId }) => merchantId),
  );
  const due = found.filter(
    ({ merchantId, releaseOn }) => releaseOn !== null && Temporal.PlainDate.compare(releaseOn, dayOf(now, zoneOf(merchantId))) <= 0,
  );
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
