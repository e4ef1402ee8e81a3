import type { Refusal } from '../../kit/outcome.ts';
import type { Bearer, Refunder } from '../../ledger/index.ts';
import type { OrderEvent } from '../order-history.ts';
import { changedOrder, type Order } from '../order.ts';
import { givenBackWhole, isReversible, type Payment } from '../payments/payment.ts';
import { isOpenRefund, type AnyRefunder, type Refund, type RefundState } from './refund-columns.ts';

type By = {
  readonly actor: OrderEvent['actor'];
  readonly requestId: string | null;
  /** The merchant hears of what its operator does about its refunds. */
  readonly isReported?: boolean;
};

/** A wish to give money of a payment back. */
export type RequestRefund = By & {
  /** Null: the last one. */
  readonly paymentNumber: number | null;
  /** Absent: the service makes one. */
  readonly refundId?: string | undefined;
  /** In minor units of `currency`. Absent: all that is left of the payment. */
  readonly amountMinor?: bigint | undefined;
  readonly currency?: string | undefined;
  readonly refundedBy: AnyRefunder;
  /** Absent: what the merchant has collected. */
  readonly takenFrom?: Bearer | undefined;
  readonly reason: string;
  /** True: whoever asks is the one who decides about it. */
  readonly isApproved: boolean;
};

/** The record that a payer has all of a payment back that no refund has promised. */
export type VoidPayment = By & { readonly refundedBy: Refunder; readonly reason: string };

/** A cashout that is registered for the payer of an approved refund. */
export type GiveCashout = By & { readonly operationId: string };

/** The cashout of a refund has ended for good: it was collected, and its network can no longer take that back, or it ended unpaid. */
export type SettleCashout = { readonly operationId: string; readonly isCollected: boolean };

/** What may become of an open refund. `pay`: `refundedBy` says who has paid, where it was another one than was meant. */
export type ChangeRefund = By &
  (
    | { readonly to: 'approved' }
    /** `isWithdrawn`: by the merchant, who may not once somebody may be paying it. */
    | { readonly to: 'cancelled'; readonly isWithdrawn: boolean }
    | { readonly to: 'paid'; readonly refundedBy?: Refunder | undefined; readonly proof?: string | undefined }
    | { readonly to: 'failed'; readonly problem: string }
  );

/** What became of a refund. Without an event it had become that before, and nothing is to be written. */
export type DecidedRefund = {
  readonly order: Order;
  readonly payment: Payment;
  readonly refund: Refund;
  /** What moves in the ledger. */
  readonly moves?: readonly RefundMove[];
  readonly event?: OrderEvent;
};

/** In order of precedence. */
export type RequestRefundRefusal =
  | 'order_not_found'
  | 'payment_not_found'
  | 'refund_exists'
  | 'nothing_to_refund'
  | 'refund_too_early'
  | 'refund_currency_differs'
  | 'refund_too_large'
  | 'too_many_refunds'
  | 'collected_too_small'
  | 'fund_too_small';
export type VoidRefusal = 'order_not_found' | 'payment_not_found' | 'payment_given_back' | 'void_differs' | 'refund_open';
type OfOpenRefund = 'refund_not_found' | 'refund_ended' | 'refund_not_approved' | 'refund_has_cashout';
export type GiveCashoutRefusal = OfOpenRefund | 'refund_not_for_cashout';
export type ChangeRefundRefusal = OfOpenRefund | 'refund_approved' | 'refunder_missing';

/** Refunds of one payment. A payment of a shop has one or two. */
export const MOST_REFUNDS = 50;

/** What a refund is decided on. `refunds`: all of the payment, in any order; `keepsFees`: of a new one no fee comes back. */
export type Situation = {
  readonly now: Temporal.Instant;
  readonly order: Order | undefined;
  readonly payment: Payment | undefined;
  readonly refunds: readonly Refund[];
  readonly keepsFees: boolean;
};

const isPromised = ({ state }: Pick<Refund, 'state'>): boolean => state !== 'failed' && state !== 'cancelled';

const sumOf = (refunds: readonly Refund[], field: 'amountMinor' | 'feeMinor' | 'taxMinor'): bigint =>
  refunds.reduce((sum, refund) => sum + refund[field], 0n);

/**
 * Decides a request: a part of a payment, or what is left of it, is promised to its payer from now on.
 * Shape: `sameId`: the refund that has this id already; `coverOf`: what the merchant has in a currency, where the refund is taken from.
 * The same request again is the same refund.
 * Refuses: order_not_found, payment_not_found, refund_exists (another one has the id), nothing_to_refund, refund_too_early (its network
 * can still take it back), refund_currency_differs,
 * refund_too_large, too_many_refunds, collected_too_small or fund_too_small — the first that applies.
 */
