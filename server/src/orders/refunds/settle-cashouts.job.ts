import { endedCashoutOf } from '../../cashouts/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';
import { MOST_SECONDS_APART } from '../../kit/db/clock-guard.ts';
import type { MerchantDirectory } from '../../merchants/index.ts';
import { REVERSAL_SECONDS } from '../../networks/index.ts';
import type { GivingBack } from '../payments/give-back-payment.ts';
import type { RefundOfPayment } from './refund-columns.ts';
import type { SettleCashout } from './refund.ts';

const AT_ONCE = 64;
const EVERY_SECONDS = 2;

/**
 * Then a network can no longer take its payment back, by the clock of any server, and no request that could is under way: two clocks
 * are at most twice as far apart as each is from its database's, and a request takes a few seconds.
 */
const FINAL_SECONDS = REVERSAL_SECONDS + 2 * MOST_SECONDS_APART + 10;

/** A payment at a counter is final after a time, and all other ends are at once. */
const ENDED = statement(
  'orders.refunds_of_ended_cashouts',
  `select r.merchant_id as "merchantId", r.refund_id as "refundId", r.order_id as "orderId", r.payment_number as "paymentNumber",
          r.operation_id as "operationId", cashout.is_collected as "isCollected"
     from order_refunds r
    cross join lateral ${endedCashoutOf('r.merchant_id', 'r.operation_id')} as cashout
    where r.operation_id is not null and r.ended_at is null and (not cashout.is_collected or cashout.updated_at < $1)
    order by r.merchant_id, r.refund_id limit $2`,
);

type Ended = RefundOfPayment & SettleCashout;

type Deps = { readonly db: Db; readonly clock: Clock; readonly merchants: Pick<MerchantDirectory, 'find'> } & Pick<
  GivingBack,
  'settleCashout'
>;

/**
 * Writes down what has become of refunds whose cashouts have ended: they are paid, which their merchants hear, or may be paid in another way.
 * Effects: each in a transaction of its own, under the lock of its order, which cashouts never wait for. Nothing is claimed: servers may
 * find the same refunds, and what one has settled is no change for the others. It looks through the open refunds that have a cashout.
 */
export function settleCashouts({ db, clock, merchants, settleCashout }: Deps): Job {
  const settle = async (ended: Ended): Promise<void> => {
    // Of one that ended unpaid nothing has become that the merchant was not told before.
    const isReported = ended.isCollected && (await merchants.find(ended.merchantId))?.reportsUpdates === true;
    await settleCashout({ ...ended, isReported });
  };
  return inRounds(clock, EVERY_SECONDS, {
    name: 'orders.settle_cashouts',
    patience: 'some',
    step: async () => {
      const before = clock.now().subtract({ seconds: FINAL_SECONDS });
      const ended = await db.query<Ended>(ENDED, [before, AT_ONCE]);
      await Promise.all(ended.map(settle));
      return ended.length === AT_ONCE;
    },
  });
}
