import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caudal } from '../../main/rooms.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';

let service: TestCaudal;
let other: Caudal;
let shop: OrderCalls;
let there: OrderCalls;

beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4 } });
  other = await service.openAnother();
});
afterAll(async () => {
  await other.close();
  await service.close();
});
beforeEach(async () => {
  const merchant = await service.merchant();
  shop = orderCalls(service, merchant);
  there = orderCalls({ ...service, app: other.app }, merchant);
});

const made = { code: '0000' };

describe('no order is called as a payment of a recurrent one:', () => {
  test('beside a recurrent order none is made that ends in _ and a number', async () => {
    expect(await shop.create({ order: 'A', recurrent: true })).toMatchObject(made);
    for (const order of ['A_1', 'A_2', 'A_4711']) expect(await shop.create({ order })).toMatchObject({ code: '0042', data: {} });
    for (const order of ['A_0', 'A_01', 'A_1-', 'A_', 'A-1', 'B_1', 'A_1_1']) expect(await shop.create({ order })).toMatchObject(made);
  });

  test('where such an order is, the order before the number cannot be recurrent', async () => {
    for (const order of ['A_1', 'B_2', 'B']) expect(await shop.create({ order })).toMatchObject(made);
    expect(await shop.create({ order: 'A', recurrent: true })).toMatchObject({ code: '0042' });
    expect(await shop.update({ order: 'B', recurrent: true })).toMatchObject({ code: '0020', etag: '"1"' });
    expect(await shop.create({ order: 'A' })).toMatchObject(made);
    expect(await shop.create({ order: 'A_1_3' })).toMatchObject(made);
    expect(await shop.update({ order: 'A_1', recurrent: true })).toMatchObject({ code: '0020' });
  });

  test('an order that was recurrent keeps the ids of its payments', async () => {
    await shop.create({ order: 'A' });
    await shop.update({ order: 'A', recurrent: true });
    await shop.update({ order: 'A', recurrent: true, amount: '9' });
    await shop.update({ order: 'A', recurrent: false });
    expect(await shop.create({ order: 'A_1' })).toMatchObject({ code: '0042' });
    expect(await shop.update({ order: 'A', recurrent: true })).toMatchObject(made);
  });

  test('other merchants are not concerned', async () => {
    await shop.create({ order: 'A', recurrent: true });
    expect(await orderCalls(service, await service.merchant()).create({ order: 'A_1' })).toMatchObject(made);
  });

  test('of two requests at once, on two servers, one is carried out', async () => {
    for (let at = 0; at < 12; at++) {
      const order = `R${at}`;
      if (at % 3 === 2) await shop.create({ order });
      const recurrent = at % 3 === 2 ? there.update({ order, recurrent: true }) : there.create({ order, recurrent: true });
      const answers = await Promise.all(
        at % 2 === 0 ? [recurrent, shop.create({ order: `${order}_1` })] : [shop.create({ order: `${order}_1` }), recurrent],
      );
      expect(answers.filter(({ code }) => code === '0000')).toHaveLength(1);
    }
  });

  test('many orders that end in a number are made at once, on two servers', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => (index % 2 === 0 ? shop : there).create({ order: `ORDER_${index + 1}` })),
    );
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['0000']));
  });
});
