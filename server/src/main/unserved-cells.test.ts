import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstIdOf } from '../kit/per-cell.ts';
import { networkCalls, networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import type { Caudal } from './rooms.ts';

// A process that serves some of three databases.

let caudal: TestCaudal;
let some: Caudal;
const merchants: TestMerchant[] = [];

beforeAll(async () => {
  caudal = await startTestCaudal({ cells: 2 });
  for (const cell of [0, 1, 2]) merchants.push(await caudal.merchant({ cell }));
  some = await caudal.openAnother({ cells: ['cell-1'] });
});
afterAll(async () => {
  await some.close();
  await caudal.close();
});

test('it refuses none of the merchants of the others: it answers 503', async () => {
  const statuses = [];
  for (const merchant of merchants) {
    const order = await orderCalls(caudal, merchant).newOrder();
    statuses.push((await orderCalls({ ...caudal, app: some.app }, merchant).query(order)).status);
  }
  expect(statuses).toEqual([200, 200, 503]);
});

test('it does not make what must lack no cell', async () => {
  expect((await some.app.inject('/readyz')).json()).toEqual({ status: 'ready' });
  const till = networkCalls({ ...some, clock: caudal.clock }, await caudal.network());
  await expect(till.lookUp('000000', '1020304050')).rejects.toThrow('HTTP 503');
});

test('for an id of a cell that never was it answers 503, where a process that serves all cells does not find it', async () => {
  const network = await caudal.network();
  const id = String(firstIdOf(77));
  expect((await networkOrderCalls(caudal, network).pay(id, 'T-1')).code).toBe('0001');
  expect((await networkCalls(caudal, network).pay(id, 'T-1')).code).toBe('0014');
  await expect(networkOrderCalls({ ...some, clock: caudal.clock }, network).pay(id, 'T-1')).rejects.toThrow('HTTP 503');
});
