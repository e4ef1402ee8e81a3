import { statement, type Tx } from '../../kit/db.ts';
import type { PaymentSource } from '../order-history.ts';
import { holderOf } from '../payments/save-settled.ts';

const SOURCES = statement(
  'orders.read_refund_sources',
  `select r.refund_id as "refundId", p.source from order_refunds r
     join order_payments p on p.merchant_id = r.merchant_id and p.order_id = r.order_id and p.payment_number = r.payment_number
    where r.merchant_id = $1 and r.refund_id = any ($2::text[])`,
);

/** Of `order/A-1/refund/R-1/owed`: no id holds a slash. */
const refundOf = (transactionId: string): string => transactionId.split('/')[3] ?? '';

/**
 * Finds who took the payments that refunds give back.
 * Shape: the refunds' transactions of the ledger → who took the payment, as accounts of the ledger name it, by transaction.
 */
export async function readRefundHolders(
  db: Pick<Tx, 'query'>,
  merchantId: string,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (transactionIds.length === 0) return new Map();
  const rows = await db.query<{ readonly refundId: string; readonly source: PaymentSource }>(SOURCES, [
    merchantId,
    [...new Set(transactionIds.map(refundOf))],
  ]);
  const holders = new Map(rows.map(({ refundId, source }) => [refundId, holderOf(source)]));
  return new Map(transactionIds.map((id) => [id, holders.get(refundOf(id)) ?? '']));
}
