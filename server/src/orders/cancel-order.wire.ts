import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { formatAmount } from '../kit/money.ts';
import { isRefusal } from '../kit/outcome.ts';
import type { Callers } from '../requests/index.ts';
import { sendOrder, sendRefusal, type AnswerSettings } from './answers.wire.ts';
import { languageAsked, readDeleteBody, readIfMatch, readOrderParameters, signedFields, signedTexts } from './order-parameters.wire.ts';
import type { CancelOrder, CancelRefusal, Decided, Order, Refused } from './order.ts';

/** contract §3.4. */
export const codes: Readonly<Record<CancelRefusal, string>> = {
  content_invalid: '0011',
  merchant_invalid: '0017',
  checksum_invalid: '0025',
  order_not_found: '0018',
  order_not_open: '0041',
  version_mismatch: '0910',
};

type Door = {
  readonly callers: Callers;
  readonly settings: AnswerSettings;
  readonly cancelOrder: (command: CancelOrder) => Promise<Decided | Refused<CancelRefusal>>;
};

/** DELETE /api/v3/porders/{order}: contract §3.4. What the query does not carry may stand in a JSON body; the query wins. */
export async function answerCancel({ callers, settings, cancelOrder }: Door, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  const body = readDeleteBody(request.body);
  if (isRefusal(body)) return sendRefusal(reply, body, codes, languageAsked(request));
  const ifMatch = readIfMatch(request.headers['if-match']);
  if (isRefusal(ifMatch)) return sendRefusal(reply, ifMatch, codes, languageAsked(request));
  const sent = readOrderParameters(signedFields, request, body);
  if (isRefusal(sent)) return sendRefusal(reply, sent, codes, languageAsked(request));
  const merchant = await callers.authenticate(request, sent.merchant, sent.checksum, signedTexts(sent));
  if (isRefusal(merchant)) return sendRefusal(reply, merchant, codes, languageAsked(request));
  const decided = await cancelOrder({ merchantId: sent.merchant, orderId: sent.order, ifMatch, requestId: request.id });
  if ('refusal' in decided) return sendRefusal(reply, decided, codes, languageAsked(request) ?? merchant.language);
  return sendOrder(reply, decided.order.version, JSON.stringify(render(decided.order, settings)));
}

const render = ({ orderId, serviceOrderId, reference, amountMinor, currency }: Order, { servicePrefix }: AnswerSettings): object => ({
  OrderID: orderId,
  [`${servicePrefix}OrderID`]: serviceOrderId.toString(),
  Reference: reference,
  Amount: formatAmount(amountMinor, currency),
  Operation: 'DELETED',
});
