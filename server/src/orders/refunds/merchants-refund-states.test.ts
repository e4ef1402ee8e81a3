import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerChecks } from '../../ledger/index.ts';
import { setFees } from '../../ledger/fees.ts';
import { checksumOf } from '../../testing/checksum-of.ts';
import { findings } from '../../testing/findings.ts';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { refundCalls } from '../../testing/refund-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';

// What contract §3.10 says of ids, amounts, states and days, as a merchant's program sees it.

let service: TestCaudal;
let staff: ManageCalls;
let clerk: ManageCalls;
let merchant: TestMerchant;

beforeAll(async () => {
  service = await startTestCaudal();
  staff = await manageCalls(service);
  merchant = await service.merchant();
  clerk = await manageCalls(service, { merchantId: merchant.merchantId });
  const { merchantId } = merchant;
  await setFees(service, { merchantId, kind: 'order', currency: 'COP', percentPpm: 0, fixedMinor: 1_000_00n, taxPpm: 190_000 });
});
afterAll(async () => {
  expect(await findings(service, [...orderChecks, ...ledgerChecks])).toEqual([]);
  await service.close();
});

const refunds = () => refundCalls(service, merchant);
const orders = () => orderCalls(service, merchant);
const change = async (refund: string, to: 'approve' | 'pay' | 'fail' | 'cancel', sent?: object): Promise<void> => {
  const { status, text } = await staff.send('POST', `/refunds/${merchant.merchantId}/${refund}/${to}`, sent);
  expect(status, text).toBe(200);
};
/** Asks on the management API, where an id is not needed. */
const askWithoutId = async (by: ManageCalls, order: string): Promise<string> => {
  const asked = { amount: { amount: '10', currency: 'COP' }, refundedBy: 'operator', reason: 'returned' };
  return (await by.send('POST', `/orders/${merchant.merchantId}/${order}/refunds`, asked)).body['refund'] as unknown as string;
};

let count = 0;
const pay = (reference: unknown) => service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: { reference } });
/** An order of 45,000 that was paid a minute ago; its fee is 1,000, and 190 are the tax on it. */
async function paidOrder(fields: object = {}, payments = 1): Promise<string> {
  const order = `S-${++count}`;
  const { data } = await orders().create({ order, ...fields });
  for (let paid = 0; paid < payments; paid++) await pay(data['Referencia']);
  service.clock.advance({ seconds: 51 });
  return order;
}

test('fee and tax come back in proportion, and with the last peso the last of both', async () => {
  const order = await paidOrder();
  const part = await refunds().request(order, { refund: 'FEE-1', amount: '15000' });
  expect(part.data).toMatchObject({ AMOUNT: '15000.0', FEE: '333.34', TAX: '63.34' });
  const rest = await refunds().request(order, { refund: 'FEE-2', amount: '30000' });
  expect(rest.data).toMatchObject({ AMOUNT: '30000.0', FEE: '666.66', TAX: '126.66' });
  expect((await refunds().query('FEE-1')).data).toEqual(part.data);
});

