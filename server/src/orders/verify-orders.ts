import { wrongDigestText } from '../kit/changes/digest.ts';
import { statement } from '../kit/db.ts';
import { firstFinding, type Check, type Finding } from '../kit/checks/finding.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import { EVENT_COLUMNS, SELECT_ORDER } from './order-rows.ts';
import { diffOrders, startReplay, type OrderEvent, type Replay } from './order-history.ts';
import type { Order, OrderKey } from './order.ts';
import { paymentChecks } from './payments/verify-payments.ts';

const ORDERS = statement('orders.verify_orders', `select ${SELECT_ORDER} from orders o order by o.merchant_id, o.order_id`);
const EVENTS = statement('orders.verify_events', `select ${EVENT_COLUMNS} from order_history order by merchant_id, order_id, version`);
const OPEN_WITHOUT_REFERENCE = statement(
  'orders.verify_held_references',
  `select o.merchant_id as "merchantId", o.order_id as id, 'is open but does not hold its reference until it expires' as problem
     from orders o
     left join open_references r on r.reference = o.reference and r.merchant_id = o.merchant_id and r.order_id = o.order_id
    where o.state = 'pending' and (o.expires_at is null or o.expires_at > $1)
      and (r.reference is null or r.ended or r.expires_at is distinct from o.expires_at) limit 1`,
);
const REFERENCE_WITHOUT_OPEN = statement(
  'orders.verify_free_references',
  `select r.merchant_id as "merchantId", r.order_id as id, 'holds a reference that is not that of an open order: ' || r.reference as problem
     from open_references r
     left join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id
    where r.cell is null
      and (o.order_id is null or (not r.ended and (o.state not in ('pending', 'expired') or o.reference <> r.reference))) limit 1`,
);

const WRONG_DIGEST = statement('orders.verify_digests', wrongDigestText('order_history', 'order_id'));

/** What must be true of stored orders. Source: contract §3.1 rules 5–7, §7.2. */
export const orderChecks: readonly Check[] = [
  {
    promise: 'the history of every order replays to the order that is stored',
    run: compareHistories,
  },
  {
    promise: 'every change of an order was made by whom, when and as its history says',
    run: firstFinding(WRONG_DIGEST),
  },
  {
    promise: 'every open order holds its reference, and no other order holds one: it rests',
    run: async (snapshot, now) => {
      for await (const finding of snapshot.rows<Finding>(OPEN_WITHOUT_REFERENCE, [now.toString()])) return { finding };
      for await (const finding of snapshot.rows<Finding>(REFERENCE_WITHOUT_OPEN, [])) return { finding };
      return {};
    },
  },
  ...paymentChecks,
];

/**
 * Walks orders and events side by side, both in the order of their keys. One order may have been changed a million times: its
 * history is never in memory as a whole.
 */
async function compareHistories(snapshot: Snapshot): Promise<Awaited<ReturnType<Check['run']>>> {
  let checked = 0;
  const events = snapshot.rows<OrderEvent>(EVENTS, []);
  const orphaned = ({ merchantId, orderId: id }: OrderEvent) => ({
    checked,
    finding: { merchantId, id, problem: 'has a history but is not stored' },
  });
  try {
    let event = (await events.next()).value;
    for await (const order of snapshot.rows<Order>(ORDERS, [])) {
      checked++;
      if (event !== undefined && isBefore(event, order)) return orphaned(event);
      const replaying = startReplay();
      let problem = event === undefined || !isOf(event, order) ? 'has no history' : undefined;
      for (; event !== undefined && isOf(event, order); event = (await events.next()).value) problem ??= problemOfEvent(replaying, event);
      problem ??= problemOf(order, replaying.order());
      if (problem !== undefined) return { checked, finding: { merchantId: order.merchantId, id: order.orderId, problem } };
    }
    return event === undefined ? { checked } : orphaned(event);
  } finally {
    await events.return();
  }
}

const isOf = (event: OrderKey, { merchantId, orderId }: OrderKey): boolean => event.merchantId === merchantId && event.orderId === orderId;
/** In the order of the database: that of bytes, which is also ours, because ids are ASCII. */
const isBefore = (event: OrderKey, { merchantId, orderId }: OrderKey): boolean =>
  event.merchantId < merchantId || (event.merchantId === merchantId && event.orderId < orderId);

function problemOfEvent(replaying: Replay, event: OrderEvent): string | undefined {
  try {
    replaying.take(event);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'has a history that does not replay';
  }
}

function problemOf(stored: Order, replayed: Order): string | undefined {
  if (replayed.version !== stored.version) return `is at version ${stored.version}, its history at ${replayed.version}`;
  const [field] = Object.keys(diffOrders(replayed, stored));
  if (field !== undefined) return `${field} is not what its history says`;
  const isSameTime = replayed.createdAt.equals(stored.createdAt) && replayed.updatedAt.equals(stored.updatedAt);
  return isSameTime ? undefined : 'was created or changed at another time than its history says';
}
