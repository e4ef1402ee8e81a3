import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerChecks } from '../../ledger/index.ts';
import { openAmountIn } from '../../merchants/index.ts';
import { setOpenAmounts } from '../../merchants/family/set-open-amounts.ts';
import { FAMILY_DIALECT } from '../../requests/index.ts';
import { checksumOf } from '../../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { findings } from '../../testing/findings.ts';
import { manageCalls } from '../../testing/manage-calls.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';

// Orders that leave the amount to their payer: docs/dialect.md.

let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;
let till: ReturnType<typeof networkOrderCalls>;
const LIMITS = { currency: 'COP', least: '1000', most: '500000.00' };

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
  till = networkOrderCalls(service, await service.network());
});
afterAll(async () => {
  expect(await findings(service, [...orderChecks, ...ledgerChecks])).toEqual([]);
  await service.close();
});

const allow = async (...limits: readonly (typeof LIMITS)[]): Promise<void> => {
  await setOpenAmounts(service, merchant.merchantId, limits);
  await eventually(SOON_MS, async () => expect((await merchant.read()).openAmounts).toEqual(limits));
};
type Message = { readonly channel: string; readonly subject?: string; readonly text: string };
const messagesAbout = async (order: string): Promise<readonly Message[]> => {
  const { json } = await service.app.inject(`/sandbox/v1/inbox?merchant=${merchant.merchantId}&about=${order}`);
  return json<{ data: { messages: Message[] } }>().data.messages;
};
const open = async (order: string, fields: object = {}) => {
  const { code, data } = await shop.create({ order, amount: '0', ...fields });
  expect(code).toBe('0000');
  return { idorder: String(data['SVordenID']), reference: String(data['Referencia']), checkout: String(data['checkout']) };
};

const officeOrder = (amount: string) => ({
  merchant: merchant.merchantId,
  order: 'M-1',
  email: 'ana@example.com',
  amount: { amount, currency: 'COP' },
});

test('the management API creates, opens and fixes them where the merchant has the setting, and nowhere else', async () => {
  await allow();
  const office = await manageCalls(service, { name: 'office' });
  expect((await office.send('POST', '/orders', officeOrder('0'))).problem).toBe('fields_invalid');
  await allow(LIMITS);
  expect((await office.send('POST', '/orders', officeOrder('0.00'))).body).toMatchObject({ amount: { amount: '0.00', currency: 'COP' } });
  const change = (amount: string) =>
    office.send('PATCH', `/orders/${merchant.merchantId}/M-1`, { amount: { amount, currency: 'COP' } }, { 'if-match': '*' });
  expect((await change('2500')).body).toMatchObject({ amount: { amount: '2500.00' } });
  expect((await change('0')).body).toMatchObject({ amount: { amount: '0.00' } });
  expect((await shop.query('M-1')).data).toMatchObject({ AMOUNT: '0.00' });
});

describe('without the setting', () => {
  test.each(['0', 0, '0.00', '0.0000'])('the amount %j is refused, also in an update and by an unproved caller', async (amount) => {
    await allow();
    await shop.create({ order: 'N-1' });
    expect(await shop.create({ order: 'N-2', amount })).toMatchObject({ code: '0021' });
    expect(await shop.update({ order: 'N-1', amount })).toMatchObject({ code: '0021' });
    expect(await shop.create({ order: 'N-2', amount, checksum: 'ab' })).toMatchObject({ code: '0021' });
  });

  test('a shop plugin gets no open amount either', async () => {
    const family = await service.openAnother({ dialect: FAMILY_DIALECT });
    const email = 'ana@example.com';
    const body = { merchant: merchant.merchantId, email, order: 'N-3', amount: '0' };
    const payload = JSON.stringify({ ...body, checksum: checksumOf([email, 'N-3', '0'], merchant.fixedHash) });
    const sent = async () => (await family.app.inject({ method: 'POST', url: '/api/v3/wporders', payload })).json<{ CODE: string }>().CODE;
    try {
      expect(await sent()).toBe('0021');
      await allow(LIMITS);
      await eventually(SOON_MS, async () => expect(await sent()).toBe('0000'));
    } finally {
      await family.close();
    }
  });
});

