import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cashoutChecks } from '../../cashouts/index.ts';
import { ledgerChecks } from '../../ledger/index.ts';
import { setFees } from '../../ledger/fees.ts';
import { setOnOff } from '../../merchants/change-merchant.ts';
import type { CreatedNetwork } from '../../networks/index.ts';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { findings } from '../../testing/findings.ts';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { startNoticeReceiver, type NoticeReceiver } from '../../testing/notice-receiver.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { refundCalls } from '../../testing/refund-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';

// A merchant's program gives a refund in cash: contract §3.10.

let service: TestCaudal;
let staff: ManageCalls;
let network: CreatedNetwork;
let receiver: NoticeReceiver;
let merchant: TestMerchant;

beforeAll(async () => {
  [service, receiver] = await Promise.all([startTestCaudal(), startNoticeReceiver()]);
  staff = await manageCalls(service);
  network = await service.network();
  merchant = await service.merchant({ noticeUrl: receiver.url, fundMinor: 1_000_000_00n });
  await setFees(service, {
    merchantId: merchant.merchantId,
    kind: 'cashout',
    currency: 'COP',
    percentPpm: 0,
    fixedMinor: 500_00n,
    taxPpm: 0,
  });
  await setOnOff.reportsUpdates(service, merchant.merchantId, true);
  await eventually(SOON_MS, async () => expect((await merchant.read()).reportsUpdates).toBe(true));
});
afterAll(async () => {
  expect(await findings(service, [...orderChecks, ...cashoutChecks, ...ledgerChecks])).toEqual([]);
  await Promise.all([service.close(), receiver.close()]);
});

const DOCUMENT = '1020304050';
const refunds = (of = merchant) => refundCalls(service, of);
const change = (refund: string, to: 'approve' | 'pay' | 'cancel', sent?: object) =>
  staff.send('POST', `/refunds/${merchant.merchantId}/${refund}/${to}`, sent);

let count = 0;
/** An id of its own, and a refund of 15,000 under it that waits for the operator. */
async function requested(refundedBy = 'cashout'): Promise<string> {
  const order = `C-${++count}`;
  const { data } = await orderCalls(service, merchant).create({ order });
  await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: { reference: data['Referencia'] } });
  service.clock.advance({ seconds: 51 });
  expect(await refunds().request(order, { refund: order, refunded_by: refundedBy })).toMatchObject({ code: '0000' });
  return order;
}
async function approved(refundedBy?: string): Promise<string> {
  const refund = await requested(refundedBy);
  expect((await change(refund, 'approve')).status).toBe(200);
  return refund;
}

test('a program asks for a refund in cash, registers its cashout, and hears that the payer has collected it', async () => {
  const refund = await requested();
  expect((await refunds().query(refund)).data).toMatchObject({ STATE: 'SOLICITADO', REFUNDED_BY: 'cashout', CASHOUT: '' });
  expect(await refunds().cashout(refund)).toMatchObject({ status: 200, code: '0917', data: {} });
  await change(refund, 'approve');
  const funds = cashoutCalls(service, merchant);
  const before = await funds.balance();
  const given = await refunds().cashout(refund, { description: 'Your money' });
  expect(given).toMatchObject({ status: 200, code: '0000' });
  expect(given.data).toEqual({
    amount: '15000.0',
    transactionCost: '0.0',
    currency: 'COP',
    description: 'Your money',
    document: DOCUMENT,
    operation: `W-${refund}`,
    expire: '2026-12-21',
    svCode: expect.stringMatching(/^[0-9]+$/) as string,
    balance: '999500.0',
    otp: expect.stringMatching(/^[0-9]{6}$/) as string,
  });
  // The fee alone is the fund's.
  expect([before?.balance, (await funds.balance())?.balance]).toEqual(['1000000.0', '999500.0']);
  expect((await refunds().query(refund)).data).toMatchObject({ STATE: 'APROBADO', CASHOUT: `W-${refund}` });
  expect(await funds.query(`W-${refund}`, DOCUMENT)).toMatchObject({ code: '0000', data: { status: 'PENDIENTE' } });

  const counter = networkCalls(service, network);
  const { idoperation } = (await counter.lookUp(given.data['otp'], DOCUMENT)).data as unknown as { idoperation: string };
  expect(await counter.pay(idoperation, `T-${refund}`)).toMatchObject({ code: '0000' });
  service.clock.advance({ seconds: 125 });
  await service.runJobs();
  expect((await refunds().query(refund)).data).toMatchObject({ STATE: 'PAGADO', REFUNDED_BY: 'cashout', CASHOUT: `W-${refund}` });
  const told = receiver.taken.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  expect(told.flatMap(({ type, refund: of }) => (of === refund ? [type] : []))).toEqual(['refund.approved', 'refund.paid']);
  const { data } = await orderCalls(service, merchant).history(refund);
  const history = data['HISTORY'] as unknown as { OPERATION: string; ACTOR?: string; CHANGES: object }[];
  expect(history.find(({ OPERATION }) => OPERATION === 'REEMBOLSO_EN_RETIRO')).toMatchObject({
    CHANGES: { REFUND_CASHOUT: { from: null, to: `W-${refund}` } },
  });
  expect(await refunds().cashout(refund, { operation: 'W-again' })).toMatchObject({ code: '0021' });
});

