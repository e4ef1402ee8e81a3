import { Type } from 'typebox';
import { formatLocal } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { text } from '../kit/fields.ts';
import { formatAmountTwoDecimals } from '../kit/money.ts';
import { isRefusal, type Refusal } from '../kit/outcome.ts';
import type { Merchant } from '../merchants/index.ts';
import { readNoticeResponse } from '../notices/index.ts';
import { operation, type Answer } from '../requests/index.ts';
import {
  checkoutSchema,
  orderAnswer,
  orderEnvelope,
  orderIdSchema,
  referenceSchema,
  withExample,
  ORDER_STATE_NAMES,
  type AnswerSettings,
} from './answers.wire.ts';
import { checksumField, merchantField, orderInPath } from './order-fields.wire.ts';
import { PARAMETER_REFUSALS, orderNotFound } from './order-refusals.wire.ts';
import { nameOf } from './payments/save-settled.ts';
import { queryOrderWithPayment, type OrderWithPayment, type ShownPayment } from './query-order.ts';
import { stateAt, type Order } from './order.ts';

/** What a query needs, by the order's id or by its reference. */
export type QueryDeps = { readonly db: Db; readonly clock: Clock; readonly settings: AnswerSettings };
/** What a query shows. */
type Queried = OrderWithPayment & { readonly noticeResponse: string };

/** What a query says beside the order. */
export const QUERY_FIELDS = {
  merchant: merchantField,
  checksum: checksumField,
  aditionalinfo: text({
    required: false,
    max: 100,
    description: '`cuspse`: the answer has `ADITIONAL_INFO`. Any other value says nothing.',
    example: 'cuspse',
  }),
} as const;

export const queryOrderOperation = operation({
  name: 'queryOrder',
  route: 'GET /api/v3/porders/:order',
  tag: 'Orders',
  summary: 'Query an order',
  description: 'The order as it is now.',
  section: '§3.3',
  example: 'query-order/pending',
  envelope: orderEnvelope,
  path: { order: orderInPath },
  from: 'query',
  fields: QUERY_FIELDS,
  caller: 'merchant',
  effect: 'reads',
  proof: ['order', 'merchant'],
  refusals: { ...PARAMETER_REFUSALS, order_not_found: orderNotFound('0001') },
  run: async ({ values: { merchant, order: orderId } }, { db }: QueryDeps) =>
    withNoticeResponse(db, await queryOrderWithPayment(db, { merchantId: merchant, orderId })),
  answer: queriedAnswer,
  data: () => queriedSchema,
});

/** Adds what the merchant's server answered to the notice. */
export async function withNoticeResponse(
  db: Db,
  found: OrderWithPayment | Refusal<'order_not_found'>,
): Promise<Queried | Refusal<'order_not_found'>> {
  if (isRefusal(found)) return found;
  const { merchantId, orderId, state, payments } = found.order;
  // No notice was sent of an order that is open and was never paid.
  const hasNotice = state !== 'pending' || payments > 0;
  return { ...found, noticeResponse: hasNotice ? await readNoticeResponse(db, merchantId, orderId) : '' };
}

/** Renders the answer to a query. */
export function queriedAnswer(
  { order, payment, noticeResponse }: Queried,
  {
    caller: { country },
    values: { aditionalinfo },
  }: { readonly caller: Merchant; readonly values: { readonly aditionalinfo: string | undefined } },
  { clock, settings }: QueryDeps,
): Answer {
  const data = {
    ...renderOrder(order, country.timeZone, clock.now()),
    NOTIFICATION_RESPONSE: noticeResponse,
    TRANSACTION: renderTransaction(payment, country.timeZone),
    checkout: settings.checkoutLink(order),
    ...(aditionalinfo === 'cuspse' ? { ADITIONAL_INFO: { CUS: payment?.transactionId ?? '' } } : {}),
  };
  return orderAnswer(order.version, JSON.stringify(data));
}

/** The last payment; empty until there is one. Contract §3.3. */
function renderTransaction(payment: ShownPayment | undefined, timeZone: string): object {
  if (payment === undefined) return {};
  const { source, transactionId, paymentNumber, amountMinor, currency, paidAt, state, givenBackAt } = payment;
  return {
    ID: transactionId,
    SOURCE: nameOf(source),
    NUMBER: paymentNumber,
    AMOUNT: formatAmountTwoDecimals(amountMinor, currency),
    CURRENCY: currency,
    DATE: formatLocal(paidAt, timeZone),
    STATE: state === 'paid' ? ORDER_STATE_NAMES.approved : ORDER_STATE_NAMES.voided,
    GIVEN_BACK: givenBackAt === null ? '' : formatLocal(givenBackAt, timeZone),
  };
}

