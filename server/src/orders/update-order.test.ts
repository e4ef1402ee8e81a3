import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { isRefusal } from '../kit/outcome.ts';
import { disableMerchant, rotateHash } from '../merchants/change-merchant.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';

// The clock stands at 2026-11-21, 10:00 in Bogota.
let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;
let count = 0;
const newId = (): string => `U-${++count}`;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
});
afterAll(() => service.close());

async function created(fields: Record<string, unknown> = {}, calls = shop): Promise<string> {
  const order = newId();
  expect(await calls.create({ order, ...fields })).toMatchObject({ code: '0000', etag: '"1"' });
  return order;
}

const ROW = statement(
  'test.order_row',
  `select o.xmin::text as xmin, o.ctid::text as ctid, o.version, (select count(*) from order_history h where h.merchant_id = o.merchant_id and h.order_id = o.order_id) as events
     from orders o where merchant_id = $1 and order_id = $2`,
);
const rowOf = async (order: string): Promise<unknown> => (await service.db.query(ROW, [merchant.merchantId, order]))[0];

describe('an update', () => {
  test('answers with the order as it is then, all in texts', async () => {
    const order = await created({ reference: '900100' });
    const answer = await shop.update({ order, amount: 45000.5, description: 'Books' });
    expect(answer).toMatchObject({ status: 200, code: '0000', text: 'OK', etag: '"2"' });
    expect(Object.keys(answer.data)).toEqual(['OrdenID', 'Monto', 'SVordenID', 'Referencia', 'Operacion', 'checkout']);
    expect(answer.data).toEqual({
      OrdenID: order,
      Monto: '45000.5',
      SVordenID: expect.stringMatching(/^[0-9]+$/) as string,
      Referencia: '900100',
      Operacion: 'ACTUALIZADO',
      checkout: expect.stringMatching(/^https:\/\/pay\.example\/checkout\?token=[\w-]+\.[\w-]+\.[\w-]+$/) as string,
    });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    expect((await shop.query(order)).data).toMatchObject({ AMOUNT: '45000.50', DESCRIPTION: 'Books' });
  });

  test.each([
    ['email', { email: 'luz@example.co' }, { EMAIL: 'luz@example.co' }],
    ['money', { money: 'USD', amount: '12.50' }, { CURRENCY: 'USD', AMOUNT: '12.50' }],
    ['reference', { reference: 12345678901234567890n.toString() }, { REFERENCE: '12345678901234567890' }],
    ['description', { description: 'ñandú 🦤' }, { DESCRIPTION: 'ñandú 🦤' }],
    ['method', { method: 'EFECTY' }, { PAYMNENT_METHOD: 'EFECTY' }],
    ['expiration', { expiration: '21/12/2026' }, { LIFE_TIME: '734h' }],
    ['recurrent', { recurrent: 'true' }, { LIFE_TIME: '' }],
  ])('changes %s', async (_field, fields, shown) => {
    const order = await created({ expiration: '01/12/2026' });
    expect(await shop.update({ order, ...fields })).toMatchObject({ code: '0000', etag: '"2"' });
    expect((await shop.query(order)).data).toMatchObject(shown);
  });

  test('leaves what is not given, null included, and clears what is given empty', async () => {
    const given = {
      description: 'Books',
      method: 'EFECTY',
      language: 'pt',
      iva: 19,
      user_di: 1020304050,
      user_type_di: 'CC',
      user_name: 'Ana',
      redirect_timeout: '300000',
      reference: '7001',
    };
    const order = await created(given);
    const nulls = Object.fromEntries(Object.keys(given).map((field) => [field, null]));
    expect(await shop.update({ order, ...nulls })).toMatchObject({ code: '0000', etag: '"1"' });
    const empty = Object.fromEntries(Object.keys(given).map((field) => [field, '']));
    expect(await shop.update({ order, ...empty, expiration: '' })).toMatchObject({
      code: '0000',
      etag: '"2"',
      data: { Referencia: '7001' },
    });
    const { HISTORY } = (await shop.history(order)).data as unknown as { HISTORY: { CHANGES: object }[] };
    expect(HISTORY[1]?.CHANGES).toEqual({
      description: { from: 'Books', to: null },
      method: { from: 'EFECTY', to: '' },
      iva: { from: '19', to: null },
      user_di: { from: '1020304050', to: null },
      user_type_di: { from: 'CC', to: null },
      user_name: { from: 'Ana', to: null },
      redirect_timeout: { from: '300000', to: null },
    });
  });

  test('writes nothing where nothing differs by value', async () => {
    const order = await created({
      amount: 45000,
      iva: '19',
      expiration: '01/12/2026',
      description: 'Books',
      user_di: 5,
      recurrent: 0,
      redirect_timeout: '0300',
    });
    const before = await rowOf(order);
    for (const same of [
      { amount: '45000.0' },
      { amount: '45000.00', iva: '19.00' },
      {
        amount: '0045000',
        iva: 19,
        expiration: '01/12/2026',
        description: 'Books',
        user_di: '5',
        recurrent: false,
        redirect_timeout: 300,
        method: '',
      },
    ]) {
      expect(await shop.update({ order, ...same })).toMatchObject({
        code: '0000',
        etag: '"1"',
        data: { Operacion: 'ACTUALIZADO', Monto: '45000.0' },
      });
    }
    expect(await rowOf(order)).toEqual(before);
    await shop.update({ order, amount: '45000.01' });
    expect(await rowOf(order)).not.toEqual(before);
    expect(await rowOf(order)).toMatchObject({ version: 2, events: 2n });
  });

  test('stays editable by an id of 200 characters', async () => {
    const order = 'x'.repeat(200);
    await shop.create({ order });
    expect(await shop.update({ order, description: 'long' })).toMatchObject({ code: '0000', etag: '"2"' });
  });

  test('keeps an expiration that is stored already, however far it is', async () => {
    const order = await created({ expiration: '22/12/2026' }); // 31 days: the allowance of a creation
    expect(await shop.update({ order, expiration: '22/12/2026', description: 'x' })).toMatchObject({ code: '0000' });
    expect(await shop.update({ order, expiration: '21/12/2026' })).toMatchObject({ code: '0000' });
    expect(await shop.update({ order, expiration: '22/12/2026' })).toMatchObject({ code: '0032' });
  });
});

