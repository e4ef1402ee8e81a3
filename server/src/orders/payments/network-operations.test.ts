import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerChecks } from '../../ledger/index.ts';
import { merchantCommands } from '../../merchants/index.ts';
import { networkCommands, type CreatedNetwork } from '../../networks/index.ts';
import { capturePrinted, runCommand } from '../../testing/captured.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { findings } from '../../testing/findings.ts';
import { manageCalls } from '../../testing/manage-calls.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startCaudalForTest, startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let network: CreatedNetwork;
let shop: OrderCalls;
let till: ReturnType<typeof networkOrderCalls>;
let count = 0;
capturePrinted();

beforeEach(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant({ name: 'Demo Books' });
  network = await service.network();
  shop = orderCalls(service, merchant);
  till = networkOrderCalls(service, network);
});
afterEach(async () => {
  expect(await findings(service, [...orderChecks, ...ledgerChecks])).toEqual([]);
  await service.close();
});

/** A new order with the ids by which it is known. */
async function created(fields: Readonly<Record<string, unknown>> = {}): Promise<{ order: string; idorder: string; reference: string }> {
  const order = `D-${++count}`;
  const { data } = await shop.create({ order, ...fields });
  return { order, idorder: data['SVordenID'] as unknown as string, reference: data['Referencia'] as unknown as string };
}
const stateOf = async (order: string): Promise<unknown> => (await shop.query(order)).data['STATE'];

type Refused = { readonly transaction: string; readonly refusal: string; readonly state: string; readonly tries: number };
const refusedOf = (order: string): Promise<Refused[]> =>
  service.db.query<Refused>(
    {
      name: 'test.refused_payments',
      text: 'select transaction_id as transaction, refusal, order_state as state, tries from refused_payments where order_id = $1 order by 1',
    },
    [order],
  );

test('an order is looked up by its reference and shown without a word about its payer', async () => {
  const { order, idorder, reference } = await created({ description: 'Books', user_name: 'Ana', expiration: '30/11/2026' });
  expect(await till.lookUp(reference)).toEqual({
    code: '0000',
    text: 'OK',
    data: {
      OrdenID: order,
      SVordenID: idorder,
      Monto: '45000.0',
      Moneda: 'COP',
      Referencia: reference,
      Comercio: 'Demo Books',
      Descripcion: 'Books',
      Vence: '30/11/2026',
    },
  });
  // The reference of an order that ran out, taken over by another one, is the other one's.
  service.clock.set('2026-12-01T05:00:00Z');
  expect(await till.lookUp(reference)).toMatchObject({ code: '0001', data: {} });
  const next = await created({ reference, recurrent: true });
  expect((await till.lookUp(reference)).data).toMatchObject({ OrdenID: next.order, Vence: '' });
  await service.runJobs();
  expect((await till.lookUp(reference)).data).toMatchObject({ OrdenID: next.order });
  expect(await till.pay(idorder, `late-${order}`)).toMatchObject({ code: '0041' });
});

test('a payment approves the order, frees its reference, and is the same payment when it is sent again', async () => {
  const { order, idorder, reference } = await created();
  const paid = await till.pay(idorder, 'T-1');
  expect(paid).toEqual({
    code: '0000',
    text: 'OK',
    data: {
      OrdenID: order,
      SVordenID: idorder,
      Monto: '45000.0',
      Moneda: 'COP',
      Transaccion: 'T-1',
      Pago: '1',
      Fecha: '2026-11-21 10:00:00',
      Operacion: 'PAGADA',
    },
  });
  service.clock.advance({ seconds: 7 });
  expect(await till.pay(idorder, 'T-1', '45000')).toEqual(paid);
  expect((await shop.query(order)).data).toMatchObject({
    STATE: 'APROBADA',
    TRANSACTION: { ID: 'T-1', SOURCE: network.netname, NUMBER: 1, AMOUNT: '45000.00', DATE: '2026-11-21 10:00:00', STATE: 'APROBADA' },
  });
  expect(await shop.update({ order, amount: 1 })).toMatchObject({ code: '0041' });
  expect(await till.lookUp(reference)).toMatchObject({ code: '0001' });
  expect(await shop.create({ order: `${order}-next`, reference })).toMatchObject({ code: '0000' });
  expect(await refusedOf(order)).toEqual([]);
});

