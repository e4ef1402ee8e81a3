import type { InjectOptions } from 'fastify';
import { checksumOf } from './checksum-of.ts';
import type { TestCaudal, TestMerchant } from './test-caudal.ts';

type Answered = { readonly status: number; readonly code: string; readonly text: string; readonly data: Record<string, unknown> };
type Fields = Readonly<Record<string, unknown>>;

export type RefundCalls = {
  /** Asks for 15,000 of an order under an id of its own, unless the fields say otherwise, with a right checksum. */
  request(order: string, fields?: Fields, headers?: Record<string, string>): Promise<Answered>;
  query(refund: string): Promise<Answered>;
  /** Registers a cashout for it, for a document of its own unless the fields say otherwise. */
  cashout(refund: string, fields?: Fields, headers?: Record<string, string>): Promise<Answered>;
  cancel(refund: string): Promise<Answered>;
  /** Those of two months; of an order where one is named. */
  list(order?: string, filter?: Readonly<Record<string, string>>): Promise<Answered>;
  /** Calls a link of a list. */
  follow(link: unknown): Promise<Answered>;
};

const PATH = '/api/v3/refunds';
const SIGNED = ['order', 'type', 'refund', 'refunded_by', 'money', 'amount'] as const;
const DAYS = { start: '20261101', end: '20261231' };

/** A value as the checksum covers it. */
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** A client of one merchant that gives money back as a shop does. */
export function refundCalls({ app }: Pick<TestCaudal, 'app'>, { merchantId, fixedHash }: TestMerchant): RefundCalls {
  const send = async (options: InjectOptions): Promise<Answered> => {
    const response = await app.inject(options);
    const { CODE, DESC, DATA, ...body } = response.json<{ CODE?: string; DESC?: string; DATA?: Record<string, unknown> }>();
    return { status: response.statusCode, ...(CODE === undefined ? body : { code: CODE, text: DESC, data: DATA }) } as Answered;
  };
  const usual = {
    merchant: merchantId,
    type: 'refund.request',
    refunded_by: 'operator',
    money: 'COP',
    amount: '15000',
    reason: 'returned',
  };
  const sign = (...values: readonly string[]): string => checksumOf(values, fixedHash);
  return {
    request: (order, fields = {}, headers = {}) => {
      const given: Fields = { ...usual, order, refund: `R-${order}`, ...fields };
      const checksum = sign(...SIGNED.map((name) => textOf(given[name])));
      return send({ method: 'POST', url: PATH, payload: JSON.stringify({ ...given, checksum }), headers });
    },
    cashout: (refund, fields = {}, headers = {}) => {
      const given: Fields = { merchant: merchantId, type: 'refund.cashout', operation: `W-${refund}`, document: '1020304050', ...fields };
      const checksum = sign(refund, ...['type', 'operation', 'type', 'document'].map((name) => textOf(given[name])));
      return send({ method: 'POST', url: `/cashout/v1/refund/${refund}`, payload: JSON.stringify({ ...given, checksum }), headers });
    },
    query: (refund) =>
      send({
        method: 'GET',
        url: `${PATH}/${refund}?merchant=${merchantId}&type=refund.query&checksum=${sign('refund.query', refund, merchantId)}`,
      }),
    cancel: (refund) => {
      const checksum = sign('refund.cancel', refund, merchantId);
      return send({ method: 'DELETE', url: `${PATH}/${refund}?merchant=${merchantId}&type=refund.cancel&checksum=${checksum}` });
    },
    list: (order = '', filter = {}) => {
      const { start, end, ...rest } = { ...DAYS, ...filter };
      const checksum = sign('refund.list', merchantId, start, end);
      const query = { merchant: merchantId, type: 'refund.list', start, end, order, ...rest, checksum };
      return send({ method: 'GET', url: `${PATH}?${new URLSearchParams(query).toString()}` });
    },
    follow: (link) => send({ method: 'GET', url: String(link) }),
  };
}
