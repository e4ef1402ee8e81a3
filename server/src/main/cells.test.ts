import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { cellOfId } from '../kit/per-cell.ts';
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