test('a transaction pays one order once, in the name of its own network', async () => {
  const [one, other] = [await created(), await created()];
  expect((await till.pay(one.idorder, 'T-2')).code).toBe('0000');
  expect((await till.pay(other.idorder, 'T-2')).code).toBe('0016');
  expect((await till.pay(one.idorder, 'T-2', '45001')).code).toBe('0016');
  expect((await till.pay(one.idorder, 'T-3')).code).toBe('0041');
  const elsewhere = networkOrderCalls(service, await service.network());
  expect((await elsewhere.reverse(one.idorder, 'T-2')).code).toBe('0001');
  expect((await elsewhere.pay(other.idorder, 'T-2')).code).toBe('0000');
  expect(await refusedOf(other.order)).toEqual([{ transaction: 'T-2', refusal: 'transaction_repeated', state: 'pending', tries: 1 }]);
});

test('an amount that the payer did not see pays nothing, and only the whole reference shows the amount and the name', async () => {
  const { order, idorder, reference } = await created({ amount: '45000' });
  await shop.update({ order, amount: '52000' });
  const refused = await till.pay(idorder, 'T-4', '45000');
  expect(refused).toMatchObject({ code: '0905', data: {} });
  expect(JSON.stringify(refused)).not.toMatch(new RegExp(`52000|Demo Books|${reference}|${order}`));
  expect((await till.lookUp(reference)).data).toMatchObject({ Monto: '52000.0', Moneda: 'COP', Comercio: 'Demo Books' });
  expect((await till.pay(idorder, 'T-4', '52000', { money: 'USD' })).code).toBe('0905');
  expect(await stateOf(order)).toBe('PENDIENTE');
  expect(await refusedOf(order)).toEqual([{ transaction: 'T-4', refusal: 'amount_changed', state: 'pending', tries: 2 }]);
  expect((await till.pay(idorder, 'T-4', '52000')).code).toBe('0000');
});

test('an order that is over is not paid, and the try is recorded', async () => {
  const [cancelled, expired] = [await created(), await created({ expiration: '21/11/2026' })];
  await shop.cancel(cancelled.order);
  service.clock.set('2026-11-22T04:59:59.999Z');
  expect((await till.lookUp(expired.reference)).code).toBe('0000');
  service.clock.advance({ milliseconds: 1 });
  for (const { idorder } of [cancelled, expired, expired]) {
    expect(await till.pay(idorder, `T-${idorder}`)).toMatchObject({ code: '0041', data: {} });
  }
  expect(await refusedOf(cancelled.order)).toMatchObject([{ refusal: 'order_not_open', state: 'cancelled', tries: 1 }]);
  expect(await refusedOf(expired.order)).toMatchObject([{ refusal: 'order_not_open', state: 'expired', tries: 2 }]);
  expect((await till.pay('999999999999999999', 'T-5')).code).toBe('0001');
});

test('a payment is reversed for fifty seconds, by the network that made it', async () => {
  const [first, second] = [await created(), await created()];
  await till.pay(first.idorder, 'T-6');
  await till.pay(second.idorder, 'T-7');
  service.clock.advance({ seconds: 50 });
  const reversed = await till.reverse(first.idorder, 'T-6');
  expect(reversed).toMatchObject({ code: '0000', data: { Transaccion: 'T-6', Fecha: '2026-11-21 10:00:50', Operacion: 'REVERSADA' } });
  expect((await till.reverse(second.idorder, 'T-6')).code).toBe('0001');
  service.clock.advance({ milliseconds: 1 });
  expect((await till.reverse(second.idorder, 'T-7')).code).toBe('0907');
  expect(await till.reverse(first.idorder, 'T-6')).toEqual(reversed);
  expect((await till.pay(first.idorder, 'T-6')).code).toBe('0906');
  expect((await till.pay(first.idorder, 'T-8')).code).toBe('0041');
  expect([await stateOf(first.order), await stateOf(second.order)]).toEqual(['ANULADA', 'APROBADA']);
  expect((await shop.query(first.order)).data).toMatchObject({ TRANSACTION: { STATE: 'ANULADA', GIVEN_BACK: '2026-11-21 10:00:50' } });
});

