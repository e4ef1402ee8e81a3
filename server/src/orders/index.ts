import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Door, HttpServer } from '../kit/http.ts';
import type { Job } from '../kit/jobs.ts';
import type { MerchantDirectory } from '../merchants/index.ts';
import type { Messages } from '../messages/index.ts';
import type { NetworkDirectory } from '../networks/index.ts';
import type { Requests } from '../requests/index.ts';
import { renderFault } from './answers.wire.ts';
import { answerCancel } from './cancel-order.wire.ts';
import { cancelOrders } from './cancel-order.ts';
import { checkoutLinks } from './checkout-token.ts';
import { answerCreate } from './create-order.wire.ts';
import { createOrders } from './create-order.ts';
import { expireOrders } from './expiry/expire-orders.job.ts';
import { orderSchemas } from './order-schemas.wire.ts';
import { openGivingBack, type GivingBack } from './payments/give-back-payment.ts';
import { answerLookUp, answerPay, answerReverse } from './payments/network-doors.wire.ts';
import { networkSchemas } from './payments/network-schemas.wire.ts';
import { payOrders } from './payments/pay-order.ts';
import { answerQuery } from './query-order.wire.ts';
import { answerHistory } from './read-history.wire.ts';
import type { OrderKey } from './order.ts';
import { answerUpdate } from './update-order.wire.ts';
import { updateOrders } from './update-order.ts';

export { verifyCheckoutToken } from './checkout-token.ts';
export { stateAt, type Order, type OrderState } from './order.ts';
export { recordedMoney, type OrderEvent, type RecordedValue } from './order-history.ts';
export { orderCommands } from './payments/orders.cli.ts';
export type { PayOrder } from './payments/payment.ts';
export { payByMethod, sandboxMethod } from './payments/payment-method.ts';
export { queryOrderWithPayment, readOrderForCheckout, type ShownPayment } from './query-order.ts';
export { readHistory } from './read-history.ts';
export { orderChecks } from './verify-orders.ts';

const PATH = '/api/v3/porders';
const REFERENCES = '/api/v3/references/:netname';
const PAYMENTS = '/api/v3/payments/:netname';

/** The envelope of orders; other doors' paths aside, it answers every unknown route. */
export const orderDoor: Door = { prefix: PATH, renderFault };

export type OrderRoom = {
  readonly db: Db;
  readonly clock: Clock;
  readonly merchants: MerchantDirectory;
  readonly networks: Pick<NetworkDirectory, 'authenticate'>;
  readonly requests: Pick<Requests, 'callers' | 'answerOnce'>;
  readonly messages: Pick<Messages, 'writes' | 'write'>;
  /** In front of `?token=`, exactly as given; asked with each answer, because a free port is known late. */
  readonly checkoutUrl: () => string;
  readonly tokenKey: Buffer;
  readonly servicePrefix: string;
  /** Batches hold the commands of one merchant only: for a database that is distributed by merchant. */
  readonly isBatchPerMerchant: boolean;
};

/** What other rooms and main do with orders. */
export type OpenOrders = GivingBack & {
  readonly payOrder: ReturnType<typeof payOrders>;
  readonly jobs: readonly Job[];
};

/** Opens the room: its routes, each with what the OpenAPI document tells of it. */
export function registerOrders(
  app: HttpServer,
  { db, clock, merchants, networks, requests, messages, checkoutUrl, tokenKey, servicePrefix, isBatchPerMerchant }: OrderRoom,
): OpenOrders {
  const settings = { servicePrefix, checkoutLink: checkoutLinks(tokenKey, checkoutUrl, clock) };
  const orders = { db, clock, groupOf: isBatchPerMerchant ? ({ merchantId }: OrderKey) => merchantId : undefined };
  const door = {
    ...orders,
    merchants,
    callers: requests.callers,
    answerOnce: requests.answerOnce,
    settings,
    tokenKey,
    updateOrder: updateOrders(orders),
    createOrder: createOrders({ ...orders, messages, checkoutLink: settings.checkoutLink }),
    cancelOrder: cancelOrders(orders),
  };
  const schemas = orderSchemas(servicePrefix);
  app.patch(PATH, { schema: schemas.update }, (request, reply) => answerUpdate(door, request, reply));
  app.post(PATH, { schema: schemas.create }, (request, reply) => answerCreate(door, request, reply));
  app.get(`${PATH}/:order`, { schema: schemas.query }, (request, reply) => answerQuery(door, request, reply));
  app.delete(`${PATH}/:order`, { schema: schemas.cancel }, (request, reply) => answerCancel(door, request, reply));
  app.get(`${PATH}/:order/history`, { schema: schemas.history }, (request, reply) => answerHistory(door, request, reply));

  const payOrder = payOrders({ ...orders, merchants, messages });
  const givingBack = openGivingBack(orders);
  const networkDoor = { db, clock, merchants, networks, servicePrefix, payOrder, ...givingBack };
  const network = networkSchemas(servicePrefix);
  app.post(REFERENCES, { schema: network.lookUp }, (request, reply) => answerLookUp(networkDoor, request, reply));
  app.post(PAYMENTS, { schema: network.pay }, (request, reply) => answerPay(networkDoor, request, reply));
  app.patch(`${PAYMENTS}/:transaction`, { schema: network.reverse }, (request, reply) => answerReverse(networkDoor, request, reply));
  return { ...givingBack, payOrder, jobs: [expireOrders({ db, clock })] };
}
