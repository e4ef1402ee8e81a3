import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest, startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
});
afterAll(() => service.close());

const PATH = '/api/v3/porders';

describe('a query', () => {
  test('answers with the keys that clients read, misspelt as they are', async () => {
    const service = await startCaudalForTest();
    const shop = orderCalls(service, await service.merchant());
    await shop.create({ order: 'Q-1', reference: '31', description: 'Books "é"', expiration: '30/11/2026', amount: '11.8', method: 'PSE' });
    service.clock.advance({ minutes: 90, seconds: 1 });
    await shop.update({ order: 'Q-1', amount: '11.85', email: 'luz@example.com' });
    const answer = await shop.query('Q-1');
    expect(answer).toMatchObject({ status: 200, code: '0000', text: 'OK', etag: '"2"' });
    expect(answer.data).toEqual({
      ORDER: 'Q-1',
      CODE: 1,
      STATE: 'PENDIENTE',
      AMOUNT: '11.85',
      CURRENCY: 'COP',
      REFERENCE: '31',
      DESCRIPTION: 'Books "é"',
      EMAIL: 'luz@example.com',
      PAYMNENT_METHOD: 'PSE',
      CREATION_DATE: '2026-11-21 10:00:00',
      UDPATE_DATE: '2026-11-21 11:30:01',
      LIFE_TIME: '228h', // until the end of the 30th: nine days and 12:29:59
      NOTIFICATION_RESPONSE: '',
      TRANSACTION: {},
      checkout: expect.stringContaining('https://pay.example/checkout?token=') as string,
    });
  });

  test('of an order that the merchant does not have finds nothing', async () => {
    const other = orderCalls(service, await service.merchant());
    await other.create({ order: 'Q-2' });
    expect(await shop.query('Q-2')).toMatchObject({ code: '0001', data: {}, etag: undefined });
  });
});

describe.each([
  ['GET', '', '0001'],
  ['GET', '/history', '0001'],
  ['DELETE', '', '0018'],
] as const)('%s {order}%s', (method, rest, notFound) => {
  const call = async (order: string, query: string, options: { headers?: Record<string, string>; payload?: string } = {}) => {
    const response = await service.app.inject({ method, url: `${PATH}/${order}${rest}?${query}`, ...options });
    return { status: response.statusCode, ...response.json<{ CODE: string; DESC: string; DATA: object }>() };
  };

  test('refuses in the language that the query names, also before the caller is known', async () => {
    const right = shop.parameters('none');
    const texts = async (query: string) => [
      (await call('none', `${right}${query}`)).DESC,
      (await call('none', `merchant=${merchant.merchantId}&checksum=zz${query}`)).DESC,
    ];
    const [spanish, english, portuguese] = [await texts(''), await texts('&language=en'), await texts('&language=pt')];
    expect(english).toEqual([expect.stringContaining('order'), expect.stringContaining('The ')]);
    for (const index of [0, 1]) expect(new Set([spanish[index], english[index], portuguese[index]]).size).toBe(3);
    expect(await texts('&language=xx')).toEqual(spanish);
  });

  test('refuses in order: content, merchant, checksum, not found', async () => {
    const right = shop.parameters('none');
    const seen = [
      await call('a%20b', 'merchant=a%20b'),
      await call('none', 'checksum=ab'),
      await call('none', `${right}&merchant=again`),
      await call('none', `${right}&x=%zz`),
      await call('none', 'merchant=&checksum=zz'),
      await call('none', `merchant=${merchant.merchantId}&checksum=zz`),
      await call('none', `merchant=nobody&checksum=${'0'.repeat(128)}`),
      await call('none', right),
    ];
    expect(seen.map(({ CODE }) => CODE)).toEqual(['0011', '0017', '0011', '0011', '0017', '0025', '0025', notFound]);
    for (const { status, DATA } of seen) expect([status, DATA]).toEqual([200, {}]);
  });

  test('tolerates a trailing slash, a body, and a label without a body', async () => {
    for (const [index, options] of [
      {},
      { payload: '[]', headers: { 'content-type': 'application/json' } },
      { payload: '[]' },
      { headers: { 'content-type': 'application/json' } },
      { payload: '{}', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ].entries()) {
      const order = `T-${method}${rest.length}-${index}`;
      await shop.create({ order });
      const url = `${PATH}/${order}${rest}/?${shop.parameters(order)}&unknown=1`;
      expect((await service.app.inject({ method, url, ...options })).json()).toMatchObject({ CODE: '0000' });
    }
  });
});

test('HEAD works where GET does, with the version and without a body', async () => {
  await shop.create({ order: 'Q-3' });
  const response = await service.app.inject({ method: 'HEAD', url: `${PATH}/Q-3?${shop.parameters('Q-3')}` });
  expect([response.statusCode, response.headers.etag, response.body]).toEqual([200, '"1"', '']);
});

test('what is not a business answer has the same envelope', async () => {
  const wrong = await service.app.inject({ method: 'PUT', url: PATH });
  expect([wrong.statusCode, wrong.headers['allow'], wrong.json()]).toMatchObject([
    405,
    'GET, HEAD, PATCH, POST',
    { CODE: '0940', DATA: {} },
  ]);
  const large = await service.app.inject({ method: 'PATCH', url: PATH, payload: `{"description":"${'x'.repeat(300_000)}"}` });
  expect([large.statusCode, large.json()]).toMatchObject([413, { CODE: '0913', DATA: {} }]);
  expect((await service.app.inject({ method: 'GET', url: `${PATH}/a/b/c` })).json()).toMatchObject({ CODE: '0940' });
});