const url = (netname: string): string => `/api/v3/payments/${netname}`;
/** A payment as it is sent; its status and code. */
const post = async (path: string, payload: string): Promise<string> => {
  const reply = await service.app.inject({ method: 'POST', url: path, payload });
  return `${reply.statusCode} ${reply.json<{ CODE: string }>().CODE}`;
};

describe('refuses', () => {
  test('malformed fields, in the order of the contract and before the checksum', async () => {
    const good = { transaction: 'T-9', amount: '1', money: 'COP', idorder: '1', checksum: 'a' };
    const all = { ...good, transaction: undefined, amount: '-1', money: 'XXX' };
    const cases: readonly (readonly [string, string, string])[] = [
      [url('A B'), JSON.stringify(all), '0011'],
      [url('A B'), JSON.stringify({ ...all, transaction: 'T-9' }), '0010'],
      [url('net'), JSON.stringify({ ...good, amount: '-1', money: 'COPX' }), '0021'],
      [url('net'), JSON.stringify({ ...good, amount: '-1' }), '0021'],
      [url('net'), JSON.stringify({ ...good, amount: '1.001' }), '0021'],
      [url('net'), JSON.stringify({ ...good, money: 'COPX' }), '0023'],
      [url('net'), JSON.stringify({ ...good, money: 'XXY' }), '0023'],
      [url('net'), JSON.stringify({ ...good, idorder: '0' }), '0011'],
      [url('net'), JSON.stringify({ ...good, idorder: '9'.repeat(19) }), '0011'],
      [url('net'), JSON.stringify({ ...good, transaction: 'a b' }), '0011'],
      [url('net'), JSON.stringify({ ...good, amount: true }), '0011'],
      [url('net'), '{"transaction":"a","transaction":"b"}', '0011'],
      [url('net'), '[]', '0011'],
      [url('net'), JSON.stringify(good), '0025'],
    ];
    for (const [path, body, code] of cases) expect([body, await post(encodeURI(path), body)]).toEqual([body, `200 ${code}`]);
  });

  test('in the language that was asked for, else in Spanish', async () => {
    const texts = await Promise.all(['es', 'en', 'pt', undefined].map((language) => till.lookUp('1', { language })));
    expect(texts.map(({ code }) => code)).toEqual(['0001', '0001', '0001', '0001']);
    expect(texts.map(({ text }) => text)).toEqual([
      'Ninguna orden abierta tiene esa reference',
      'No open order has that reference',
      'Nenhuma ordem aberta tem essa reference',
      'Ninguna orden abierta tiene esa reference',
    ]);
    const shapes = [
      [{ transaction: 'a b' }, 'transaction is not valid: 1 to 64 letters, digits or _ . -'],
      [{ idorder: 'A-1' }, 'idorder is not valid: 1 to 18 digits, as the look-up gave them'],
      [{ checksum: undefined }, 'checksum is missing: hexadecimal digits'],
    ] as const;
    for (const [fault, text] of shapes) expect((await till.pay('1', 'T-10', '1', { language: 'en', ...fault })).text).toBe(text);
    expect((await till.pay('1', 'T-10', '1', { language: 'xx' })).code).toBe('0011');
  });

  test('a wrong checksum, an unknown network and a disabled one with the same words', async () => {
    const { idorder } = await created();
    const stranger = await service.network();
    const calls = networkOrderCalls(service, stranger);
    expect((await calls.lookUp('1')).code).toBe('0001');
    await runCommand(service, networkCommands, 'networks', 'disable', stranger.netname);
    await eventually(SOON_MS, async () => expect((await calls.lookUp('1')).code).toBe('0025'));
    const unknown = networkOrderCalls(service, { ...stranger, netname: 'nobody' });
    const answers = [
      await calls.pay(idorder, 'T-11'),
      await unknown.pay(idorder, 'T-11'),
      await till.pay(idorder, 'T-11', '45000.0', { checksum: 'f'.repeat(128) }),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: '0025', data: {} });
  });
});

