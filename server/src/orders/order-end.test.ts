import { describe, expect, onTestFinished, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

const HOLDERS = statement('test.holders_at_end', `select order_id as "orderId" from open_references where reference = $1`);

async function openShop(): Promise<{ service: TestCaudal; merchant: TestMerchant; shop: OrderCalls }> {
  const service = await startCaudalForTest({ config: { databaseConnections: 4 } });
  const merchant = await service.merchant();
  return { service, merchant, shop: orderCalls(service, merchant) };
}
const each = <T>(n: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => make(index)));

describe('an order whose time has run out', () => {
  // 2026-11-21 ends in Bogota at 05:00 UTC of the next day.
  test('can be changed in its last millisecond and not from the next one on', async () => {
    const { service, shop } = await openShop();
    const order = await shop.newOrder({ expiration: '21/11/2026' });
    service.clock.set('2026-11-22T04:59:59.999Z');
    expect(await shop.update({ order, amount: 1 })).toMatchObject({ code: '0000' });
    expect((await shop.query(order)).data).toMatchObject({ STATE: 'PENDIENTE', LIFE_TIME: '0h' });
    service.clock.advance({ milliseconds: 1 });
    expect(await shop.update({ order, expiration: '30/11/2026' })).toMatchObject({ code: '0041', etag: '"2"' });
    expect(await shop.cancel(order)).toMatchObject({ code: '0041' });
    expect((await shop.query(order)).data).toMatchObject({ STATE: 'VENCIDA', LIFE_TIME: '0h' });
  });

  test('gives up its reference to the first of many that want it', async () => {
    const { service, merchant, shop } = await openShop();
    const other = await service.openAnother();
    onTestFinished(() => other.close());
    const there = orderCalls({ ...service, app: other.app }, merchant);
    const order = await shop.newOrder({ expiration: '21/11/2026', reference: '55501' });
    const wanting = await each(12, () => shop.newOrder());
    expect(await shop.update({ order: wanting[0], reference: '55501' })).toMatchObject({ code: '0043' });
    service.clock.set('2026-11-22T05:00:00Z');
    const answers = await each(12, (index) => (index % 2 ? shop : there).update({ order: wanting[index], reference: '55501' }));
    expect(answers.map(({ code }) => code).toSorted()).toEqual(['0000', ...Array(11).fill('0043')]);
    expect(await shop.update({ order })).toMatchObject({ code: '0041' });
  });

  test('ends at once when an update moves its end to a day already past', async () => {
    const { service, shop } = await openShop();
    const order = await shop.newOrder({ reference: '55502' });
    service.clock.set('2026-11-25T15:00:00Z');
    expect(await shop.update({ order, expiration: '20/11/2026' })).toMatchObject({ code: '0032' });
    expect(await shop.update({ order, expiration: '21/11/2026' })).toMatchObject({ code: '0000', etag: '"2"' });
    expect((await shop.query(order)).data).toMatchObject({ STATE: 'VENCIDA' });
    expect(await shop.update({ order, expiration: '30/11/2026' })).toMatchObject({ code: '0041' });
    const next = await shop.newOrder({ reference: '55502' });
    expect(await service.db.query(HOLDERS, ['55502'])).toEqual([{ orderId: next }]);
  });

  test('lives on under its reference when its end is moved while it is open', async () => {
    const { service, shop } = await openShop();
    const order = await shop.newOrder({ expiration: '21/11/2026', reference: '55503' });
    expect(await shop.update({ order, expiration: '23/11/2026' })).toMatchObject({ code: '0000' });
    service.clock.set('2026-11-22T05:00:00Z');
    expect(await shop.create({ order: 'next', reference: '55503' })).toMatchObject({ code: '0043' });
    expect(await shop.update({ order, recurrent: true })).toMatchObject({ code: '0000' });
    service.clock.set('2027-11-22T05:00:00Z');
    expect((await shop.query(order)).data).toMatchObject({ STATE: 'PENDIENTE', LIFE_TIME: '' });
    expect(await shop.create({ order: 'next', reference: '55503' })).toMatchObject({ code: '0043' });
  });
});
