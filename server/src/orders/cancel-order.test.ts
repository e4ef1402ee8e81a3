import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest, startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
let shop: OrderCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = orderCalls(service, await service.merchant());
});
afterAll(() => service.close());

describe('a cancellation', () => {
  test('cancels a pending order, and says the same when asked again', async () => {
    await shop.create({ order: 'D-1', reference: '71', amount: '11.80' });
    const answer = await shop.cancel('D-1');
    expect(answer).toMatchObject({ status: 200, code: '0000', etag: '"2"' });
    expect(answer.data).toEqual({ OrderID: 'D-1', SVOrderID: '1', Reference: '71', Amount: '11.8', Operation: 'DELETED' });
    const again = await shop.cancel('D-1', { 'if-match': '"1"' });
    expect(again).toMatchObject({ code: '0000', data: answer.data, etag: '"2"' });
    expect((await shop.query('D-1')).data).toMatchObject({ STATE: 'CANCELADA', LIFE_TIME: '0h' });
    expect(await shop.update({ order: 'D-1', amount: 5 })).toMatchObject({ code: '0041', etag: '"2"' });
  });

  test('of another version than the one asked for writes nothing', async () => {
    await shop.create({ order: 'D-2' });
    expect(await shop.cancel('D-2', { 'if-match': '"2"' })).toMatchObject({ status: 412, code: '0910', data: {}, etag: '"1"' });
    expect(await shop.cancel('D-2', { 'if-match': 'x' })).toMatchObject({ status: 200, code: '0011' });
    expect((await shop.query('D-2')).data).toMatchObject({ STATE: 'PENDIENTE' });
    expect(await shop.cancel('D-2', { 'if-match': '"1"' })).toMatchObject({ code: '0000', etag: '"2"' });
  });

  test('of an order whose time has run out is refused', async () => {
    const service = await startCaudalForTest();
    const shop = orderCalls(service, await service.merchant());
    await shop.create({ order: 'D-3', expiration: '21/11/2026' });
    service.clock.set('2026-11-22T05:00:00Z');
    expect(await shop.cancel('D-3')).toMatchObject({ code: '0041', etag: '"1"' });
  });

  test('takes from a body what the query does not carry, and the query wins', async () => {
    const parameters = (order: string) => Object.fromEntries(new URLSearchParams(shop.parameters(order)));
    const send = (order: string, query: string, body: object | string) =>
      shop.send('DELETE', typeof body === 'string' ? body : JSON.stringify(body), {}, `/api/v3/porders/${order}${query}`);
    for (const order of ['D-4', 'D-5', 'D-6']) await shop.create({ order });
    expect(await send('D-4', '', parameters('D-4'))).toMatchObject({ code: '0000' });
    expect(
      await send('D-5', `?merchant=${parameters('D-5')['merchant']}`, { merchant: 'other', checksum: parameters('D-5')['checksum'] }),
    ).toMatchObject({ code: '0000' });
    expect(await send('D-6', `?${shop.parameters('D-6')}`, '{"checksum":')).toMatchObject({ code: '0011' });
    expect(await send('D-6', '', '[]')).toMatchObject({ code: '0011' });
    expect(await send('D-6', '', '[1]')).toMatchObject({ code: '0011' });
    expect(await send('D-6', `?${shop.parameters('D-6')}`, 'null')).toMatchObject({ code: '0000' });
  });
});
