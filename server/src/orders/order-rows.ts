import { statement, type Tx } from '../kit/db.ts';
import type { Order, OrderKey } from './order.ts';
import type { OrderEvent } from './order-history.ts';

/** A row under these names is an Order: the driver gives each column the type that the field has. */
export const ORDER_COLUMNS = `
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version, o.email, o.country,
  o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language, o.recurrent, o.expires_on as "expiresOn",
  o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm", o.user_document as "userDocument", o.user_document_type as "userDocumentType",
  o.user_name as "userName", o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack", o.created_at as "createdAt", o.updated_at as "updatedAt"`;

/** A row of order_history under these names is an OrderEvent. */
export const EVENT_COLUMNS = `merchant_id as "merchantId", order_id as "orderId", version, event, actor, changed_at as "changedAt", request_id as "requestId", changes`;

/** Sorted before they are locked: every batch locks in one order, so that two batches never wait for each other. */
const LOCK = statement(
  'orders.lock',
  `select ${ORDER_COLUMNS}
     from unnest($1::text[], $2::text[]) as k (merchant_id, order_id)
     join orders o on o.merchant_id = k.merchant_id and o.order_id = k.order_id
    order by o.merchant_id, o.order_id
      for update of o`,
);

const INSERT_EVENTS = statement(
  'orders.insert_events',
  `insert into order_history (merchant_id, order_id, version, event, actor, changed_at, request_id, changes)
   select merchant_id, order_id, version, event, actor, changed_at, request_id, changes::jsonb
     from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::text[])
       as k (merchant_id, order_id, version, event, actor, changed_at, request_id, changes)`,
);

/** One text per order, for maps. Neither part can hold a slash. */
export const keyText = ({ merchantId, orderId }: OrderKey): string => `${merchantId}/${orderId}`;

/** Each key once. */
export function distinctKeys(keys: readonly OrderKey[]): readonly OrderKey[] {
  return keys.length === 1 ? keys : [...new Map(keys.map((key) => [keyText(key), key])).values()];
}

/** Reads and locks the orders of these keys until the end of the transaction; those that do not exist are left out. */
export function lockOrders(tx: Tx, keys: readonly OrderKey[]): Promise<Order[]> {
  return tx.query<Order>(LOCK, [keys.map((key) => key.merchantId), keys.map((key) => key.orderId)]);
}

/** Writes the history rows of changes, together with the changes themselves. */
export function insertEvents(tx: Tx, events: readonly OrderEvent[]): void {
  tx.send(INSERT_EVENTS, [
    events.map((event) => event.merchantId),
    events.map((event) => event.orderId),
    events.map((event) => event.version),
    events.map((event) => event.event),
    events.map((event) => event.actor),
    instantTexts(events.map((event) => event.changedAt)),
    events.map((event) => event.requestId),
    events.map((event) => JSON.stringify(event.changes)),
  ]);
}

/** Prints instants; neighbours are mostly the very same one, which is printed once. */
export function instantTexts(instants: readonly (Temporal.Instant | null)[]): (string | null)[] {
  let last: Temporal.Instant | null = null;
  let lastText: string | null = null;
  return instants.map((instant) => {
    if (instant !== last) {
      last = instant;
      lastText = instant === null ? null : instant.toString();
    }
    return lastText;
  });
}
