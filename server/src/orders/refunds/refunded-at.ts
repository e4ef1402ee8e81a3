import { statement, type Db } from '../../kit/db.ts';
import type { PaymentKey } from '../payments/payment-rows.ts';
import type { RefundState } from './refund-columns.ts';

/** How much of a payment its refunds come to, by their states, in its currency's minor units. */
export type RefundedSums = Readonly<Record<'requested' | 'approved' | 'paid', bigint>>;
type Row = { readonly refundId: string; readonly state: RefundState; readonly amountMinor: bigint };

/** Each refund with the last state that the history has until then. A refund that makes its payment whole is in no page: the order is voided. */
const READ = statement(
  'orders.refunds_at_version',
  `select distinct on (r.refund_id) r.refund_id as "refundId", h.changes -> 'refundState' ->> 1 as state, r.amount_minor as "amountMinor"
     from order_history h
     join order_refunds r on r.merchant_id = h.merchant_id and r.order_id = h.order_id and r.refund_id = h.changes -> 'refund' ->> 1
    where h.merchant_id = $1 and h.order_id = $2 and h.version <= $3 and h.changes ? 'refund' and r.payment_number = $4
    order by r.refund_id, h.version desc`,
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
