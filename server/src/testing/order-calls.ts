import type { InjectOptions } from 'fastify';
import { statement } from '../kit/db.ts';
import { checksumOf } from './checksum-of.ts';
import type { TestMerchant, TestCaudal } from './test-caudal.ts';

export type OrderAnswer = {
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly data: Record<string, never> & Record<string, unknown>;
  readonly etag: string | undefined;
  readonly headers: Record<string, unknown>;
};
type Sent = Readonly<Record<string, unknown>>;

export type OrderCalls = {
  create(fields: Sent, headers?: Record<string, string>): Promise<OrderAnswer>;
  update(fields: Sent, headers?: Record<string, string>): Promise<OrderAnswer>;
  /** A body as it is, without a checksum being made for it. */
  send(method: 'POST' | 'PATCH' | 'DELETE', body: string | Buffer, headers?: Record<string, string>, url?: string): Promise<OrderAnswer>;
  query(order: string, extra?: string): Promise<OrderAnswer>;
  queryByReference(reference: string, extra?: string): Promise<OrderAnswer>;
  /** Creates an order with an id of its own, and gives the id. */
  newOrder(fields?: Sent): Promise<string>;
  cancel(order: string, headers?: Record<string, string>): Promise<OrderAnswer>;
  history(order: string, extra?: string): Promise<OrderAnswer>;
  /** The fields with defaults for those that are required, and a right checksum where none is given. */
  signed(fields: Sent): Record<string, unknown>;
  /** The query's parameters for an order in the path, or for a reference. */
  parameters(orderOrReference: string): string;
};

const PATH = '/api/v3/porders';
let newOrders = 0;

const ROW = statement(
  'testing.order_row',
  `select o.xmin::text as xmin, o.ctid::text as ctid, o.version,
          (select count(*) from order_history h where h.merchant_id = o.merchant_id and h.order_id = o.order_id) as events
     from orders o where merchant_id = $1 and order_id = $2`,
);

/** The row of an order: its place in storage, its version, and the number of its events. Any write changes the place. */
export async function readOrderRow({ db }: TestCaudal, { merchantId }: TestMerchant, order: string): Promise<unknown> {
  return (await db.query(ROW, [merchantId, order]))[0];
}

/** A client of one merchant that talks to the service as a shop does. */
export function orderCalls({ app }: TestCaudal, { merchantId, fixedHash }: TestMerchant): OrderCalls {
  const inject = async (options: {
    method: string;
    url: string;
    payload?: string | Buffer;
    headers?: Record<string, string>;
  }): Promise<OrderAnswer> => {
    const response = await app.inject(options as InjectOptions);
    const { CODE, DESC, DATA } = response.json<{ CODE: string; DESC: string; DATA: OrderAnswer['data'] }>();
    return { status: response.statusCode, code: CODE, text: DESC, data: DATA, etag: response.headers.etag, headers: response.headers };
  };
  const signed = (fields: Sent): Record<string, unknown> => {
    const body = { merchant: merchantId, email: 'ana@example.com', country: '343', order: 'A-1', money: 'COP', amount: '45000', ...fields };
    const { email, country, order, money, amount } = body;
    return { ...body, checksum: checksumOf([email, country, order, money, amount], fixedHash), ...fields };
  };
  const parameters = (orderOrReference: string): string =>
    `merchant=${merchantId}&checksum=${checksumOf([orderOrReference, merchantId], fixedHash)}`;
  const json = { 'content-type': 'application/json' };
  const create: OrderCalls['create'] = (fields, headers) =>
    inject({ method: 'POST', url: PATH, payload: JSON.stringify(signed(fields)), headers: { ...json, ...headers } });
  return {
    signed,
    parameters,
    create,
    update: (fields, headers) =>
      inject({ method: 'PATCH', url: PATH, payload: JSON.stringify(signed(fields)), headers: { ...json, ...headers } }),
    send: (method, payload, headers = json, url = PATH) => inject({ method, url, payload, headers }),
    query: (order, extra = '') => inject({ method: 'GET', url: `${PATH}/${order}?${parameters(order)}${extra}` }),
    queryByReference: (reference, extra = '') =>
      inject({ method: 'GET', url: `${PATH}?reference=${reference}&${parameters(reference)}${extra}` }),
    newOrder: async (fields = {}) => {
      const order = `N-${++newOrders}`;
      const { code, text, etag } = await create({ order, ...fields });
      if (code !== '0000' || etag !== '"1"') throw new Error(`the new order was refused: ${code} ${text}`);
      return order;
    },
    cancel: (order, headers = {}) => inject({ method: 'DELETE', url: `${PATH}/${order}?${parameters(order)}`, headers }),
    history: (order, extra = '') => inject({ method: 'GET', url: `${PATH}/${order}/history?${parameters(order)}${extra}` }),
  };
}
