import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionConfig, declaredStatements } from '../kit/db.ts';
import { answering, startNoticeReceiver, type NoticeReceiver } from '../testing/notice-receiver.ts';
import { networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest, startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

let service: TestCaudal;
let receiver: NoticeReceiver;
let merchant: TestMerchant;
let shop: OrderCalls;
let other: OrderCalls;
let till: ReturnType<typeof networkOrderCalls>;

beforeAll(async () => {
  [service, receiver] = await Promise.all([startTestCaudal({ config: { referenceRestDays: 0 } }), startNoticeReceiver()]);
  receiver.answer(answering(200, 'noted'));
  merchant = await service.merchant({ noticeUrl: receiver.url });
  shop = orderCalls(service, merchant);
  other = orderCalls(service, await service.merchant());
  till = networkOrderCalls(service, await service.network());
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

let references = 0;
const newReference = (): string => `7000${++references}`;
/** Which order is found, and its state. */
const found = async (calls: OrderCalls, reference: string): Promise<unknown> => {
  const { code, data } = await calls.queryByReference(reference);
  return code === '0000' ? [data['ORDER'], data['STATE']] : code;
};

test('a query by reference answers in every state as the query by the id', async () => {
  const make = async (fields: Readonly<Record<string, unknown>> = {}): Promise<[order: string, reference: string, id: unknown]> => {
    const reference = newReference();
    const order = await shop.newOrder({ reference, ...fields });
    return [order, reference, (await shop.query(order)).data['CODE']];
  };
  const pay = async (id: unknown, transaction: string) => expect((await till.pay(String(id), transaction)).code).toBe('0000');
  const [pending, recurrent, approved, voided, cancelled, due] = [
    await make(),
    await make({ recurrent: true }),
    await make(),
    await make(),
    await make(),
    await make({ expiration: '21/11/2026' }),
  ];
  await shop.update({ order: pending[0], description: 'Books "é"' });
  await pay(recurrent[2], 'Q-1');
  await pay(recurrent[2], 'Q-2');
  await pay(approved[2], 'Q-3');
  await pay(voided[2], 'Q-4');
  expect((await till.reverse(String(voided[2]), 'Q-4')).code).toBe('0000');
  await shop.cancel(cancelled[0]);
  service.clock.set('2026-11-22T05:00:00Z');
  await service.runJobs();

  const answers = await Promise.all(
    [pending, recurrent, approved, voided, cancelled, due].map(async ([order, reference]) => {
      const { headers: _, ...answer } = await shop.queryByReference(reference);
      const { headers: __, ...byId } = await shop.query(order);
      expect(answer).toEqual(byId);
      return [answer.data['STATE'], answer.data['NOTIFICATION_RESPONSE'], answer.etag];
    }),
  );
  expect(answers).toEqual([
    ['PENDIENTE', '', '"2"'],
    ['PENDIENTE', 'noted', '"3"'],
    ['APROBADA', 'noted', '"2"'],
    ['ANULADA', 'noted', '"3"'],
    ['CANCELADA', '', '"2"'],
    ['VENCIDA', 'noted', '"2"'],
  ]);
});

test('the open order comes first, also an older one; then the order created last, whichever ended last', async () => {
  const reference = newReference();
  const older = await shop.newOrder();
  const newer = await shop.newOrder({ reference });
  expect(await found(shop, reference)).toEqual([newer, 'PENDIENTE']);
  await shop.cancel(newer);
  expect(await found(shop, reference)).toEqual([newer, 'CANCELADA']);
  await shop.update({ order: older, reference });
  expect(await found(shop, reference)).toEqual([older, 'PENDIENTE']);
  await shop.cancel(older);
  expect(await found(shop, reference)).toEqual([newer, 'CANCELADA']);
  const newest = await shop.newOrder({ reference });
  expect(await found(shop, reference)).toEqual([newest, 'PENDIENTE']);
});

test('an order is found by the reference that it has, not by one that it had', async () => {
  const [first, second] = [newReference(), newReference()];
  const order = await shop.newOrder({ reference: first });
  await shop.update({ order, reference: second });
  expect([await found(shop, first), await found(shop, second)]).toEqual(['0001', [order, 'PENDIENTE']]);
});

test('a merchant finds its own orders only, also where another merchant has the same order id', async () => {
  const reference = newReference();
  const theirs = await other.newOrder({ reference });
  await shop.newOrder({ order: theirs });
  expect(await shop.queryByReference(reference)).toMatchObject({ status: 200, code: '0001', data: {}, etag: undefined });
  await other.cancel(theirs);
  expect(await found(shop, reference)).toBe('0001');
  const ours = await shop.newOrder({ reference });
  expect([await found(shop, reference), await found(other, reference)]).toEqual([
    [ours, 'PENDIENTE'],
    [theirs, 'CANCELADA'],
  ]);
});

test('an order whose time has run out is found the same before the sweep as after it', async () => {
  const service = await startCaudalForTest({ config: { referenceRestDays: 0 } });
  const [shop, other] = [orderCalls(service, await service.merchant()), orderCalls(service, await service.merchant())];
  const [alone, taken, moved] = ['1', '2', '3'];
  const orders = {
    alone: await shop.newOrder({ reference: alone, expiration: '21/11/2026' }),
    taken: await shop.newOrder({ reference: taken, expiration: '21/11/2026' }),
    older: await shop.newOrder({ expiration: '21/11/2026' }),
    newer: await shop.newOrder({ reference: moved }),
  };
  await shop.cancel(orders.newer);
  await shop.update({ order: orders.older, reference: moved, expiration: '21/11/2026' });
  service.clock.set('2026-11-22T05:00:00Z');
  const theirs = await other.newOrder({ reference: taken });
  const all = () => Promise.all([found(shop, alone), found(shop, taken), found(other, taken), found(shop, moved)]);
  const expected = [
    [orders.alone, 'VENCIDA'],
    [orders.taken, 'VENCIDA'],
    [theirs, 'PENDIENTE'],
    [orders.newer, 'CANCELADA'],
  ];
  expect(await all()).toEqual(expected);
  await service.runJobs();
  expect(await all()).toEqual(expected);
});

test('refusals name the reference, in the language that the query names', async () => {
  for (const [reference, code] of [
    ['', '0011'],
    ['12a', '0011'],
    ['9'.repeat(26), '0011'],
    ['1', '0001'],
  ] as const) {
    const answers = await Promise.all(['', '&language=en', '&language=pt'].map((language) => shop.queryByReference(reference, language)));
    expect(answers.map((answer) => answer.code)).toEqual(Array(3).fill(code));
    const texts = answers.map(({ text }) => text);
    expect(texts).toEqual(Array(3).fill(expect.stringContaining('reference')));
    expect(new Set(texts).size).toBe(3);
  }
});

type Plan = {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
};
const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test.each([false, true])('reads one entry of the index, however many orders have the reference (counted: %s)', async (isCounted) => {
  const service = await startCaudalForTest({ config: { referenceRestDays: 0 } });
  const { merchantId } = await service.merchant();
  const client = new Client(connectionConfig(service.url, 30_000));
  await client.connect();
  await client.query(
    `insert into orders (merchant_id, order_id, state, version, email, country, currency, amount_minor, reference, method, recurrent, expires_on,
                         created_at, updated_at)
     select $1, 'L-' || n, 'cancelled', 1, '', '343', 'COP', 1, case when n % 2 = 0 then '77' else n::text end, '', false, '2026-12-31', now(), now()
       from generate_series(1, 20000) as n`,
    [merchantId],
  );
  if (isCounted) await client.query('analyze orders');
  const { text = '' } = declaredStatements().find(({ name }) => name === 'orders.find_with_payment_by_reference') ?? {};
  await client.query(`prepare by_reference as ${text}`);
  const given = `('${merchantId}', '77', now())`;
  const shown = await client.query<{ orderId: string }>(`execute by_reference ${given}`);
  const explained = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    `explain (analyze, format json) execute by_reference ${given}`,
  );
  await client.end();
  expect(shown.rows.map(({ orderId }) => orderId)).toEqual(['L-20000']);
  const scans = nodesOf(explained.rows[0]!['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'].includes('Scan'));
  const indexes = new Set(scans.map((scan) => scan['Index Name']));
  expect(indexes).toEqual(new Set(['open_references_pkey', 'orders_by_reference', 'orders_pkey', 'order_payments_pkey']));
  for (const scan of scans)
    expect(scan['Actual Rows'] * scan['Actual Loops'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(1);
});
