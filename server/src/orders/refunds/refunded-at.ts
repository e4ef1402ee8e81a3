import { statement, type Db } from '../../kit/db.ts';
import type { PaymentKey } from '../payments/payment-rows.ts';
import type { RefundState } from './refund-columns.ts';

/** How much of a payment its refunds come to, by their states, in its currency's minor units. */
export type RefundedSums = Readonly<Record<'requested' | 'approved' | 'paid', bigint>>;
type Row = { readonly refundId: string; readonly state: RefundState; readonly amountMinor: bigint };

/**
 * Each refund with the last state that the history has until then. A refund that makes its payment whole is in no page: the order is voided.
 * The search goes backwards from that version to the last event of the refund, which is near: an order that is paid is not updated.
 */
const READ = statement(
  'orders.refunds_at_version',
  `select r.refund_id as "refundId", last.state, r.amount_minor as "amountMinor"
     from order_history seen
     join order_refunds r on r.merchant_id = seen.merchant_id and r.order_id = seen.order_id and r.requested_at <= seen.changed_at
    cross join lateral (
      select h.changes -> 'refundState' ->> 1 as state from order_history h
       where h.merchant_id = r.merchant_id and h.order_id = r.order_id and h.version <= seen.version
         and h.changes -> 'refund' ->> 1 = r.refund_id
       order by h.version desc limit 1) as last
    where seen.merchant_id = $1 and seen.order_id = $2 and seen.version = $3 and r.payment_number = $4`,
);

/** Reads what the refunds of a payment had come to when its order had a version. Source: contract §5. */
export async function readRefundedAt(
  db: Pick<Db, 'query'>,
  { merchantId, orderId, paymentNumber }: PaymentKey & { readonly paymentNumber: number },
  version: number,
): Promise<RefundedSums> {
  const rows = await db.query<Row>(READ, [merchantId, orderId, version, paymentNumber]);
  const sum = (of: RefundState): bigint => rows.reduce((all, { state, amountMinor }) => (state === of ? all + amountMinor : all), 0n);
  return { requested: sum('requested'), approved: sum('approved'), paid: sum('paid') };
}
