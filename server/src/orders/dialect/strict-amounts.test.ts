import { afterAll, beforeAll, expect, test } from 'vitest';
import { topUp } from '../../ledger/index.ts';
import { merchantCommands } from '../../merchants/index.ts';
import { FAMILY_DIALECT } from '../../requests/index.ts';
import { capturePrinted, runCommand } from '../../testing/captured.ts';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { checksumOf } from '../../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { postingDb } from '../../testing/posting-db.ts';

// Zeros beyond the decimals of a currency carry no value, and a merchant may have them refused: contract §2.8.

let service: TestCaudal;
let merchant: TestMerchant;
const printed = capturePrinted();
const run = (...words: string[]) => printed.by(() => runCommand(service, merchantCommands, 'merchants', ...words));

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  await topUp(
    { db: postingDb(service.db, service.clock, merchant.merchantId), clock: service.clock },
    { merchantId: merchant.merchantId, currency: 'COP', amountMinor: 1_000_000_00n },
  );
});
afterAll(() => service.close());

async function setStrict(mode: 'on' | 'off'): Promise<string> {
  const said = await run('strict-amounts', merchant.merchantId, mode);
  await eventually(SOON_MS, async () => expect((await merchant.read()).strictAmounts).toBe(mode === 'on'));
  return said;
}

test('by default 50.000 pesos are fifty, in orders and in cashouts', async () => {
  const { create, update } = orderCalls(service, merchant);
  expect(await create({ order: 'S-0', amount: '50.000' })).toMatchObject({ code: '0000', data: { Monto: '50.0' } });
  expect(await update({ order: 'S-0', amount: '60.0000' })).toMatchObject({ code: '0000', data: { Monto: '60.0' } });
  const cashouts = cashoutCalls(service, merchant);
  expect(await cashouts.register(cashouts.registration({ operation: 'S-0', amount: '50.000' }))).toMatchObject({ code: '0000' });
});

test('with the setting they are refused in every operation and in the dialect, and what has no more decimals is taken', async () => {
  expect(await setStrict('on')).toContain(`Strict amounts of ${merchant.merchantId}: on.`);
  expect(await run('show', merchant.merchantId)).toMatch(/strict amounts +on\n/);
  const { create, update } = orderCalls(service, merchant);
  const cashouts = cashoutCalls(service, merchant);
  expect(await create({ order: 'S-1', amount: '45000.00' })).toMatchObject({ code: '0000' });
  for (const amount of ['50.000', '45000.0000']) {
    expect(await create({ order: 'S-2', amount })).toMatchObject({ code: '0021' });
    expect(await update({ order: 'S-1', amount })).toMatchObject({ code: '0021' });
    expect(await cashouts.register(cashouts.registration({ operation: 'S-2', amount }))).toMatchObject({ code: '0004' });
  }
  const cost = cashouts.registration({ operation: 'S-2', transactionCost: '1.500' });
  expect(await cashouts.register(cost)).toMatchObject({ code: '0004' });
  expect(await cashouts.register(cashouts.registration({ operation: 'S-2', amount: '50.00' }))).toMatchObject({ code: '0000' });
  // Who is not proved learns nothing of the setting.
  expect(await create({ order: 'S-2', amount: '50.000', checksum: '0'.repeat(64) })).toMatchObject({ code: '0025' });
});

test('the family’s dialect rounds nothing for such a merchant, in the shop plugin neither', async () => {
  const family = await service.openAnother({ dialect: FAMILY_DIALECT });
  const { create } = orderCalls({ ...service, app: family.app }, merchant);
  expect(await create({ order: 'S-3', amount: '39.3294' })).toMatchObject({ code: '0021' });
  const body = { merchant: merchant.merchantId, email: 'ana@example.com', order: 'S-4x', amount: '50.000', description: 'Pan' };
  const checksum = checksumOf([body.email, body.order, body.amount], merchant.fixedHash);
  const reply = await family.app.inject({ method: 'POST', url: '/api/v3/wporders', payload: JSON.stringify({ ...body, checksum }) });
  expect(reply.json()).toMatchObject({ CODE: '0021' });
  await setStrict('off');
  expect(JSON.parse(await run('strict-amounts', merchant.merchantId, 'on', '--json'))).toMatchObject({ strictAmounts: true });
  await expect(run('strict-amounts', 'nobody', 'on')).rejects.toThrow('There is no merchant nobody.');
});
