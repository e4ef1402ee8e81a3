import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import type { Job } from '../../kit/jobs.ts';
import { windowStart } from './collection.ts';

const AT_ONCE = 1_000;
const MINUTE_MS = 60_000;

const FORGET = statement(
  'cashouts.forget_wrong_tries',
  `delete from cashout_wrong_tries where (network_id, document) in (
     select network_id, document from cashout_wrong_tries where since <= $1 order by since limit $2 for update skip locked)
   returning 1`,
);

const FORGET_PLACES = statement(
  'cashouts.forget_wrong_tries_of_places',
  `delete from cashout_wrong_tries_of_places where (network_id, place) in (
     select network_id, place from cashout_wrong_tries_of_places where since <= $1 order by since limit $2 for update skip locked)
   returning 1`,
);

/**
 * Forgets wrong tries whose window is over: they name documents, which are not needed any more.
 * Shape: up to AT_ONCE in each step; asks once a minute.
 */
export function forgetWrongTries({ db, clock }: { readonly db: Db; readonly clock: Clock }): Job {
  let quiet: number | undefined;
  return {
    name: 'cashouts.forget_wrong_tries',
    step: async () => {
      const now = clock.now();
      const minute = Math.floor(now.epochMilliseconds / MINUTE_MS);
      if (minute === quiet) return false;
      const forgotten = await db.query(FORGET, [windowStart(now), AT_ONCE]);
      const places = await db.query(FORGET_PLACES, [windowStart(now), AT_ONCE]);
      if (forgotten.length === AT_ONCE || places.length === AT_ONCE) return true;
      quiet = minute;
      return false;
    },
  };
}
