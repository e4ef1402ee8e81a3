import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { setNoticeChecksum, setOnOff, setReturnUrl } from '../merchants/change-merchant.ts';
import type { MerchantDirectory } from '../merchants/index.ts';
import { CONTRACT_DIALECT, FAMILY_DIALECT } from '../requests/index.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { manageCalls } from '../testing/manage-calls.ts';
import { networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

// What examples cannot show: pages, messages, and what a setting of one merchant changes. docs/dialect.md has the table.

let contract: TestCaudal;
/** Another server on the same database, which speaks the dialect of the family. */
let family: TestCaudal;
let merchant: TestMerchant;
/** Both servers learn of a change a moment after its commit. */
let directories: readonly Pick<MerchantDirectory, 'find'>[];
let contractShop: OrderCalls;
let shop: OrderCalls;

beforeAll(async () => {
  contract = await startTestCaudal();
  const other = await contract.openAnother({ dialect: FAMILY_DIALECT });
  directories = [other.merchants, { find: () => merchant.read() }];
  family = { ...contract, ...other, clock: contract.clock, close: () => other.close() };
  merchant = await contract.merchant();
  [contractShop, shop] = [orderCalls(contract, merchant), orderCalls(family, merchant)];
});
afterAll(async () => {
  await family.close();
  await contract.close();
});

const allow = async (isOn: boolean) => {
  await setOnOff.emptyEmails(contract, merchant.merchantId, isOn);
  for (const directory of directories)
    await eventually(SOON_MS, async () => expect((await directory.find(merchant.merchantId))?.emptyEmails).toBe(isOn));
};

type Message = { readonly channel: string; readonly kind: string; readonly text: string };
async function messagesAbout(order: string): Promise<readonly Message[]> {
  const { json } = await family.app.inject(`/sandbox/v1/inbox?merchant=${merchant.merchantId}&about=${order}`);
  return json<{ data: { messages: Message[] } }>().data.messages;
}
const tokenOf = (checkout: unknown): string => String(checkout).split('?token=')[1] ?? '';
const pay = (reference: string) =>
  family.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference }) });
const pageOf = async (checkout: unknown): Promise<string> => (await family.app.inject(`/checkout?token=${tokenOf(checkout)}`)).body;

describe('the address of the checkout', () => {
  test('loses its scheme in answers alone: mails, the console and commands keep it', async () => {
    const { data } = await shop.create({ order: 'F-1' });
    expect(data['checkout']).toMatch(/^pay\.example\/checkout\?token=/);
    expect((await messagesAbout('F-1'))[0]?.text).toContain('https://pay.example/checkout?token=');
    const staff = await manageCalls(family, { permissions: ['orders:read'] });
    const whole = expect.stringMatching(/^https:\/\/pay\.example\/checkout\?token=/) as string;
    expect((await staff.get(`/orders/${merchant.merchantId}/F-1`)).body).toMatchObject({ checkoutUrl: whole });
    expect(await pageOf(data['checkout'])).not.toMatch(/["'>\s]pay\.example\//);
  });

  test('is also the root of the server, in the dialect alone', async () => {
    const { data } = await shop.create({ order: 'F-2' });
    const root = `/?token=${tokenOf(data['checkout'])}`;
    expect((await family.app.inject(root)).body).toContain('F-2');
    const paid = await family.app.inject({ method: 'POST', url: root, payload: 'version=1&money=COP&amount=45000.0' });
    expect(paid).toMatchObject({ statusCode: 303 });
    expect((await family.app.inject('/?token=x')).statusCode).toBe(404);
    expect((await contract.app.inject(root)).body).not.toContain('F-2');
    expect((await family.app.inject({ url: '/', headers: { accept: 'text/html', 'accept-language': 'en' } })).body).toContain('A sandbox');
  });
});

test('several prefixes give each key in every answer, with the same text', async () => {
  const network = await contract.network();
  const both = await contract.openAnother({ dialect: { ...CONTRACT_DIALECT, servicePrefixes: ['SV', 'PV'] } });
  onTestFinished(() => both.close());
  const orders = orderCalls({ ...contract, ...both, clock: contract.clock, close: () => both.close() }, merchant);
  const counter = networkOrderCalls({ app: both.app, clock: contract.clock }, network);
  const reference = '700800910';
  const answers: Readonly<Record<string, unknown>>[] = [(await orders.create({ order: 'F-20', reference })).data];
  const [{ SVordenID: id } = {}] = answers;
  answers.push((await orders.update({ order: 'F-20', amount: '45000' })).data, (await counter.lookUp(reference)).data);
  answers.push((await counter.pay(id, 'T-20')).data, (await counter.reverse(id, 'T-20')).data);
  await orders.create({ order: 'F-21' });
  answers.push((await orders.cancel('F-21')).data);
  for (const data of answers) {
    const ending = 'SVOrderID' in data ? 'OrderID' : 'ordenID';
    expect(data[`SV${ending}`], JSON.stringify(data)).toMatch(/^\d+$/);
    expect(data[`PV${ending}`]).toBe(data[`SV${ending}`]);
  }
  expect(answers).toHaveLength(6);
});

describe('an empty e-mail address', () => {
  test('is taken in the dialect, updates too, and no mail is sent', async () => {
    expect(await shop.create({ order: 'F-3', email: '', reference: '700800901' })).toMatchObject({ code: '0000' });
    expect(await shop.update({ order: 'F-3', email: '', amount: '52000' })).toMatchObject({ code: '0000' });
    await pay('700800901');
    expect((await messagesAbout('F-3')).map(({ channel }) => channel)).toEqual(['notice']);
  });

  test('is refused by the contract, and by a merchant that wants none', async () => {
    expect(await contractShop.create({ order: 'F-4', email: '' })).toMatchObject({ code: '0011' });
    expect(await contractShop.create({ order: 'F-4', email: '', checksum: 'ab' })).toMatchObject({ code: '0011' });
    expect(await shop.create({ order: 'F-4', email: '', checksum: 'ab' })).toMatchObject({ code: '0025' });
    await allow(true);
    expect(await contractShop.create({ order: 'F-4', email: '' })).toMatchObject({ code: '0000' });
    await allow(false);
    expect(await shop.create({ order: 'F-5', email: '' })).toMatchObject({ code: '0011' });
  });
});

test('the checksum of a creation makes no order of a shop plugin', async () => {
  const email = 'ana@example.com';
  const send = (order: string, amount: string, text: readonly string[], address = email) =>
    shop.send(
      'POST',
      JSON.stringify({ merchant: merchant.merchantId, email: address, order, amount, checksum: checksumOf(text, merchant.fixedHash) }),
      {},
      '/api/v3/wporders',
    );
  const captured = [email, '343', 'A-9', 'COP', '45000'];
  expect(await send('343A-9COP4', '5000', captured)).toMatchObject({ code: '0025' });
  expect(await send('343A-9COP', '45000', captured)).toMatchObject({ code: '0025' });
  // The end of the address is cut too.
  for (const cut of [1, 2])
    expect(await send(`${email.slice(-cut)}343A-9COP4`, '5000', captured, email.slice(0, -cut))).toMatchObject({ code: '0025' });
  expect(await send('A-9', '45000', [email, 'A-9', '45000'])).toMatchObject({ code: '0000', data: { Monto: '45000.0' } });
});

test('the notice of an expiry says how it was to be paid, in the dialect alone', async () => {
  await shop.create({ order: 'F-6', method: 'PSE', expiration: '21/11/2026' });
  await shop.create({ order: 'F-7', expiration: '21/11/2026' });
  contract.clock.set('2026-11-22T05:00:00Z');
  for (const job of family.jobs.filter(({ name }) => name === 'orders.expire')) await job.step();
  const bodies = await Promise.all(
    ['F-6', 'F-7'].map(async (order) => (await messagesAbout(order)).find(({ channel }) => channel === 'notice')?.text),
  );
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ status: 'cancelled', pv_payment: 'PSE' });
  expect(JSON.parse(bodies[1] ?? '')).not.toHaveProperty('pv_payment');
});

