import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import { disableMerchant, hashRotation } from '../merchants/change-merchant.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest, startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
});
afterAll(() => service.close());

describe('the first refusal that applies is the answer', () => {
  test('along the whole table: each fault together with all later ones', async () => {
    const peru = orderCalls(service, await service.merchant({ country: '348', currencies: ['PEN'] }));
    const terms = { country: '348', money: 'PEN', amount: '10' };
    const open = await peru.newOrder(terms);
    const cancelled = await peru.newOrder(terms);
    await peru.cancel(cancelled);
    await peru.newOrder({ ...terms, reference: '5550001' });
    const faults: readonly (readonly [string, Record<string, unknown>, Record<string, string>?])[] = [
      ['0011', { description: 5 }],
      ['0017', { merchant: 'a b' }],
      ['0021', { amount: '1e4' }],
      ['0022', { country: '999' }],
      ['0023', { money: 'XXQ' }],
      ['0027', { method: 'x'.repeat(26) }],
      ['0031', { expiration: '31/02/2026' }],
      ['0025', { checksum: 'ab' }],
      ['0022', { country: '343' }],
      ['0041', { order: cancelled }],
      ['0910', {}, { 'if-match': '"99"' }],
      ['0026', { money: 'EUR' }],
      ['0020', { recurrent: true }],
      ['0032', { expiration: '22/12/2026' }],
      ['0043', { reference: '5550001' }],
    ];
    const seen: string[] = [];
    for (let from = 0; from <= faults.length; from++) {
      const later = faults.slice(from);
      const fields = later
        .toReversed()
        .reduce((all, [, fault]) => ({ ...all, ...fault }), { order: open, ...terms } as Record<string, unknown>);
      const headers = Object.assign({}, ...later.map(([, , header]) => header ?? {})) as Record<string, string>;
      const answer = await peru.update(fields, headers);
      seen.push(answer.code);
      expect(answer.status).toBe(answer.code === '0910' ? 412 : 200);
    }
    expect(seen).toEqual([...faults.map(([code]) => code), '0000']);
  });

  test('a header that cannot be read is content', async () => {
    const malformed = { 'if-match': '1' };
    expect(await shop.update({ amount: '-1', merchant: '' }, malformed)).toMatchObject({
      code: '0011',
      text: expect.stringContaining('If-Match') as string,
    });
    expect(await shop.update({ description: 5 }, malformed)).toMatchObject({
      code: '0011',
      text: expect.stringContaining('description') as string,
    });
  });

  test('content before merchant: a missing field with a missing merchant', async () => {
    expect(await shop.update({ merchant: null, amount: null })).toMatchObject({ code: '0011' });
  });

  test('speaks the language of the request, then of the merchant that proved itself, then Spanish', async () => {
    const brazil = orderCalls(service, await service.merchant({ country: '076' }));
    expect((await shop.update({ order: 'none', language: 'en' })).text).toMatch(/does not exist/);
    expect((await shop.update({ amount: '-1', language: 'pt' })).text).toMatch(/^amount não é válido/);
    expect((await brazil.update({ order: 'none', country: '076', money: 'BRL' })).text).toMatch(/não existe/);
    expect((await brazil.update({ order: 'none', country: '076', money: 'BRL', checksum: 'ab' })).text).toMatch(/El comercio no existe/);
    expect((await shop.update({ email: 'x', language: 'fr' })).text).toMatch(/^email no es válido/);
    // Libraries of HTTP send what nobody asked them for.
    expect((await shop.update({ email: 'x' }, { 'accept-language': 'en' })).text).toMatch(/^email no es válido/);
  });
});

