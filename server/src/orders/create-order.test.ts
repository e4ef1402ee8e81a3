import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../testing/findings.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { checkDigit, makeReference } from './references/make-reference.ts';
import { orderChecks } from './index.ts';

let service: TestCaudal;
let shop: OrderCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = orderCalls(service, await service.merchant());
});
afterAll(() => service.close());

describe('a creation', () => {
  test('needs no description, expiration or reference', async () => {
    const answer = await shop.create({ order: 'C-1' });
    expect(answer).toMatchObject({
      status: 200,
      code: '0000',
      text: 'OK',
      etag: '"1"',
      data: { OrdenID: 'C-1', Monto: '45000.0', Operacion: 'CREADA' },
    });
    expect(Object.keys(answer.data)).toEqual(['OrdenID', 'Monto', 'SVordenID', 'Referencia', 'Operacion', 'checkout']);
    expect((await shop.query('C-1')).data).toMatchObject({
      STATE: 'PENDIENTE',
      DESCRIPTION: '',
      PAYMNENT_METHOD: '',
      REFERENCE: answer.data['Referencia'],
      LIFE_TIME: '734h',
    });
  });

  test('stores every field that it was given: the history, replayed, is the order', async () => {
    const terms = { description: 'Libros', method: 'PSE', reference: '4712', expiration: '30/11/2026', iva: '19', language: 'en' };
    const payer = { user_di: '1020304050', user_type_di: 'CC', user_name: 'Ana', redirect_timeout: '5000' };
    expect(await shop.create({ order: 'C-ALL', ...terms, ...payer })).toMatchObject({ code: '0000' });
    const { HISTORY } = (await shop.history('C-ALL')).data as unknown as { HISTORY: readonly { CHANGES: object }[] };
    expect(HISTORY.map(({ CHANGES }) => CHANGES)).toEqual([
      expect.objectContaining(Object.fromEntries(Object.entries({ ...terms, ...payer }).map(([field, to]) => [field, { from: null, to }]))),
    ]);
    expect(await findings(service, orderChecks)).toEqual([]);
  });

  test('uses up its id for ever, whatever becomes of the order', async () => {
    await shop.create({ order: 'C-2' });
    expect(await shop.create({ order: 'C-2' })).toMatchObject({ code: '0042', data: {} });
    await shop.cancel('C-2');
    expect(await shop.create({ order: 'C-2' })).toMatchObject({ code: '0042' });
    const other = orderCalls(service, await service.merchant());
    expect(await other.create({ order: 'C-2' })).toMatchObject({ code: '0000' });
  });

  test('of an id twice in one batch happens once', async () => {
    const answers = await Promise.all([
      shop.create({ order: 'C-3', amount: 1 }),
      shop.create({ order: 'C-3', amount: 2 }),
      shop.create({ order: 'C-4' }),
    ]);
    expect(answers.map(({ code }) => code)).toEqual(['0000', '0042', '0000']);
    expect((await shop.query('C-3')).data).toMatchObject({ AMOUNT: '1.00' });
  });

  test.each([
    ['21/11/2026', '0000'],
    ['22/12/2026', '0000'],
    ['23/12/2026', '0032'],
    ['20/11/2026', '0032'],
    ['2026-12-01', '0031'],
  ])('with expiration %s gives %s', async (expiration, code) => {
    expect(await shop.create({ order: `C-${expiration.replaceAll(/[/-]/g, '')}`, expiration })).toMatchObject({ code });
  });

  test('refuses as an update does, with order_exists where that has order_not_open', async () => {
    await shop.create({ order: 'C-5', reference: '42' });
    const faults: readonly (readonly [string, Record<string, unknown>])[] = [
      ['0011', { user_di: true }],
      ['0017', { merchant: '' }],
      ['0021', { amount: 0 }],
      ['0022', { country: 'x' }],
      ['0023', { money: 'cop' }],
      ['0027', { method: '\n' }],
      ['0031', { expiration: '1/1/2027' }],
      ['0025', { checksum: '' }],
      ['0022', { country: '604' }],
      ['0042', { order: 'C-5' }],
      ['0026', { money: 'EUR' }],
      ['0032', { expiration: '23/12/2026' }],
      ['0043', { reference: '42' }],
    ];
    const seen: string[] = [];
    for (let from = 0; from <= faults.length; from++) {
      const fields = faults
        .slice(from)
        .toReversed()
        .reduce<Record<string, unknown>>((all, [, fault]) => ({ ...all, ...fault }), { order: 'C-6' });
      seen.push((await shop.create(fields)).code);
    }
    expect(seen).toEqual([...faults.map(([code]) => code), '0000']);
  });

  test('of a recurrent order is for Colombia only', async () => {
    const peru = orderCalls(service, await service.merchant({ country: '604' }));
    expect(await peru.create({ country: '604', money: 'PEN', recurrent: true })).toMatchObject({ code: '0020' });
    expect(await shop.create({ order: 'C-7', recurrent: true })).toMatchObject({ code: '0000' });
  });

  test('takes a reference that a cancelled order gave up', async () => {
    await shop.create({ order: 'C-8', reference: '4343' });
    expect(await shop.create({ order: 'C-9', reference: '4343' })).toMatchObject({ code: '0043' });
    await shop.cancel('C-8');
    expect(await shop.create({ order: 'C-9', reference: '4343' })).toMatchObject({ code: '0000' });
  });
});

describe('a reference that the service makes', () => {
  test('has twelve digits, the last a Luhn check digit, and no visible order', () => {
    const made = Array.from({ length: 500 }, makeReference);
    for (const reference of made) {
      expect(reference).toMatch(/^[1-9][0-9]{11}$/);
      const sum = Array.from(reference)
        .toReversed()
        .reduce((total, digit, place) => {
          const weighted = place % 2 === 1 ? 2 * Number(digit) : Number(digit);
          return total + (weighted > 9 ? weighted - 9 : weighted);
        }, 0);
      expect(sum % 10).toBe(0);
    }
    expect(new Set(made).size).toBe(made.length);
    expect(made.toSorted()).not.toEqual(made);
  });

  test('knows the example of the standard', () => {
    expect(checkDigit('7992739871')).toBe('3');
  });
});
