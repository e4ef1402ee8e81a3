import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import type { Caudal } from '../main/rooms.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';

/** A second server on the same database: between two processes only the database keeps order. */
let service: TestCaudal;
let other: Caudal;
let merchant: TestMerchant;
let here: OrderCalls;
let there: OrderCalls;
let count = 0;
const newId = (): string => `R-${++count}`;
const each = <T>(n: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => make(index)));

beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4 } });
  other = await service.openAnother();
  merchant = await service.merchant();
  here = orderCalls(service, merchant);
  there = orderCalls({ ...service, app: other.app }, merchant);
});
afterAll(async () => {
  await other.close();
  await service.close();
});

async function created(fields: Record<string, unknown> = {}): Promise<string> {
  const order = newId();
  expect(await here.create({ order, ...fields })).toMatchObject({ code: '0000' });
  return order;
}
const tally = (answers: readonly { code: string }[]): Record<string, number> =>
  answers.reduce<Record<string, number>>((counts, { code }) => ({ ...counts, [code]: (counts[code] ?? 0) + 1 }), {});
const versions = async (order: string): Promise<number[]> =>
  ((await here.history(order)).data as unknown as { HISTORY: { VERSION: number }[] }).HISTORY.map(({ VERSION }) => VERSION);

const HOLDERS = statement('test.holders', `select order_id as "orderId" from open_references where reference = $1 and not ended`);
const APPROVE = statement('test.approve', `update orders set state = 'approved' where merchant_id = $1 and order_id = $2`);
const holdersOf = async (reference: string): Promise<string[]> =>
  (await service.db.query<{ orderId: string }>(HOLDERS, [reference])).map(({ orderId }) => orderId);

describe.each(['one server', 'two servers'])('with %s', (servers) => {
  const at = (index: number): OrderCalls => (servers === 'two servers' && index % 2 === 1 ? there : here);

  test('of 64 concurrent updates with the same If-Match exactly one wins', async () => {
    const order = await created();
    const answers = await each(64, (index) => at(index).update({ order, amount: 1000 + index }, { 'if-match': '"1"' }));
    expect(tally(answers)).toEqual({ '0000': 1, '0910': 63 });
    expect(await versions(order)).toEqual([1, 2]);
    const winner = answers.find(({ code }) => code === '0000');
    expect((await here.query(order)).data['AMOUNT']).toBe(`${winner?.data['Monto']}0`);
  });

  test('64 concurrent updates of one order all happen, one after the other', async () => {
    const order = await created();
    const answers = await each(64, (index) => at(index).update({ order, amount: 1000 + index }));
    expect(tally(answers)).toEqual({ '0000': 64 });
    expect(await versions(order)).toEqual(Array.from({ length: 65 }, (_, index) => index + 1));
    expect(new Set(answers.map(({ etag }) => etag)).size).toBe(64);
  });

  test('after a cancellation no update happens', async () => {
    for (let round = 0; round < 8; round++) {
      const order = await created();
      const [cancelled, ...updates] = await Promise.all([
        at(1).cancel(order),
        ...Array.from({ length: 8 }, (_, index) => at(index).update({ order, amount: 2000 + index })),
      ]);
      expect(cancelled.code).toBe('0000');
      const last = Number(cancelled.etag?.replaceAll('"', ''));
      for (const { code, etag } of updates) {
        expect(['0000', '0041']).toContain(code);
        if (code === '0000') expect(Number(etag?.replaceAll('"', ''))).toBeLessThan(last);
      }
      expect((await here.query(order)).data['STATE']).toBe('CANCELADA');
      expect(await versions(order)).toHaveLength(last);
    }
  });

  test('of 24 orders that race for one reference exactly one gets it', async () => {
    const orders = await each(24, () => created());
    const reference = `88${count}`;
    const answers = await each(24, (index) => at(index).update({ order: orders[index], reference }));
    expect(tally(answers)).toEqual({ '0000': 1, '0043': 23 });
    expect(await holdersOf(reference)).toEqual([orders[answers.findIndex(({ code }) => code === '0000')]]);
  });

  test('of 24 creations that race for one reference exactly one gets it', async () => {
    const reference = `99${count}`;
    const answers = await each(24, (index) => at(index).create({ order: newId(), reference }));
    expect(tally(answers)).toEqual({ '0000': 1, '0043': 23 });
    expect(await holdersOf(reference)).toHaveLength(1);
  });

  test('of 24 creations of one order exactly one happens', async () => {
    const order = newId();
    const answers = await each(24, (index) => at(index).create({ order, amount: 100 + index }));
    expect(tally(answers)).toEqual({ '0000': 1, '0042': 23 });
    expect(await versions(order)).toEqual([1]);
  });

  test('orders that swap and pass on references in circles keep one each', async () => {
    const references = Array.from({ length: 6 }, (_, index) => `77${count}${index}`);
    const orders = await Promise.all(references.map((reference) => created({ reference })));
    for (let round = 0; round < 6; round++) {
      const answers = await each(36, (index) => {
        const reference = references[(index + round) % 6] as string;
        return at(index >> 1).update({ order: orders[index % 6], reference: index % 5 === 0 ? `76${count}${round}${index}` : reference });
      });
      for (const { code } of answers) expect(['0000', '0043']).toContain(code);
    }
    for (const order of orders) {
      const { REFERENCE } = (await here.query(order)).data as unknown as { REFERENCE: string };
      expect(await holdersOf(REFERENCE)).toEqual([order]);
    }
  });
});

test('what fails for one request of a batch does not touch the others', async () => {
  const [taken, free] = [await created({ reference: '661' }), await created({ reference: '662' })];
  const answers = await Promise.all([
    here.update({ order: taken, reference: '662' }),
    here.update({ order: 'no-such-order' }),
    here.update({ order: free, amount: '77', reference: '663' }),
    here.update({ order: taken, reference: '662' }),
    here.update({ order: free, description: 'last' }),
  ]);
  // In the order of arrival: the reference is free for the second try, because the one between gave it up.
  expect(answers.map(({ code, etag }) => [code, etag])).toEqual([
    ['0043', '"1"'],
    ['0041', undefined],
    ['0000', '"2"'],
    ['0000', '"2"'],
    ['0000', '"3"'],
  ]);
  expect([await holdersOf('661'), await holdersOf('662'), await holdersOf('663')]).toEqual([[], [taken], [free]]);
});

test('an update waits for the transaction that holds the order, and decides by its outcome', async () => {
  const order = await created();
  let waiting: Promise<{ code: string }> | undefined;
  await other.db.transaction(async (tx) => {
    await tx.query(APPROVE, [merchant.merchantId, order]);
    waiting = here.update({ order, amount: 5 });
    // The order can be asked for meanwhile, as it was: nothing waits for the transaction but the update.
    for (let time = 0; time < 5; time++) expect((await here.query(order)).data).toMatchObject({ STATE: 'PENDIENTE' });
  });
  expect(await waiting).toMatchObject({ code: '0041' });
  expect((await here.query(order)).data).toMatchObject({ STATE: 'APROBADA', AMOUNT: '45000.00' });
});