describe('the checksum', () => {
  test('covers numbers as they were sent', async () => {
    const order = await shop.newOrder();
    const sign = (amount: string) => checksumOf(['ana@example.com', '343', order, 'COP', amount], merchant.fixedHash);
    const body = (amount: string, signed = amount) =>
      `{"merchant":"${merchant.merchantId}","email":"ana@example.com","country":343,"order":"${order}","money":"COP","amount":${amount},"checksum":"${sign(signed)}"}`;
    expect(await shop.send('PATCH', body('10000.00'))).toMatchObject({ code: '0000', data: { Monto: '10000.0' } });
    expect(await shop.send('PATCH', body('10000.00', '10000'))).toMatchObject({ code: '0025' });
    expect(await shop.send('PATCH', body('10000', '10000.00'))).toMatchObject({ code: '0025' });
    expect(await shop.send('PATCH', body('1e4'))).toMatchObject({ code: '0021' });
    expect(await shop.send('PATCH', body('9999999999999.99'))).toMatchObject({ code: '0000', data: { Monto: '9999999999999.99' } });
    // The sign of a number counts: it is another amount, and none.
    for (const amount of ['-45000', '-0', '-45000.0']) {
      const answer = await shop.send('PATCH', body(amount));
      expect([amount, answer.code]).toEqual([amount, '0021']);
    }
    expect((await shop.send('PATCH', body('-45000', '45000'))).code).toBe('0021');
  });

  test('passes in upper case and without its leading zeros', async () => {
    const order = await shop.newOrder();
    const values = (amount: number) => ['ana@example.com', '343', order, 'COP', String(amount)];
    let amount = 1;
    while (!checksumOf(values(amount), merchant.fixedHash).startsWith('0')) amount++;
    const right = checksumOf(values(amount), merchant.fixedHash);
    expect(await shop.update({ order, amount, checksum: right.toUpperCase() })).toMatchObject({ code: '0000' });
    expect(await shop.update({ order, amount, checksum: right.replace(/^0+/, '') })).toMatchObject({ code: '0000' });
    expect(await shop.update({ order, amount, checksum: `0${right}` })).toMatchObject({ code: '0025' });
  });

  test('passes under either of two fixed hashes during a rotation, and under the new one alone after it', async () => {
    const own = await startCaudalForTest();
    const rotating = await own.merchant();
    const rotated = await own.db.transaction(hashRotation(own, rotating.merchantId, 1));
    if (isRefusal(rotated)) throw new Error(rotated.refusal);
    await eventually(SOON_MS, async () => expect((await rotating.read()).fixedHashes).toHaveLength(2));
    const before = orderCalls(own, rotating);
    const after = orderCalls(own, { ...rotating, fixedHash: rotated.fixedHash });
    const order = await before.newOrder();
    expect([(await before.update({ order })).code, (await after.update({ order })).code]).toEqual(['0000', '0000']);
    own.clock.advance({ days: 1 });
    expect([(await before.update({ order })).code, (await after.update({ order })).code]).toEqual(['0025', '0000']);
  });

  test('says the same of an unknown, a disabled and a wrongly signed merchant', async () => {
    const disabled = await service.merchant();
    await disableMerchant(service, disabled.merchantId);
    await eventually(SOON_MS, async () => expect((await disabled.read()).isDisabled).toBe(true));
    const unknown = orderCalls(service, { ...merchant, merchantId: 'nobody' });
    const texts = [await unknown.update({}), await shop.update({ checksum: 'ab' }), await orderCalls(service, disabled).update({})];
    expect(new Set(texts.map(({ code, text, etag }) => `${code} ${text} ${etag}`)).size).toBe(1);
    expect(texts[0]).toMatchObject({ code: '0025' });
  });
});

const habits = (order: string) => JSON.stringify(shop.signed({ order, description: 'habit' }));

describe('a body', () => {
  test.each([
    ['labelled as a form', { 'content-type': 'application/x-www-form-urlencoded' }, ''],
    ['without a label', {}, ''],
    ['with a malformed label', { 'content-type': ';;' }, ''],
    ['with a byte order mark', { 'content-type': 'application/json' }, '\ufeff'],
  ])('%s is read as JSON', async (_habit, headers, mark) => {
    const order = await shop.newOrder();
    expect(await shop.send('PATCH', mark + habits(order), headers as Record<string, string>)).toMatchObject({ code: '0000', etag: '"2"' });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"merchant":'],
    ['an array', '[]'],
    ['a text', '"x"'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a key twice', '{"order":"A","order":"B"}'],
    ['a forbidden key', '{"__proto__":{}}'],
    ['too deep a nesting', `{"a":${'['.repeat(101)}${']'.repeat(101)}}`],
  ])('of %s is refused as content', async (_kind, body) => {
    expect(await shop.send('PATCH', body)).toMatchObject({ status: 200, code: '0011', data: {} });
  });
});
