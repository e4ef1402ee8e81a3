import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import { NOTICE_PROBLEMS } from './notice-problems.ts';

/** To give up and to delete is never urgent. */
const EVERY_SECONDS = 10;
/** Rows of one step. */
const PORTION = 1_000;

/** Notices of an endpoint that an operator paused are not given up. Their time starts again when it is resumed. */
const GIVE_UP = statement(
  'notices.give_up',
  `update notices n set state = 'given_up', closed_at = coalesce(n.closed_at, $1), problem = coalesce(n.problem, '${NOTICE_PROBLEMS.paused}')
     from (
       select merchant_id, notice_id from notices w
        where state = 'waiting' and give_up_at <= $1 and (leased_until is null or leased_until <= $1)
          and not exists (select from notice_endpoints e where e.merchant_id = w.merchant_id and e.paused_by = 'operator')
        order by give_up_at limit ${PORTION} for update skip locked) late
    where n.merchant_id = late.merchant_id and n.notice_id = late.notice_id
   returning n.notice_id`,
);
const PRUNE = statement(
  'notices.prune',
  `delete from notices n using (
       select merchant_id, notice_id from notices
        where state <> 'waiting' and closed_at < $1 order by closed_at limit ${PORTION} for update skip locked) old
    where n.merchant_id = old.merchant_id and n.notice_id = old.notice_id
   returning n.notice_id`,
);

/** Makes the job that gives up late notices, and deletes those that ended that many days ago. A step does a portion of each. */
export function pruneNotices({ db, clock }: { readonly db: Db; readonly clock: Clock }, keptDays: number): Job {
  return inRounds(clock, EVERY_SECONDS, {
    name: 'notices.prune',
    step: async () => {
      const now = clock.now();
      const givenUp = await db.query(GIVE_UP, [now]);
      const deleted = await db.query(PRUNE, [now.subtract({ hours: 24 * keptDays })]);
      return givenUp.length === PORTION || deleted.length === PORTION;
    },
  });
}
