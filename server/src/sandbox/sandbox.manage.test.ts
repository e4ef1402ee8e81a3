import { afterAll, beforeAll, expect, test } from 'vitest';
import { listActs } from '../audit/act-rows.ts';
import { manageCalls, walkPages, type ManageCalls } from '../testing/manage-calls.ts';
import { networkCalls } from '../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

let service: TestCaudal;
let shop: TestMerchant;
let staff: ManageCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant({ fundMinor: 100_000_000n });
  staff = await manageCalls(service, { name: 'console' });
});
afterAll(() => service.close());

const money = { amount: '45000', currency: 'COP' };
const order = async (id: string): Promise<Record<string, unknown>> =>
  (await staff.send('POST', '/orders', { merchant: shop.merchantId, order: id, email: 'ana@example.com', amount: money })).body;
const cashout = async (operation: string): Promise<unknown> => {
  const clerk = await manageCalls(service, { merchantId: shop.merchantId, permissions: ['cashouts:write'] });
  const made = await clerk.send('POST', '/cashouts', { merchant: shop.merchantId, operation, amount: money, document: '1020304050' });
  return (made.body as Record<string, unknown>)['oneTimePassword'];
};
const pay = (reference: unknown) => staff.send('POST', '/sandbox/payments', { reference });
const collect = (oneTimePassword: unknown) => staff.send('POST', '/sandbox/collections', { document: '1020304050', oneTimePassword });

test('a payment is simulated and reversed as a network does it, and refused as a network is', async () => {
  const { reference } = await order('A-1');
  const paid = await pay(reference);
  expect(paid).toMatchObject({
    status: 201,
    body: { merchant: shop.merchantId, order: 'A-1', amount: { amount: '45000.00' }, state: 'paid' },
  });
  expect(await pay(reference)).toMatchObject({ status: 404, problem: 'not_found' });
  const reverse = `/sandbox/payments/${String(paid.body['transaction'])}/reverse`;
  for (const _ of [1, 2]) expect(await staff.send('POST', reverse)).toMatchObject({ status: 200, body: { state: 'reversed' } });
  const { body } = await staff.get(`/orders/${shop.merchantId}/A-1`);
  expect(body).toMatchObject({ state: 'voided', history: [{}, { actor: 'network:sandbox' }, { actor: 'network:sandbox' }] });
  const again = await pay((await order('A-2'))['reference']);
  service.clock.advance({ seconds: 51 });
  const late = await staff.send('POST', `/sandbox/payments/${String(again.body['transaction'])}/reverse`);
  expect(late).toMatchObject({ status: 409, problem: 'simulation_refused', body: { detail: 'payment_not_reversible' } });
  expect(await staff.send('POST', '/sandbox/payments/1-0af3c2d1e4b5/reverse')).toMatchObject({ status: 404 });
});

test('a collection is simulated and reversed as a network does it, and refused as a network is', async () => {
  const otp = await cashout('W-1');
  const wrong = await collect(otp === '000000' ? '111111' : '000000');
  expect(wrong).toMatchObject({ status: 409, problem: 'simulation_refused', body: { detail: 'password_wrong' } });
  const paid = await collect(otp);
  expect(paid).toMatchObject({ status: 201, body: { operation: 'W-1', amount: { amount: '45000.00' }, state: 'approved' } });
  const reverse = `/sandbox/collections/${String(paid.body['transaction'])}/reverse`;
  for (const _ of [1, 2]) expect(await staff.send('POST', reverse)).toMatchObject({ status: 200, body: { state: 'nullified' } });
  expect(await staff.send('POST', '/sandbox/collections/1-0af3c2d1e4b5/reverse')).toMatchObject({ status: 404 });
});

test('an order expires now, with the notice of it, and then stays expired', async () => {
  const { reference } = await order('E-1');
  const at = `/orders/${shop.merchantId}/E-1`;
  expect(await staff.send('POST', `${at}/expire`, undefined, { 'if-match': '"7"' })).toMatchObject({ status: 412 });
  for (const _ of [1, 2])
    expect(await staff.send('POST', `${at}/expire`)).toMatchObject({ status: 200, etag: '"2"', body: { state: 'expired' } });
  expect((await staff.get(at)).body).toMatchObject({
    history: [{}, { event: 'order.expired', actor: 'token:console' }],
    notices: [{ status: 'cancelled' }],
  });
  expect(await pay(reference)).toMatchObject({ status: 404 });
  await order('E-2');
  await staff.send('POST', `/orders/${shop.merchantId}/E-2/cancel`);
  expect(await staff.send('POST', `/orders/${shop.merchantId}/E-2/expire`)).toMatchObject({ status: 409, problem: 'order_not_open' });
});

