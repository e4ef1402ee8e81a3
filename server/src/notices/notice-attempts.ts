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

/** Keeps the last attempt of notices: rows of a common table expression that has their columns. */
export const keepAttempts = (rows: string): string =>
  `insert into notice_attempts (merchant_id, notice_id, attempt, attempted_at, answer_status, answer, problem)
     select merchant_id, notice_id, attempts, attempted_at, answer_status, answer, problem from ${rows}`;

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