describe('a field', () => {
  const cases: Record<string, { good: readonly unknown[]; bad: readonly (readonly [unknown, string])[] }> = {
    email: {
      good: ['a@b.co', 'ñandú@exämple.com', `${'a'.repeat(95)}@b.co`, 'x+y@mail.example.museum', '"q"@b.co'],
      bad: [
        ['', '0011'],
        ['ab.co', '0011'],
        ['a@b', '0011'],
        ['a@@b.co', '0011'],
        ['a@b.c0', '0011'],
        ['a b@c.co', '0011'],
        ['a@b.co\n', '0011'],
        [`${'a'.repeat(96)}@b.co`, '0011'],
        [5, '0011'],
        [null, '0011'],
      ],
    },
    country: {
      good: ['343', 343, '170', 170],
      bad: [
        ['34', '0022'],
        ['3430', '0022'],
        ['999', '0022'],
        [-43, '0022'],
        ['345', '0022'],
        ['', '0022'],
        [true, '0011'],
        [null, '0011'],
      ],
    },
    order: {
      good: [],
      bad: [
        ['a b', '0011'],
        ['', '0011'],
        ['x'.repeat(201), '0011'],
        ['a/b', '0011'],
        [1.5, '0011'],
        [['A'], '0011'],
        [null, '0011'],
      ],
    },
    money: {
      good: ['COP', 'USD'],
      bad: [
        ['cop', '0023'],
        ['XTS', '0023'],
        ['CO', '0023'],
        ['', '0023'],
        ['PESO', '0023'],
        [5, '0011'],
        [null, '0011'],
        ['EUR', '0026'],
      ],
    },
    amount: {
      good: ['1', 1, '0.01', '9999999999999.99', '00001.50', '12.3400000'],
      bad: [
        ['0', '0021'],
        ['0.00', '0021'],
        ['-1', '0021'],
        ['+1', '0021'],
        ['1e4', '0021'],
        ['1,000', '0021'],
        ['1.', '0021'],
        ['.5', '0021'],
        ['', '0021'],
        [' 1', '0021'],
        ['1.234', '0021'],
        ['10000000000000', '0021'],
        ['1'.repeat(60), '0021'],
        [{}, '0011'],
        [true, '0011'],
        [null, '0011'],
      ],
    },
    checksum: {
      good: [],
      bad: [
        ['', '0025'],
        ['zz', '0025'],
        ['0'.repeat(128), '0025'],
        ['0'.repeat(512), '0025'],
        ['0'.repeat(513), '0011'],
        [5, '0011'],
        [null, '0011'],
      ],
    },
    merchant: {
      good: [],
      bad: [
        ['', '0017'],
        [null, '0017'],
        [5, '0017'],
        ['x'.repeat(51), '0017'],
        ['a b', '0017'],
        ['nobody', '0025'],
      ],
    },
    reference: {
      good: ['', '1', 9001, '9'.repeat(25)],
      bad: [
        ['9'.repeat(26), '0011'],
        ['12a', '0011'],
        ['-5', '0011'],
        [1.5, '0011'],
        [false, '0011'],
      ],
    },
    description: {
      good: ['', '🦤'.repeat(500), 'a"b\\c'],
      bad: [
        ['x'.repeat(501), '0011'],
        ['a\u0000', '0011'],
        ['a\nb', '0011'],
        ['\ud800', '0011'],
        [5, '0011'],
      ],
    },
    method: {
      good: ['', 'PSE', 'x'.repeat(25)],
      bad: [
        ['x'.repeat(26), '0027'],
        ['a\tb', '0027'],
        [5, '0011'],
      ],
    },
    language: {
      good: ['', 'es', 'en', 'pt'],
      bad: [
        ['fr', '0011'],
        ['ES', '0011'],
        ['esp', '0011'],
        [1, '0011'],
      ],
    },
    recurrent: {
      good: [true, false, 'true', 'false', 0, 1],
      bad: [
        ['yes', '0011'],
        [2, '0011'],
        ['', '0011'],
      ],
    },
    expiration: {
      good: ['', '21/11/2026', '21/12/2026'],
      bad: [
        ['2026-12-01', '0031'],
        ['31/02/2026', '0031'],
        ['1/12/2026', '0031'],
        ['01/12/26', '0031'],
        ['01/12/20266', '0031'],
        [20261201, '0011'],
        ['22/12/2026', '0032'],
        ['20/11/2026', '0032'],
      ],
    },
    iva: {
      good: ['', 0, '19', '8.5', 100, '100.0', '99.9999', '019'],
      bad: [
        ['101', '0011'],
        ['100.01', '0011'],
        ['-1', '0011'],
        ['1.23456', '0011'],
        ['1e1', '0011'],
        ['x', '0011'],
        [true, '0011'],
      ],
    },
    user_di: {
      good: ['', 123, 'X-1'],
      bad: [
        ['1'.repeat(21), '0011'],
        [true, '0011'],
        ['a\nb', '0011'],
      ],
    },
    user_type_di: {
      good: ['', 'CC', 1],
      bad: [
        ['1'.repeat(11), '0011'],
        [{}, '0011'],
      ],
    },
    user_name: {
      good: ['', 'Ana', 7],
      bad: [
        ['x'.repeat(101), '0011'],
        [[], '0011'],
      ],
    },
    redirect_timeout: {
      good: ['', '0', 9999999, '300000'],
      bad: [
        ['12345678', '0011'],
        ['-1', '0011'],
        ['1.5', '0011'],
        [true, '0011'],
      ],
    },
  };
  test.each(Object.entries(cases))(
    '%s takes what the contract says and refuses the rest with its own code',
    async (field, { good, bad }) => {
      for (const value of good) {
        // A dear amount in dollars needs no other currency; each value gets an order of its own.
        const order = await created();
        expect([value, (await shop.update({ order, [field]: value })).code]).toEqual([value, '0000']);
        await shop.cancel(order);
      }
      const order = await created();
      for (const [value, code] of bad) {
        const answer = await shop.update({ order, [field]: value });
        expect([value, answer.code]).toEqual([value, code]);
        expect(answer.data).toEqual({});
        if (!['0025', '0026'].includes(code)) expect(answer.text).toContain(field);
      }
      expect(await rowOf(order)).toMatchObject({ version: 1, events: 1n });
    },
  );

  test('that is unknown is ignored, nested or not', async () => {
    const order = await created();
    expect(await shop.update({ order, extra: { deep: [1, { constructing: 2 }] }, UPPER: 1 })).toMatchObject({ code: '0000', etag: '"1"' });
  });

  test('amount has the decimals of its currency', async () => {
    const chile = orderCalls(service, await service.merchant({ country: '152' }));
    const order = await created({ country: '152', money: 'CLP', amount: '1000.00' }, chile);
    expect(await chile.update({ order, country: 152, money: 'CLP', amount: '1000.5' })).toMatchObject({ code: '0021' });
    expect(await chile.update({ order, country: 152, money: 'CLP', amount: '1001' })).toMatchObject({
      code: '0000',
      data: { Monto: '1001.0' },
    });
  });
});

