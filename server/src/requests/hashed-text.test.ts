import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

let sandbox: TestCaudal;
let production: TestCaudal;
let merchant: TestMerchant;
beforeAll(async () => {
  sandbox = await startTestCaudal();
  merchant = await sandbox.merchant();
  production = { ...sandbox, ...(await sandbox.openAnother({ mode: 'production' })), clock: sandbox.clock };
});
afterAll(async () => {
  await production.close();
  await sandbox.close();
});

const WRONG = { order: 'A-1', amount: '45000.00', checksum: 'ab'.repeat(64) };

test('in a sandbox the answer to a wrong checksum shows what is hashed, and no secret', async () => {
  const { code, text } = await orderCalls(sandbox, merchant).create({ ...WRONG, language: 'en' });
  expect(code).toBe('0025');
  expect(text).toContain('In a sandbox alone: the text is «ana@example.com343A-1COP45000.00» and then the fixed hash');
  expect(text).not.toContain(merchant.fixedHash);
  const listed = await sandbox.app.inject(
    `/cashout/v1/operation/${merchant.merchantId}?start=20261101&end=20261130&checksum=ab&language=en`,
  );
  expect(listed.json<{ text: string }>().text).toContain(`«${merchant.merchantId}2026110120261130»`);
});

test('an unknown merchant is shown the same, so that nobody learns which exist', async () => {
  const { text } = await orderCalls(sandbox, { ...merchant, merchantId: 'nobody' }).create(WRONG);
  expect(text).toBe((await orderCalls(sandbox, merchant).create(WRONG)).text);
});

test('a long text is cut', async () => {
  const { text } = await orderCalls(sandbox, merchant).create({ ...WRONG, order: 'A'.repeat(200), email: `${'a'.repeat(88)}@example.com` });
  expect(text).toContain('AAA…»');
});

test('production shows nothing of it', async () => {
  const { code, text } = await orderCalls(production, merchant).create(WRONG);
  expect(code).toBe('0025');
  expect(text).not.toContain('A-1');
});

test('a signature that is sent again, and a state that does not exist, are named as what they are', async () => {
  const { sign } = cashoutCalls(sandbox, merchant);
  const url = `/cashout/v1/operation/${merchant.merchantId}?status=PENDING&language=en&checksum=${sign(merchant.merchantId, '', '')}`;
  expect((await sandbox.app.inject(url)).json<{ text: string }>().text).toMatch(
    /status does not have the expected form: 0, or with commas PENDIENTE, .*APROBADA/,
  );
});
