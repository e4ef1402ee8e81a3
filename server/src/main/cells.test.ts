import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { cellOfId } from '../kit/per-cell.ts';
import { networkCalls } from '../testing/network-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

// A service of three databases: what belongs to a merchant is in the cell of that merchant, and nowhere else.

let caudal: TestCaudal;
const merchants: TestMerchant[] = [];

beforeAll(async () => {
  caudal = await startTestCaudal({ cells: 2 });
  for (const cell of [0, 1, 2]) merchants.push(await caudal.merchant({ merchantId: `of-${cell}`, cell }));
});

afterAll(() => caudal.close());

const COUNT_ORDERS = statement('test.count_orders_of_cells', 'select merchant_id as "merchantId", service_order_id as "id" from orders');

test('an order is in the cell of its merchant, and its id says which', async () => {
  for (const merchant of merchants) {
    const { create } = orderCalls(caudal, merchant);
    expect(await create({ order: 'A-1' })).toMatchObject({ code: '0000' });
  }
  for (const [cell, { db }] of caudal.cells.all) {
    const orders = await db.query<{ merchantId: string; id: bigint }>(COUNT_ORDERS, []);
    expect(orders.map(({ merchantId, id }) => [merchantId, cellOfId(id)])).toEqual([[`of-${cell}`, cell]]);
  }
});

test('a process that serves some cells refuses none of the merchants of the others: it answers 503', async () => {
  const some = await caudal.openAnother({ cells: ['cell-1'] });
  const calls = merchants.map((merchant) => orderCalls({ ...caudal, app: some.app }, merchant));
  const statusOf = async (cell: number): Promise<number> => (await (calls[cell] as (typeof calls)[number]).query('A-1')).status;
  try {
    expect([await statusOf(0), await statusOf(1), await statusOf(2)]).toEqual([200, 200, 503]);
  } finally {
    await some.close();
  }
});

test('what must lack no cell is not made where one is not served', async () => {
  const some = await caudal.openAnother({ cells: ['cell-1'] });
  try {
    expect((await some.app.inject('/readyz')).json()).toEqual({ status: 'ready' });
    const till = networkCalls({ ...some, clock: caudal.clock }, await caudal.network());
    await expect(till.lookUp('000000', '1020304050')).rejects.toThrow('HTTP 503');
  } finally {
    await some.close();
  }
});
