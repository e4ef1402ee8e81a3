import { dayOf, endOfDay } from '../kit/calendar.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { defaultsOf } from '../kit/changes/columns.ts';
import { ORDER_COLUMNS, type Order, type OrderKey, type OrderState, type OrderTerms } from './order-columns.ts';
import { diffOrders, type HistoryActor, type OrderEvent, type OrderEventName } from './order-history.ts';

export { ORDER_STATES, type Order, type OrderKey, type OrderState, type OrderTerms } from './order-columns.ts';

/** The terms of a request; undefined: not given, so left as they are. */
export type GivenTerms = { readonly [Name in keyof OrderTerms]?: OrderTerms[Name] | undefined };
/** The terms that the checksum covers. */
export type SignedTerms = Pick<OrderTerms, 'email' | 'country' | 'currency' | 'amountMinor'>;

/** What a merchant may do, as far as its orders are concerned. */
export type MerchantRules = {
  readonly timeZone: string;
  /** All codes that name the merchant's country. */
  readonly countryCodes: readonly string[];
  readonly currencies: readonly string[];
  readonly mayRecur: boolean;
};

/** The versions of which one must be the current one; 'any' asks only that there is one (contract §7.1). */
type IfMatch = 'any' | readonly number[];

type OrderCommand = OrderKey & {
  readonly ifMatch?: IfMatch | undefined;
  readonly requestId: string | null;
  /** Absent: the merchant itself, by its secret. */
  readonly actor?: HistoryActor;
};
/** Of a merchant with the replay guard: `keep` what the order had before, and also `refuse` what repeats it. */
export type ReplayGuard = 'off' | 'keep' | 'refuse';
export type UpdateOrder = OrderCommand & {
  readonly rules: MerchantRules;
  /** A management API changes some terms; a merchant gives the signed ones with each update. */
  readonly given: GivenTerms;
  readonly replayGuard: ReplayGuard;
  /** The merchant gets a notice of the update. */
  readonly isReported: boolean;
};
export type CreateOrder = Omit<OrderCommand, 'ifMatch'> & { readonly rules: MerchantRules; readonly given: GivenTerms & SignedTerms };
export type CancelOrder = OrderCommand;

/** The order that has a reference, or had it last. */
export type ReferenceHolder = OrderKey & {
  /** When the order ends, or has ended. */
  readonly expiresAt: Temporal.Instant | null;
  /** True when it ended before its time ran out, or got another reference. */
  readonly isEnded?: boolean;
  /** True when the service made the reference. */
  readonly isMade?: boolean;
};

/** In order of precedence: contract §3.1. */
export type UpdateRefusal =
  | 'country_not_allowed'
  | 'order_not_open'
  | 'version_mismatch'
  | 'id_ambiguous'
  | 'currency_not_allowed'
  | 'recurrent_not_allowed'
  | 'expiration_out_of_range'
  | 'reference_taken'
  | 'terms_repeated';
/** As for an update; order_exists takes the place of order_not_open. contract §3.2. */
export type CreateRefusal = Exclude<UpdateRefusal, 'order_not_open' | 'version_mismatch' | 'terms_repeated'> | 'order_exists';
/** In order of precedence: contract §3.4. */
export type CancelOrderRefusal = 'order_not_found' | 'order_not_open' | 'version_mismatch';

/** A refusal about an order that exists has its version (contract §7.1). */
export type Refused<Name extends string> = Refusal<Name> & { readonly version?: number };
/** The order as it is now; without an event nothing changed and nothing is to be written. */
export type DecidedOrder = { readonly order: Order; readonly event?: OrderEvent };

type Moment = { readonly now: Temporal.Instant };
/** `restDays`: how long a reference rests after its order before another merchant may take it. */
type Situation = Moment & {
  readonly holder?: ReferenceHolder | undefined;
  readonly restDays: number;
  /** Days beyond MAX_DAYS_AHEAD on which an order may expire, as the dialect has them. */
  readonly allowanceDays: number;
  /** A payment of a recurrent order and another order could have one id. */
  readonly isAmbiguous?: boolean;
};

const MAX_DAYS_AHEAD = 30;

/** The state at an instant: an order whose time has run out counts as expired from then on, swept or not. contract §3.1 rule 3. */
export function stateAt(order: Pick<Order, 'state' | 'expiresAt'>, now: Temporal.Instant): OrderState {
  return order.state === 'pending' && isOver(order.expiresAt, now) ? 'expired' : order.state;
}

/**
 * Decides an update.
 * Shape: the stored order, or undefined → the order as it becomes; equal values make no event.
 * Refuses: country_not_allowed, order_not_open, version_mismatch, id_ambiguous, currency_not_allowed, recurrent_not_allowed,
 * expiration_out_of_range, reference_taken, terms_repeated — the first that applies.
 * Source: contract §3.1, §7.1.
 */
