import { randomInt } from 'node:crypto';
import { checksum } from '../src/kit/checksum.ts';
import { MERCHANTS, ORDER_EMAIL, type BenchDatabase } from './setup.ts';

export type Kind = 'update order' | 'create order' | 'cancel order' | 'list cashouts' | 'register cashout' | 'cancel cashout';

/** A request as it will be sent. `id` is its X-Request-Id, which the history of what it changes records; empty for one that changes nothing. */
export type Prepared = { readonly kind: Kind; readonly method: string; readonly path: string; readonly id: string; readonly body: string };

/** Signed requests of one run; `run` begins every id of theirs, so that what they wrote can be found in the history. */
export type RequestMaker = {
  updateOrder(number: number, order: number): Prepared;
  createOrder(number: number): Prepared;
  /** Of an order that was created under that number. */
  cancelOrder(number: number, created: number): Prepared;
  registerCashout(number: number): Prepared;
  /** Of a cashout that was registered under that number. */
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

/** Minor units 100 to 1,000,000,100 as the decimals of COP: no two that follow each other on one order are the same. */
const amountText = (number: number): string => {
  const minor = 100 + ((number * 7919 + randomInt(7919)) % 1_000_000_000);
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
};

export function requestMaker({ fixedHash }: BenchDatabase, run: string): RequestMaker {
  const sign = (...values: string[]): string => checksum('sha512', values, fixedHash);
  const orderBody = (order: string, amount: string): string =>
    `{"merchant":"${MERCHANTS.orders}","email":"${ORDER_EMAIL}","country":"343","order":"${order}","money":"COP","amount":"${amount}",` +
    `"checksum":"${sign(ORDER_EMAIL, '343', order, 'COP', amount)}"}`;
  const idOf = (number: number): string => `${run}-${number}`;
  return {
    updateOrder: (number, order) => ({
      kind: 'update order',
      method: 'PATCH',
      path: ORDERS,
      id: idOf(number),
      body: orderBody(String(order), amountText(number)),
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
    registerCashout: (number) => {
      const amount = amountText(number);
      const signature = sign(MERCHANTS.cashouts, idOf(number), amount, 'COP', DOCUMENT);
      const body =
        `{"merchant":"${MERCHANTS.cashouts}","operation":"${idOf(number)}","amount":"${amount}","currency":"COP","description":"Prize",` +
        `"document":"${DOCUMENT}","sms":false,"checksum":"${signature}"}`;
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

/** More than any server was seen to answer: one order, 256 connections, gave above 22,000. */
export const PREPARED_PER_SECOND = 40_000;

/** The requests of a run of so many seconds, made one by one while they are written down. */
export function* prepare(seconds: number, make: (number: number) => Prepared): Generator<Prepared> {
  for (let number = 0; number < seconds * PREPARED_PER_SECOND; number++) yield make(number);
}

/** So many requests lie between a creation and its cancellation that the first is answered long before the second is sent. */
export const CANCEL_AFTER = 20_000;

/**
 * The mixed load of the soak, request by request: of twenty, twelve update an order, four list cashouts, and four create and cancel
 * orders and cashouts.
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

/** The deepest page of a hundred that a page number can name. */
export const lastPage = (cashoutsOfOne: number): number => Math.min(9_999, cashoutsOfOne / 100 - 1);

/** Today in the zone of the merchants, as the list wants it. */
export const todayText = (timeZone: string): string => Temporal.Now.plainDateISO(timeZone).toString().replaceAll('-', '');
