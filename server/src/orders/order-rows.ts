import { statement, storedDay, storedTime, type Tx } from '../kit/db.ts';
import type { Language } from '../kit/language.ts';
import type { Order, OrderKey, OrderState } from './order.ts';
import type { OrderEvent } from './order-history.ts';

/** A row under these names is an Order: the driver gives each column the type that the field has. */
export const ORDER_COLUMNS = `
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version, o.email, o.country,
  o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language, o.recurrent, o.expires_on as "expiresOn",
  o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm", o.user_document as "userDocument", o.user_document_type as "userDocumentType",
  o.user_name as "userName", o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack", o.created_at as "createdAt", o.updated_at as "updatedAt"`;

/** A row of order_history under these names is an OrderEvent. */
export const EVENT_COLUMNS = `merchant_id as "merchantId", order_id as "orderId", version, event, actor, changed_at as "changedAt", request_id as "requestId", changes`;

/**
 * Sorted before they are locked: every batch locks in one order, so that two batches never wait for each other. Each order comes as one
 * JSON array: to take 25 columns apart costs the driver twice as much as the engine.
 */
const LOCK = statement(
  'orders.lock',
  `select k.place::int,
          json_build_array(o.merchant_id, o.order_id, o.service_order_id::text, o.state, o.version, o.email, o.country, o.currency,
            o.amount_minor::text, o.reference, o.description, o.method, o.language, o.recurrent, o.expires_on, o.expires_at, o.vat_rate_ppm,
            o.user_document, o.user_document_type, o.user_name, o.redirect_timeout_ms, o.payments, o.payments_given_back, o.created_at,
            o.updated_at) as stored
     from unnest($1::text[], $2::text[]) with ordinality as k (merchant_id, order_id, place)
     join orders o on o.merchant_id = k.merchant_id and o.order_id = k.order_id
    order by o.merchant_id, o.order_id
      for update of o`,
);
type Text = string | null;
type Stored = readonly [
  ...keys: [string, string, string, OrderState, number],
  ...terms: [string, string, string, string, string, Text, string, Language | null, boolean, string, Text, number | null],
  ...user: [Text, Text, Text, number | null],
  ...rest: [number, number, string, string],
];

/** One parameter for all rows: an array for each column costs twice as much to write. */
const INSERT_EVENTS = statement(
  'orders.insert_events',
  `insert into order_history (merchant_id, order_id, version, event, actor, changed_at, request_id, changes)
   select merchant_id, order_id, version, event, actor, changed_at, request_id, changes
     from jsonb_to_recordset($1::jsonb)
       as k (merchant_id text, order_id text, version int, event text, actor text, changed_at timestamptz, request_id text, changes jsonb)`,
);

/** An order as it was loaded and as the decisions of the batch leave it; commands for one order share it. */
export type Row = { readonly before: Order; after: Order };

/** One text per order, for maps. Neither part can hold a slash. */
export const keyText = ({ merchantId, orderId }: OrderKey): string => `${merchantId}/${orderId}`;

/** Each key once, and the place among these of each that was given. */
export function distinctKeys(keys: readonly OrderKey[]): { readonly distinct: readonly OrderKey[]; readonly places: readonly number[] } {
  const known = new Map<string, number>();
  const distinct: OrderKey[] = [];
  const places = keys.map((key) => {
    const text = keyText(key);
    let place = known.get(text);
    if (place === undefined) {
      place = distinct.push(key) - 1;
      known.set(text, place);
    }
    return place;
  });
  return { distinct, places };
}

/**
 * Reads and locks the orders of these keys until the end of the transaction.
 * Shape: a row for each key, in their order, the same one for the same key; undefined where there is no such order.
 */
export async function lockOrders(tx: Tx, keys: readonly OrderKey[]): Promise<readonly (Row | undefined)[]> {
  const { distinct, places } = distinctKeys(keys);
  const found = await tx.query<{ place: number; stored: Stored }>(LOCK, [
    distinct.map((key) => key.merchantId),
    distinct.map((key) => key.orderId),
  ]);
  const rows: (Row | undefined)[] = distinct.map(() => undefined);
  for (const { place, stored } of found) {
    const order = toOrder(stored);
    rows[place - 1] = { before: order, after: order };
  }
  return places.map((place) => rows[place]);
}

/** The rows that decisions changed, each once. */
export const changedRows = (rows: readonly (Row | undefined)[]): readonly Row[] =>
  [...new Set(rows)].filter((row): row is Row => row !== undefined && row.before !== row.after);

const toOrder = (stored: Stored): Order => ({
  merchantId: stored[0],
  orderId: stored[1],
  serviceOrderId: BigInt(stored[2]),
  state: stored[3],
  version: stored[4],
  email: stored[5],
  country: stored[6],
  currency: stored[7],
  amountMinor: BigInt(stored[8]),
  reference: stored[9],
  description: stored[10],
  method: stored[11],
  language: stored[12],
  recurrent: stored[13],
  expiresOn: storedDay(stored[14]),
  expiresAt: stored[15] === null ? null : Temporal.Instant.from(stored[15]),
  vatRatePpm: stored[16],
  userDocument: stored[17],
  userDocumentType: stored[18],
  userName: stored[19],
  redirectTimeoutMs: stored[20],
  payments: stored[21],
  paymentsGivenBack: stored[22],
  createdAt: Temporal.Instant.from(stored[23]),
  updatedAt: Temporal.Instant.from(stored[24]),
});

/** Writes the history rows of changes, together with the changes themselves. */
export function insertEvents(tx: Tx, events: readonly OrderEvent[]): void {
  const times = instantTexts(events.map(({ changedAt }) => changedAt));
  const rows = events.map(({ merchantId, orderId, version, event, actor, requestId, changes }, index) => ({
    merchant_id: merchantId,
    order_id: orderId,
    version,
    event,
    actor,
    changed_at: times[index],
    request_id: requestId,
    changes,
  }));
  tx.send(INSERT_EVENTS, [JSON.stringify(rows)]);
}

/** Prints instants; neighbours are mostly the very same one, which is printed once. */
export function instantTexts(instants: readonly (Temporal.Instant | null)[]): (string | null)[] {
  let last: Temporal.Instant | null = null;
  let lastText: string | null = null;
  return instants.map((instant) => {
    if (instant !== last) {
      last = instant;
      lastText = instant === null ? null : storedTime(instant);
    }
    return lastText;
  });
}
