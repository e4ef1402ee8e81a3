import { Type, type Static } from 'typebox';
import { parseIsoDay } from '../../kit/calendar.ts';
import { parseCost } from '../../kit/money.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { formatPercent, parsePercent } from '../../kit/written/percent.ts';
import { recordedEvent, schemas, type Actor, type ManagementRefusal } from '../../manage/index.ts';
import { openAmountIn, type Merchant } from '../../merchants/index.ts';
import type { Dialect } from '../../requests/index.ts';
import { orderFields } from '../order-fields.wire.ts';
import { ORDER_STATES, stateAt, type GivenTerms, type Order } from '../order.ts';
import { PAYMENT_STATES, type Payment } from '../payments/payment-columns.ts';
import type { RefusedBeyond, RefusedPayment } from '../payments/refused-payments.ts';

// How the management API takes and shows orders. What a term may hold is the rule of the merchants' API.

const { amount, day, instant, merchantId, oneOf, orNull, readMoney, sentAmount, answerObject, showAmount, showInstant, wrong } = schemas;

export const shownOrderId = Type.String({
  maxLength: 200,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'The merchant’s id of it.',
  examples: ['A-1001'],
});
/** A text of the merchants' API, under its own rule. */
const ruled = (name: 'email' | 'reference' | 'description' | 'method' | 'user_di' | 'user_type_di' | 'user_name') =>
  Type.Unsafe<string>({ ...orderFields[name].schema, type: 'string' });

const vatRate = Type.String({ maxLength: 8, pattern: '^(100|[0-9]{1,2}([.][0-9]{1,4})?)$', description: 'Per cent.', examples: ['19'] });

const OPTIONAL_TERMS = {
  reference: Type.Optional(Type.Unsafe<string>({ ...ruled('reference'), minLength: 1 })),
  description: Type.Optional(orNull(ruled('description'))),
  method: Type.Optional(orNull(ruled('method'))),
  language: Type.Optional(orNull(oneOf(['es', 'en', 'pt'], 'Of texts and of the checkout page.'))),
  recurrent: Type.Optional(Type.Boolean({ description: 'Stays open after each payment. Colombia only.' })),
  expiresOn: Type.Optional(day),
  vatRate: Type.Optional(orNull(vatRate)),
  userDocument: Type.Optional(orNull(ruled('user_di'))),
  userDocumentType: Type.Optional(orNull(ruled('user_type_di'))),
  userName: Type.Optional(orNull(ruled('user_name'))),
  redirectTimeoutMs: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 9_999_999 }))),
};

const orderAmount = Type.Object(sentAmount.properties, {
  description: 'In a currency of the merchant. Above zero; where the merchant has open amounts, zero leaves it to the payer.',
});

/** A new order. */
export const newOrder = Type.Object({
  merchant: merchantId,
  order: shownOrderId,
  email: ruled('email'),
  amount: orderAmount,
  ...OPTIONAL_TERMS,
});
/** A merge patch (RFC 7396): an absent member stays as it is, null empties it. */
export const orderPatch = Type.Object({ email: Type.Optional(ruled('email')), amount: Type.Optional(orderAmount), ...OPTIONAL_TERMS });

type Patch = Static<typeof orderPatch>;

const readAmount = (money: Static<typeof orderAmount>, merchant: Pick<Merchant, 'openAmounts'>) =>
  openAmountIn(merchant, money.currency) === undefined
    ? readMoney('/amount', money)
    : readMoney('/amount', money, parseCost, 'zero or more');

/**
 * Turns the members of a body into terms; undefined: left as it is. Where the merchant has open amounts, zero leaves it to the payer.
 * Refuses: fields_invalid, for an amount or a day that cannot be read. So is an empty address, unless the merchant takes orders without one.
 */
export function termsOf(
  body: Patch,
  merchant: Pick<Merchant, 'openAmounts' | 'emptyEmails'>,
  { allowsEmptyEmails }: Pick<Dialect, 'allowsEmptyEmails'>,
): GivenTerms | ManagementRefusal<'fields_invalid'> {
  const { amount: money, expiresOn: lastDay, vatRate: rate, method, ...same } = body;
  if (body.email === '' && !(merchant.emptyEmails ?? allowsEmptyEmails))
    return wrong('/email', 'must be an address: the merchant’s orders have one');
  const amountMinor = money === undefined ? undefined : readAmount(money, merchant);
  if (isRefusal(amountMinor)) return amountMinor;
  const expiresOn = lastDay === undefined ? undefined : parseIsoDay(lastDay);
  if (lastDay !== undefined && expiresOn === undefined) return wrong('/expiresOn', 'is not a real date');
  const vatRatePpm = rate === undefined || rate === null ? rate : (parsePercent(rate) as number);
  return { ...same, amountMinor, currency: money?.currency, expiresOn, vatRatePpm, method: method === null ? '' : method };
}