export function decideRequestRefund(
  command: RequestRefund,
  situation: Situation & { readonly sameId: Refund | undefined; readonly coverOf: (currency: string) => bigint },
): DecidedRefund | Refusal<RequestRefundRefusal> {
  const { order, payment, refunds, sameId, coverOf, keepsFees, now } = situation;
  if (order === undefined) return { refusal: 'order_not_found' };
  if (payment === undefined) return { refusal: 'payment_not_found' };
  if (sameId !== undefined)
    return isSameRequest(sameId, payment, command) ? { order, payment, refund: sameId } : { refusal: 'refund_exists' };
  const leftMinor = payment.amountMinor - payment.refundedMinor;
  if (payment.state !== 'paid' || leftMinor === 0n) return { refusal: 'nothing_to_refund' };
  // Else a merchant could keep its network from taking back what that has already handed out.
  if (!command.isApproved && isReversible(payment, now)) return { refusal: 'refund_too_early' };
  if (command.currency !== undefined && command.currency !== payment.currency) return { refusal: 'refund_currency_differs' };
  const amountMinor = command.amountMinor ?? leftMinor;
  if (amountMinor > leftMinor) return { refusal: 'refund_too_large' };
  if (refunds.length >= MOST_REFUNDS) return { refusal: 'too_many_refunds' };
  const takenFrom = command.takenFrom ?? 'collected';
  const terms = { ...command, amountMinor, keepsFees, takenFrom, state: command.isApproved ? 'approved' : 'requested' } as const;
  const refund = newRefund(order, payment, refunds, terms, now);
  if (coverOf(payment.currency) < costOf(refund)) return { refusal: `${takenFrom}_too_small` };
  return changed({ order, payment, refunds }, undefined, refund, command, now);
}

/**
 * Decides a void: a payer has all of a payment back that no refund has given back. It is a refund that was paid, and it counts whatever the
 * merchant has collected: it has happened.
 * Refuses: order_not_found, payment_not_found, payment_given_back (its network took it back), void_differs (somebody else paid), refund_open
 * (it is promised, and not paid yet) — the first that applies. Voiding a payment again is success again.
 * Source: contract §3.5.
 */
export function decideVoid(
  command: VoidPayment,
  { order, payment, refunds, keepsFees, now }: Situation,
): DecidedRefund | Refusal<VoidRefusal> {
  if (order === undefined) return { refusal: 'order_not_found' };
  if (payment === undefined) return { refusal: 'payment_not_found' };
  if (payment.state === 'reversed') return { refusal: 'payment_given_back' };
  if (payment.state === 'voided') {
    const { givenBackAt } = payment;
    // What made it whole. At one instant there may be two.
    const isLast = ({ state, endedAt }: Refund): boolean => state === 'paid' && endedAt?.equals(givenBackAt as Temporal.Instant) === true;
    const same = refunds.find((refund) => isLast(refund) && refund.refundedBy === command.refundedBy);
    return same === undefined ? { refusal: 'void_differs' } : { order, payment, refund: same };
  }
  if (refunds.some(isOpenRefund)) return { refusal: 'refund_open' };
  const amountMinor = payment.amountMinor - payment.refundedMinor;
  const refund = newRefund(order, payment, refunds, { ...command, amountMinor, keepsFees, takenFrom: 'collected', state: 'paid' }, now);
  return changed({ order, payment, refunds }, undefined, refund, command, now);
}

/**
 * Decides what becomes of a refund. What it became already is success again.
 * Refuses: refund_not_found, refund_ended (in another way, or paid by somebody else), refund_not_approved (only an approved one is paid, or fails), refund_approved (so
 * the merchant no longer withdraws it), refund_has_cashout (a payer may be collecting it), refunder_missing (who paid what was meant for a cashout).
 */
export function decideChangeRefund(
  command: ChangeRefund,
  stored: Refund | undefined,
  { order, payment, refunds, now }: Omit<Situation, 'keepsFees'>,
): DecidedRefund | Refusal<ChangeRefundRefusal> {
  if (stored === undefined || order === undefined || payment === undefined) return { refusal: 'refund_not_found' };
  // A payment at a counter nobody has recorded before: whoever does has paid it once more.
  const isOtherPayer =
    command.to === 'paid' && (stored.refundedBy === 'cashout' || (command.refundedBy ?? stored.refundedBy) !== stored.refundedBy);
  if (stored.state === command.to && !isOtherPayer) return { order, payment, refund: stored };
  if (!isOpenRefund(stored)) return { refusal: 'refund_ended' };
  if (stored.state === 'requested' && (command.to === 'paid' || command.to === 'failed')) return { refusal: 'refund_not_approved' };
  if (stored.state === 'approved' && command.to === 'cancelled' && command.isWithdrawn) return { refusal: 'refund_approved' };
  if (stored.operationId !== null) return { refusal: 'refund_has_cashout' };
  if (command.to === 'paid' && (command.refundedBy ?? stored.refundedBy) === 'cashout') return { refusal: 'refunder_missing' };
  const isEnd = command.to !== 'approved';
  const refund: Refund = {
    ...stored,
    state: command.to,
    updatedAt: now,
    endedAt: isEnd ? now : null,
    ...(command.to === 'paid' && { refundedBy: command.refundedBy ?? stored.refundedBy, proof: command.proof ?? null }),
    ...(command.to === 'failed' && { problem: command.problem }),
  };
  return changed({ order, payment, refunds }, stored, refund, command, now);
}

