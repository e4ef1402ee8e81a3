import { expect, test } from 'vitest';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal } from '../testing/test-caudal.ts';
import { ORDERS } from './order-rows.ts';

test('orders are locked for many commands: a row for each, in their order, shared by those for one order', async () => {
  const service = await startTestCaudal();
  try {
    const merchant = await service.merchant();
    for (const order of ['A', 'B']) await orderCalls(service, merchant).create({ order });
    const keys = ['B', 'A', 'gone', 'B'].map((orderId) => ({ merchantId: merchant.merchantId, orderId }));
    const rows = await service.db.transaction((tx) => ORDERS.lock(tx, keys));
    expect(rows.map((row) => row?.after.orderId)).toEqual(['B', 'A', undefined, 'B']);
    expect(rows[3]).toBe(rows[0]);
  } finally {
    await service.close();
  }
});