export const orderSchema = answerObject({
  merchant: merchantId,
  order: shownOrderId,
  serviceOrderId: Type.String({ maxLength: 20, description: 'The service’s own id of it.', examples: ['4711'] }),
  state: oneOf(ORDER_STATES, 'As of now.'),
  version: Type.Integer({ description: 'For `If-Match`.' }),
  email: Type.String(),
  country: Type.String({ description: 'Three digits, as the contract has them.', examples: ['343'] }),
  amount,
  reference: Type.String({ description: 'The digits that the payer shows.', examples: ['900100200'] }),
  description: orNull(Type.String()),
  method: orNull(Type.String()),
  language: orNull(oneOf(['es', 'en', 'pt'], 'Of texts and of the checkout page.')),
  recurrent: Type.Boolean(),
  expiresOn: day,
  expiresAt: orNull(instant),
  vatRate: orNull(vatRate),
  userDocument: orNull(Type.String()),
  userDocumentType: orNull(Type.String()),
  userName: orNull(Type.String()),
  redirectTimeoutMs: orNull(Type.Integer()),
  payments: Type.Integer({ description: 'How often it was paid.' }),
  paymentsGivenBack: Type.Integer(),
  checkoutUrl: Type.String({ description: 'Where the payer pays.' }),
  createdAt: instant,
  updatedAt: instant,
});

/** Shows an order as it is at an instant. */
export function showOrder(order: Order, now: Temporal.Instant, checkoutUrl: string) {
  const { merchantId: merchant, orderId: id, serviceOrderId, amountMinor, currency: code, vatRatePpm, method, ...rest } = order;
  return {
    merchant,
    order: id,
    ...rest,
    serviceOrderId: serviceOrderId.toString(),
    state: stateAt(order, now),
    amount: showAmount(amountMinor, code),
    method: method === '' ? null : method,
    expiresOn: order.expiresOn.toString(),
    expiresAt: showInstant(order.expiresAt),
    vatRate: vatRatePpm === null ? null : formatPercent(vatRatePpm),
    checkoutUrl,
    createdAt: order.createdAt.toString(),
    updatedAt: order.updatedAt.toString(),
  };
}

/** Of operations on a payment of an order. */
export const PAYMENT_NOT_FOUND = {
  status: 404,
  title: 'Unknown payment',
  meaning: 'The order was not paid, or not that many times.',
  words: { es: 'La orden no tiene ese pago', en: 'The order has no such payment', pt: 'O pedido não tem esse pagamento' },
  line: ['{order} of {merchant} has no such payment.', 1],
} as const;

export const eventSchema = recordedEvent('order.updated');

export const shownPaymentSchema = answerObject({
  number: Type.Integer({ description: 'From 1 in each order.' }),
  source: Type.String({ examples: ['network:efectivo'] }),
  transaction: Type.String({ examples: ['T-4711'] }),
  state: oneOf(PAYMENT_STATES, 'What became of it.'),
  amount,
  fee: amount,
  tax: amount,
  paidAt: instant,
  givenBackAt: orNull(instant),
  refunded: amount,
});

export const showPayment = (payment: Payment) => ({
  number: payment.paymentNumber,
  source: payment.source,
  transaction: payment.transactionId,
  state: payment.state,
  amount: showAmount(payment.amountMinor, payment.currency),
  fee: showAmount(payment.feeMinor, payment.currency),
  tax: showAmount(payment.taxMinor, payment.currency),
  paidAt: payment.paidAt.toString(),
  givenBackAt: showInstant(payment.givenBackAt),
  refunded: showAmount(payment.refundedMinor, payment.currency),
});

export const refusedSchema = answerObject({
  source: Type.String({ examples: ['network:efectivo'] }),
  transaction: Type.String({ examples: ['T-4711'] }),
  refusal: Type.String({ examples: ['amount_changed'] }),
  orderState: Type.String({ description: 'The state of the order then.' }),
  amount,
  tries: Type.Integer(),
  firstAt: instant,
  lastAt: instant,
  resolvedAt: orNull(instant),
  resolvedBy: orNull(Type.String({ description: 'Who dealt with it. For the service’s own side alone.' })),
  note: orNull(Type.String({ description: 'What was done about the money. For the service’s own side alone.' })),
});

/** Shows a refused payment without its order. What the service notes for itself is not for a merchant. */
export const showRefused = (refused: RefusedPayment, { merchantId: boundTo }: Pick<Actor, 'merchantId'>) => ({
  source: refused.source,
  transaction: refused.transactionId,
  refusal: refused.refusal,
  orderState: refused.orderState,
  amount: showAmount(refused.amountMinor, refused.currency),
  tries: refused.tries,
  firstAt: refused.firstAt.toString(),
  lastAt: refused.lastAt.toString(),
  resolvedAt: showInstant(refused.resolvedAt),
  resolvedBy: boundTo === undefined ? refused.resolvedBy : null,
  note: boundTo === undefined ? refused.note : null,
});

export const beyondSchema = answerObject({
  source: refusedSchema.properties.source,
  day: Type.String({ format: 'date', description: 'In UTC.' }),
  tries: Type.Integer(),
  amount,
  lastAt: instant,
});

/** Shows what a network was refused beyond what is kept of it. */
export const showBeyond = ({ source, day, tries, amountMinor, currency, lastAt }: RefusedBeyond) => ({
  source,
  day: day.toString(),
  tries: Number(tries),
  amount: showAmount(amountMinor, currency),
  lastAt: lastAt.toString(),
});
