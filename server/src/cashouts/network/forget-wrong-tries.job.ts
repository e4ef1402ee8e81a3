import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';
import { windowStart } from './collection.ts';

const EVERY_SECONDS = 60;
/** Rows of one portion. */
const PORTION = 1_000;

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

/** Long after its process was taken for dead: nobody asked for the document again. */
const FORGET_LOOK_UPS = statement(
  'cashouts.forget_look_ups',
  `delete from cashout_look_ups where document in (
     select document from cashout_look_ups where until < now() - interval '15 minutes' limit $1 for update skip locked)
   returning 1`,
);

/** Forgets wrong tries whose window is over: they name documents, which are not needed any more. */
export function forgetWrongTries({ db, clock }: { readonly db: Db; readonly clock: Clock }): Job {
  return inRounds(clock, EVERY_SECONDS, {
    name: 'cashouts.forget_wrong_tries',
    step: async () => {
      const over = [windowStart(clock.now()), PORTION];
      const forgotten = await db.query(FORGET, over);
      const places = await db.query(FORGET_PLACES, over);
      const lookUps = await db.query(FORGET_LOOK_UPS, [PORTION]);
      return [forgotten, places, lookUps].some(({ length }) => length === PORTION);
    },
  });
}
