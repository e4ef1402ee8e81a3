import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';
import { FORGOTTEN, PSEUDONYM_START, type RecordKey } from '../../people/index.ts';
import { eraseEndUsers } from './end-user-data.ts';

const EVERY_SECONDS = 24 * 3600;
/** Cashouts that one step reads; it takes milliseconds. */
const PORTION = 1_000;

const NEXT_MERCHANT = statement('cashouts.next_merchant', `select min(merchant_id) as "merchantId" from cashouts where merchant_id > $1`);
/** Along the index of the list. */
const WALK = statement(
  'cashouts.walk_old_end_users',
  `select merchant_id as "merchantId", operation_id as id, updated_on as "updatedOn", updated_at as "updatedAt", cashout_id as "cashoutId",
          state <> 'pending' and document not like '${PSEUDONYM_START}%' as "isDue"
     from cashouts where merchant_id = $1 and updated_on < $2 and (updated_on, updated_at, cashout_id) > ($3, $4, $5)
    order by updated_on, updated_at, cashout_id limit ${PORTION}`,
);
type Place = { readonly updatedOn: Temporal.PlainDate; readonly updatedAt: Temporal.Instant; readonly cashoutId: bigint };
type Walked = RecordKey & Place & { readonly isDue: boolean };

const BEGINNING: Place = {
  updatedOn: new Temporal.PlainDate(1, 1, 1),
  updatedAt: Temporal.Instant.from('0001-01-01T00:00:00Z'),
  cashoutId: 0n,
};

/**
 * Erases end users that many days after their cashout ended. Undefined: never.
 * Once a day it walks over the old cashouts, merchant by merchant. Those that are locked wait for the next day.
 */
export function forgetEndUsers({ db, clock }: { readonly db: Db; readonly clock: Clock }, keptDays: number | undefined): readonly Job[] {
  if (keptDays === undefined) return [];
  let merchantId: string | null = null;
  let place = BEGINNING;

  async function nextMerchant(): Promise<boolean> {
    const [next] = await db.query<{ merchantId: string | null }>(NEXT_MERCHANT, [merchantId ?? '']);
    merchantId = next?.merchantId ?? null;
    place = BEGINNING;
    return merchantId !== null;
  }

  const job: Job = {
    name: 'cashouts.forget_end_users',
    patience: 'some',
    step: async () => {
      if (merchantId === null && !(await nextMerchant())) return false;
      const lastDay = clock.now().toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: keptDays });
      const walked = await db.query<Walked>(WALK, [merchantId, lastDay, place.updatedOn, place.updatedAt, place.cashoutId]);
      const due = walked.filter(({ isDue }) => isDue);
      if (due.length > 0) await db.transaction((tx) => eraseEndUsers(tx, due, FORGOTTEN));
      const last = walked.at(-1);
      if (last === undefined || walked.length < PORTION) return nextMerchant();
      place = last;
      return true;
    },
  };
  return [inRounds(clock, EVERY_SECONDS, job)];
}