describe('with the setting', () => {
  test('the payer chooses at the network, between the limits; what was paid is what is notified', async () => {
    await allow(LIMITS);
    const { idorder, reference, checkout } = await open('P-1');
    expect((await till.lookUp(reference)).data).toMatchObject({ Monto: '0.0', MontoMinimo: '1000.0', MontoMaximo: '500000.0' });
    for (const amount of ['999.99', '500000.01', '1']) expect(await till.pay(idorder, 'T-1', amount)).toMatchObject({ code: '0905' });
    expect(await till.pay(idorder, 'T-1', '1000', { money: 'USD' })).toMatchObject({ code: '0905' });
    expect(await till.pay(idorder, 'T-1', '73500.50')).toMatchObject({ code: '0000', data: { Monto: '73500.5' } });
    expect(await till.pay(idorder, 'T-1', '73500.5')).toMatchObject({ code: '0000' });
    expect(await till.pay(idorder, 'T-1', '73500')).toMatchObject({ code: '0016' });
    expect(await shop.query('P-1')).toMatchObject({ data: { STATE: 'APROBADA', AMOUNT: '73500.50' } });
    const messages = await messagesAbout('P-1');
    const notice = messages.find(({ channel }) => channel === 'notice');
    expect(JSON.parse(notice?.text ?? '')).toMatchObject({ status: 'approved', amount: '73500.5' });
    const mails = messages.filter(({ channel }) => channel === 'mail').map(({ text }) => text.replaceAll(/\s/g, ' '));
    expect(mails.filter((text) => text.includes('73.500,50'))).toHaveLength(1);
    expect(mails.filter((text) => text.includes('el valor que usted elija'))).toHaveLength(1);
    expect((await service.app.inject(`/checkout?token=${checkout.split('=')[1]}`)).body).toContain('73.500,50');
  });

  test('a payment given back keeps the amount that was paid', async () => {
    const { idorder } = await open('P-2');
    expect(await till.pay(idorder, 'T-2', '500000'), 'the limit itself').toMatchObject({ code: '0000' });
    expect(await till.reverse(idorder, 'T-2')).toMatchObject({ code: '0000', data: { Monto: '500000.0' } });
    expect(await shop.query('P-2')).toMatchObject({ data: { STATE: 'ANULADA', AMOUNT: '500000.00' } });
  });

  test('each payment of a recurrent order has an amount of its own, and the order stays open', async () => {
    const { idorder } = await open('P-3', { recurrent: true });
    for (const [transaction, amount] of [
      ['T-3', '2000.0'],
      ['T-4', '3000.0'],
    ] as const)
      expect(await till.pay(idorder, transaction, amount)).toMatchObject({ code: '0000', data: { Monto: amount } });
    expect(await shop.query('P-3')).toMatchObject({ data: { STATE: 'PENDIENTE', AMOUNT: '0.00' } });
    const told = (await messagesAbout('P-3')).map(({ text }) => text.replaceAll(/\s/g, ' ')).join('\n');
    expect(told).toContain('"amount":"2000.0"');
    expect(told).toContain('3.000');
  });

  test('the page asks for the amount, says the limits, and pays what was typed', async () => {
    const { checkout } = await open('P-4', { language: 'en' });
    const url = `/checkout?token=${checkout.split('=')[1]}`;
    const page = (await service.app.inject(url)).body.replaceAll(/\s+/g, ' ');
    expect(page).toMatch(/You choose the amount.*Pay the amount that you choose, from \$1,000 to \$500,000\./);
    expect(page).toMatch(/<input name="amount" inputmode="decimal" required value="1,000"/);
    const send = async (amount: string) =>
      (await service.app.inject({ method: 'POST', url, payload: `version=1&money=COP&language=en&amount=${encodeURIComponent(amount)}` }))
        .statusCode;
    for (const wrong of ['999', '500001', '']) expect(await send(wrong)).toBe(409);
    for (const unclear of ['0', 'abc', '50.000', '50,00', '1,000.000']) expect(await send(unclear)).toBe(422);
    expect(await send('$ 1,000.00')).toBe(303);
    expect(await shop.query('P-4')).toMatchObject({ data: { STATE: 'APROBADA', AMOUNT: '1000.00' } });
  });

  test('on a Spanish page fifty thousand is 50.000, and what is not written so is refused in Spanish', async () => {
    const { checkout } = await open('P-4-es', { language: 'es' });
    const url = `/checkout?token=${checkout.split('=')[1]}`;
    const send = (amount: string) =>
      service.app.inject({ method: 'POST', url, payload: `version=1&money=COP&language=es&amount=${amount}` });
    for (const unclear of ['50,000', '50.00']) {
      const { statusCode, body } = await send(unclear);
      expect([statusCode, body]).toEqual([422, expect.stringContaining('No es claro qué monto')]);
    }
    expect((await send('50.000')).statusCode).toBe(303);
    expect(await shop.query('P-4-es')).toMatchObject({ data: { AMOUNT: '50000.00' } });
  });

  test('an update opens an amount, fixes it, and re-sends it; the limits of today hold', async () => {
    const { idorder, checkout } = await open('P-5');
    expect(await shop.update({ order: 'P-5', amount: '0.00' })).toMatchObject({ code: '0000', etag: '"1"' });
    expect(await shop.update({ order: 'P-5', amount: '45000' })).toMatchObject({ code: '0000', data: { Monto: '45000.0' } });
    expect(await till.pay(idorder, 'T-5', '44000')).toMatchObject({ code: '0905' });
    expect(await shop.update({ order: 'P-5', amount: '0' })).toMatchObject({ code: '0000', data: { Monto: '0.0' } });
    await allow({ ...LIMITS, least: '50000' });
    expect(await till.pay(idorder, 'T-5', '49999')).toMatchObject({ code: '0905' });
    await allow();
    expect((await service.app.inject(`/checkout?token=${checkout.split('=')[1]}`)).body).not.toMatch(/<form|class="steps"/);
    expect(await till.pay(idorder, 'T-5', '50000')).toMatchObject({ code: '0905' });
    await allow(LIMITS);
    expect(await till.pay(idorder, 'T-5', '50000')).toMatchObject({ code: '0000' });
  });

  test('it holds for its currency alone', async () => {
    await allow(LIMITS);
    expect(await shop.create({ order: 'P-6', amount: '0', money: 'USD' })).toMatchObject({ code: '0021' });
    expect(openAmountIn(await merchant.read(), 'USD')).toBeUndefined();
  });
});
