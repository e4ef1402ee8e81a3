import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { orderCalls, readOrderRow, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';

let service: TestCaudal;
let shop: TestMerchant;
let wire: OrderCalls;
let staff: ManageCalls;
let clerk: ManageCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant();
  wire = orderCalls(service, shop);
  staff = await manageCalls(service, { name: 'console' });
  clerk = await manageCalls(service, { name: 'till', merchantId: shop.merchantId, permissions: ['orders:read', 'orders:write'] });
});
afterAll(() => service.close());

const at = (order: string): string => `/orders/${shop.merchantId}/${order}`;
const ANY = { 'if-match': '*' };

const create = (order: string, more: object = {}, headers: Record<string, string> = {}) =>
  staff.send(
    'POST',
    '/orders',
    { merchant: shop.merchantId, order, email: 'ana@example.com', amount: { amount: '45000', currency: 'COP' }, ...more },
    headers,
  );

describe('an order that is created', () => {
  test('is the very order that the merchant sees, and says who made it', async () => {
    const made = await create('M-1', { description: 'Books', vatRate: '19', userName: 'Ana', expiresOn: '2026-12-01' });
    expect(made).toMatchObject({
      status: 201,
      etag: '"1"',
      body: {
        state: 'pending',
        amount: { amount: '45000.00', currency: 'COP' },
        vatRate: '19',
        method: null,
        checkoutUrl: expect.stringContaining('?token='),
      },
    });
    expect(await wire.query('M-1')).toMatchObject({ code: '0000', data: { AMOUNT: '45000.00' } });
    const { history } = (await staff.get(at('M-1'))).body;
    const changes = { email: { from: null, to: 'ana@example.com' }, amount: { from: null, to: { amount: '45000.00', currency: 'COP' } } };
    expect(history).toMatchObject([{ version: 1, event: 'order.created', actor: 'token:console', changes }]);
    expect(JSON.stringify(history), 'what has no value was not changed').not.toMatch(/userDocument|method/);
    expect((await wire.history('M-1')).data).toMatchObject({ HISTORY: [{ ACTOR: 'operator' }] });
  });

  test.each([
    [{ order: 'M-1' }, 409, 'order_exists'],
    [{ merchant: 'nobody' }, 404, 'not_found'],
    [{ amount: { amount: '0', currency: 'COP' } }, 422, 'fields_invalid'],
    [{ amount: { amount: '1.001', currency: 'COP' } }, 422, 'fields_invalid'],
    [{ amount: { amount: '1', currency: 'XXX' } }, 422, 'fields_invalid'],
    [{ amount: { amount: '1', currency: 'EUR' } }, 422, 'currency_not_allowed'],
    [{ email: 'no address' }, 422, 'fields_invalid'],
    [{ email: '' }, 422, 'fields_invalid'],
    [{ expiresOn: '2026-02-30' }, 422, 'fields_invalid'],
    [{ expiresOn: '2027-02-01' }, 422, 'expiration_out_of_range'],
    [{ description: null, colour: 'red' }, 422, 'fields_invalid'],
  ])('%j: refused with %i %s', async (fields, status, problem) => {
    expect(await create('M-none', fields)).toMatchObject({ status, problem });
  });

  test('with a key is created once, and the key is its actor’s', async () => {
    const key = { 'idempotency-key': 'K-1' };
    const [first, again] = [await create('M-2', {}, key), await create('M-2', {}, key)];
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await create('M-3', {}, key)).toMatchObject({ status: 422, problem: 'key_reused' });
    const body = { merchant: shop.merchantId, order: 'M-2', email: 'ana@example.com', amount: { amount: '45000', currency: 'COP' } };
    expect(await clerk.send('POST', '/orders', body, key)).toMatchObject({ status: 409, problem: 'order_exists' });
  });
});

