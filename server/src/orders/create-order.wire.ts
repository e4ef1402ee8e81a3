import type { HttpReply, HttpRequest } from '../kit/http.ts';
import type { MerchantDirectory } from '../merchants/index.ts';
import { sendOrder, sendRefusal, type AnswerSettings } from './answers.wire.ts';
import { rulesOf } from './merchant-rules.ts';
import { readOrderBody } from './order-fields.wire.ts';
import { codes as updateCodes, renderSaved } from './update-order.wire.ts';
import type { CreateOrder, CreateRefusal, Decided, Refused } from './order.ts';

const { order_not_open: _, version_mismatch: __, ...shared } = updateCodes;
/** contract §3.2. */
export const codes: Readonly<Record<CreateRefusal, string>> = { ...shared, order_exists: '0042' };

type Door = {
  readonly merchants: MerchantDirectory;
  readonly settings: AnswerSettings;
  readonly createOrder: (command: CreateOrder) => Promise<Decided | Refused<CreateRefusal>>;
};

/** POST /api/v3/porders: contract §3.2. */
export async function answerCreate({ merchants, settings, createOrder }: Door, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  const body = readOrderBody(request.body as Buffer | undefined);
  if ('refusal' in body) return sendRefusal(reply, body.refusal, updateCodes, body.language);
  const { merchantId, orderId, given, checksum, signed } = body.request;
  const merchant = await merchants.authenticate(merchantId, checksum, signed);
  if (merchant === undefined) return sendRefusal(reply, { refusal: 'checksum_invalid' }, codes, body.language);
  const decided = await createOrder({ merchantId, orderId, given, rules: rulesOf(merchant), requestId: request.id });
  if ('refusal' in decided) return sendRefusal(reply, decided, codes, body.language ?? merchant.language);
  return sendOrder(reply, decided.order.version, renderSaved(decided.order, 'CREADA', settings));
}
