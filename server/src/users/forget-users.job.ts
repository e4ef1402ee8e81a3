import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';

const PORTION = 1_000;
const EVERY_SECONDS = 600;
/** An operator still sees tokens that ended lately. */
const ENDED_TOKEN_DAYS = 90;

const FORGET = [
  statement(
    'users.forget_sessions',
    `delete from user_sessions where session_id in (select session_id from user_sessions where expires_at < $1 limit ${PORTION} for update skip locked) returning 1`,
  ),
  statement(
    'users.forget_links',
    `delete from user_links where hash in (select hash from user_links where expires_at < $1 limit ${PORTION} for update skip locked) returning 1`,
  ),
  statement(
    'users.forget_challenges',
    `delete from spent_challenges where hash in (select hash from spent_challenges where expires_at < $1 limit ${PORTION} for update skip locked) returning 1`,
  ),
  statement(
    'users.forget_tries',
    `delete from sign_in_tries where (account, network) in (
       select account, network from sign_in_tries where since < $1::timestamptz - interval '1 day' and (known_until is null or known_until < $1)
        limit ${PORTION} for update skip locked) returning 1`,
  ),
  statement(
    'users.forget_tokens',
    `delete from access_tokens where token_id in (
       select token_id from access_tokens where expires_at < $1::timestamptz - interval '${ENDED_TOKEN_DAYS} days' limit ${PORTION} for update skip locked) returning 1`,
  ),
];

/** Forgets sessions, links and tries that have ended, and tokens that ended long ago. */
export function forgetUsers(db: Db, clock: Clock): Job {
  return inRounds(clock, EVERY_SECONDS, {
    name: 'forget-users',
    step: async () => {
      const now = clock.now();
      const forgotten = await Promise.all(FORGET.map((one) => db.query(one, [now])));
      return forgotten.some(({ length }) => length === PORTION);
    },
  });
}
