import { formatLocal } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { formatAmountTwoDecimals } from '../kit/money.ts';
import { isRefusal } from '../kit/outcome.ts';
import { readNoticeResponse } from '../notices/index.ts';
import type { Callers } from '../requests/index.ts';
import { sendOrder, sendRefusal, STATE_NAMES, type AnswerSettings } from './answers.wire.ts';
import { languageAsked, readOrderParameters, signedFields, signedTexts } from './order-parameters.wire.ts';
import { nameOf } from './payments/save-settled.ts';
import { queryOrderWithPayment, type ShownPayment } from './query-order.ts';
import { stateAt, type Order, type QueryRefusal } from './order.ts';

/** contract §3.3. */
export const codes: Readonly<Record<QueryRefusal, string>> = {
  content_invalid: '0011',
  merchant_invalid: '0017',
  checksum_invalid: '0025',
  order_not_found: '0001',
};

type Door = { readonly db: Db; readonly clock: Clock; readonly callers: Callers; readonly settings: AnswerSettings };

/** GET /api/v3/porders/{order}: contract §3.3. */
export async function answerQuery({ db, clock, callers, settings }: Door, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  const sent = readOrderParameters(signedFields, request);
  if (isRefusal(sent)) return sendRefusal(reply, sent, codes, languageAsked(request));
  const merchant = await callers.authenticate(request, sent.merchant, sent.checksum, signedTexts(sent));
  if (isRefusal(merchant)) return sendRefusal(reply, merchant, codes, languageAsked(request));
  const found = await queryOrderWithPayment(db, { merchantId: sent.merchant, orderId: sent.order });
  if (isRefusal(found)) return sendRefusal(reply, found, codes, languageAsked(request) ?? merchant.language);
  const { order, payment } = found;
  // Nobody was told of an order that is open and was never paid.
  const isUntold = order.state === 'pending' && order.payments === 0;
  const response = isUntold ? '' : await readNoticeResponse(db, order.merchantId, order.orderId);
  const { timeZone } = merchant.country;
  const shown = {
    ...render(order, timeZone, clock.now()),
    NOTIFICATION_RESPONSE: response,
    TRANSACTION: renderTransaction(payment, timeZone),
  };
  return sendOrder(reply, order.version, JSON.stringify({ ...shown, checkout: settings.checkoutLink(order) }));
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
    STATE: state === 'paid' ? STATE_NAMES.approved : STATE_NAMES.voided,
    GIVEN_BACK: givenBackAt === null ? '' : formatLocal(givenBackAt, timeZone),
  };
}

/** The misspelt keys are the family's own: clients read them. */
function render(order: Order, timeZone: string, now: Temporal.Instant): object {
  return {
    ORDER: order.orderId,
    CODE: Number(order.serviceOrderId),
    STATE: STATE_NAMES[stateAt(order, now)],
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
