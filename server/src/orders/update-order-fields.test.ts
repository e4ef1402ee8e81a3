import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderCalls, readOrderRow, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';

// The clock says 2026-11-21, 10:00 in Bogota.
let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
});
afterAll(() => service.close());

/** A refused value, and its code. */
type Bad = readonly [value: unknown, code: string];

const FIELDS: Readonly<Record<string, { readonly good: readonly unknown[]; readonly bad: readonly Bad[] }>> = {
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

describe('a field', () => {
  test.each(Object.entries(FIELDS))(
    '%s takes what the contract says and refuses the rest with its own code',
    async (field, { good, bad }) => {
      for (const value of good) {
        // A dear amount in dollars needs no other currency; each value gets an order of its own.
        const order = await shop.newOrder();
        expect([value, (await shop.update({ order, [field]: value })).code]).toEqual([value, '0000']);
        await shop.cancel(order);
      }
      const order = await shop.newOrder();
      for (const [value, code] of bad) {
        const answer = await shop.update({ order, [field]: value });
        expect([value, answer.code]).toEqual([value, code]);
        expect(answer.data).toEqual({});
        if (!['0025', '0026'].includes(code)) expect(answer.text).toContain(field);
      }
      expect(await readOrderRow(service, merchant, order)).toMatchObject({ version: 1, events: 1n });
    },
  );

  test('that is unknown is ignored, nested or not', async () => {
    const order = await shop.newOrder();
    expect(await shop.update({ order, extra: { deep: [1, { constructing: 2 }] }, UPPER: 1 })).toMatchObject({ code: '0000', etag: '"1"' });
  });

  test('amount has the decimals of its currency', async () => {
    const chile = orderCalls(service, await service.merchant({ country: '152' }));
    const order = await chile.newOrder({ country: '152', money: 'CLP', amount: '1000.00' });
    expect(await chile.update({ order, country: 152, money: 'CLP', amount: '1000.5' })).toMatchObject({ code: '0021' });
    expect(await chile.update({ order, country: 152, money: 'CLP', amount: '1001' })).toMatchObject({
      code: '0000',
      data: { Monto: '1001.0' },
    });
  });
});
