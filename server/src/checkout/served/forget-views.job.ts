import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';

const EVERY_SECONDS = 24 * 3600;
const PORTION = 1_000;

/** By the place of the row: its key has eight columns. A row that another server counts meanwhile waits for the next day. */
const FORGET = statement(
  'checkout.forget_views',
  `delete from page_views where ctid = any (array(
     select ctid from page_views where first_at < $1 order by first_at limit ${PORTION} for update skip locked))
   returning 1 as one`,
);

/** Deletes, once a day, which pages were served that many days ago. What surrounded them stays: few rows, and no person's. */
export function forgetViews({ db, clock }: { readonly db: Db; readonly clock: Clock }, keptDays: number): Job {
  return inRounds(clock, EVERY_SECONDS, {
    name: 'checkout.forget_views',
    patience: 'some',
    step: async () => (await db.query(FORGET, [clock.now().subtract({ hours: 24 * keptDays })])).length === PORTION,
  });
}
