import { statement, type Db } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { EVENT_COLUMNS } from './order-rows.ts';
import type { Order, OrderKey } from './order.ts';
import { startReplay, type OrderEvent } from './order-history.ts';

const VERSION_OF = statement('orders.version_of', `select version from orders where merchant_id = $1 and order_id = $2`);
const READ_EVENTS = statement(
  'orders.read_events',
  `select ${EVENT_COLUMNS}
     from order_history where merchant_id = $1 and order_id = $2 and version > $3 order by version limit $4`,
);
const READ_NEWEST = statement(
  'orders.read_newest_events',
  `select ${EVENT_COLUMNS} from order_history where merchant_id = $1 and order_id = $2 order by version desc limit $3`,
);

/** Bounds one answer: an order that is changed by a machine gathers versions without end. */
export const MAX_EVENTS = 500;

export type History = {
  readonly version: number;
  readonly events: readonly OrderEvent[];
  /** After which version to go on; undefined: that was all. */
  readonly next: number | undefined;
};

/**
 * Reads what happened to an order, oldest first, the events after a version.
 * Refuses: order_not_found.
 * Source: contract §7.2.
 */
export async function readHistory(db: Db, { merchantId, orderId }: OrderKey, after: number): Promise<History | Refusal<'order_not_found'>> {
  const [order] = await db.query<{ version: number }>(VERSION_OF, [merchantId, orderId]);
  if (order === undefined) return refuse('order_not_found', { field: 'order' });
  const read = await db.query<OrderEvent>(READ_EVENTS, [merchantId, orderId, after, MAX_EVENTS + 1]);
  const events = read.slice(0, MAX_EVENTS);
  // A change may come between the two statements. Then the events are newer, and the last one has the order's version.
  const version = Math.max(order.version, events.at(-1)?.version ?? 0);
  return { version, events, next: read.length > MAX_EVENTS ? events.at(-1)?.version : undefined };
}

/** Reads the newest events of an order, the oldest of them first. */
export const readNewestEvents = async (
  db: Pick<Db, 'query'>,
  { merchantId, orderId }: OrderKey,
  limit: number,
): Promise<readonly OrderEvent[]> => (await db.query<OrderEvent>(READ_NEWEST, [merchantId, orderId, limit])).toReversed();

/**
 * Replays the history of an order up to a version. What was erased of its payer is erased there too.
 * Refuses: order_not_found, version_unknown.
 */
export async function readOrderAt(db: Db, key: OrderKey, version: number): Promise<Order | Refusal<'order_not_found' | 'version_unknown'>> {
  const replaying = startReplay();
  for (let after: number | undefined = 0; after !== undefined;) {
    const history: History | Refusal<'order_not_found'> = await readHistory(db, key, after);
    if (isRefusal(history)) return history;
    for (const event of history.events) {
      replaying.take(event);
      if (event.version === version) return replaying.order();
    }
    after = history.next;
  }
  return refuse('version_unknown');
}