describe('under an id that was used', () => {
  let recurrent: string;
  let other: string;
  beforeAll(async () => {
    recurrent = await paidOrder({ recurrent: true }, 2);
    other = await paidOrder();
    expect(await refunds().request(recurrent, { refund: 'ID-1', payment: 1 })).toMatchObject({ code: '0000', data: { PAYMENT: 1 } });
  });

  test.each([
    ['amount', { amount: '15000.01' }],
    ['money', { money: 'USD' }],
    ['taken_from', { taken_from: 'fund' }],
    ['refunded_by', { refunded_by: 'merchant' }],
    ['payment', { payment: 2 }],
  ])('another %s is 0042', async (_, fields) => {
    expect(await refunds().request(recurrent, { refund: 'ID-1', payment: 1, ...fields })).toMatchObject({ code: '0042', data: {} });
  });

  test('another order is 0042', async () => {
    expect(await refunds().request(other, { refund: 'ID-1' })).toMatchObject({ code: '0042', data: {} });
  });

  test.each([
    ['an amount that is written otherwise', { amount: '15000.00' }],
    ['another reason', { reason: 'another' }],
    ['no payment', { payment: undefined }],
    ['what bears it by default', { taken_from: 'collected' }],
  ])('%s is the same refund', async (_, fields) => {
    const again = await refunds().request(recurrent, { refund: 'ID-1', payment: 1, ...fields });
    expect(again).toMatchObject({ code: '0000', data: { REFUND: 'ID-1', PAYMENT: 1, REASON: 'returned' } });
  });

  test('another `refunded_by` is the same refund once it is paid', async () => {
    await refunds().request(other, { refund: 'ID-2' });
    await change('ID-2', 'approve');
    await change('ID-2', 'pay', { refundedBy: 'merchant' });
    expect(await refunds().request(other, { refund: 'ID-2' })).toMatchObject({ code: '0000', data: { REFUNDED_BY: 'merchant' } });
  });
});

test('one without an id has that of its order, a dot and a number: it is queried, listed and withdrawn under it', async () => {
  const order = await paidOrder();
  const [ours, theirs] = [await askWithoutId(clerk, order), await askWithoutId(staff, order)];
  for (const id of [ours, theirs]) {
    expect(id).toMatch(new RegExp(`^${order}[.][0-9]+$`));
    expect((await refunds().query(id)).data).toMatchObject({ REFUND: id, ORDER: order });
  }
  const { REFUNDS } = (await refunds().list(order)).data as { REFUNDS: { REFUND: string }[] };
  expect(REFUNDS.map(({ REFUND }) => REFUND).toSorted()).toEqual([ours, theirs].toSorted());
  expect(await refunds().cancel(ours)).toMatchObject({ code: '0000', data: { STATE: 'CANCELADO' } });
  expect(await refunds().cancel(theirs)).toMatchObject({ code: '0041', data: {} });
  expect(await refunds().request(order, { refund: ours })).toMatchObject({ code: '0011' });
});

const from = (to: string) => ({ from: 'APROBADO', to });