/** The misspelt keys are the family's own: clients read them. */
function renderOrder(order: Order, timeZone: string, now: Temporal.Instant): object {
  return {
    ORDER: order.orderId,
    CODE: Number(order.serviceOrderId),
    STATE: ORDER_STATE_NAMES[stateAt(order, now)],
    AMOUNT: formatAmountTwoDecimals(order.amountMinor, order.currency),
    CURRENCY: order.currency,
    REFERENCE: order.reference,
    DESCRIPTION: order.description ?? '',
    EMAIL: order.email,
    PAYMNENT_METHOD: order.method,
    CREATION_DATE: formatLocal(order.createdAt, timeZone),
    UDPATE_DATE: formatLocal(order.updatedAt, timeZone),
    LIFE_TIME: lifeTime(order, now),
  };
}

const HOUR_MS = 3_600_000;

/** Whole hours left to pay, `0h` when that is over; empty for a recurrent order, which has no end. */
function lifeTime(order: Order, now: Temporal.Instant): string {
  if (stateAt(order, now) !== 'pending') return '0h';
  return order.expiresAt === null ? '' : `${Math.floor((order.expiresAt.epochMilliseconds - now.epochMilliseconds) / HOUR_MS)}h`;
}

/** The same data in the OpenAPI document. */
export const queriedSchema = Type.Object({
  ORDER: orderIdSchema,
  CODE: Type.Integer(withExample('The service’s id of the order.', 1)),
  STATE: Type.Union(
    Object.values(ORDER_STATE_NAMES).map((name) => Type.Literal(name)),
    { description: 'Contract §3.5.' },
  ),
  AMOUNT: Type.String(withExample('The amount, with two decimals.', '45000.00')),
  CURRENCY: Type.String(withExample('ISO 4217.', 'COP')),
  REFERENCE: referenceSchema,
  DESCRIPTION: Type.String(withExample('What is paid for.', 'Two tickets')),
  EMAIL: Type.String(withExample('The e-mail address of the customer.', 'ana@example.com')),
  PAYMNENT_METHOD: Type.String(withExample('Empty: the customer chooses at the checkout.', '')),
  CREATION_DATE: Type.String(withExample('When it was created, in the merchant’s time zone.', '2026-11-21 10:00:00')),
  UDPATE_DATE: Type.String(withExample('When it was last changed, in the merchant’s time zone.', '2026-11-21 10:00:00')),
  LIFE_TIME: Type.String(withExample('Whole hours left to pay; empty for a recurrent order, which has no end.', '445h')),
  NOTIFICATION_RESPONSE: Type.String(withExample('What the merchant’s server answered to the notice of the payment.', '')),
  TRANSACTION: Type.Union([
    Type.Object({}, { additionalProperties: false, description: 'Empty until the order is paid.' }),
    Type.Object(
      {
        ID: Type.String(withExample('The source’s own id of the payment.', 'T-4711')),
        SOURCE: Type.String(withExample('The network or the method of the checkout that took the money, or operator.', 'sandbox')),
        NUMBER: Type.Integer(withExample('The payments of the order are counted from 1.', 1)),
        AMOUNT: Type.String(withExample('The amount, with two decimals.', '45000.00')),
        CURRENCY: Type.String(withExample('ISO 4217.', 'COP')),
        DATE: Type.String(withExample('When it was paid, in the merchant’s time zone.', '2026-11-21 10:00:00')),
        STATE: Type.Union([Type.Literal('APROBADA'), Type.Literal('ANULADA')], { description: 'ANULADA: the money was given back.' }),
        GIVEN_BACK: Type.String(withExample('When it was given back, in the merchant’s time zone; empty where it was not.', '')),
      },
      { description: 'The last payment of the order.' },
    ),
  ]),
  checkout: checkoutSchema,
  ADITIONAL_INFO: Type.Optional(
    Type.Object(
      { CUS: Type.String(withExample('The source’s own id of the payment; empty until there is one.', 'T-4711')) },
      { description: 'Where `aditionalinfo` asks for it.' },
    ),
  ),
});
