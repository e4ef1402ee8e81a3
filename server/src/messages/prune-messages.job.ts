import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import { deleteMessages } from './message-rows.ts';

/** Long enough to answer a payer who asks for a mail. */
const KEPT_DAYS = 30;
const EVERY_SECONDS = 600;
/** Rows of one step: the statement takes milliseconds. */
const PORTION = 1_000;

/** Makes the job that deletes messages 30 days after they were written. */
export function pruneMessages({ db, clock }: { readonly db: Db; readonly clock: Clock }): Job {
  return inRounds(clock, EVERY_SECONDS, {
    name: 'messages.prune',
    step: async () => (await deleteMessages(db, clock.now().subtract({ hours: 24 * KEPT_DAYS }), PORTION)) === PORTION,
  });
}
