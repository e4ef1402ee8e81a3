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

describe('an update', () => {
  test('answers with the order as it is then, all in texts', async () => {
    const order = await shop.newOrder({ reference: '900100' });
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
    const order = await shop.newOrder({ expiration: '01/12/2026' });
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
    const order = await shop.newOrder(given);
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
    const order = await shop.newOrder({
      amount: 45000,
      iva: '19',
      expiration: '01/12/2026',
      description: 'Books',
      user_di: 5,
      recurrent: 0,
      redirect_timeout: '0300',
    });
    const before = await readOrderRow(service, merchant, order);
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
    expect(await readOrderRow(service, merchant, order)).toEqual(before);
    await shop.update({ order, amount: '45000.01' });
    expect(await readOrderRow(service, merchant, order)).not.toEqual(before);
    expect(await readOrderRow(service, merchant, order)).toMatchObject({ version: 2, events: 2n });
  });

  test('stays editable by an id of 200 characters', async () => {
    const order = 'x'.repeat(200);
    await shop.create({ order });
    expect(await shop.update({ order, description: 'long' })).toMatchObject({ code: '0000', etag: '"2"' });
  });

  test('keeps an expiration that is stored already, however far it is', async () => {
    const order = await shop.newOrder({ expiration: '22/12/2026' }); // 31 days: the allowance of a creation
    expect(await shop.update({ order, expiration: '22/12/2026', description: 'x' })).toMatchObject({ code: '0000' });
    expect(await shop.update({ order, expiration: '21/12/2026' })).toMatchObject({ code: '0000' });
    expect(await shop.update({ order, expiration: '22/12/2026' })).toMatchObject({ code: '0032' });
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
    const order = await shop.newOrder();
    await shop.update({ order, amount: '46000' });
    const answer = await shop.update({ order, amount: '47000' }, { 'if-match': header });
    expect(answer).toMatchObject({ code, status: code === '0910' ? 412 : 200 });
    if (code === '0910') expect(answer).toMatchObject({ data: {}, etag: '"2"' });
    expect(await readOrderRow(service, merchant, order)).toMatchObject({ version: code === '0000' ? 3 : 2 });
  });
});