describe('the first refusal that applies is the answer', () => {
  test('along the whole table: each fault together with all later ones', async () => {
    const peru = orderCalls(service, await service.merchant({ country: '348', currencies: ['PEN'] }));
    const terms = { country: '348', money: 'PEN', amount: '10' };
    const open = await created(terms, peru);
    const cancelled = await created(terms, peru);
    await peru.cancel(cancelled);
    await created({ ...terms, reference: '5550001' }, peru);
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
  });
});

describe('the checksum', () => {
  test('covers numbers as they were sent', async () => {
    const order = await created();
    const sign = (amount: string) => checksumOf(['ana@example.com', '343', order, 'COP', amount], merchant.fixedHash);
    const body = (amount: string, signed = amount) =>
      `{"merchant":"${merchant.merchantId}","email":"ana@example.com","country":343,"order":"${order}","money":"COP","amount":${amount},"checksum":"${sign(signed)}"}`;
    expect(await shop.send('PATCH', body('10000.00'))).toMatchObject({ code: '0000', data: { Monto: '10000.0' } });
    expect(await shop.send('PATCH', body('10000.00', '10000'))).toMatchObject({ code: '0025' });
    expect(await shop.send('PATCH', body('10000', '10000.00'))).toMatchObject({ code: '0025' });
    expect(await shop.send('PATCH', body('1e4'))).toMatchObject({ code: '0021' });
    expect(await shop.send('PATCH', body('9999999999999.99'))).toMatchObject({ code: '0000', data: { Monto: '9999999999999.99' } });
  });

  test('passes in upper case and without its leading zeros', async () => {
    const order = await created();
    const values = (amount: number) => ['ana@example.com', '343', order, 'COP', String(amount)];
    let amount = 1;
    while (!checksumOf(values(amount), merchant.fixedHash).startsWith('0')) amount++;
    const right = checksumOf(values(amount), merchant.fixedHash);
    expect(await shop.update({ order, amount, checksum: right.toUpperCase() })).toMatchObject({ code: '0000' });
    expect(await shop.update({ order, amount, checksum: right.replace(/^0+/, '') })).toMatchObject({ code: '0000' });
    expect(await shop.update({ order, amount, checksum: `0${right}` })).toMatchObject({ code: '0025' });
  });

  test('passes under either of two fixed hashes during a rotation, and under the old one no longer after it', async () => {
    const rotating = await service.merchant();
    const rotated = await rotateHash(service, rotating.merchantId, 1);
    if (isRefusal(rotated)) throw new Error(rotated.refusal);
    await eventually(SOON_MS, async () => expect((await rotating.read()).fixedHashes).toHaveLength(2));
    const before = orderCalls(service, rotating);
    const after = orderCalls(service, { ...rotating, fixedHash: rotated.fixedHash });
    const order = await created({}, before);
    expect([(await before.update({ order })).code, (await after.update({ order })).code]).toEqual(['0000', '0000']);
    service.clock.advance({ days: 1 });
    expect([(await before.update({ order })).code, (await after.update({ order })).code]).toEqual(['0025', '0000']);
    service.clock.advance({ days: -1 });
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
    ['with a misshapen label', { 'content-type': ';;' }, ''],
    ['with a byte order mark', { 'content-type': 'application/json' }, '\ufeff'],
  ])('%s is read as JSON', async (_habit, headers, mark) => {
    const order = await created();
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

describe('If-Match', () => {
  test.each([
    ['"2"', '0000'],
    ['*', '0000'],
    ['"1", "2"', '0000'],
    ['W/"9","2"', '0000'],
    ['"1"', '0910'],
    ['W/"2"', '0910'],
    ['"abc"', '0910'],
    ['"02"', '0910'],
    ['2', '0011'],
    ['"2" "3"', '0011'],
    ['"2', '0011'],
    ['', '0011'],
  ])('%s at version 2 gives %s', async (header, code) => {
    const order = await created();
    await shop.update({ order, amount: '46000' });
    const answer = await shop.update({ order, amount: '47000' }, { 'if-match': header });
    expect(answer).toMatchObject({ code, status: code === '0910' ? 412 : 200 });
    if (code === '0910') expect(answer).toMatchObject({ data: {}, etag: '"2"' });
    expect(await rowOf(order)).toMatchObject({ version: code === '0000' ? 3 : 2 });
  });
});
