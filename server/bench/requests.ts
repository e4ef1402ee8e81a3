import { randomInt } from 'node:crypto';
import { checksum } from '../src/kit/checksum.ts';
import { MERCHANTS, ORDER_EMAIL, type BenchDatabase } from './bench-data.ts';

export type Kind = 'update order' | 'create order' | 'cancel order' | 'list cashouts' | 'register cashout' | 'cancel cashout';

/** A request as it will be sent. `id` is its X-Request-Id, which the history records. Empty for a request that changes nothing. */
export type Prepared = { readonly kind: Kind; readonly method: string; readonly path: string; readonly id: string; readonly body: string };

/** Makes the signed requests of one run. */
type RequestMaker = {
  updateOrder(number: number, order: number, merchant?: string): Prepared;
  createOrder(number: number): Prepared;
  /** Cancels the order that request `created` created. */
  cancelOrder(number: number, created: number): Prepared;
  registerCashout(number: number, merchant?: string, document?: string): Prepared;
  /** Cancels the cashout that request `registered` registered. */
  cancelCashout(number: number, registered: number): Prepared;
  listCashouts(query: {
    readonly start: string;
    readonly end: string;
    readonly page?: number;
    readonly limit?: number;
    readonly status?: string;
  }): Prepared;
};

const ORDERS = '/api/v3/porders';
const CASHOUTS = '/cashout/v1/operation';
const DOCUMENT = '1020304050';

/** An amount of COP, 100 to 1,000,000,100 minor units. Consecutive amounts differ: an update to the same amount writes nothing. */
const amountText = (number: number): string => {
  const minor = 100 + ((number * 7919 + randomInt(7919)) % 1_000_000_000);
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
};

/** Shape: `run` begins the id of every request, so that its writes are found in the history. */
export function requestMaker({ fixedHash }: BenchDatabase, run: string): RequestMaker {
  const sign = (...values: string[]): string => checksum('sha512', values, fixedHash);
  const orderBody = (order: string, amount: string, merchant: string = MERCHANTS.orders): string =>
    `{"merchant":"${merchant}","email":"${ORDER_EMAIL}","country":"343","order":"${order}","money":"COP","amount":"${amount}",` +
    `"checksum":"${sign(ORDER_EMAIL, '343', order, 'COP', amount)}"}`;
  const idOf = (number: number): string => `${run}-${number}`;
  return {
    updateOrder: (number, order, merchant) => ({
      kind: 'update order',
      method: 'PATCH',
      path: ORDERS,
      id: idOf(number),
      body: orderBody(String(order), amountText(number), merchant),
    }),
    createOrder: (number) => ({
      kind: 'create order',
      method: 'POST',
      path: ORDERS,
      id: idOf(number),
      body: orderBody(idOf(number), amountText(number)),
    }),
    cancelOrder: (number, created) => {
      const order = idOf(created);
      const path = `${ORDERS}/${order}?merchant=${MERCHANTS.orders}&checksum=${sign(order, MERCHANTS.orders)}`;
      return { kind: 'cancel order', method: 'DELETE', path, id: idOf(number), body: '' };
    },
    registerCashout: (number, merchant = MERCHANTS.cashouts, document = DOCUMENT) => {
      const amount = amountText(number);
      const signature = sign(merchant, idOf(number), amount, 'COP', document);
      const body =
        `{"merchant":"${merchant}","operation":"${idOf(number)}","amount":"${amount}","currency":"COP","description":"Prize",` +
        `"document":"${document}","sms":false,"checksum":"${signature}"}`;
      return { kind: 'register cashout', method: 'POST', path: CASHOUTS, id: idOf(number), body };
    },
    cancelCashout: (number, registered) => {
      const operation = idOf(registered);
      const signature = sign(MERCHANTS.cashouts, operation);
      const path = `${CASHOUTS}/${MERCHANTS.cashouts}/${operation}?checksum=${signature}&document=${DOCUMENT}`;
      return { kind: 'cancel cashout', method: 'DELETE', path, id: idOf(number), body: '' };
    },
    listCashouts: ({ start, end, ...rest }) => {
      const query = new URLSearchParams({ checksum: sign(MERCHANTS.cashouts, start, end), start, end });
      for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
      return { kind: 'list cashouts', method: 'GET', path: `${CASHOUTS}/${MERCHANTS.cashouts}?${query.toString()}`, id: '', body: '' };
    },
  };
}

/** More than any server answered so far: 22,000 for one order over 256 connections. */
const PREPARED_PER_SECOND = 40_000;

/** The same where several loads run beside each other. */
export const PREPARED_BESIDE_OTHERS = 15_000;

/** Makes the requests of a run one by one, as they are written to its file. */
export function* prepare(seconds: number, make: (number: number) => Prepared, perSecond = PREPARED_PER_SECOND): Generator<Prepared> {
  for (let number = 0; number < seconds * perSecond; number++) yield make(number);
}

/** Requests between a creation and its cancellation: the first is answered long before the second is sent. */
const CANCEL_AFTER = 20_000;

/**
 * Makes a request of the soak's mixed load. Of twenty requests twelve update an order, four list cashouts, and four create and
 * cancel orders and cashouts.
 */
export function mixedRequest(make: RequestMaker, number: number, { sizes, firstDay }: BenchDatabase, today: string): Prepared {
  const whole = { start: firstDay, end: today };
  const place = number % 20;
  const earlier = number - CANCEL_AFTER;
  if (place === 12) return make.createOrder(number);
  if (place === 13) return make.registerCashout(number);
  if (place === 14) return make.listCashouts(whole);
  if (place === 15) return make.listCashouts({ ...whole, status: 'PENDIENTE' });
  if (place === 16) return make.listCashouts({ start: today, end: today });
  if (place === 17) return make.listCashouts({ ...whole, page: 1 + randomInt(lastPage(sizes.cashoutsOfOne)), limit: 100 });
  if (place === 18 && earlier >= 0) return make.cancelOrder(number, earlier - 6);
  if (place === 19 && earlier >= 0) return make.cancelCashout(number, earlier - 6);
  return make.updateOrder(number, 1 + randomInt(sizes.orders));
}

/** The deepest page of 100 that a page number can name. */
export const lastPage = (cashoutsOfOne: number): number => Math.min(9_999, cashoutsOfOne / 100 - 1);

/** Today in the merchants' zone, in the form of the list's parameters. */
export const todayText = (timeZone: string): string => Temporal.Now.plainDateISO(timeZone).toString().replaceAll('-', '');
