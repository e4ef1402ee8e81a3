import { Type, type Static } from 'typebox';
import { entriesAbout } from '../../ledger/index.ts';
import { schemas, showRecorded, type Actor } from '../../manage/index.ts';
import { messagesAbout } from '../../messages/index.ts';
import { noticesAbout } from '../../notices/index.ts';
import type { WholeOrder } from '../operator/read-whole-order.ts';
import { refundSchema, showRefund } from './refund-forms.ts';
import { eventSchema, orderSchema, shownPaymentSchema, refusedSchema, showOrder, showPayment, showRefused } from './order-forms.ts';

/** An order with all that is stored of it. */
export const wholeOrder = schemas.answerObject({
  ...orderSchema.properties,
  history: Type.Array(eventSchema),
  paymentList: Type.Array(shownPaymentSchema, { description: 'Those that counted.' }),
  refunds: Type.Array(refundSchema),
  refusedPayments: Type.Array(refusedSchema),
  notices: schemas.orNull(Type.Array(noticesAbout.schema)),
  messages: schemas.orNull(Type.Array(messagesAbout.schema)),
  entries: schemas.orNull(Type.Array(entriesAbout.schema)),
});
export type ShownOrder = Static<typeof wholeOrder>;

/** Who reads it, when, and where the payer pays. */
type Reading = { readonly now: Temporal.Instant; readonly checkoutUrl: string; readonly reader: Pick<Actor, 'merchantId' | 'permissions'> };

/** Shows all that is stored of an order. */
export const showWholeOrder = (
  { order, history, payments, refunds, refused, notices, mails, entries }: WholeOrder,
  { now, checkoutUrl, reader }: Reading,
): ShownOrder => ({
  ...showOrder(order, now, checkoutUrl),
  history: history.map((event) => showRecorded(event, reader)),
  paymentList: payments.map(showPayment),
  refunds: refunds.map(showRefund),
  refusedPayments: refused.map((one) => showRefused(one, reader)),
  notices: reader.permissions.has('notices:read') ? notices.map(noticesAbout.show) : null,
  messages: reader.permissions.has('messages:read') ? mails.map(messagesAbout.show) : null,
  entries: reader.permissions.has('ledger:read') ? entries.map(entriesAbout.show) : null,
});
