import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { isRefusal } from '../kit/outcome.ts';
import { formatAmount } from '../kit/money.ts';
import type { Callers } from '../requests/index.ts';
import { checkoutText, sendOrder, sendRefusal, type AnswerSettings } from './answers.wire.ts';
import { rulesOf } from './merchant-rules.ts';
import { readIfMatch } from './order-parameters.wire.ts';
import { firstOf, readOrderBody } from './order-fields.wire.ts';
import type { Decided, Order, Refused, UpdateOrder, UpdateRefusal } from './order.ts';

/** contract §3.1; recurrent_not_allowed is of §3.5. */
export const codes: Readonly<Record<UpdateRefusal, string>> = {
  content_invalid: '0011',
  merchant_invalid: '0017',
  amount_invalid: '0021',
  country_invalid: '0022',
  currency_invalid: '0023',
  method_invalid: '0027',
  expiration_malformed: '0031',
  checksum_invalid: '0025',
  country_not_allowed: '0022',
  order_not_open: '0041',
  version_mismatch: '0910',
  currency_not_allowed: '0026',
  recurrent_not_allowed: '0020',
  expiration_out_of_range: '0032',
  reference_taken: '0043',
};

type Door = {
  readonly callers: Callers;
  readonly settings: AnswerSettings;
  readonly updateOrder: (command: UpdateOrder) => Promise<Decided | Refused<UpdateRefusal>>;
};

/** PATCH /api/v3/porders: contract §3.1. */
export async function answerUpdate({ callers, settings, updateOrder }: Door, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  const body = readOrderBody(request.body as Buffer | undefined);
  const ifMatch = readIfMatch(request.headers['if-match']);
  if ('refusal' in body || isRefusal(ifMatch)) {
    const refusals = [...('refusal' in body ? [body.refusal] : []), ...(isRefusal(ifMatch) ? [ifMatch] : [])];
    return sendRefusal(reply, firstOf(refusals), codes, body.language);
  }
  const { merchantId, orderId, given, checksum, signed } = body.request;
  const merchant = await callers.authenticate(request, merchantId, checksum, signed);
  if (isRefusal(merchant)) return sendRefusal(reply, merchant, codes, body.language);
  const command = { merchantId, orderId, given, rules: rulesOf(merchant), ifMatch, requestId: request.id };
  const decided = await updateOrder(command);
  if ('refusal' in decided) return sendRefusal(reply, decided, codes, body.language ?? merchant.language);
  return sendOrder(reply, decided.order.version, renderSaved(decided.order, 'ACTUALIZADO', settings));
}

/** The answer to an update and to a creation. All but the address is of letters, digits and signs that JSON takes as they are. */
export function renderSaved(order: Order, operation: 'ACTUALIZADO' | 'CREADA', settings: AnswerSettings): string {
  const { orderId, serviceOrderId, reference, amountMinor, currency } = order;
  return (
    `{"OrdenID":"${orderId}","Monto":"${formatAmount(amountMinor, currency)}","${settings.servicePrefix}ordenID":"${serviceOrderId}",` +
    `"Referencia":"${reference}","Operacion":"${operation}","checkout":${checkoutText(order, settings)}}`
  );
}
