import { historyOf, type ChangesOf, type RecordedFieldOf, type RecordedState, type RecordedValue } from '../kit/changes/columns.ts';
import { ORDER_COLUMNS, type Order, type OrderKey } from './order-columns.ts';

export { recordedMoney, type RecordedValue } from '../kit/changes/columns.ts';

export type OrderEventName =
  | 'order.created'
  | 'order.updated'
  | 'order.cancelled'
  | 'order.expired'
  | 'order.paid'
  | 'order.reversed'
  | 'order.voided'
  | 'order.refund_requested'
  | 'order.refund_approved'
  | 'order.refund_cashout_registered'
  | 'order.refund_reopened'
  | 'order.refunded'
  | 'order.refund_failed'
  | 'order.refund_cancelled';

/** Who holds the payer's money: a network, a method of the checkout, or the operator, who found it by hand. */
export type PaymentSource = `network:${string}` | `method:${string}` | 'operator';
/** A person or a program, by its name. `merchant:` where it is bound to the merchant. */
export type NamedActor = `${'merchant' | 'user' | 'token' | 'command'}:${string}`;
export type HistoryActor = 'merchant' | 'service' | PaymentSource | NamedActor;

/**
 * What a change touched: field to [from, to]. Creation holds every field, from null. What is TOLD is not a field of the order: the operator's
 * text for this one change, and the refund that changed.
 */
type Changes = ChangesOf<typeof ORDER_COLUMNS> & { readonly [Name in (typeof TOLD)[number]]?: readonly [RecordedValue, RecordedValue] };
const TOLD = ['reason', 'refund', 'refundState', 'refundAmount', 'refundCashout'] as const;
const isTold = (field: string): boolean => TOLD.some((one) => one === field);

/** One change of an order, written in the same transaction as the change itself. */
export type OrderEvent = OrderKey & {
  readonly version: number;
  readonly event: OrderEventName;
  readonly actor: HistoryActor;
  readonly changedAt: Temporal.Instant;
  readonly requestId: string | null;
  readonly changes: Changes;
};

export type RecordedField = RecordedFieldOf<typeof ORDER_COLUMNS>;

const HISTORY = historyOf(ORDER_COLUMNS);
export const RECORDED_FIELDS = HISTORY.fields;
export const diffOrders = HISTORY.diff;

/** The history of one order, taken event by event, from version 1 on. Only one event is in memory. */
export type Replay = {
  /** Throws when an event is missing or does not start where the one before it ended. Then the history is damaged. */
  take(event: OrderEvent): void;
  /** The order that the events so far led to. Throws when there was none. */
  order(): Order;
};

/** Begins to replay the history of an order. Source: contract §7.2. */
export function startReplay(): Replay {
  const now: RecordedState<typeof ORDER_COLUMNS> = {};
  let first: OrderEvent | undefined;
  let last: OrderEvent | undefined;
  return {
    take: (event) => {
      const due = (last?.version ?? 0) + 1;
      if (event.version !== due) throw new Error(`version ${due} is missing from the history`);
      for (const [field, [from, to]] of Object.entries(event.changes) as [RecordedField, readonly [RecordedValue, RecordedValue]][]) {
        if (isTold(field)) continue;
        if ((now[field] ?? null) !== from) throw new Error(`version ${event.version}: ${field} was not ${String(from)} before`);
        now[field] = to;
      }
      first ??= event;
      last = event;
    },
    order: () => {
      if (first === undefined || last === undefined) throw new Error('an order has at least the event of its creation');
      return orderOf(now, first, last);
    },
  };
}

/** Replays a whole history of one order, as startReplay. */
export function replay(events: readonly OrderEvent[]): Order {
  const replaying = startReplay();
  for (const event of events) replaying.take(event);
  return replaying.order();
}

/** updatedAt and version are those of the last event, createdAt that of the first one. */
function orderOf(now: RecordedState<typeof ORDER_COLUMNS>, first: OrderEvent, last: OrderEvent): Order {
  const { merchantId, orderId, changedAt: createdAt } = first;
  const { version, changedAt: updatedAt } = last;
  return { ...(HISTORY.recall(now) as Order), merchantId, orderId, version, createdAt, updatedAt };
}