test('the payers of a disabled merchant can pay what it asked for', async () => {
  const other = await service.merchant();
  const calls = orderCalls(service, other);
  const { data } = await calls.create({ order: 'X-1' });
  await runCommand(service, merchantCommands, 'merchants', 'disable', other.merchantId);
  await eventually(SOON_MS, async () => expect((await calls.query('X-1')).code).toBe('0025'));
  expect((await till.lookUp(data['Referencia'])).code).toBe('0000');
  expect((await till.pay(data['SVordenID'], 'T-12')).code).toBe('0000');
  expect((await till.reverse(data['SVordenID'], 'T-12')).code).toBe('0000');
});

test('guesses of references, numbers and amounts are counted, and look-ups and payments of what is known are not', async () => {
  const guesses: string[] = [];
  const seen = await startCaudalForTest({ onRefused: (reason) => void guesses.push(reason) });
  const shop = orderCalls(seen, await seen.merchant());
  const till = networkOrderCalls(seen, await seen.network());
  const [paid, open] = [await shop.create({ order: 'D-1' }), await shop.create({ order: 'D-2' })].map(({ data }) => data);
  expect(await till.lookUp(paid?.['Referencia'])).toMatchObject({ code: '0000' });
  expect(await till.pay(paid?.['SVordenID'], 'T-1')).toMatchObject({ code: '0000' });
  expect(guesses).toEqual([]);
  expect((await till.lookUp('1')).code).toBe('0001');
  expect((await till.pay('999', 'T-2')).code).toBe('0001');
  expect((await till.pay(open?.['SVordenID'], 'T-3', '1')).code).toBe('0905');
  expect(guesses).toEqual(['wrong_reference', 'wrong_reference', 'wrong_reference']);
});

test('a network that is refused ever new transactions fills nothing: beyond a thousand a day they are counted, and others are kept', async () => {
  const { order, idorder } = await created();
  const source = `network:${network.netname}`;
  await service.db.query(
    {
      name: 'test.flood',
      text: `insert into refused_payments (merchant_id, order_id, source, transaction_id, refusal, order_state, amount_minor, currency, tries, first_at, last_at)
             select $1, $2, $3, 'F-' || n, 'amount_changed', 'pending', 1, 'COP', 1, $4::timestamptz, $4::timestamptz from generate_series(1, 998) n`,
    },
    [merchant.merchantId, order, source, service.clock.now()],
  );
  const pay = (by: ReturnType<typeof networkOrderCalls>, transaction: string) => by.pay(idorder, transaction, '1');
  for (const transaction of ['N-1', 'N-2', 'N-3', 'N-4', 'N-4', 'N-1'])
    expect(await pay(till, transaction)).toMatchObject({ code: '0905' });
  const other = await service.network();
  expect(await pay(networkOrderCalls(service, other), 'O-1')).toMatchObject({ code: '0905' });
  const kept = (await refusedOf(order)).filter(({ transaction }) => !transaction.startsWith('F-'));
  expect(kept.map(({ transaction, tries }) => [transaction, tries])).toEqual([
    ['N-1', 2],
    ['N-2', 1],
    ['O-1', 1],
  ]);
  const operator = await manageCalls(service);
  const beyond = async () => (await operator.get('/refused-payments/beyond')).body['days'];
  const day = service.clock.now().toZonedDateTimeISO('UTC').toPlainDate().toString();
  expect(await beyond()).toEqual([
    { source, day, tries: 3, amount: { amount: '3.00', currency: 'COP' }, lastAt: service.clock.now().toString() },
  ]);
  service.clock.advance({ hours: 24 });
  expect(await pay(till, 'N-5')).toMatchObject({ code: '0905' });
  expect((await refusedOf(order)).map(({ transaction }) => transaction)).toContain('N-5');
  expect(await beyond()).toHaveLength(1);
});
