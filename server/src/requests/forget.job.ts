import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';

/** Rows of one portion: some ten milliseconds of work. */
const PORTION = 1_000;
/** How long an answer can be asked for again: contract §7.3. */
const KEPT_HOURS = 30 * 24;

const FORGET_SIGNATURES = statement(
  'requests.forget_signatures',
  `delete from spent_signatures where (merchant_id, message_id) in (
     select merchant_id, message_id from spent_signatures where forget_at < $1 order by forget_at limit ${PORTION} for update skip locked
   ) returning 1`,
);
const FORGET_ANSWERS = statement(
  'requests.forget_answers',
  `delete from kept_answers where (merchant_id, operation, idempotency_key) in (
     select merchant_id, operation, idempotency_key from kept_answers where kept_at < $1 order by kept_at limit ${PORTION} for update skip locked
   ) returning 1`,
);

/** Forgets ids of signed requests that no clock would let in any more. Forgets answers after 30 days. */
export function forgetRequests(db: Db, clock: Clock): Job {
  return {
    name: 'forget-requests',
    step: async () => {
      const now = clock.now();
      const signatures = await db.query(FORGET_SIGNATURES, [now]);
      const answers = await db.query(FORGET_ANSWERS, [now.subtract({ hours: KEPT_HOURS })]);
      return signatures.length === PORTION || answers.length === PORTION;
    },
  };
}
