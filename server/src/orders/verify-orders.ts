import { statement } from '../kit/db.ts';
import type { Check, Finding } from '../kit/finding.ts';
import { ORDER_COLUMNS } from './order-rows.ts';
import { diffOrders, replay, type OrderEvent } from './order-history.ts';
import type { Order } from './order.ts';
import { paymentChecks } from './payments/verify-payments.ts';

type StoredEvent = Omit<OrderEvent, 'changedAt' | 'merchantId' | 'orderId'> & { readonly changedAt: string };
type OrderWithEvents = Order & { readonly events: readonly StoredEvent[] | null };

const ORDERS_WITH_EVENTS = statement(
  'orders.verify_history',
  `select ${ORDER_COLUMNS}, history.events
     from orders o
     left join lateral (
       select json_agg(json_build_object('version', h.version, 'event', h.event, 'actor', h.actor, 'changedAt', h.changed_at,
                                         'requestId', h.request_id, 'changes', h.changes) order by h.version) as events
         from order_history h where h.merchant_id = o.merchant_id and h.order_id = o.order_id) as history on true`,
);
const ORPHANED_EVENTS = statement(
  'orders.verify_orphaned_events',
  `select h.merchant_id as "merchantId", h.order_id as id, 'has a history but is not stored' as problem
     from order_history h where not exists (select from orders o where o.merchant_id = h.merchant_id and o.order_id = h.order_id) limit 1`,
);
const OPEN_WITHOUT_REFERENCE = statement(
  'orders.verify_held_references',
  `select o.merchant_id as "merchantId", o.order_id as id, 'is open but does not hold its reference until it expires' as problem
     from orders o
     left join open_references r on r.reference = o.reference and r.merchant_id = o.merchant_id and r.order_id = o.order_id
    where o.state = 'pending' and (o.expires_at is null or o.expires_at > $1)
      and (r.reference is null or r.expires_at is distinct from o.expires_at) limit 1`,
);
const REFERENCE_WITHOUT_OPEN = statement(
  'orders.verify_free_references',
  `select r.merchant_id as "merchantId", r.order_id as id, 'holds a reference that is not that of an open order: ' || r.reference as problem
     from open_references r
     left join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id
    where o.order_id is null or o.state <> 'pending' or o.reference <> r.reference limit 1`,
);

/** What must be true of stored orders. Source: contract §3.1 rules 5–7, §7.2. */
export const orderChecks: readonly Check[] = [
  {
    promise: 'the history of every order replays to the order that is stored',
    run: async (snapshot) => {
      let checked = 0;
      for await (const order of snapshot.rows<OrderWithEvents>(ORDERS_WITH_EVENTS, [])) {
        checked++;
        const problem = problemOf(order);
        if (problem !== undefined) return { checked, finding: { merchantId: order.merchantId, id: order.orderId, problem } };
      }
      for await (const finding of snapshot.rows<Finding>(ORPHANED_EVENTS, [])) return { checked, finding };
      return { checked };
    },
  },
  {
    promise: 'every open order holds its reference, and no other order holds one',
    run: async (snapshot, now) => {
      for await (const finding of snapshot.rows<Finding>(OPEN_WITHOUT_REFERENCE, [now.toString()])) return { finding };
      for await (const finding of snapshot.rows<Finding>(REFERENCE_WITHOUT_OPEN, [])) return { finding };
      return {};
    },
  },
  ...paymentChecks,
];

function problemOf({ events, ...stored }: OrderWithEvents): string | undefined {
  if (events === null) return 'has no history';
  const { merchantId, orderId } = stored;
  let replayed: Order;
  try {
    replayed = replay(events.map((event) => ({ ...event, merchantId, orderId, changedAt: Temporal.Instant.from(event.changedAt) })));
  } catch (error) {
    return error instanceof Error ? error.message : 'has a history that does not replay';
  }
  if (replayed.version !== stored.version) return `is at version ${stored.version}, its history at ${replayed.version}`;
  const [field] = Object.keys(diffOrders(replayed, stored));
  if (field !== undefined) return `${field} is not what its history says`;
  const isSameTime = replayed.createdAt.equals(stored.createdAt) && replayed.updatedAt.equals(stored.updatedAt);
  return isSameTime ? undefined : 'was created or changed at another time than its history says';
}
