import { formatDayFirst, formatLocal } from '../../kit/calendar.ts';
import { sendJson, type HttpReply } from '../../kit/http.ts';
import { formatAmount } from '../../kit/money.ts';
import type { Refusal } from '../../kit/outcome.ts';
import type { Language } from '../../kit/language.ts';
import type { Merchant } from '../../merchants/index.ts';
import { renderFault } from '../answers.wire.ts';
import type { Order } from '../order.ts';
import { CODES, networkRefusalText, type NetworkRefusal } from './network-refusals.wire.ts';
import type { Payment } from './payment.ts';

/** Sends a success; `data` as §3.7–§3.9 show it. */
export const sendData = (reply: HttpReply, data: object): HttpReply => sendJson(reply, { CODE: '0000', DESC: 'OK', DATA: data });

/** Sends a refusal, HTTP 200. A network has no language of its own: where it asks for none, the text is Spanish (contract §2.1). */
export function sendNetworkRefusal(
  reply: HttpReply,
  refused: Refusal<NetworkRefusal>,
  language: Language = 'es',
  data: object = {},
): HttpReply {
  const text = networkRefusalText(refused.refusal, refused, language);
  return sendJson(reply, { ...renderFault({ code: CODES[refused.refusal], text }), DATA: data });
}

/** An order as a network shows it to its payer: contract §3.7. Nothing about the payer. */
export const renderPayable = (order: Order, merchant: Pick<Merchant, 'name'>, servicePrefix: string): object => ({
  OrdenID: order.orderId,
  [`${servicePrefix}ordenID`]: order.serviceOrderId.toString(),
  Referencia: order.reference,
  Monto: formatAmount(order.amountMinor, order.currency),
  Moneda: order.currency,
  Comercio: merchant.name,
  Descripcion: order.description ?? '',
  Vence: order.recurrent ? '' : formatDayFirst(order.expiresOn),
});

/** A payment that was made or reversed: contract §3.8, §3.9. Only what never changes, so that the same request has the same answer. */
export const renderPayment = (
  { orderId, amountMinor, currency, transactionId, paymentNumber, paidAt, givenBackAt }: Payment,
  { serviceOrderId }: Order,
  { country }: Pick<Merchant, 'country'>,
  servicePrefix: string,
): object => ({
  OrdenID: orderId,
  [`${servicePrefix}ordenID`]: serviceOrderId.toString(),
  Monto: formatAmount(amountMinor, currency),
  Moneda: currency,
  Transaccion: transactionId,
  Pago: String(paymentNumber),
  Fecha: formatLocal(givenBackAt ?? paidAt, country.timeZone),
  Operacion: givenBackAt === null ? 'PAGADA' : 'REVERSADA',
});
