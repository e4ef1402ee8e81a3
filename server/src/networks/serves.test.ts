import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { ALL_COUNTRIES } from '../merchants/index.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { networkCalls, networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { setServed, type CreatedNetwork } from './index.ts';

const PERU = { country: '348', money: 'PEN' };
const REFUSED = statement('test.refused_payments', 'select refusal from refused_payments where source = $1');

let service: TestCaudal;
let peruvian: TestMerchant;
let colombian: TestMerchant;
let inColombia: CreatedNetwork;
let inSoles: CreatedNetwork;
beforeAll(async () => {
  service = await startTestCaudal();
  peruvian = await service.merchant({ country: '604' });
  colombian = await service.merchant();
  inColombia = await service.network({ name: 'Efectivo Ya', countries: ['170'] });
  inSoles = await service.network({ name: 'Caja Andina', countries: ['343', '348'], currencies: ['COP', 'PEN'] });
});
afterAll(() => service.close());

let count = 0;
async function peruvianOrder(money = 'PEN'): Promise<{ readonly idorder: string; readonly reference: string; readonly checkout: string }> {
  const { data } = await orderCalls(service, peruvian).create({ ...PERU, money, order: `P-${++count}` });
  return { idorder: String(data['SVordenID']), reference: String(data['Referencia']), checkout: String(data['checkout']) };
}

const pageOf = async (checkout: string): Promise<string> => (await service.app.inject(checkout.replace('https://pay.example', ''))).body;

test('the checkout page sends a payer only to networks of the merchant’s country and the order’s currency', async () => {
  const page = await pageOf((await peruvianOrder()).checkout);
  expect(page).toContain('Caja Andina');
  expect(page).not.toContain('Efectivo Ya');
  const inDollars = await pageOf((await peruvianOrder('USD')).checkout);
  expect(inDollars).not.toMatch(/Caja Andina|Efectivo Ya/);
  expect(inDollars).toContain('un punto de recaudo autorizado');
});

test('a network finds and pays only orders that it serves, and what it wanted to pay is kept for the operator', async () => {
  const { idorder, reference } = await peruvianOrder();
  const abroad = networkOrderCalls(service, inColombia);
  expect(await abroad.lookUp(reference)).toMatchObject({ code: '0010', data: {} });
  expect(await abroad.pay(idorder, 'T-1', '45000.0', { money: 'PEN' })).toMatchObject({ code: '0010', data: {} });
  expect(await service.db.query(REFUSED, [`network:${inColombia.netname}`])).toEqual([{ refusal: 'order_not_served' }]);

  const inDollars = await peruvianOrder('USD');
  const soles = networkOrderCalls(service, inSoles);
  expect((await soles.lookUp(inDollars.reference)).code).toBe('0010');
  expect((await soles.pay(inDollars.idorder, 'T-1', '45000.0', { money: 'USD' })).code).toBe('0010');
  expect((await soles.lookUp(reference)).code).toBe('0000');
  expect((await soles.pay(idorder, 'T-1', '45000.0', { money: 'PEN' })).code).toBe('0000');
});

test('a network finds and pays only cashouts that it serves', async () => {
  const shop = cashoutCalls(service, peruvian);
  const { data } = await shop.register(shop.registration({ operation: 'W-1', currency: 'PEN', document: '10203040' }));
  expect((await networkCalls(service, inColombia).lookUp(data['otp'], '10203040')).code).toBe('0010');
  const soles = networkCalls(service, inSoles);
  const { idoperation } = (await soles.lookUp(data['otp'], '10203040')).data;
  await serve(inSoles, ['343']);
  expect((await soles.pay(idoperation, 'T-1')).code).toBe('0010');
  await serve(inSoles, ['343', '348']);
  expect((await soles.pay(idoperation, 'T-1')).code).toBe('0000');
  await serve(inSoles, ['343']);
  expect((await soles.pay(idoperation, 'T-1')).code, 'the same payment has the same answer').toBe('0000');
  expect((await soles.reverse(idoperation, 'T-1')).code).toBe('0000');
});

test('what a network paid before stays paid, and can be reversed in its time', async () => {
  const { idorder } = await peruvianOrder();
  await serve(inSoles, ['348']);
  const soles = networkOrderCalls(service, inSoles);
  const paid = await soles.pay(idorder, 'T-2', '45000.0', { money: 'PEN' });
  expect(paid.code).toBe('0000');
  await serve(inSoles, ['343']);
  expect(await soles.pay(idorder, 'T-2', '45000.0', { money: 'PEN' })).toEqual(paid);
  expect((await soles.reverse(idorder, 'T-2')).code).toBe('0000');
});

test('a network that is created without countries serves all of them', async () => {
  const everywhere = await service.network({ name: 'Cobra Todo' });
  await eventually(SOON_MS, async () =>
    expect(await service.networks.find(everywhere.netname)).toMatchObject({ countries: ALL_COUNTRIES }),
  );
  const { idorder, checkout } = await peruvianOrder();
  expect(await pageOf(checkout)).toContain('Cobra Todo');
  expect((await networkOrderCalls(service, everywhere).pay(idorder, 'T-1', '45000.0', { money: 'PEN' })).code).toBe('0000');
  const { data } = await orderCalls(service, colombian).create({ order: 'C-1' });
  expect((await networkOrderCalls(service, everywhere).lookUp(data['Referencia'])).code).toBe('0000');
});

async function serve({ netname }: CreatedNetwork, countries: readonly string[]): Promise<void> {
  await setServed({ db: service.db }, netname, { countries });
  await eventually(SOON_MS, async () => expect(await service.networks.find(netname)).toMatchObject({ countries }));
}
