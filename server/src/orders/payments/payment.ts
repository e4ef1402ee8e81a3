import type { Refusal } from '../../kit/outcome.ts';
import { openAmountIn, type Merchant } from '../../merchants/index.ts';
import { REVERSAL_SECONDS, serves, type WhereServed } from '../../networks/index.ts';
import type { OrderEvent, PaymentSource } from '../order-history.ts';
import { changedOrder, stateAt, type Order } from '../order.ts';
import type { Payment } from './payment-columns.ts';

export type { PaymentSource } from '../order-history.ts';
export type { Payment } from './payment-columns.ts';

type Money = { readonly amountMinor: bigint; readonly currency: string };

/** What a source asks for: the payer has seen this amount, and it holds the money. */
export type PayOrder = {
  readonly serviceOrderId: bigint;
  readonly source: PaymentSource;
  readonly transactionId: string;
  readonly shown: Money;
  readonly requestId: string | null;
  /** Where the network serves that asks. Absent: no network asks. */
  readonly served?: WhereServed;
};

/** Orders of a frozen merchant are not open for payment. */
export type PayableMerchant = Pick<Merchant, 'country' | 'isFrozen' | 'openAmounts'>;

/** In order of precedence: contract §3.8. */
export type PayOrderRefusal =
  | 'order_not_found'
  | 'transaction_repeated'
  | 'payment_given_back'
  | 'order_not_served'
  | 'order_not_open'
  | 'amount_changed';
/** In order of precedence: contract §3.9. */
export type ReversalRefusal = 'order_not_found' | 'payment_not_found' | 'payment_given_back' | 'payment_not_reversible';

/** What became of a payment. Without an event it had happened before, and nothing is to be written. */
export type Settled = { readonly order: Order; readonly payment: Payment; readonly event?: OrderEvent };
/** `order`: as it is now, where there is one. */
export type RefusedWithOrder<Name extends string> = Refusal<Name> & { readonly order?: Order };

/**
 * Decides a payment: of a pending order, and of exactly the amount that the payer has seen. A recurrent order stays pending. An open amount
 * is what the payer chose, between the limits of the merchant. An order that ends by its payment
 * has that amount from then on.
 * Shape: the stored order and the payment that this transaction is already, where there are such (`elsewhere`: of an order in another
 * cell); fee and tax of a new one.
 * Refuses: order_not_found, transaction_repeated, payment_given_back, order_not_served, order_not_open, amount_changed — the first that applies. The
 * same transaction again with the same values is the same payment.
 * Source: contract §3.5, §3.8.
 */
export function decidePayOrder(
  order: Order | undefined,
  repeated: Payment | 'elsewhere' | undefined,
  { source, transactionId, shown, requestId, served }: PayOrder,
  {
    now,
    feeMinor,
    taxMinor,
    merchant,
  }: { readonly now: Temporal.Instant; readonly feeMinor: bigint; readonly taxMinor: bigint; readonly merchant: PayableMerchant },
): Settled | RefusedWithOrder<PayOrderRefusal> {
  if (order === undefined) return { refusal: 'order_not_found' };
  if (repeated !== undefined) {
    if (repeated === 'elsewhere' || !isOf(repeated, order) || !isSameMoney(repeated, shown))
      return { refusal: 'transaction_repeated', order };
    return repeated.state === 'paid' ? { order, payment: repeated } : { refusal: 'payment_given_back', order };
  }
  if (served !== undefined && !serves(served, merchant.country, shown.currency)) return { refusal: 'order_not_served', order };
  if (merchant.isFrozen || stateAt(order, now) !== 'pending') return { refusal: 'order_not_open', order };
  if (!mayPay(order, shown, merchant)) return { refusal: 'amount_changed', order };

  const paymentNumber = order.payments + 1;
  const state = order.recurrent ? 'pending' : 'approved';
  const { amountMinor, currency } = shown;
  const terms = order.recurrent ? order : { ...order, amountMinor };
  const paid = changedOrder(order, { ...terms, state, payments: paymentNumber }, 'order.paid', requestId, now, source);
  const { merchantId, orderId } = order;
  const poId = order.recurrent ? `${orderId}_${paymentNumber}` : orderId;
  const payment: Payment = {
    merchantId,
    orderId,
    paymentNumber,
    source,
    transactionId,
    poId,
    state: 'paid',
    amountMinor,
    currency,
    feeMinor,
    taxMinor,
    paidAt: now,
    givenBackAt: null,
    refundedMinor: 0n,
  };
  return { ...paid, payment };
}

/** A payment that its network takes back. */
export type Reverse = { readonly actor: OrderEvent['actor']; readonly requestId: string | null };

/**
 * Decides that a network takes its payment back: its payer has the money. The payment that made an order approved makes it voided; of a
 * recurrent order only the payment changes. What was reversed already is reversed: success again.
 * Refuses: order_not_found, payment_not_found, payment_given_back (refunds have promised some of it, or all), payment_not_reversible (too late).
 * Source: contract §3.5, §3.9.
 */
export function decideReversal(
  order: Order | undefined,
  payment: Payment | undefined,
  { actor, requestId }: Reverse,
  now: Temporal.Instant,
): Settled | RefusedWithOrder<ReversalRefusal> {
  if (order === undefined) return { refusal: 'order_not_found' };
  if (payment === undefined) return { refusal: 'payment_not_found', order };
  if (payment.state === 'reversed') return { order, payment };
  if (payment.state !== 'paid' || payment.refundedMinor > 0n) return { refusal: 'payment_given_back', order };
  if (!isReversible(payment, now)) return { refusal: 'payment_not_reversible', order };
  return {
    ...changedOrder(order, givenBackWhole(order, payment), 'order.reversed', requestId, now, actor),
    payment: { ...payment, state: 'reversed', givenBackAt: now },
  };
}

/** Whether the network that took a payment may still take it back. */
export const isReversible = ({ source, paidAt }: Payment, now: Temporal.Instant): boolean =>
  source.startsWith('network:') && now.epochMilliseconds <= paidAt.epochMilliseconds + REVERSAL_SECONDS * 1_000;

/** An order once a payment of it was given back whole. The payment that made it approved makes it voided. */
export const givenBackWhole = (order: Order, { paymentNumber }: Payment): Order => ({
  ...order,
  state: order.state === 'approved' && paymentNumber === order.payments ? 'voided' : order.state,
  paymentsGivenBack: order.paymentsGivenBack + 1,
});

const isOf = (payment: Payment, order: Order): boolean => payment.merchantId === order.merchantId && payment.orderId === order.orderId;

/** Whether an order asks for this money, or leaves the amount to the payer and may be paid with it. */
function mayPay(order: Order, shown: Money, merchant: PayableMerchant): boolean {
  if (order.amountMinor > 0n) return isSameMoney(order, shown);
  const limits = openAmountIn(merchant, order.currency);
  if (limits === undefined || shown.currency !== order.currency) return false;
  return shown.amountMinor >= limits.leastMinor && shown.amountMinor <= limits.mostMinor;
}

const isSameMoney = (one: Money, other: Money): boolean => one.amountMinor === other.amountMinor && one.currency === other.currency;