export function decideUpdate(
  order: Order | undefined,
  command: UpdateOrder,
  situation: Situation & { readonly isRepeated?: boolean },
): DecidedOrder | Refused<UpdateRefusal> {
  const { now, holder, allowanceDays } = situation;
  const { given, rules } = command;
  if (given.country !== undefined && !rules.countryCodes.includes(given.country))
    return refuse('country_not_allowed', { field: 'country' });
  if (order === undefined) return refuse('order_not_open');
  const refuseThis = <Name extends UpdateRefusal>(name: Name, field?: string): Refused<Name> =>
    field === undefined ? { refusal: name, version: order.version } : { refusal: name, field, version: order.version };
  if (stateAt(order, now) !== 'pending') return refuseThis('order_not_open');
  if (!matches(order, command.ifMatch)) return refuseThis('version_mismatch');
  if (situation.isAmbiguous === true && !order.recurrent) return refuseThis('id_ambiguous', 'recurrent');
  if (given.currency !== undefined && !rules.currencies.includes(given.currency)) return refuseThis('currency_not_allowed', 'money');
  if (given.recurrent === true && !rules.mayRecur) return refuseThis('recurrent_not_allowed', 'recurrent');
  const isSameDay = given.expiresOn === undefined || given.expiresOn.equals(order.expiresOn);
  if (!isSameDay && !isUpdateDay(given.expiresOn, order, rules.timeZone, now, allowanceDays))
    return refuseThis('expiration_out_of_range', 'expiration');
  const wantsOther = given.reference !== undefined && given.reference !== order.reference;
  if (wantsOther && isTaken(holder, command, situation)) return refuseThis('reference_taken', 'reference');

  const terms = withGiven(order, given);
  const runsOtherwise = !isSameDay || terms.recurrent !== order.recurrent;
  const expiresAt = runsOtherwise ? expiryOf(terms, rules.timeZone) : order.expiresAt;
  const decided = changedOrder(order, { ...terms, expiresAt }, 'order.updated', command.requestId, now, command.actor);
  return decided.event !== undefined && situation.isRepeated === true ? refuseThis('terms_repeated') : decided;
}

/**
 * Decides a creation.
 * Shape: whether the id was ever used, our id for the new order, a reference in case none is given.
 * Refuses: country_not_allowed, order_exists, id_ambiguous, currency_not_allowed, recurrent_not_allowed, expiration_out_of_range,
 * reference_taken.
 * Source: contract §3.2.
 */
export function decideCreate(
  command: CreateOrder,
  situation: Situation & { readonly exists: boolean; readonly serviceOrderId: bigint; readonly spareReference: string },
): Required<DecidedOrder> | Refused<CreateRefusal> {
  const { now, holder, exists, serviceOrderId, spareReference, allowanceDays } = situation;
  const { given, rules } = command;
  if (!rules.countryCodes.includes(given.country)) return refuse('country_not_allowed', { field: 'country' });
  if (exists) return refuse('order_exists', { field: 'order' });
  if (situation.isAmbiguous === true) return refuse('id_ambiguous', { field: 'order' });
  if (!rules.currencies.includes(given.currency)) return refuse('currency_not_allowed', { field: 'money' });
  if (given.recurrent === true && !rules.mayRecur) return refuse('recurrent_not_allowed', { field: 'recurrent' });
  const today = dayOf(now, rules.timeZone);
  const expiresOn = given.expiresOn ?? today.add({ days: MAX_DAYS_AHEAD });
  const last = today.add({ days: MAX_DAYS_AHEAD + allowanceDays });
  const isInRange = compareDays(expiresOn, today) >= 0 && compareDays(expiresOn, last) <= 0;
  if (!isInRange) return refuse('expiration_out_of_range', { field: 'expiration' });
  if (given.reference !== undefined && isTaken(holder, command, situation)) return refuse('reference_taken', { field: 'reference' });

  const { email, country, currency, amountMinor } = given;
  const terms = withGiven({ ...NOTHING_GIVEN, email, country, currency, amountMinor, reference: spareReference, expiresOn }, given);
  const order: Order = {
    merchantId: command.merchantId,
    orderId: command.orderId,
    serviceOrderId,
    state: 'pending',
    version: 1,
    ...terms,
    expiresAt: expiryOf(terms, rules.timeZone),
    payments: 0,
    paymentsGivenBack: 0,
    createdAt: now,
    updatedAt: now,
  };
  return { order, event: eventOf(order, 'order.created', diffOrders(undefined, order), command.requestId, command.actor ?? 'merchant') };
}

/**
 * Decides a cancellation. Cancelling a cancelled order is success again, whatever version is asked for: it has happened.
 * Refuses: order_not_found, order_not_open, version_mismatch.
 * Source: contract §3.4.
 */
