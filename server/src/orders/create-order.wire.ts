import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { isRefusal } from '../kit/outcome.ts';
import { readIdempotencyKey, type Answer, type AnswerOnce, type Callers, type KeyRefusal } from '../requests/index.ts';
import { orderAnswer, refusalAnswer, sendRefusal, type AnswerSettings } from './answers.wire.ts';
import type { CreateOrderOnce, CreateOutcome } from './create-order.ts';
import { rulesOf } from './merchant-rules.ts';
import { firstOf, readOrderBody } from './order-fields.wire.ts';
import type { CreateRefusal, Refused } from './order.ts';
import { codes as updateCodes, renderSaved } from './update-order.wire.ts';

const { order_not_open: _, version_mismatch: __, ...shared } = updateCodes;
/** contract §3.2, §7.3. */
export const codes: Readonly<Record<CreateRefusal | KeyRefusal, string>> = {
  ...shared,
  order_exists: '0042',
  key_in_flight: '0909',
  key_reused: '0922',
};

type Door = {
  readonly callers: Callers;
  readonly answerOnce: AnswerOnce;
  readonly settings: AnswerSettings;
  readonly createOrder: CreateOrderOnce;
};

/** POST /api/v3/porders: contract §3.2. */
export async function answerCreate(
  { callers, answerOnce, settings, createOrder }: Door,
  request: HttpRequest,
  reply: HttpReply,
): Promise<HttpReply> {
  const body = readOrderBody(request.body as Buffer | undefined);
  const key = readIdempotencyKey(request, 'content_invalid');
  if ('refusal' in body || isRefusal(key)) {
    const refusals = [...('refusal' in body ? [body.refusal] : []), ...(isRefusal(key) ? [key] : [])];
    return sendRefusal(reply, firstOf(refusals), updateCodes, body.language);
  }
  const { merchantId, orderId, given, checksum, signed } = body.request;
  const merchant = await callers.authenticate(request, merchantId, checksum, signed);
  if (isRefusal(merchant)) return sendRefusal(reply, merchant, codes, body.language);
  const render = (outcome: CreateOutcome | Refused<KeyRefusal>): Answer =>
    'refusal' in outcome
      ? refusalAnswer(outcome, codes, body.language ?? merchant.language)
      : orderAnswer(outcome.order.version, renderSaved(outcome.order, 'CREADA', settings));
  const command = { merchantId, orderId, given, merchant, rules: rulesOf(merchant), requestId: request.id };
  return answerOnce(reply, { request, merchantId, operation: 'create-order', key }, render, (once) => createOrder({ ...command, once }));
}
