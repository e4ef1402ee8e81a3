import { expect, test } from 'vitest';
import { cashoutOperations } from '../../server/src/cashouts/index.ts';
import { orderOperations } from '../../server/src/orders/index.ts';
import { CONTRACT_DIALECT } from '../../server/src/requests/index.ts';
import { Caudal, type Walk } from '../src/index.ts';

// What an operation declares can be sent by the client, and what it answers is shown.

const operations = [...orderOperations, ...cashoutOperations].filter(({ caller }) => caller === 'merchant');

const price = { amount: '1', money: 'COP' };
const payer = { user_di: '1', user_type_di: 'CC', user_name: 'Ana' };
const texts = { reference: '1', description: 'Tickets', method: 'PSE', language: 'es' };
const order = { order: 'A-1', email: 'ana@example.com', country: '343', ...price, ...payer, ...texts };
const whole = { ...order, recurrent: false, expiration: '2026-12-01', iva: '19', redirect_timeout: 5 };
const key = { operation: 'W-1', document: '1' };
const days = { start: '2026-11-01', end: '2026-11-30', limit: 10 };
const registration = { ...key, amount: '1', transactionCost: '1', currency: 'COP', description: 'Prize', sms: true };
const place = (walk: Walk<unknown>): Promise<unknown> => walk.page('page=2&cursor=A&after=1');

/** Calls with all that the client can send. */
const CALLS: Readonly<Record<string, (caudal: Caudal) => Promise<unknown>>> = {
  createOrder: (caudal) => caudal.orders.create(whole),
  updateOrder: (caudal) => caudal.orders.update(whole),
  queryOrder: (caudal) => caudal.orders.query('A-1'),
  queryOrderByReference: (caudal) => caudal.orders.query({ reference: '1' }),
  cancelOrder: (caudal) => caudal.orders.cancel('A-1'),
  readOrderHistory: (caudal) => place(caudal.orders.history('A-1')),
  requestRefund: (caudal) =>
    caudal.refunds.request({ order: 'A-1', refund: 'R-1', refundedBy: 'operator', ...price, reason: 'a', payment: 1, takenFrom: 'fund' }),
  queryRefund: (caudal) => caudal.refunds.query('R-1'),
  cancelRefund: (caudal) => caudal.refunds.cancel('R-1'),
  listRefunds: (caudal) => place(caudal.refunds.list({ ...days, state: 'PAGADO', order: 'A-1' })),
  listCashouts: (caudal) => place(caudal.cashouts.list({ ...days, status: 'PENDIENTE', document: '1' })),
  registerCashout: (caudal) => caudal.cashouts.register({ ...registration, cellphone: '1', expire: '2026-12-01', otpLength: 6 }),
  registerRefundCashout: (caudal) =>
    caudal.cashouts.registerForRefund({
      ...key,
      refund: 'R-1',
      description: 'a',
      sms: true,
      cellphone: '1',
      expire: '2026-12-01',
      otpLength: 6,
    }),
  queryCashout: (caudal) => caudal.cashouts.query(key),
  cancelCashout: (caudal) => caudal.cashouts.cancel(key),
  renewOneTimePassword: (caudal) => caudal.cashouts.resend({ ...key, otpLength: 6 }),
  readBalance: (caudal) => caudal.balance(),
  moveToFund: (caudal) => caudal.moveToFund({ amount: '1', currency: 'COP', reference: 'fund.1' }),
  listMovements: (caudal) => place(caudal.movements(days)),
};

/** Fields that the client does not send: the payment of an order has that id anyway. */
const UNSENT = new Set(['aditionalinfo']);
/** Members that say nothing new: that id again, and the order that was asked for. Links are places, which a walk follows. */
const UNSHOWN = new Set([
  'queryOrder: CUS',
  'queryOrderByReference: CUS',
  'readOrderHistory: OrdenID',
  ...['FIRST', 'PREVIOUS', 'NEXT', 'END'].map((link) => `listRefunds: ${link}`),
]);

type Schema = {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
};

/** Makes an answer of a schema, and keeps each value that it says by the name of its member. */
function answerOf(schema: Schema, values: Map<string, string>, name = ''): unknown {
  const { anyOf, enum: [choice] = [], type, items, properties, patternProperties } = schema;
  const keep = <T>(value: T): T => (values.set(name, String(value)), value);
  if (anyOf !== undefined) {
    const [first, ...others] = anyOf;
    return first?.const === undefined ? answerOf(others.at(-1) ?? first!, values, name) : keep(first.const);
  }
  if (choice !== undefined) return keep(choice);
  if (type === 'array') return [answerOf(items!, values, name)];
  if (patternProperties !== undefined) return { amount: answerOf(Object.values(patternProperties)[0]!, values, name) };
  if (type === 'object') return Object.fromEntries(Object.entries(properties!).map(([inner, of]) => [inner, answerOf(of, values, inner)]));
  if (schema.const !== undefined) return schema.const;
  // A day, a number and a text at once.
  const digits = 20_200_100 + values.size;
  return keep(type === 'string' ? String(digits) : digits);
}

test.each(operations.map((operation) => [operation.name, operation] as const))('%s', async (name, { path = {}, fields, data }) => {
  const values = new Map<string, string>();
  const [schema] = [data(CONTRACT_DIALECT)].flat();
  const answer = answerOf(schema as Schema, values);
  const sent = new Set<string>();
  const caudal = new Caudal({
    url: 'https://pay.example',
    merchant: 'demo',
    fixedHash: 'c0ffee',
    fetch: async (target, init) => {
      const { searchParams } = new URL(target as string);
      const body = init?.body === undefined ? {} : (JSON.parse(init.body as string) as object);
      for (const field of [...searchParams.keys(), ...Object.keys(body)]) sent.add(field);
      return Response.json({ CODE: '0000', code: '0000', DATA: answer, data: answer }, { headers: { etag: '"1"' } });
    },
  });
  const shown = JSON.stringify(await CALLS[name]?.(caudal));
  const declared = Object.keys(fields).filter((field) => !UNSENT.has(field) && !(field in path));
  expect([...sent].toSorted()).toEqual(expect.arrayContaining(declared));
  const bare = shown.replaceAll('-', '');
  expect([...values].filter(([member, value]) => !UNSHOWN.has(`${name}: ${member}`) && !bare.includes(value))).toEqual([]);
  expect(values.size).toBeGreaterThan(1);
});