export function decideCancelOrder(
  order: Order | undefined,
  command: CancelOrder,
  { now }: Moment,
): DecidedOrder | Refused<CancelOrderRefusal> {
  if (order === undefined) return refuse('order_not_found', { field: 'order' });
  if (order.state === 'cancelled') return { order };
  if (stateAt(order, now) !== 'pending') return { refusal: 'order_not_open', version: order.version };
  if (!matches(order, command.ifMatch)) return { refusal: 'version_mismatch', version: order.version };
  return changedOrder(order, { ...order, state: 'cancelled' }, 'order.cancelled', command.requestId, now, command.actor);
}

/** Marks a pending order expired once `expiresAt` has passed. Any other order keeps its state. Source: contract §3.5. */
export function decideExpireOrder(order: Order, { now }: Moment): DecidedOrder {
  if (order.state !== 'pending' || stateAt(order, now) !== 'expired') return { order };
  return changedOrder(order, { ...order, state: 'expired' }, 'order.expired', null, now, 'service');
}

/**
 * Decides to expire an order before its time. Expiring an expired one is success again.
 * Refuses: order_not_found, order_not_open, version_mismatch.
 */
export function decideExpireNow(
  order: Order | undefined,
  command: CancelOrder,
  { now }: Moment,
): DecidedOrder | Refused<CancelOrderRefusal> {
  if (order === undefined) return refuse('order_not_found', { field: 'order' });
  const state = stateAt(order, now);
  if (state === 'expired') return { order };
  if (state !== 'pending') return { refusal: 'order_not_open', version: order.version };
  if (!matches(order, command.ifMatch)) return { refusal: 'version_mismatch', version: order.version };
  return changedOrder(order, { ...order, state: 'expired' }, 'order.expired', command.requestId, now, command.actor);
}

/**
 * True when this order cannot have the reference.
 * Another open order has it, or it rests after an order of another merchant.
 * A reference that the service made rests for ever.
 */
export function isTaken(
  holder: ReferenceHolder | undefined,
  { merchantId, orderId }: OrderKey,
  { now, restDays }: Pick<Situation, 'now' | 'restDays'>,
): boolean {
  if (holder === undefined) return false;
  const isOwn = holder.merchantId === merchantId;
  if (holder.isEnded !== true && !isOver(holder.expiresAt, now)) return !isOwn || holder.orderId !== orderId;
  if (isOwn || holder.expiresAt === null) return false;
  return holder.isMade === true || !isOver(holder.expiresAt.add({ hours: 24 * restDays }), now);
}

const NOTHING_GIVEN = defaultsOf(ORDER_COLUMNS);

function withGiven<Terms extends OrderTerms>(terms: Terms, given: GivenTerms): Terms {
  const merged: Record<string, unknown> = { ...terms };
  for (const name in given) {
    const value = given[name as keyof GivenTerms];
    if (value !== undefined) merged[name] = value;
  }
  return merged as Terms;
}

/** The order as it becomes, one version on, with its event, which also holds `told`. Without an event where nothing differs. */
export function changedOrder(
  order: Order,
  terms: Order,
  event: OrderEventName,
  requestId: string | null,
  now: Temporal.Instant,
  actor: HistoryActor = 'merchant',
  told: OrderEvent['changes'] = {},
): DecidedOrder {
  const changes = diffOrders(order, terms);
  if (Object.keys(changes).length === 0 && Object.keys(told).length === 0) return { order };
  const next = { ...terms, version: order.version + 1, updatedAt: now };
  return { order: next, event: eventOf(next, event, { ...changes, ...told }, requestId, actor) };
}

const eventOf = (
  { merchantId, orderId, version, updatedAt }: Order,
  event: OrderEventName,
  changes: OrderEvent['changes'],
  requestId: string | null,
  actor: HistoryActor,
): OrderEvent => ({
  merchantId,
  orderId,
  version,
  event,
  actor,
  changedAt: updatedAt,
  requestId,
  changes,
});

const isOver = (expiresAt: Temporal.Instant | null, now: Temporal.Instant): boolean =>
  expiresAt !== null && now.epochMilliseconds >= expiresAt.epochMilliseconds;

const expiryOf = ({ recurrent, expiresOn }: OrderTerms, timeZone: string): Temporal.Instant | null =>
  recurrent ? null : endOfDay(expiresOn, timeZone);

const matches = ({ version }: Order, ifMatch: IfMatch | undefined): boolean =>
  ifMatch === undefined || ifMatch === 'any' || ifMatch.includes(version);

const compareDays = (one: Temporal.PlainDate, other: Temporal.PlainDate): number => Temporal.PlainDate.compare(one, other);

/** From the day of registration to thirty days after today, and the allowance. A day already past ends the order at once. */
function isUpdateDay(day: Temporal.PlainDate, order: Order, timeZone: string, now: Temporal.Instant, allowanceDays: number): boolean {
  const today = dayOf(now, timeZone);
  if (compareDays(day, today) < 0) return compareDays(day, dayOf(order.createdAt, timeZone)) >= 0;
  return compareDays(day, today.add({ days: MAX_DAYS_AHEAD + allowanceDays })) <= 0;
}
