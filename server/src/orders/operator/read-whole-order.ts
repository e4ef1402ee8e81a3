import type { Db } from '../../kit/db.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import { readOrderEntries, type LedgerEntry } from '../../ledger/index.ts';
import { listMessagesAbout, type MessageStateRow } from '../../messages/index.ts';
import { listNoticesAbout, type ListedNotice } from '../../notices/index.ts';
import type { OrderEvent } from '../order-history.ts';
import type { Order, OrderKey } from '../order.ts';
import { readPayments } from '../payments/payment-rows.ts';
import type { Payment } from '../payments/payment.ts';
import { readRefused, type RefusedPayment } from '../payments/refused-payments.ts';
import { queryOrder } from '../query-order.ts';
import { readHistory } from '../read-history.ts';

/** All that is stored of one order. What can grow without end is the newest part of it. */
export type WholeOrder = {
  readonly order: Order;
  readonly history: readonly OrderEvent[];
  readonly payments: readonly Payment[];
  readonly refused: readonly RefusedPayment[];
  readonly notices: readonly ListedNotice[];
  readonly mails: readonly MessageStateRow[];
  readonly entries: readonly LedgerEntry[];
};

/** The versions, and the notices, that an operator sees of one order. */
const SHOWN_OF_ORDER = 100;

/**
 * Reads all that is stored of an order.
 * Refuses: order_not_found.
 */
export async function readWholeOrder(db: Db, key: OrderKey): Promise<WholeOrder | Refusal<'order_not_found'>> {
  const order = await queryOrder(db, key);
  if (isRefusal(order)) return order;
  const past = await readHistory(db, key, Math.max(0, order.version - SHOWN_OF_ORDER));
  const payments = await readPayments(db, key);
  const { merchantId, orderId } = key;
  const numbers = payments.map(({ paymentNumber }) => paymentNumber);
  return {
    order,
    history: isRefusal(past) ? [] : past.events,
    payments,
    refused: await readRefused(db, key),
    notices: await listNoticesAbout(db, { merchantId, kind: 'order', subjectId: orderId, limit: SHOWN_OF_ORDER }),
    mails: await listMessagesAbout(db, ['order_created', 'order_paid'], merchantId, orderId),
    entries: await readOrderEntries(db, merchantId, orderId, numbers),
  };
}
