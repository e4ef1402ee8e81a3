import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedNetwork } from '../networks/index.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

/** Flips a bit of a secret, so that it does not open; a second call flips it back. Running servers are notified and read it again. */
const TURN_MERCHANTS_BIT = {
  name: 'test.turn_merchants_bit',
  text: `with turned as (update merchant_secrets set sealed = set_byte(sealed, 0, get_byte(sealed, 0) # 1) where merchant_id = $1) select pg_notify('merchant_changed', $1)`,
};
const TURN_NETWORKS_BIT = {
  name: 'test.turn_networks_bit',
  text: `with turned as (update network_secrets set sealed = set_byte(sealed, 0, get_byte(sealed, 0) # 1) where network_id = $1) select pg_notify('network_changed', $1)`,
};

let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;
let network: CreatedNetwork;
let till: ReturnType<typeof networkOrderCalls>;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
  network = await service.network({ name: 'Efectivo Ya' });
  till = networkOrderCalls(service, network);
});
afterAll(() => service.close());

test('a merchant whose secret does not open is answered 503 until it does, and no other one', async () => {
  const other = orderCalls(service, await service.merchant());
  for (const calls of [shop, other]) await calls.create({ order: 'U-1' });
  await service.db.query(TURN_MERCHANTS_BIT, [merchant.merchantId]);
  await eventually(SOON_MS, async () =>
    expect(await shop.update({ order: 'U-1', amount: 5 })).toMatchObject({ status: 503, code: '0953', data: {} }),
  );
  expect((await shop.update({ order: 'U-1' })).headers['retry-after']).toBe('1');
  expect(await other.update({ order: 'U-1', amount: 5 })).toMatchObject({ status: 200, code: '0000' });
  await service.db.query(TURN_MERCHANTS_BIT, [merchant.merchantId]);
  await eventually(SOON_MS, async () =>
    expect(await shop.update({ order: 'U-1', amount: 5 })).toMatchObject({ status: 200, code: '0000', etag: '"2"' }),
  );
});

test('of a network: its operations are 503; receipts of what it took still name it', async () => {
  const { data } = await shop.create({ order: 'U-2', amount: '45000' });
  await till.pay(data['SVordenID'], 'T-1');
  await service.db.query(TURN_NETWORKS_BIT, [network.netname]);
  await eventually(SOON_MS, () => expect(till.pay(data['SVordenID'], 'T-1')).rejects.toThrow(/HTTP 503.*0953/));
  const { pathname, search } = new URL(String(data['checkout']));
  const page = await service.app.inject(pathname + search);
  expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('Efectivo Ya')]);
  await service.db.query(TURN_NETWORKS_BIT, [network.netname]);
  await eventually(SOON_MS, async () => expect(await till.pay(data['SVordenID'], 'T-1')).toMatchObject({ code: '0000' }));
});
