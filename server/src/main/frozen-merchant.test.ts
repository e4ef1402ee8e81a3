import { afterEach, beforeEach, expect, test } from 'vitest';
import { merchantCommands } from '../merchants/index.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { networkCalls, networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

let service: TestCaudal;
let merchant: TestMerchant;
capturePrinted();

beforeEach(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
});
afterEach(() => service.close());

async function set(command: 'freeze' | 'thaw'): Promise<void> {
  await runCommand(service, merchantCommands, 'merchants', command, merchant.merchantId);
  await eventually(SOON_MS, async () => expect((await merchant.read()).isFrozen).toBe(command === 'freeze'));
}

test('a frozen merchant gets nothing new and pays nothing out, its reads go on, and thawing ends that', async () => {
  const orders = orderCalls(service, merchant);
  const cashouts = cashoutCalls(service, merchant);
  const network = await service.network();
  const [till, counter] = [networkOrderCalls(service, network), networkCalls(service, network)];
  const created = (await orders.create({ order: 'A-1' })).data as Record<string, string>;
  const [idorder, reference] = [created['SVordenID'], created['Referencia']];
  const held = (await cashouts.register(cashouts.registration({ operation: 'W-1', document: '501' }))).data;
  const waiting = (await cashouts.register(cashouts.registration({ operation: 'W-2', document: '502' }))).data;
  const found = (await counter.lookUp(held['otp'], '501')).data['idoperation'];
  const paidId = (await orders.create({ order: 'A-0' })).data['SVordenID'];
  const paid = await till.pay(paidId, 'T-0');
  expect(paid.code).toBe('0000');

  await set('freeze');
  expect(await orders.create({ order: 'A-2' })).toMatchObject({ code: '0025', text: expect.stringContaining('congelado') });
  // Its settings decide of these, so it is proved before they are judged.
  expect(await orders.create({ order: 'A-3', amount: '0' })).toMatchObject({ code: '0025', text: expect.stringContaining('congelado') });
  expect(await orders.update({ order: 'A-1', email: '' })).toMatchObject({ code: '0025', text: expect.stringContaining('congelado') });
  expect(await orders.update({ order: 'A-1', amount: '100' })).toMatchObject({ code: '0025' });
  expect(await orders.cancel('A-1')).toMatchObject({ code: '0025' });
  expect(await cashouts.register(cashouts.registration({ operation: 'W-3' }))).toMatchObject({
    code: '0009',
    text: expect.stringContaining('congelado'),
  });
  expect(await cashouts.cancel('W-2', '502')).toMatchObject({ text: expect.stringContaining('congelado') });
  expect(await cashouts.renew('W-2', '502')).toMatchObject({ text: expect.stringContaining('congelado') });
  expect(await till.lookUp(reference)).toMatchObject({ code: '0001' });
  expect(await till.pay(idorder, 'T-1')).toMatchObject({ code: '0041' });
  expect(await counter.pay(found, 'C-1')).toMatchObject({ code: '0013' });
  expect(await counter.lookUp(waiting['otp'], '502')).toMatchObject({ code: '0013' });

  expect(await orders.query('A-1')).toMatchObject({ code: '0000', data: { STATE: 'PENDIENTE' } });
  expect(await orders.history('A-1')).toMatchObject({ code: '0000' });
  expect(await cashouts.query('W-2', '502')).toMatchObject({ code: '0000' });
  expect(await cashouts.balance()).toBeDefined();
  expect(await till.pay(paidId, 'T-0')).toEqual(paid);

  await set('thaw');
  expect(await till.pay(idorder, 'T-1')).toMatchObject({ code: '0000' });
  expect(await counter.pay(found, 'C-1')).toMatchObject({ code: '0000' });
  expect(await orders.create({ order: 'A-2' })).toMatchObject({ code: '0000' });
  // What was refused was not held: it is collected wherever its person goes first.
  expect(await networkCalls(service, await service.network()).lookUp(waiting['otp'], '502')).toMatchObject({ code: '0000' });
});