test('a notice has a SHA-512 checksum where its merchant asks for it', async () => {
  await shop.create({ order: 'F-8', reference: '700800902' });
  await setNoticeChecksum(contract, merchant.merchantId, 'sha512');
  await pay('700800902');
  const { text = '' } = (await messagesAbout('F-8')).find(({ channel }) => channel === 'notice') ?? {};
  expect(JSON.parse(text)).toMatchObject({ pv_checksum: checksumOf(['F-8', 'approved'], merchant.noticeHash) });
});

describe('the return URL', () => {
  test('is on the page of a paid order, with a countdown where the order has a time', async () => {
    expect(
      await setReturnUrl({ ...contract, isSandbox: true }, merchant.merchantId, 'https://shop.example/thanks?a=1&b=2'),
    ).toBeUndefined();
    await eventually(SOON_MS, async () => expect((await merchant.read()).returnUrl).not.toBeNull());
    const timed = await shop.create({ order: 'F-9', reference: '700800903', redirect_timeout: '5000', language: 'en' });
    const plain = await shop.create({ order: 'F-10', reference: '700800904' });
    expect(await pageOf(timed.data['checkout'])).not.toContain('shop.example');
    for (const reference of ['700800903', '700800904']) await pay(reference);
    const link = 'id="return" href="https://shop.example/thanks?a=1&amp;b=2"';
    const page = await pageOf(timed.data['checkout']);
    expect(page).toContain(link);
    expect(page).toMatch(/data-return="5000"[^>]*>Back to the shop in 5 s</);
    expect(await pageOf(plain.data['checkout'])).toContain(link);
    expect(await pageOf(plain.data['checkout'])).not.toContain('data-return="');
    contract.clock.advance({ minutes: 2 });
    expect(await pageOf(timed.data['checkout'])).not.toContain('data-return="');
  });

  test.each([
    'javascript:alert(1)',
    'ftp://shop.example',
    'https://a:b@shop.example',
    '//shop.example',
    'shop.example',
    'https:shop.example',
  ])('is not %j', async (url) => {
    expect(await setReturnUrl({ ...contract, isSandbox: true }, merchant.merchantId, url)).toEqual({ refusal: 'return_url_invalid' });
  });

  test('is https in production', async () => {
    expect(await setReturnUrl({ ...contract, isSandbox: false }, merchant.merchantId, 'http://shop.example')).toEqual({
      refusal: 'return_url_invalid',
    });
  });
});