/**
 * Decides that a payer collects a refund at a counter. It stays approved; its money is in reserve with the cashout.
 * Refuses: refund_not_found, refund_ended, refund_not_approved, refund_has_cashout (one at a time), refund_not_for_cashout (whoever is to
 * pay it may be doing so).
 */
export function decideGiveCashout(
  command: GiveCashout,
  stored: Refund | undefined,
  { order, payment, refunds, now }: Omit<Situation, 'keepsFees'>,
): DecidedRefund | Refusal<GiveCashoutRefusal> {
  if (stored === undefined || order === undefined || payment === undefined) return { refusal: 'refund_not_found' };
  if (!isOpenRefund(stored)) return { refusal: 'refund_ended' };
  if (stored.state === 'requested') return { refusal: 'refund_not_approved' };
  if (stored.operationId !== null) return { refusal: 'refund_has_cashout' };
  if (stored.refundedBy !== 'cashout') return { refusal: 'refund_not_for_cashout' };
  const refund: Refund = { ...stored, operationId: command.operationId, updatedAt: now };
  return changed({ order, payment, refunds }, stored, refund, command, now);
}

/**
 * Decides what the end of its cashout makes of a refund: it is paid, or may be paid in another way. A refund that has another cashout
 * meanwhile, or none, stays as it is.
 */
export function decideSettleCashout(
  { operationId, isCollected }: SettleCashout,
  stored: Refund | undefined,
  { order, payment, refunds, now }: Omit<Situation, 'keepsFees'>,
): DecidedRefund | Refusal<'refund_not_found'> {
  if (stored === undefined || order === undefined || payment === undefined) return { refusal: 'refund_not_found' };
  if (!isOpenRefund(stored) || stored.operationId !== operationId) return { order, payment, refund: stored };
  const refund: Refund = isCollected
    ? { ...stored, state: 'paid', updatedAt: now, endedAt: now }
    : { ...stored, operationId: null, updatedAt: now };
  return changed({ order, payment, refunds }, stored, refund, { actor: 'service', requestId: null }, now);
}

/** What the merchant bears of a refund. */
export const costOf = ({ amountMinor, feeMinor, taxMinor }: Refund): bigint => amountMinor - feeMinor - taxMinor;

/** Who pays it may have become another one, and the last payment of its order too: neither is asked for then. */
function isSameRequest(stored: Refund, { orderId }: Payment, command: RequestRefund): boolean {
  const { paymentNumber, amountMinor, currency, refundedBy, takenFrom = 'collected' } = command;
  return (
    stored.orderId === orderId &&
    (paymentNumber === null || stored.paymentNumber === paymentNumber) &&
    (amountMinor === undefined || (stored.amountMinor === amountMinor && stored.currency === currency)) &&
    stored.takenFrom === takenFrom &&
    (stored.refundedBy === refundedBy || stored.state === 'paid')
  );
}

type New = {
  readonly refundId?: string | undefined;
  readonly amountMinor: bigint;
  readonly keepsFees: boolean;
  readonly takenFrom: Bearer;
  readonly refundedBy: AnyRefunder;
  readonly reason: string;
  readonly state: RefundState;
};

/**
 * Fee and tax come back in proportion. Each refund brings what all of them together bring so far, rounded up, less what those before it
 * brought: with the last peso of the payment the last peso of the fee comes back. Rounded down, the collected money of a payment would not
 * cover a refund of nearly all of it. Where one that brought much was followed by one that was cancelled, the next brings nothing. Refunds
 * under the rule that the service keeps its fee bring nothing, and no later one makes up for them. One that may still be withdrawn brings
 * its own amount at most: else a merchant whose fees are more than its payments would have money until it withdraws it, in its fund too.
 */
