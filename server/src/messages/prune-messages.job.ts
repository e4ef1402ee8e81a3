import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import { deleteMessages } from './message-rows.ts';

/** Long enough to answer a payer who asks where the mail went. */
const KEPT_DAYS = 30;
/** Few enough that the statement takes milliseconds. */
const ROWS_AT_ONCE = 1_000;
const PAUSE_MINUTES = 10;

/** The job that deletes messages 30 days after they were made. Looks every ten minutes, and goes on at once while there is more. */
export function pruneMessages({ db, clock }: { readonly db: Db; readonly clock: Clock }): Job {
  let nextAt: Temporal.Instant | undefined;
  return {
    name: 'messages.prune',
    step: async () => {
      const now = clock.now();
      if (nextAt !== undefined && Temporal.Instant.compare(now, nextAt) < 0) return false;
      const deleted = await deleteMessages(db, now.subtract({ hours: 24 * KEPT_DAYS }), ROWS_AT_ONCE);
      if (deleted === ROWS_AT_ONCE) return true;
      nextAt = now.add({ minutes: PAUSE_MINUTES });
      return false;
    },
  };
}
