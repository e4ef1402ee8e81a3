import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';
import { FORGOTTEN, PSEUDONYM_START, type RecordKey } from '../../people/index.ts';
import { erasePayers } from './payer-data.ts';

const EVERY_SECONDS = 24 * 3600;
/** Orders that one step reads; it takes milliseconds. */
const PORTION = 1_000;

/** Along an index that updates never touch. One on the time of the update would make each update dearer. */
const WALK = statement(
  'orders.walk_old_payers',
  `select service_order_id as place, merchant_id as "merchantId", order_id as id, created_at < $2 as "isOld",
          state <> 'pending' and updated_at < $2 and email not like '${PSEUDONYM_START}%' as "isDue"
     from orders where service_order_id > $1 order by service_order_id limit ${PORTION}`,
);
type Walked = RecordKey & { readonly place: bigint; readonly isOld: boolean; readonly isDue: boolean };

/**
 * Erases payers that many days after their order ended. Undefined: never.
 * Once a day it walks over the orders from the oldest on, to the first that is younger. Those that are locked wait for the next day.
 */
export function forgetPayers({ db, clock }: { readonly db: Db; readonly clock: Clock }, keptDays: number | undefined): readonly Job[] {
  if (keptDays === undefined) return [];
  let place = 0n;
  const job: Job = {
    name: 'orders.forget_payers',
    patience: 'some',
    step: async () => {
      const walked = await db.query<Walked>(WALK, [place, clock.now().subtract({ hours: 24 * keptDays })]);
      const due = walked.filter(({ isDue }) => isDue);
      if (due.length > 0) await db.transaction((tx) => erasePayers(tx, due, FORGOTTEN));
      const last = walked.at(-1);
      const isMore = walked.length === PORTION && last?.isOld === true;
      place = isMore ? last.place : 0n;
      return isMore;
    },
  };
  return [inRounds(clock, EVERY_SECONDS, job)];
}
