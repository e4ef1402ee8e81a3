import { statement, storedTime, type Tx } from '../kit/db.ts';
import { digestOfEvent } from '../kit/changes/digest.ts';
import { openTable, type LockedRow } from '../kit/changes/table.ts';
import { ORDER_COLUMNS, type Order } from './order-columns.ts';
import type { OrderEvent } from './order-history.ts';

/** Declares `orders.lock`, `orders.save`, `orders.save_amount_minor` and `orders.insert`. */
export const ORDERS = openTable('orders', ORDER_COLUMNS, { often: 'amountMinor' });
/** A row under these names, of a table called o, is an Order. */
export const SELECT_ORDER = ORDERS.selectList('o');
export type OrderRow = LockedRow<Order>;

/** A row of order_history under these names is an OrderEvent. */
export const EVENT_COLUMNS = `merchant_id as "merchantId", order_id as "orderId", version, event, actor, changed_at as "changedAt", request_id as "requestId", changes`;

/** One parameter for all rows: an array for each column costs twice as much to write. */
const INSERT_EVENTS = statement(
  'orders.insert_events',
  `insert into order_history (merchant_id, order_id, version, event, actor, changed_at, request_id, changes, digest)
   select merchant_id, order_id, version, event, actor, changed_at, request_id, changes, ${digestOfEvent('k')}
     from jsonb_to_recordset($1::jsonb)
       as k (merchant_id text, order_id text, version int, event text, actor text, changed_at timestamptz, request_id text, changes jsonb)`,
);

/** Writes the history rows of changes, together with the changes themselves. */
export function insertEvents(tx: Tx, events: readonly OrderEvent[]): void {
  const rows = events.map(({ merchantId, orderId, version, event, actor, changedAt, requestId, changes }) => ({
    merchant_id: merchantId,
    order_id: orderId,
    version,
    event,
    actor,
    changed_at: storedTime(changedAt),
    request_id: requestId,
    changes,
  }));
  tx.send(INSERT_EVENTS, [JSON.stringify(rows)]);
}