test('a cashout that a network holds is unlocked: its network must look it up again', async () => {
  const otp = await cashout('U-1');
  const network = networkCalls(service, await service.network());
  const found = await network.lookUp(otp, '1020304050');
  const at = `/cashouts/${shop.merchantId}/U-1`;
  const unlock = () => staff.send('POST', `${at}/unlock`, { reason: 'its terminal broke' });
  for (const _ of [1, 2]) expect(await unlock()).toMatchObject({ status: 200, body: { state: 'pending', version: 1 } });
  expect(await network.pay(found.data['idoperation'], 'T-1')).toMatchObject({ code: '0013' });
  expect(await staff.send('POST', `${at}/cancel`)).toMatchObject({ status: 200 });
  expect(await unlock()).toMatchObject({ status: 409, problem: 'cashout_not_pending' });
});

test('the inbox is read to its end in pages, and one by one', async () => {
  const inbox = `/sandbox/inbox?merchant=${shop.merchantId}`;
  const { items, next } = (await staff.get(`${inbox}&limit=200`)).body as unknown as Page;
  expect(next).toBeNull();
  expect(new Set(items.map(({ channel }) => channel))).toEqual(new Set(['mail', 'notice']));
  expect(await walkPages(staff, inbox, [3])).toEqual(items);
  for (const one of [items.find(({ channel }) => channel === 'mail'), items.find(({ channel }) => channel === 'notice')])
    expect((await staff.get(`/sandbox/inbox/${one?.channel}/${one?.id}`)).body).toEqual(one);
  expect(await staff.get(`/sandbox/inbox/sms/${items.find(({ channel }) => channel === 'mail')?.id}`)).toMatchObject({ status: 404 });
});

type Page = { readonly items: readonly { readonly channel: string; readonly id: string }[]; readonly next: string | null };

test('the clock is moved with its act, or not at all', async () => {
  const before = (await staff.get('/sandbox/clock')).body as Record<string, string>;
  const moved = await staff.send('POST', '/sandbox/clock', { advance: 'PT1H' });
  const now = Temporal.Instant.from(before['now'] as string).add({ hours: 1 });
  expect(moved).toMatchObject({ status: 200, body: { now: now.toString({ smallestUnit: 'millisecond' }), ahead: 'PT1H' } });
  for (const [body, problem] of [
    [{ now: '2020-01-01T00:00:00Z' }, 'clock_would_go_back'],
    [{ advance: 'P11Y' }, 'clock_too_far_ahead'],
    [{ advance: 'PX' }, 'fields_invalid'],
    [{ advance: 'P1D', now: '2030-01-01T00:00:00Z' }, 'fields_invalid'],
    [{}, 'fields_invalid'],
  ] as const)
    expect(await staff.send('POST', '/sandbox/clock', body)).toMatchObject({ problem });
  expect((await staff.get('/sandbox/clock')).body).toEqual(moved.body);
  const acts = await listActs(service.db, { operation: 'moveClock', limit: 10 });
  expect(acts.map(({ outcome }) => outcome).filter((outcome) => outcome === 'done')).toHaveLength(1);
  const { content } = acts.find(({ outcome }) => outcome === 'done') ?? {};
  expect(JSON.parse(content ?? '{}')).toMatchObject({ given: { advance: 'PT1H' }, changes: { offsetMs: [null, 3_600_000] } });
});

test('with an Idempotency-Key an order is paid once and the clock moves once', async () => {
  const { reference } = await order('K-1');
  const other = (await order('K-2'))['reference'];
  const send = (path: string, body: object) => staff.send('POST', path, body, { 'idempotency-key': 'once' });
  const again = { status: 201, headers: { 'idempotency-replayed': 'true' } };
  const paid = await send('/sandbox/payments', { reference });
  expect(paid).toMatchObject({ status: 201, body: { order: 'K-1', state: 'paid' } });
  expect(await send('/sandbox/payments', { reference })).toMatchObject({ ...again, body: paid.body });
  expect(await send('/sandbox/payments', { reference: other })).toMatchObject({ status: 422, problem: 'key_reused' });
  // A recurrent order stays open: its second payment would be another one.
  const body = { merchant: shop.merchantId, order: 'K-3', email: 'ana@example.com', amount: money, recurrent: true };
  const open = (await staff.send('POST', '/orders', body)).body['reference'];
  const twice = () => staff.send('POST', '/sandbox/payments', { reference: open }, { 'idempotency-key': 'twice' });
  const first = await twice();
  expect(await twice()).toMatchObject({ ...again, body: first.body });
  expect((await staff.get(`/orders/${shop.merchantId}/K-3`)).body).toMatchObject({ payments: 1 });
  const moved = await send('/sandbox/clock', { advance: 'PT1H' });
  const replayed = await send('/sandbox/clock', { advance: 'PT1H' });
  expect([replayed.body, replayed.headers['idempotency-replayed']]).toEqual([moved.body, 'true']);
  const { body: clock } = await staff.get('/sandbox/clock');
  expect(clock['ahead']).toBe(moved.body['ahead']);
});