describe('states', () => {
  const ended = expect.stringMatching(/^2026-11-21 /) as string;

  test('one is approved and fails, another is cancelled by the operator: the payment can be refunded whole, and is ANULADA then', async () => {
    const order = await paidOrder();
    const state = async (refund: string) => (await refunds().query(refund)).data;
    await refunds().request(order, { refund: 'ST-1' });
    expect(await state('ST-1')).toMatchObject({ STATE: 'SOLICITADO', END_DATE: '', PROBLEM: '' });
    await change('ST-1', 'approve');
    expect(await state('ST-1')).toMatchObject({ STATE: 'APROBADO', END_DATE: '', PROBLEM: '' });
    await change('ST-1', 'fail', { reason: 'no such account' });
    expect(await state('ST-1')).toMatchObject({ STATE: 'FALLIDO', END_DATE: ended, PROBLEM: 'no such account', PROOF: '' });
    expect(await refunds().cancel('ST-1')).toMatchObject({ code: '0041' });

    await refunds().request(order, { refund: 'ST-2' });
    await change('ST-2', 'approve');
    await change('ST-2', 'cancel');
    expect(await state('ST-2')).toMatchObject({ STATE: 'CANCELADO', END_DATE: ended, PROBLEM: '', PROOF: '' });
    expect(await refunds().cancel('ST-2')).toMatchObject({ code: '0000', data: { STATE: 'CANCELADO' } });

    expect(await refunds().request(order, { refund: 'ST-3', amount: '15000' })).toMatchObject({ code: '0000' });
    expect(await refunds().request(order, { refund: 'ST-4', amount: '30000' })).toMatchObject({ code: '0000' });
    for (const refund of ['ST-3', 'ST-4']) await change(refund, 'approve');
    await change('ST-3', 'pay', { proof: 'TRX-3' });
    expect(await state('ST-3')).toMatchObject({ STATE: 'PAGADO', END_DATE: ended, PROOF: 'TRX-3' });
    expect((await orders().query(order)).data).toMatchObject({ STATE: 'APROBADA', TRANSACTION: { STATE: 'APROBADA' } });
    await change('ST-4', 'pay');
    expect((await orders().query(order)).data).toMatchObject({ STATE: 'ANULADA', TRANSACTION: { STATE: 'ANULADA' } });
    expect(await refunds().request(order, { refund: 'ST-5', amount: '0.01' })).toMatchObject({ code: '0906' });

    const { HISTORY } = (await orders().history(order)).data as unknown as {
      HISTORY: { CHANGES: Record<string, { to: unknown } | undefined> }[];
    };
    const steps = HISTORY.flatMap(({ CHANGES: { REFUND, REFUND_STATE } }) => (REFUND ? [[REFUND.to, REFUND_STATE]] : []));
    const [asked, agreed] = [
      { from: null, to: 'SOLICITADO' },
      { from: 'SOLICITADO', to: 'APROBADO' },
    ];
    expect(steps).toEqual([
      ['ST-1', asked],
      ['ST-1', agreed],
      ['ST-1', from('FALLIDO')],
      ['ST-2', asked],
      ['ST-2', agreed],
      ['ST-2', from('CANCELADO')],
      ['ST-3', asked],
      ['ST-4', asked],
      ['ST-3', agreed],
      ['ST-4', agreed],
      ['ST-3', from('PAGADO')],
      ['ST-4', from('PAGADO')],
    ]);
    for (const [name, found] of [
      ['FALLIDO', ['ST-1']],
      ['CANCELADO', ['ST-2']],
      ['PAGADO', ['ST-4', 'ST-3']],
    ] as const) {
      const { REFUNDS } = (await refunds().list(order, { state: name })).data as { REFUNDS: { REFUND: string }[] };
      expect(REFUNDS.map(({ REFUND }) => REFUND)).toEqual(found);
    }
  });
});

test.each([
  ['GET', '/api/v3/refunds/T-1', '', ['T-1']],
  ['DELETE', '/api/v3/refunds/T-1', '', ['T-1']],
  ['GET', '/api/v3/refunds', '&start=20261101&end=20261130', ['', '20261101', '20261130']],
] as const)('%s %s without a type is refused, also with a checksum over the rest', async (method, path, query, values) => {
  const { merchantId, fixedHash } = merchant;
  const [first, ...rest] = values;
  const checksum = checksumOf([first, merchantId, ...rest], fixedHash);
  const url = `${path}?merchant=${merchantId}${query}&checksum=${checksum}`;
  expect((await service.app.inject({ method, url })).json()).toMatchObject({
    CODE: '0011',
    DESC: expect.stringContaining('type') as string,
  });
});

test('a day of the list begins and ends at midnight in the zone of the merchant', async () => {
  const order = await paidOrder();
  // Bogota is five hours behind UTC.
  const midnight = Temporal.Instant.from('2026-11-22T05:00:00Z');
  service.clock.advance({ milliseconds: midnight.epochMilliseconds - service.clock.now().epochMilliseconds - 1 });
  const last = await refunds().request(order, { refund: 'D-last' });
  service.clock.advance({ milliseconds: 1 });
  const first = await refunds().request(order, { refund: 'D-first' });
  expect([last, first].map(({ data }) => data['REQUEST_DATE'])).toEqual(['2026-11-21 23:59:59', '2026-11-22 00:00:00']);
  const on = async (start: string, end = start): Promise<readonly string[]> =>
    ((await refunds().list(order, { start, end })).data as { REFUNDS: { REFUND: string }[] }).REFUNDS.map(({ REFUND }) => REFUND);
  expect(await on('20261121')).toEqual(['D-last']);
  expect(await on('20261122')).toEqual(['D-first']);
  expect(await on('20261121', '20261122')).toEqual(['D-first', 'D-last']);
});
