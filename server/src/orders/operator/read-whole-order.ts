import type { Db } from '../../kit/db.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import { readEntriesAbout, type ListedEntry } from '../../ledger/index.ts';
import { listMessagesAbout, type MessageStateRow } from '../../messages/index.ts';
import { listNoticesAbout, type ListedNotice } from '../../notices/index.ts';
import type { OrderEvent } from '../order-history.ts';
import type { Order, OrderKey } from '../order.ts';
import { readPayments } from '../payments/payment-rows.ts';
import type { Payment } from '../payments/payment.ts';
import { readRefused, type RefusedPayment } from '../payments/refused-payments.ts';
import type { Refund } from '../refunds/refund-columns.ts';
import { readRefunds } from '../refunds/refund-rows.ts';
import { queryOrder } from '../query-order.ts';
import { readNewestEvents } from '../read-history.ts';

/** All that is stored of one order. What can grow without end is the newest part of it. */
export type WholeOrder = {
  readonly order: Order;
  readonly history: readonly OrderEvent[];
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
  readonly refused: readonly RefusedPayment[];
  readonly notices: readonly ListedNotice[];
  readonly mails: readonly MessageStateRow[];
  readonly entries: readonly ListedEntry[];
};

/** The versions, payments, refused payments and notices that an operator sees of one order. */
const SHOWN_OF_ORDER = 100;

/**
 * Reads all that is stored of an order, in one round trip and as of one instant.
 * Refuses: order_not_found.
 */
export function readWholeOrder(db: Pick<Db, 'readTogether'>, key: OrderKey): Promise<WholeOrder | Refusal<'order_not_found'>> {
  const { merchantId, orderId } = key;
  return db.readTogether(async (together) => {
    const [order, history, payments, refunds, refused, notices, mails, entries] = await Promise.all([
      queryOrder(together, key),
      readNewestEvents(together, key, SHOWN_OF_ORDER),
      readPayments(together, key, SHOWN_OF_ORDER),
      readRefunds(together, key, SHOWN_OF_ORDER),
      readRefused(together, key, SHOWN_OF_ORDER),
      listNoticesAbout(together, { merchantId, kind: 'order', subjectId: orderId, limit: SHOWN_OF_ORDER }),
      listMessagesAbout(together, ['order_created', 'order_paid'], merchantId, orderId),
      readEntriesAbout(together, 'order', merchantId, orderId),
    ]);
    return isRefusal(order) ? order : { order, history, payments, refunds, refused, notices, mails, entries };
  });
}