describe('one cashout at a time', () => {
  test('of many at once one is registered, and one that ended unpaid frees the refund', async () => {
    const refund = await approved();
    const ids = [1, 2, 3, 4].map((one) => `${refund}-${one}`);
    const answers = await Promise.all(ids.map((operation) => refunds().cashout(refund, { operation })));
    expect(answers.map(({ code }) => code).toSorted()).toEqual(['0000', '0918', '0918', '0918']);
    const { CASHOUT } = (await refunds().query(refund)).data as { CASHOUT: string };
    expect(answers[ids.indexOf(CASHOUT)]?.code).toBe('0000');
    expect(await cashoutCalls(service, merchant).cancel(CASHOUT, DOCUMENT)).toMatchObject({ code: '0000' });
    expect(await refunds().cashout(refund, { operation: `${refund}-5` })).toMatchObject({ code: '0918' });
    service.clock.advance({ seconds: 3 });
    await service.runJobs();
    expect(await refunds().cashout(refund, { operation: CASHOUT })).toMatchObject({ code: '0042' });
    expect(await refunds().cashout(refund, { operation: `${refund}-6` })).toMatchObject({ code: '0000' });
  });

  test('with an Idempotency-Key the first answer comes again without its password', async () => {
    const refund = await approved();
    const key = { 'idempotency-key': refund };
    const first = await refunds().cashout(refund, {}, key);
    const { otp, ...kept } = first.data;
    expect(otp).toMatch(/^[0-9]{6}$/);
    expect(await refunds().cashout(refund, {}, key)).toEqual({ ...first, data: kept });
    expect(await refunds().cashout(refund)).toMatchObject({ code: '0918' });
    expect(await refunds().cashout(refund, { document: '77' }, key)).toMatchObject({ status: 422, code: '0922' });
  });
});

test('only a refund that was asked for in cash, and of this merchant, has one', async () => {
  const other = await service.merchant();
  const refund = await approved();
  expect(await refunds(other).cashout(refund)).toMatchObject({ code: '0014', data: {} });
  expect(await refunds().cashout(await approved('operator'))).toMatchObject({ code: '0021' });
  const cancelled = await requested();
  await refunds().cancel(cancelled);
  expect(await refunds().cashout(cancelled)).toMatchObject({ code: '0021' });
  expect((await refunds().query(refund)).data).toMatchObject({ STATE: 'APROBADO', CASHOUT: '' });
});

test('the checksum of no other operation registers one, and a frozen merchant registers none', async () => {
  const refund = await approved();
  const { merchantId } = merchant;
  const signed = cashoutCalls(service, merchant).registration({ operation: 'W-signed', amount: '15000', document: DOCUMENT });
  const payload = JSON.stringify({ ...signed, type: 'refund.cashout' });
  const answer = await service.app.inject({ method: 'POST', url: `/cashout/v1/refund/${refund}`, payload });
  expect(answer.json()).toMatchObject({ code: '0009', data: {} });
  for (const type of ['refund.request', '', undefined]) expect(await refunds().cashout(refund, { type })).toMatchObject({ code: '0019' });
  expect((await staff.send('POST', `/merchants/${merchantId}/freeze`)).status).toBe(200);
  await eventually(SOON_MS, async () => expect((await merchant.read()).isFrozen).toBe(true));
  expect(await refunds().cashout(refund)).toMatchObject({ code: '0009', text: expect.stringContaining('congelado') as string });
  expect((await staff.send('POST', `/merchants/${merchantId}/thaw`)).status).toBe(200);
  await eventually(SOON_MS, async () => expect((await merchant.read()).isFrozen).toBe(false));
  // In a sandbox also under the short path, as other operations on cashouts.
  const aliased = { merchant: merchantId, type: 'refund.cashout', operation: 'W-short', document: DOCUMENT };
  const checksum = cashoutCalls(service, merchant).sign(refund, aliased.type, aliased.operation, aliased.type, DOCUMENT);
  const short = await service.app.inject({
    method: 'POST',
    url: `/v1/refund/${refund}`,
    payload: JSON.stringify({ ...aliased, checksum }),
  });
  expect(short.json()).toMatchObject({ code: '0000', data: { operation: 'W-short' } });
});
