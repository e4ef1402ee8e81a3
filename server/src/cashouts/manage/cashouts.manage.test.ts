import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';

let service: TestCaudal;
let shop: TestMerchant;
let staff: ManageCalls;
let clerk: ManageCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant();
  staff = await manageCalls(service, { name: 'console' });
  clerk = await manageCalls(service, {
    name: 'till',
    merchantId: shop.merchantId,
    permissions: ['cashouts:read', 'cashouts:write', 'notices:send'],
  });
});
afterAll(() => service.close());

const at = (operation: string): string => `/cashouts/${shop.merchantId}/${operation}`;
const amount = { amount: '45000', currency: 'COP' };
const register = (by: ManageCalls, operation: string, more: object = {}, headers: Record<string, string> = {}) =>
  by.send('POST', '/cashouts', { merchant: shop.merchantId, operation, amount, document: '1020304050', ...more }, headers);
const SMS = { sms: true, cellphone: '3001234567' };

describe('a cashout that is registered', () => {
  test('is paid out with the password that its merchant is shown once', async () => {
    const key = { 'idempotency-key': 'R-1' };
    const made = await register(clerk, 'W-1', {}, key);
    expect(made).toMatchObject({ status: 201, etag: '"1"', body: { state: 'pending', amount: { amount: '45000.00' } } });
    const otp = (made.body as { oneTimePassword?: string }).oneTimePassword;
    expect(otp).toMatch(/^[0-9]{6}$/);
    const again = await register(clerk, 'W-1', {}, key);
    expect([again.status, again.headers['idempotency-replayed'], 'oneTimePassword' in again.body]).toEqual([201, 'true', false]);
    const network = networkCalls(service, await service.network());
    expect(await network.lookUp(otp, '1020304050')).toMatchObject({ code: '0000' });
    const { body } = await staff.get(at('W-1'));
    expect(body).toMatchObject({ lockedBy: network.netname, history: [{ event: 'cashout.registered', actor: 'merchant:till' }] });
    expect(JSON.stringify(body)).not.toContain(otp);
    expect(await staff.send('POST', `${at('W-1')}/nullify`, { reason: 'wrong' })).toMatchObject({ status: 409, problem: 'cashout_locked' });
    service.clock.advance({ minutes: 5 });
    expect((await staff.get(at('W-1'))).body, 'the minutes of the hold are over').toMatchObject({ lockedBy: null, lockedUntil: null });
  });

  test('shows nobody of the service’s side its password', async () => {
    expect(await register(staff, 'W-2')).toMatchObject({ status: 403, problem: 'password_for_merchant' });
    const made = await register(staff, 'W-2', SMS);
    expect([made.status, 'oneTimePassword' in made.body]).toEqual([201, false]);
    await register(clerk, 'W-3');
    expect(await staff.send('POST', `${at('W-3')}/resend`)).toMatchObject({ status: 403, problem: 'password_for_merchant' });
    const key = { 'idempotency-key': 'resend-1' };
    expect((await clerk.send('POST', `${at('W-3')}/resend`, undefined, key)).body).toMatchObject({
      oneTimePassword: expect.stringMatching(/^[0-9]{6}$/),
    });
    const other = await clerk.send('POST', `${at('W-2')}/resend`, undefined, key);
    expect(other, 'the key of another cashout').toMatchObject({ status: 422, problem: 'key_reused' });
    const resent = await staff.send('POST', `${at('W-2')}/resend`);
    expect([resent.status, 'oneTimePassword' in resent.body, resent.body['otpResends']]).toEqual([200, false, 1]);
  });

  test.each([
    [{ operation: 'W-1' }, 409, 'cashout_exists'],
    [{ merchant: 'other' }, 404, 'not_found'],
    [{ amount: { amount: '0', currency: 'COP' } }, 422, 'fields_invalid'],
    [{ amount: { amount: '5', currency: 'EUR' } }, 422, 'currency_not_allowed'],
    [{ amount: { amount: '99000000000', currency: 'COP' } }, 409, 'fund_too_small'],
    [{ expiresOn: '2029-01-01' }, 422, 'expire_out_of_range'],
    [{ expiresOn: '2026-13-01' }, 422, 'fields_invalid'],
    [{ sms: true }, 422, 'fields_invalid'],
    [{ ...SMS, cellphone: '12' }, 422, 'cellphone_impossible'],
    [{ document: 'AB' }, 422, 'fields_invalid'],
  ])('%j: refused with %i %s', async (fields, status, problem) => {
    expect(await register(clerk, 'W-none', fields)).toMatchObject({ status, problem });
  });
});

test('is shown with its payment, notices, messages and entries, as far as the actor may see them', async () => {
  await register(clerk, 'P-1', SMS);
  const [{ body }, seen] = [await staff.get(at('P-1')), await clerk.get(at('P-1'))];
  expect(body).toMatchObject({
    payment: null,
    notices: [],
    messages: [{ kind: 'one_time_password', state: 'kept', attempts: 0 }],
    entries: [
      { transaction: 'cashout/P-1/registered', account: 'available', amount: { amount: '-45000.00', currency: 'COP' } },
      { transaction: 'cashout/P-1/registered', account: 'reserved' },
    ],
  });
  expect(seen.body).toMatchObject({ operation: 'P-1', notices: null, messages: null, entries: null });
});

test('is cancelled by its merchant and nullified by the service, and says who did it', async () => {
  for (const operation of ['E-1', 'E-2']) await register(clerk, operation);
  for (const _ of [1, 2])
    expect(await clerk.send('POST', `${at('E-1')}/cancel`)).toMatchObject({ status: 200, body: { state: 'cancelled' } });
  const reason = 'registered twice';
  expect(await clerk.send('POST', `${at('E-2')}/nullify`, { reason })).toMatchObject({ status: 403 });
  expect(await staff.send('POST', `${at('E-2')}/nullify`, { reason })).toMatchObject({ status: 200, body: { state: 'nullified' } });
  expect((await clerk.get(at('E-2'))).body).toMatchObject({
    payment: null,
    // It reads no names of the service's own side.
    history: [{ actor: 'merchant:till' }, { event: 'cashout.nullified', actor: 'operator', changes: { reason: { to: reason } } }],
  });
  expect((await staff.get(at('E-2'))).body).toMatchObject({ history: [{ actor: 'merchant:till' }, { actor: 'token:console' }] });
  expect(await staff.send('POST', `${at('E-1')}/nullify`, { reason })).toMatchObject({ status: 409, problem: 'cashout_not_pending' });
});

test('that is past its last day is shown expired, and one of another merchant does not exist', async () => {
  await register(clerk, 'X-1', { expiresOn: '2026-11-21' });
  service.clock.set('2026-11-22T15:00:00Z');
  expect((await clerk.get(at('X-1'))).body).toMatchObject({ state: 'expired', version: 1 });
  const stranger = await service.merchant();
  await cashoutCalls(service, stranger).register(cashoutCalls(service, stranger).registration({ operation: 'S-1' }));
  expect(await clerk.get(`/cashouts/${stranger.merchantId}/S-1`)).toMatchObject({ status: 404, problem: 'not_found' });
  expect(await staff.get(`/cashouts/${stranger.merchantId}/S-1`)).toMatchObject({ status: 200 });
});
