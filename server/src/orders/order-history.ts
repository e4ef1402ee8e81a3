import type { Order, OrderKey, OrderState, OrderTerms } from './order.ts';

export type OrderEventName =
  | 'order.created'
  | 'order.updated'
  | 'order.cancelled'
  | 'order.expired'
  | 'order.paid'
  | 'order.reversed'
  | 'order.voided';

/** Who holds the payer's money: a network, a method of the checkout, or the operator, who found it by hand. */
export type PaymentSource = `network:${string}` | `method:${string}` | 'operator';
export type Actor = 'merchant' | 'service' | PaymentSource;

/** A value as it stands in the history: exact, and readable without the code that wrote it. */
export type RecordedValue = string | number | boolean | null;

/**
 * What a change touched: field to [from, to]. Creation holds every field, from null. `reason` is no field of the order but the operator's
 * word for this one change.
 */
export type Changes = Readonly<Partial<Record<RecordedField | 'reason', readonly [RecordedValue, RecordedValue]>>>;

/** One change of an order, written in the same transaction as the change itself. */
export type OrderEvent = OrderKey & {
  readonly version: number;
  readonly event: OrderEventName;
  readonly actor: Actor;
  readonly changedAt: Temporal.Instant;
  readonly requestId: string | null;
  readonly changes: Changes;
};

/**
 * Field to its recorded form. An amount means nothing without its currency, so both are one field: minor units and
 * currency, `4500000 COP`. updatedAt and version are the event's own, createdAt is the first event's.
 */
const RECORDED = {
  serviceOrderId: (order: Order) => order.serviceOrderId.toString(),
  state: (order: Order) => order.state,
  email: (order: Order) => order.email,
  country: (order: Order) => order.country,
  amount: (order: Order) => `${order.amountMinor} ${order.currency}`,
  reference: (order: Order) => order.reference,
  description: (order: Order) => order.description,
  method: (order: Order) => order.method,
  language: (order: Order) => order.language,
  recurrent: (order: Order) => order.recurrent,
  expiresOn: (order: Order) => order.expiresOn.toString(),
  expiresAt: (order: Order) => order.expiresAt?.toString() ?? null,
  vatRatePpm: (order: Order) => order.vatRatePpm,
  userDocument: (order: Order) => order.userDocument,
  userDocumentType: (order: Order) => order.userDocumentType,
  userName: (order: Order) => order.userName,
  redirectTimeoutMs: (order: Order) => order.redirectTimeoutMs,
  // None is null: what was recorded before there were payments has no such field.
  payments: (order: Order) => order.payments || null,
  paymentsGivenBack: (order: Order) => order.paymentsGivenBack || null,
} as const satisfies Record<string, (order: Order) => RecordedValue>;

export type RecordedField = keyof typeof RECORDED;
export const RECORDED_FIELDS = Object.keys(RECORDED) as readonly RecordedField[];

/** True where the fields that a recorded one is made from hold the same: most need not be printed to be compared. */
const isSame = (field: RecordedField, before: Order, after: Order): boolean =>
  field === 'amount' ? before.amountMinor === after.amountMinor && before.currency === after.currency : before[field] === after[field];

/** Gives what differs, by value, between two states of an order; every field, from null, where there was none before. */
export function diffOrders(before: Order | undefined, after: Order): Changes {
  const changes: Partial<Record<RecordedField, readonly [RecordedValue, RecordedValue]>> = {};
  for (const field of RECORDED_FIELDS) {
    if (before !== undefined && isSame(field, before, after)) continue;
    const from = before === undefined ? null : RECORDED[field](before);
    const to = RECORDED[field](after);
    if (before === undefined || from !== to) changes[field] = [from, to];
  }
  return changes;
}

/** Splits the recorded form of an amount. */
export function recordedMoney(value: RecordedValue): { readonly amountMinor: bigint; readonly currency: string } {
  const [amountMinor = '', currency = ''] = String(value).split(' ');
  return { amountMinor: BigInt(amountMinor), currency };
}

/** The history of one order, taken event by event, from version 1 on; never more than one of them in memory. */
export type Replay = {
  /** Throws when an event is missing or does not start from where the one before it ended: the history is damaged. */
  take(event: OrderEvent): void;
  /** The order that the events so far led to. Throws when there was none. */
  order(): Order;
};

/** Begins to replay the history of an order. Source: contract §7.2. */
export function startReplay(): Replay {
  const now: Partial<Record<RecordedField, RecordedValue>> = {};
  let first: OrderEvent | undefined;
  let last: OrderEvent | undefined;
  return {
    take: (event) => {
      const due = (last?.version ?? 0) + 1;
      if (event.version !== due) throw new Error(`version ${due} is missing from the history`);
      const { reason: _, ...fields } = event.changes;
      for (const [field, [from, to]] of Object.entries(fields) as [RecordedField, readonly [RecordedValue, RecordedValue]][]) {
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

function orderOf(now: Partial<Record<RecordedField, RecordedValue>>, first: OrderEvent, last: OrderEvent): Order {
  const expiresAt = now.expiresAt as string | null;
  return {
    merchantId: first.merchantId,
    orderId: first.orderId,
    serviceOrderId: BigInt(now.serviceOrderId as string),
    state: now.state as OrderState,
    version: last.version,
    email: now.email as string,
    country: now.country as string,
    ...recordedMoney(now.amount as string),
    reference: now.reference as string,
    description: now.description as string | null,
    method: now.method as string,
    language: now.language as OrderTerms['language'],
    recurrent: now.recurrent as boolean,
    expiresOn: Temporal.PlainDate.from(now.expiresOn as string),
    expiresAt: expiresAt === null ? null : Temporal.Instant.from(expiresAt),
    vatRatePpm: now.vatRatePpm as number | null,
    userDocument: now.userDocument as string | null,
    userDocumentType: now.userDocumentType as string | null,
    userName: now.userName as string | null,
    redirectTimeoutMs: now.redirectTimeoutMs as number | null,
    payments: (now.payments ?? 0) as number,
    paymentsGivenBack: (now.paymentsGivenBack ?? 0) as number,
    createdAt: first.changedAt,
    updatedAt: last.changedAt,
  };
}
