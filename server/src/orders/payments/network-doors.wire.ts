import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { HttpReply, HttpRequest } from '../../kit/http.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import type { NetworkDirectory } from '../../networks/index.ts';
import type { GivingBack } from './give-back-payment.ts';
import { lookUpOrder } from './look-up-order.ts';
import { renderPayable, renderPayment, sendData, sendNetworkRefusal } from './network-answers.wire.ts';
import { readLookUp, readPayment, readReversal } from './network-fields.wire.ts';
import type { PayOrder, PayRefusal, Settled, Unsettled } from './payment.ts';

export type NetworkDoor = {
  readonly db: Db;
  readonly clock: Clock;
  readonly merchants: MerchantDirectory;
  readonly networks: Pick<NetworkDirectory, 'authenticate'>;
  readonly servicePrefix: string;
  readonly payOrder: (command: PayOrder) => Promise<Settled | Unsettled<PayRefusal>>;
  readonly reversePayment: GivingBack['reversePayment'];
};

const WRONG_CHECKSUM = { refusal: 'checksum_invalid' } as const;

/** POST /api/v3/references/{netname}: contract §3.7. */
export async function answerLookUp(
  { db, clock, merchants, networks, servicePrefix }: NetworkDoor,
  request: HttpRequest,
  reply: HttpReply,
): Promise<HttpReply> {
  const sent = readLookUp(request);
  if ('refusal' in sent) return sendNetworkRefusal(reply, sent.refusal, sent.language);
  const { netname, reference, checksum } = sent.values;
  const network = await networks.authenticate(netname, checksum, [netname, reference]);
  if (network === undefined) return sendNetworkRefusal(reply, WRONG_CHECKSUM, sent.language);
  const order = await lookUpOrder(db, clock, reference);
  const merchant = order && (await merchants.find(order.merchantId));
  if (order === undefined || merchant === undefined) return sendNetworkRefusal(reply, { refusal: 'reference_unknown' }, sent.language);
  return sendData(reply, renderPayable(order, merchant, servicePrefix));
}

/** POST /api/v3/payments/{netname}: contract §3.8. A digit of the transaction that is taken for one of the amount makes another amount, which pays nothing. */
export async function answerPay(
  { merchants, networks, servicePrefix, payOrder }: NetworkDoor,
  request: HttpRequest,
  reply: HttpReply,
): Promise<HttpReply> {
  const sent = readPayment(request);
  if ('refusal' in sent) return sendNetworkRefusal(reply, sent.refusal, sent.language);
  const { netname, transaction, amount, money, idorder, checksum, shown } = sent.values;
  const network = await networks.authenticate(netname, checksum, [netname, transaction, amount, money, idorder]);
  if (network === undefined) return sendNetworkRefusal(reply, WRONG_CHECKSUM, sent.language);
  const paid = await payOrder({
    serviceOrderId: BigInt(idorder),
    source: `network:${netname}`,
    transactionId: transaction,
    shown,
    requestId: request.id,
  });
  const merchant = paid.order && ((await merchants.find(paid.order.merchantId)) as Merchant);
  if (!('refusal' in paid)) return sendData(reply, renderPayment(paid.payment, paid.order, merchant as Merchant, servicePrefix));
  const isAnotherAmount = paid.refusal === 'amount_changed' && paid.order !== undefined && merchant !== undefined;
  return sendNetworkRefusal(reply, paid, sent.language, isAnotherAmount ? renderPayable(paid.order, merchant, servicePrefix) : {});
}

/** PATCH /api/v3/payments/{netname}/{transaction}: contract §3.9. */
export async function answerReverse(
  { merchants, networks, servicePrefix, reversePayment }: NetworkDoor,
  request: HttpRequest,
  reply: HttpReply,
): Promise<HttpReply> {
  const sent = readReversal(request);
  if ('refusal' in sent) return sendNetworkRefusal(reply, sent.refusal, sent.language);
  const { netname, transaction, idorder, checksum } = sent.values;
  const network = await networks.authenticate(netname, checksum, [netname, transaction, idorder]);
  if (network === undefined) return sendNetworkRefusal(reply, WRONG_CHECKSUM, sent.language);
  const reversed = await reversePayment({
    serviceOrderId: BigInt(idorder),
    source: `network:${netname}`,
    transactionId: transaction,
    requestId: request.id,
  });
  if ('refusal' in reversed) return sendNetworkRefusal(reply, reversed, sent.language);
  const merchant = (await merchants.find(reversed.order.merchantId)) as Merchant;
  return sendData(reply, renderPayment(reversed.payment, reversed.order, merchant, servicePrefix));
}