function newRefund(order: Order, payment: Payment, refunds: readonly Refund[], command: New, now: Temporal.Instant): Refund {
  const { merchantId, orderId, paymentNumber, currency } = payment;
  const { refundId, amountMinor, keepsFees, takenFrom, refundedBy, reason, state } = command;
  const bringing = refunds.filter((refund) => isPromised(refund) && !refund.keepsFees);
  const givenMinor = sumOf(bringing, 'amountMinor') + amountMinor;
  const backOf = (field: 'feeMinor' | 'taxMinor'): bigint => {
    if (keepsFees) return 0n;
    const ofAll = (payment[field] * givenMinor + payment.amountMinor - 1n) / payment.amountMinor;
    const before = sumOf(bringing, field);
    return ofAll > before ? ofAll - before : 0n;
  };
  const atMost = (minor: bigint, mostMinor: bigint): bigint => (state === 'paid' || minor < mostMinor ? minor : mostMinor);
  const feeMinor = atMost(backOf('feeMinor'), amountMinor);
  const taxMinor = atMost(backOf('taxMinor'), amountMinor - feeMinor);
  return {
    merchantId,
    // No id that is given has a dot, so this one is free.
    refundId: refundId ?? `${orderId}.${order.version + 1}`,
    orderId,
    paymentNumber,
    state,
    amountMinor,
    currency,
    feeMinor,
    taxMinor,
    keepsFees,
    takenFrom,
    refundedBy,
    operationId: null,
    reason,
    requestedAt: now,
    updatedAt: now,
    endedAt: state === 'paid' ? now : null,
    proof: null,
    problem: null,
  };
}

/** The payment and its order after a change of a refund. A payment that is given back whole makes the order voided that it had made approved. */
function changed(
  { order, payment, refunds }: { readonly order: Order; readonly payment: Payment; readonly refunds: readonly Refund[] },
  before: Refund | undefined,
  refund: Refund,
  { actor, requestId }: By,
  now: Temporal.Instant,
): DecidedRefund {
  const all = [...refunds.filter(({ refundId }) => refundId !== refund.refundId), refund];
  const isWhole =
    sumOf(
      all.filter(({ state }) => state === 'paid'),
      'amountMinor',
    ) === payment.amountMinor;
  const nextPayment: Payment = {
    ...payment,
    refundedMinor: sumOf(all.filter(isPromised), 'amountMinor'),
    ...(isWhole && { state: 'voided' as const, givenBackAt: now }),
  };
  const next = isWhole ? givenBackWhole(order, payment) : order;
  const reason = refund.problem ?? (before === undefined ? refund.reason : null);
  const isVoid = before === undefined && refund.state === 'paid';
  const told: OrderEvent['changes'] = {
    ...(!isVoid && {
      refund: [null, refund.refundId] as const,
      refundState: [before?.state ?? null, refund.state] as const,
      refundAmount: [null, `${refund.amountMinor} ${refund.currency}`] as const,
    }),
    ...(before !== undefined &&
      before.operationId !== refund.operationId && { refundCashout: [before.operationId, refund.operationId] as const }),
    ...(reason !== null && { reason: [null, reason] as const }),
  };
  const event = isWhole ? 'order.voided' : eventOf(before, refund);
  const decided = changedOrder(order, next, event, requestId, now, actor, told);
  return { ...decided, payment: nextPayment, refund, moves: movesTo(refund, before !== undefined) };
}

/** What a refund has moved in the ledger by its state, and what it moves when it enters that. */
export type RefundMove = 'owed' | 'paid' | 'released';
const END_OF: Readonly<Partial<Record<RefundState, RefundMove>>> = { paid: 'paid', failed: 'released', cancelled: 'released' };

/** `isKnown`: it was promised before. What a payer collects with a cashout moves with that. */
export function movesTo({ state, refundedBy }: Pick<Refund, 'state' | 'refundedBy'>, isKnown: boolean): readonly RefundMove[] {
  const end = state === 'paid' && refundedBy === 'cashout' ? undefined : END_OF[state];
  return [...(isKnown ? [] : ['owed' as const]), ...(end === undefined ? [] : [end])];
}

/** Of a refund whose state stays, the cashout is what changed. */
function eventOf(before: Refund | undefined, { state, operationId }: Refund): OrderEvent['event'] {
  if (before?.state !== state) return REFUND_EVENTS[state];
  return operationId === null ? CASHOUT_EVENTS.ended : CASHOUT_EVENTS.given;
}

/** Of the cashout of a refund. */
export const CASHOUT_EVENTS = { given: 'order.refund_cashout_registered', ended: 'order.refund_reopened' } as const;

/** Of a change that does not give a payment back whole. */
export const REFUND_EVENTS = {
  requested: 'order.refund_requested',
  approved: 'order.refund_approved',
  paid: 'order.refunded',
  failed: 'order.refund_failed',
  cancelled: 'order.refund_cancelled',
} as const satisfies Readonly<Record<RefundState, OrderEvent['event']>>;
