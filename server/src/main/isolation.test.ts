import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdRows } from '../testing/held-rows.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

// What somebody else holds in the database delays only the requests that need it.

let service: TestCaudal;
let held: TestMerchant;
let shop: OrderCalls;
let other: OrderCalls;

beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 6 } });
  held = await service.merchant();
  shop = orderCalls(service, held);
  other = orderCalls(service, await service.merchant());
});
afterAll(() => service.close());

/** Longer than any request of these tests takes, and shorter than any wait for a row. */
const AT_ONCE_MS = 1_500;

type Coded = Promise<{ readonly code: string; readonly status?: number }>;

/** Sends requests of others, in rounds, while these requests wait. Each of the others is answered with success, at once. */
async function expectOthersServed(
  blocked: () => Coded,
  others: readonly (() => Coded)[],
): Promise<{ readonly blocked: readonly string[] }> {
  const waiting = Array.from({ length: 8 }, blocked);
  const codes: string[] = [];
  const done = Promise.all(waiting).then((answers) => codes.push(...answers.map(({ code }) => code)));
  let rounds = 0;
  do {
    const began = performance.now();
    const answers = await Promise.all([...others, ...others].map((send) => send()));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => '0000'));
    expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
    rounds++;
  } while (codes.length === 0);
  expect(rounds).toBeGreaterThan(2);
  await done;
  return { blocked: codes };
}

const BUSY = Array.from({ length: 8 }, () => '0953');

const HOLD_ORDER = 'select from orders where merchant_id = $1 and order_id = $2 for update';

test('an order that another transaction holds delays only its own requests; they are refused in time, and served once it is free', async () => {
  const [order, sibling, stranger] = [await shop.newOrder(), await shop.newOrder(), await other.newOrder()];
  const release = await holdRows(service.url, HOLD_ORDER, [held.merchantId, order]);
  let amount = 0;
  const others = [
    () => shop.update({ order: sibling, amount: ++amount }),
    () => other.update({ order: stranger, amount: ++amount }),
    () => other.create({ order: `C-${++amount}` }),
  ];
  expect((await expectOthersServed(() => shop.update({ order, amount: 7 }), others)).blocked).toEqual(BUSY);
  expect((await expectOthersServed(() => shop.cancel(order), others)).blocked).toEqual(BUSY);
  const late = shop.update({ order, amount: 8 });
  await shop.query(order);
  await release();
  expect(await late).toMatchObject({ code: '0000' });
  expect((await shop.history(order)).data).toMatchObject({ HISTORY: { length: 2 } });
});

test('a reference that another transaction holds delays only the requests that give it up', async () => {
  const [order, sibling, stranger] = [await shop.newOrder({ reference: '4711' }), await shop.newOrder(), await other.newOrder()];
  const release = await holdRows(service.url, 'select from open_references where reference = $1 for update', ['4711']);
  let amount = 0;
  const others = [() => shop.update({ order: sibling, amount: ++amount }), () => other.update({ order: stranger, amount: ++amount })];
  expect((await expectOthersServed(() => shop.update({ order, reference: '4712' }), others)).blocked).toEqual(BUSY);
  await release();
  expect(await shop.update({ order, reference: '4712' })).toMatchObject({ code: '0000' });
});
