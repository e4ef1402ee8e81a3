import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import { deleteMessages } from './message-rows.ts';
import { forgetRecipients } from './recipient-limit.ts';

const EVERY_SECONDS = 600;
/** Rows of one step: the statement takes milliseconds. */
const PORTION = 1_000;

/** Makes the job that deletes messages that many days after they were written. It also forgets recipients who got nothing for an hour. */
export function pruneMessages({ db, clock }: { readonly db: Db; readonly clock: Clock }, keptDays: number): Job {
  return inRounds(clock, EVERY_SECONDS, {
    name: 'messages.prune',
    step: async () => {
      const now = clock.now();
      const deleted = await deleteMessages(db, now.subtract({ hours: 24 * keptDays }), PORTION);
      const forgotten = await forgetRecipients(db, now, PORTION);
      return deleted === PORTION || forgotten === PORTION;
    },
  });
}