describe('an update', () => {
  test('leaves what is absent, empties what is null, and names the version', async () => {
    await create('U-1', { description: 'Books', userName: 'Ana' });
    const changed = await clerk.send(
      'PATCH',
      at('U-1'),
      { description: null, amount: { amount: '50000.5', currency: 'COP' } },
      { 'if-match': '"1"' },
    );
    expect(changed).toMatchObject({
      status: 200,
      etag: '"2"',
      body: { description: null, userName: 'Ana', amount: { amount: '50000.50' } },
    });
    expect(await clerk.send('PATCH', at('U-1'), { userName: 'Eva' }, { 'if-match': '"1"' })).toMatchObject({
      status: 412,
      problem: 'version_mismatch',
      etag: '"2"',
    });
    expect((await wire.history('U-1')).data).toMatchObject({ HISTORY: [{ ACTOR: 'operator' }, { ACTOR: 'merchant', VERSION: 2 }] });
  });

  test('that changes nothing writes nothing', async () => {
    await create('U-2', { description: 'Books' });
    const before = await readOrderRow(service, shop, 'U-2');
    expect(await staff.send('PATCH', at('U-2'), { description: 'Books' }, ANY)).toMatchObject({ status: 200, etag: '"1"' });
    expect(await readOrderRow(service, shop, 'U-2')).toEqual(before);
  });

  test('of an order that is unknown, over, or of a frozen merchant is refused', async () => {
    expect(await staff.send('PATCH', at('no-such'), {}, ANY)).toMatchObject({ problem: 'not_found' });
    await create('U-3');
    await staff.send('POST', `${at('U-3')}/cancel`);
    expect(await staff.send('PATCH', at('U-3'), {}, ANY)).toMatchObject({ status: 409, problem: 'order_not_open' });
    expect(await staff.send('PATCH', at('U-3'), {})).toMatchObject({ status: 428, problem: 'if_match_missing' });
  });
});

test('a cancelled order stays so, and cancelling it again is success', async () => {
  await create('C-1');
  for (const _ of [1, 2])
    expect(await clerk.send('POST', `${at('C-1')}/cancel`)).toMatchObject({ status: 200, body: { state: 'cancelled', version: 2 } });
  expect((await wire.query('C-1')).data).toMatchObject({ STATE: 'CANCELADA' });
});

const expire = (version: string) => staff.send('POST', `${at('X-1')}/expire`, undefined, { 'if-match': version });

test('an order expires now at the version that was meant, and not at another', async () => {
  await create('X-1');
  expect(await expire('"2"')).toMatchObject({ status: 412, etag: '"1"' });
  expect((await wire.query('X-1')).data).toMatchObject({ STATE: 'PENDIENTE' });
  expect(await expire('"1"')).toMatchObject({ status: 200, body: { state: 'expired', version: 2 } });
});

test('a payment is given back by hand, with a reason that the merchant reads', async () => {
  await create('V-1');
  const network = networkOrderCalls(service, await service.network());
  const { serviceOrderId } = (await staff.get(at('V-1'))).body;
  expect(await network.pay(serviceOrderId, 'T-1')).toMatchObject({ code: '0000' });
  const reason = 'paid twice';
  expect(await clerk.send('POST', `${at('V-1')}/void`, { reason, refundedBy: 'network' })).toMatchObject({
    status: 403,
    problem: 'permission_missing',
  });
  expect(await staff.send('POST', `${at('V-1')}/void`, { reason, refundedBy: 'network' })).toMatchObject({
    status: 200,
    body: { state: 'voided' },
  });
  expect((await staff.get(at('V-1'))).body).toMatchObject({
    payments: 1,
    paymentList: [{ state: 'voided', amount: { amount: '45000.00' } }],
    notices: [{ status: 'approved' }],
    messages: expect.arrayContaining([expect.objectContaining({ kind: 'order_created' })]),
    entries: expect.arrayContaining([expect.objectContaining({ account: 'collected' })]),
    history: [{}, { event: 'order.paid' }, { event: 'order.voided', actor: 'token:console', changes: { reason: { to: reason } } }],
  });
  // It reads no names of the service's own side.
  expect((await clerk.get(at('V-1'))).body).toMatchObject({
    history: [{ actor: 'operator' }, {}, { actor: 'operator', changes: { reason: { to: reason } } }],
  });
});

test('what other rooms hold of an order needs their permissions', async () => {
  await create('P-1');
  expect((await clerk.get(at('P-1'))).body).toMatchObject({ notices: null, messages: null, entries: null });
});

test('another merchant’s order is what does not exist', async () => {
  const stranger = await service.merchant();
  const order = await orderCalls(service, stranger).newOrder();
  const foreign = await clerk.get(`/orders/${stranger.merchantId}/${order}`);
  const unknown = await clerk.get(at('no-such'));
  expect({ ...foreign.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
  expect(await staff.get(`/orders/${stranger.merchantId}/${order}`)).toMatchObject({ status: 200 });
});
