import { statement, type Db } from '../kit/db.ts';
import type { ListedNotice } from './notice-rows.ts';

/** One attempt to deliver a notice, as it ended. */
export type ListedAttempt = {
  readonly attempt: number;
  readonly attemptedAt: Temporal.Instant;
  readonly answerStatus: number | null;
  readonly answer: string | null;
  readonly problem: string | null;
};

/**
 * Keeps the last attempt of notices. By itself, after what changed the notices: one statement that writes two tables needs every node of a
 * Citus cluster.
 */
export const KEEP_ATTEMPTS = statement(
  'notices.keep_attempts',
  `insert into notice_attempts (merchant_id, notice_id, attempt, attempted_at, answer_status, answer, problem)
   select n.merchant_id, n.notice_id, n.attempts, n.attempted_at, n.answer_status, n.answer, n.problem
     from unnest($1::text[], $2::bigint[]) as k (merchant_id, notice_id) join notices n on n.merchant_id = k.merchant_id and n.notice_id = k.notice_id
    where n.attempts > 0
   on conflict do nothing`,
);

/** The newest ones. A notice has about 180 in its seven days. */
const MOST_SHOWN = 200;
const SELECT = statement(
  'notices.attempts',
  `select attempt, attempted_at as "attemptedAt", answer_status as "answerStatus", answer, problem from notice_attempts
    where merchant_id = $1 and notice_id = $2 order by attempt desc limit ${MOST_SHOWN}`,
);

/** Lists the attempts of a notice that have ended, the newest first. */
export async function listAttempts(db: Pick<Db, 'query'>, { notice, delivery }: ListedNotice): Promise<readonly ListedAttempt[]> {
  const kept = await db.query<ListedAttempt>(SELECT, [notice.merchantId, notice.noticeId]);
  const { state, attempts, attemptedAt, answerStatus, answer, problem } = delivery;
  if (kept.length > 0 || state === 'waiting' || attemptedAt === null) return kept;
  return [{ attempt: attempts, attemptedAt, answerStatus, answer, problem }];
}
