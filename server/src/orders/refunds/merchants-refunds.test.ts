import { Check } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setOnOff } from '../../merchants/change-merchant.ts';
import { checksumOf } from '../../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { findings } from '../../testing/findings.ts';
import { ledgerChecks } from '../../ledger/index.ts';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { startNoticeReceiver, answering, type NoticeReceiver } from '../../testing/notice-receiver.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { refundCalls, type RefundCalls } from '../../testing/refund-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';

// What a merchant's programs get of refunds: contract §3.10, and the notices of §3.6.

let service: TestCaudal;
let staff: ManageCalls;
let receiver: NoticeReceiver;
let merchant: TestMerchant;
let other: TestMerchant;

beforeAll(async () => {
  service = await startTestCaudal();
  staff = await manageCalls(service);
  receiver = await startNoticeReceiver();
  merchant = await service.merchant({ noticeUrl: receiver.url });
  other = await service.merchant();
  await setOnOff.reportsUpdates(service, merchant.merchantId, true);
  await eventually(SOON_MS, async () => expect((await merchant.read()).reportsUpdates).toBe(true));
});
afterAll(async () => {
  expect(await findings(service, [...orderChecks, ...ledgerChecks])).toEqual([]);
  await Promise.all([service.close(), receiver.close()]);
});

type Answered = Awaited<ReturnType<RefundCalls['query']>>;
type Fields = Readonly<Record<string, unknown>>;
const calls = (of = merchant): RefundCalls => refundCalls(service, of);
const request = ({ order, ...fields }: Fields & { readonly order: string }, of = merchant, headers: Record<string, string> = {}) =>
  calls(of).request(order, fields, headers);
const query = (refund: string, of = merchant) => calls(of).query(refund);
const cancel = (refund: string, of = merchant) => calls(of).cancel(refund);
const list = ({ order = '', ...filter }: Record<string, string> = {}, of = merchant) => calls(of).list(order, filter);
const follow = (link: unknown) => calls().follow(link);
const change = (refund: string, to: 'approve' | 'pay' | 'fail' | 'cancel', sent?: object) =>
  staff.send('POST', `/refunds/${merchant.merchantId}/${refund}/${to}`, sent);
const voided = (of: string, isClaim: boolean) =>
  staff.send('POST', `/orders/${merchant.merchantId}/${of}/void`, { reason: 'at the counter', refundedBy: 'network', isClaim });

let orders = 0;
/** An order of 45,000 that was paid a minute ago. */
async function paidOrder(of = merchant): Promise<string> {
  const order = `P-${++orders}`;
  const { data } = await orderCalls(service, of).create({ order });
  await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: { reference: data['Referencia'] } });
  service.clock.advance({ seconds: 51 });
  return order;
}
const ids = ({ data }: Answered): string[] => (data['REFUNDS'] as { REFUND: string }[]).map(({ REFUND }) => REFUND);

test('a refund is asked for, shown, approved and paid; the merchant decides about nothing', async () => {
  const order = await paidOrder();
  const asked = await request({ order, refund: 'R-1' });
  expect(asked).toMatchObject({ status: 200, code: '0000' });
  expect(asked.data).toEqual({
    REFUND: 'R-1',
    ORDER: order,
    PAYMENT: 1,
    STATE: 'SOLICITADO',
    AMOUNT: '15000.0',
    CURRENCY: 'COP',
    FEE: '0.0',
    TAX: '0.0',
    REFUNDED_BY: 'operator',
    CASHOUT: '',
    TAKEN_FROM: 'collected',
    REASON: 'returned',
    REQUEST_DATE: expect.stringMatching(/^2026-11-21 /) as string,
    END_DATE: '',
    PROOF: '',
    PROBLEM: '',
  });
  expect((await query('R-1')).data).toEqual(asked.data);
  await change('R-1', 'approve');
  expect(await cancel('R-1')).toMatchObject({ code: '0041', data: {} });
  await change('R-1', 'pay', { proof: 'TRX-1' });
  expect(await cancel('R-1')).toMatchObject({ code: '0041', data: {} });
  expect((await query('R-1')).data).toMatchObject({ STATE: 'PAGADO', PROOF: 'TRX-1', END_DATE: expect.stringMatching(/^2026/) as string });
});

test('a request is withdrawn, and then the payment can be refunded whole', async () => {
  const order = await paidOrder();
  await request({ order, refund: 'W-1' });
  expect((await cancel('W-1')).data).toMatchObject({ STATE: 'CANCELADO' });
  expect((await cancel('W-1')).data).toMatchObject({ STATE: 'CANCELADO' });
  expect(await request({ order, refund: 'W-2', amount: '45000' })).toMatchObject({ code: '0000' });
  expect(await request({ order, refund: 'W-3', amount: '0.01' })).toMatchObject({ code: '0906' });
});

test('two requests with one id at once are one refund; with two ids the payment is never promised twice', async () => {
  const order = await paidOrder();
  const same = await Promise.all(Array.from({ length: 8 }, () => request({ order, refund: 'X-1', amount: '30000' })));
  expect(new Set(same.map(({ code }) => code))).toEqual(new Set(['0000']));
  const differing = await Promise.all(['30001', '29999', '1'].map((amount) => request({ order, refund: 'X-1', amount })));
  expect(differing.map(({ code }) => code)).toEqual(['0042', '0042', '0042']);
  const racing = await Promise.all(['X-2', 'X-3', 'X-4'].map((refund) => request({ order, refund, amount: '15000' })));
  expect(racing.map(({ code }) => code).toSorted()).toEqual(['0000', '0906', '0906']);
  expect(ids(await list({ order }))).toHaveLength(2);
});

test('with an Idempotency-Key the first answer comes again, whatever became of the refund', async () => {
  const order = await paidOrder();
  const key = { 'idempotency-key': 'again' };
  const first = await request({ order, refund: 'K-1' }, merchant, key);
  await cancel('K-1');
  expect(await request({ order, refund: 'K-1' }, merchant, key)).toEqual(first);
  expect(await request({ order, refund: 'K-1' })).toMatchObject({ code: '0000', data: { STATE: 'CANCELADO' } });
  expect(await request({ order, refund: 'K-2' }, merchant, key)).toMatchObject({ status: 422, code: '0922' });
});

test('of another merchant nothing is seen, asked for or withdrawn', async () => {
  const order = await paidOrder();
  await request({ order, refund: 'M-1' });
  expect(await query('M-1', other)).toMatchObject({ code: '0001', data: {} });
  expect(await cancel('M-1', other)).toMatchObject({ code: '0018', data: {} });
  expect(await request({ order, refund: 'M-2' }, other)).toMatchObject({ code: '0018', data: {} });
  expect((await list({}, other)).data).toEqual({ REFUNDS: [], FIRST: '', PREVIOUS: '', NEXT: '', END: '' });
  // The id of the one is free for the other.
  const own = await paidOrder(other);
  expect(await request({ order: own, refund: 'M-1' }, other)).toMatchObject({ code: '0000', data: { ORDER: own } });
  expect((await query('M-1')).data).toMatchObject({ ORDER: order });
});

describe('amounts', () => {
  const REFUSED = '0|0.00|-1|+1|1e3|1E3|1.|.5| 1|1 |1,5|1.000,00|01|00|0x10|١|NaN|Infinity|1_000|1.001|45000.001|99999999999999'.split('|');
  test.each([...REFUSED, '9'.repeat(80)])('%s is refused', async (amount) => {
    expect(await request({ order: 'P-0', refund: 'A-1', amount })).toMatchObject({ status: 200, code: '0021' });
  });

  test.each([null, true, [], {}, ''])('%j is none', async (amount) => {
    expect(await request({ order: 'P-0', refund: 'A-1', amount })).toMatchObject({
      status: 200,
      code: expect.stringMatching(/^00(11|21)$/) as string,
    });
  });

  test('are compared by value, and no more than is left is promised', async () => {
    const order = await paidOrder();
    for (const amount of ['44999.99', '44999.990', 44999.99])
      expect(await request({ order, refund: 'V-1', amount })).toMatchObject({ code: '0000' });
    expect(await request({ order, refund: 'V-2', amount: '0.02' })).toMatchObject({ code: '0915' });
    expect(await request({ order, refund: 'V-2', amount: '9999999999999.99' })).toMatchObject({ code: '0915' });
    expect(await request({ order, refund: 'V-2', amount: '0.01' })).toMatchObject({ code: '0000' });
    expect(await request({ order, refund: 'V-3', amount: '1', money: 'USD' })).toMatchObject({ code: '0906' });
  });

  test('with zeros beyond the currency are refused to a merchant with strict amounts', async () => {
    const strict = await service.merchant();
    const order = await paidOrder(strict);
    await setOnOff.strictAmounts(service, strict.merchantId, true);
    await eventually(SOON_MS, async () => expect((await strict.read()).strictAmounts).toBe(true));
    expect(await request({ order, refund: 'S-1', amount: '1.000' }, strict)).toMatchObject({ code: '0021' });
    expect(await request({ order, refund: 'S-1', amount: '1.00' }, strict)).toMatchObject({ code: '0000' });
  });
});

test('a frozen merchant asks for nothing and withdraws nothing; it reads', async () => {
  const frozen = await service.merchant();
  const order = await paidOrder(frozen);
  await request({ order, refund: 'F-1' }, frozen);
  expect((await staff.send('POST', `/merchants/${frozen.merchantId}/freeze`)).status).toBe(200);
  await eventually(SOON_MS, async () => expect((await frozen.read()).isFrozen).toBe(true));
  expect(await request({ order, refund: 'F-2' }, frozen)).toMatchObject({
    code: '0025',
    text: expect.stringContaining('congelado') as string,
  });
  expect(await cancel('F-1', frozen)).toMatchObject({ code: '0025' });
  expect((await query('F-1', frozen)).data).toMatchObject({ STATE: 'SOLICITADO' });
});

describe('the list', () => {
  let shop: TestMerchant;
  let odd: string;
  const made: string[] = [];
  beforeAll(async () => {
    shop = await service.merchant();
    const [one, two] = [await paidOrder(shop), await paidOrder(shop)];
    odd = two;
    for (let index = 0; index < 25; index++) {
      // Several at one instant.
      if (index % 5 === 0) service.clock.advance({ minutes: 1 });
      const refund = `L-${String(index).padStart(2, '0')}`;
      expect(await request({ order: index % 2 === 0 ? one : two, refund, amount: '10' }, shop)).toMatchObject({ code: '0000' });
      made.push(refund);
    }
    await cancel('L-03', shop);
  });
  const newest = (): string[] => made.toReversed();

  test('has every refund once, the newest first, by numbers and by links in both directions', async () => {
    const byNumber = [1, 2, 3].map((page) => list({ limit: '10', page: String(page) }, shop));
    expect((await Promise.all(byNumber)).flatMap(ids)).toEqual(newest());
    const before = newest();
    const forward: string[] = [];
    let page = await list({ limit: '10' }, shop);
    for (;;) {
      forward.push(...ids(page));
      if (page.data['NEXT'] === '') break;
      page = await follow(page.data['NEXT']);
      // What is asked for meanwhile moves nothing, and is the first of all afterwards.
      if (forward.length !== 10) continue;
      expect(await request({ order: odd, refund: 'L-25', amount: '10' }, shop)).toMatchObject({ code: '0000' });
      made.push('L-25');
    }
    expect(forward).toEqual(before);
    expect(ids(await list({ limit: '10' }, shop))).toEqual(newest().slice(0, 10));
    const back = await follow(page.data['PREVIOUS']);
    expect(ids(back)).toEqual(before.slice(10, 20));
    expect(ids(await follow(back.data['PREVIOUS']))).toEqual(before.slice(0, 10));
    expect((await follow(back.data['FIRST'])).data['PREVIOUS']).toBe('');
    const end = await follow(back.data['END']);
    expect([ids(end), end.data['NEXT']]).toEqual([newest().slice(20), '']);
    expect(ids(await follow(end.data['PREVIOUS']))).toEqual(newest().slice(10, 20));
  });

  test('is filtered by state, order and days', async () => {
    expect(ids(await list({ state: 'cancelado' }, shop))).toEqual(['L-03']);
    expect(ids(await list({ state: 'CANCELADO,PAGADO', limit: '100' }, shop))).toEqual(['L-03']);
    const { ORDER } = (await query('L-03', shop)).data;
    const ofOrder = ids(await list({ order: String(ORDER), limit: '100' }, shop));
    expect(ofOrder).toEqual(newest().filter((id) => Number(id.slice(2)) % 2 === 1));
    expect(ids(await list({ order: 'nobodys' }, shop))).toEqual([]);
    expect(ids(await list({ start: '20200101', end: '20261120' }, shop))).toEqual([]);
    expect(ids(await list({ start: '20261121', end: '20261121', limit: '100' }, shop))).toEqual(newest());
    expect((await list({ start: '00010101', end: '99991231', limit: '100' }, shop)).data['REFUNDS']).toHaveLength(made.length);
  });

  test('has an empty page beyond the last, whose links lead back', async () => {
    const beyond = await list({ page: '9999', limit: '100' }, shop);
    expect([ids(beyond), beyond.data['NEXT']]).toEqual([[], '']);
    expect(ids(await follow(beyond.data['PREVIOUS']))).toEqual(newest());
  });

  test('takes a cursor only of the same merchant and the same filters', async () => {
    const { NEXT } = (await list({ limit: '10' }, shop)).data;
    const cursor = new URL(String(NEXT), 'http://pay.example').searchParams.get('cursor') ?? '';
    expect(ids(await list({ limit: '20', cursor }, shop))).toEqual(newest().slice(10));
    for (const wrong of [{ order: 'P-1' }, { state: 'PAGADO' }, { end: '20261130' }])
      expect(await list({ ...wrong, cursor }, shop)).toMatchObject({ code: '0011', text: expect.stringContaining('cursor') as string });
    expect(await list({ cursor })).toMatchObject({ code: '0011' });
    expect(await list({ cursor: `${cursor}A` }, shop)).toMatchObject({ code: '0011' });
  });
});

describe('notices', () => {
  /** The notices of refunds that the merchant took since the last call, as texts of their bodies. */
  let seen = 0;
  async function taken(): Promise<Record<string, unknown>[]> {
    await service.runJobs();
    const all = receiver.taken.map(({ body: sent }) => JSON.parse(sent) as Record<string, unknown>);
    const fresh = all.slice(seen);
    seen = all.length;
    return fresh;
  }

  test('say what the operator has done, in order with the others of the order, as the OpenAPI document describes them', async () => {
    await taken();
    const order = await paidOrder();
    await request({ order, refund: 'N-1' });
    await change('N-1', 'approve');
    await change('N-1', 'approve');
    await change('N-1', 'pay');
    const [paid, approved, done, ...more] = await taken();
    expect([paid?.['status'], more]).toEqual(['approved', []]);
    expect(approved).toEqual({
      sv_po_id: expect.any(Number) as number,
      po_id: order,
      status: 'refund_approved',
      sv_checksum: checksumOf([order, 'refund_approved'], merchant.noticeHash, 'sha256'),
      amount: '15000.0',
      iso_currency: 'COP',
      sv_payment: 'sandbox',
      type: 'refund.approved',
      refund: 'N-1',
      updated_at: service.clock.now().toString(),
    });
    expect(done).toMatchObject({ type: 'refund.paid', status: 'refund_paid', refund: 'N-1' });
    const { webhooks } = (await service.app.inject('/openapi.json')).json<{ webhooks: Record<string, never> }>();
    type Webhook = { post: { requestBody: { content: { 'application/json': { schema: { properties: object } } } } } };
    const { schema } = (webhooks['refundNotice'] as unknown as Webhook).post.requestBody.content['application/json'];
    expect(Object.keys(approved ?? {})).toEqual(Object.keys(schema.properties));
    expect([Check(schema, approved), Check(schema, done)]).toEqual([true, true]);
  });

  test('are sent of what failed and of what the operator cancels or asks for, and of nothing that the merchant does itself', async () => {
    const order = await paidOrder();
    await taken();
    await request({ order, refund: 'N-2' });
    await cancel('N-2');
    expect(await taken()).toEqual([]);
    const asked = { refund: 'N-3', amount: { amount: '10', currency: 'COP' }, refundedBy: 'operator', reason: 'returned' };
    await staff.send('POST', `/orders/${merchant.merchantId}/${order}/refunds`, asked);
    await change('N-3', 'fail', { reason: 'no account' });
    await staff.send('POST', `/orders/${merchant.merchantId}/${order}/refunds`, { ...asked, refund: 'N-4' });
    await change('N-4', 'cancel');
    expect((await taken()).map(({ type, status, refund, amount }) => [type, status, refund, amount])).toEqual([
      ['refund.approved', 'refund_approved', 'N-3', '10.0'],
      ['refund.failed', 'refund_failed', 'N-3', '10.0'],
      ['refund.approved', 'refund_approved', 'N-4', '10.0'],
      ['refund.cancelled', 'refund_cancelled', 'N-4', '10.0'],
    ]);
  });

  test('say of a void that it is a refund that was paid, beside the notice that a claim sends', async () => {
    const [order, claimed] = [await paidOrder(), await paidOrder()];
    await request({ order, refund: 'N-8' });
    await change('N-8', 'approve');
    await change('N-8', 'pay');
    await taken();
    expect(await voided(order, false)).toMatchObject({ status: 200, body: { isRepeated: false } });
    expect(await voided(order, false)).toMatchObject({ status: 200, body: { isRepeated: true } });
    const [rest, ...more] = await taken();
    expect(rest).toMatchObject({ po_id: order, type: 'refund.paid', status: 'refund_paid', amount: '30000.0' });
    expect(more).toEqual([]);
    expect((await query(String(rest?.['refund']))).data).toMatchObject({ ORDER: order, STATE: 'PAGADO', AMOUNT: '30000.0' });
    await voided(claimed, true);
    expect((await taken()).map(({ po_id: of, status, amount }) => [of, status, amount])).toEqual([
      [claimed, 'cancelled', '45000.0'],
      [claimed, 'refund_paid', '45000.0'],
    ]);
  });

  test('say that the payer has collected it in cash, and nothing of a cashout that ended unpaid', async () => {
    const order = await paidOrder();
    const { merchantId } = merchant;
    const clerk = await manageCalls(service, { merchantId });
    const network = networkCalls(service, await service.network());
    const asked = { refund: 'N-7', amount: { amount: '10', currency: 'COP' }, refundedBy: 'cashout', reason: 'returned' };
    await staff.send('POST', `/orders/${merchantId}/${order}/refunds`, asked);
    await taken();
    const give = (operation: string) => clerk.send('POST', `/refunds/${merchantId}/N-7/cashout`, { operation, document: '1020304050' });
    await give('N-cancelled');
    expect((await query('N-7')).data).toMatchObject({ STATE: 'APROBADO', REFUNDED_BY: 'cashout', CASHOUT: 'N-cancelled', END_DATE: '' });
    await clerk.send('POST', `/cashouts/${merchantId}/N-cancelled/cancel`);
    service.clock.advance({ seconds: 3 });
    expect(await taken()).toEqual([]);
    expect((await query('N-7')).data).toMatchObject({ STATE: 'APROBADO', CASHOUT: '' });
    const { body } = await give('N-collected');
    const { idoperation } = (await network.lookUp(body['oneTimePassword'], '1020304050')).data as unknown as { idoperation: string };
    await network.pay(idoperation, 'T-1');
    service.clock.advance({ seconds: 125 });
    expect((await taken()).flatMap(({ type }) => type ?? [])).toEqual(['refund.paid']);
    const { data } = await orderCalls(service, merchant).history(order);
    const told = (data['HISTORY'] as unknown as { OPERATION: string; CHANGES: Record<string, unknown> }[]).slice(2);
    expect(told.map(({ OPERATION, CHANGES }) => [OPERATION, CHANGES['REFUND_CASHOUT']])).toEqual([
      ['REEMBOLSO_APROBADO', undefined],
      ['REEMBOLSO_EN_RETIRO', { from: null, to: 'N-cancelled' }],
      ['REEMBOLSO_REABIERTO', { from: 'N-cancelled', to: null }],
      ['REEMBOLSO_EN_RETIRO', { from: null, to: 'N-collected' }],
      ['REEMBOLSO_PAGADO', undefined],
    ]);
  });

  test('wait for those before them, and their answers are not shown with the order', async () => {
    const order = await paidOrder();
    receiver.answer(answering(200, 'thanks'));
    await taken();
    receiver.answer(answering(500, 'down'));
    await request({ order, refund: 'N-5' });
    await change('N-5', 'approve');
    await service.runJobs();
    await change('N-5', 'pay');
    receiver.answer(answering(200, 'noted'));
    service.clock.advance({ minutes: 5 });
    expect((await taken()).map(({ type }) => type)).toEqual(['refund.approved', 'refund.paid']);
    const { data } = await orderCalls(service, merchant).query(order);
    expect(data['NOTIFICATION_RESPONSE']).toContain('thanks');
  });

  test('are not sent to a merchant without update notices', async () => {
    const quiet = await service.merchant({ noticeUrl: receiver.url });
    const order = await paidOrder(quiet);
    await request({ order, refund: 'N-6' }, quiet);
    await staff.send('POST', `/refunds/${quiet.merchantId}/N-6/approve`);
    expect((await taken()).map(({ status }) => status)).toEqual(['approved']);
  });
});

test('no request gives a fault', async () => {
  const odd = ['', '.', '..', '%00', '%ff', 'a/b', 'R-1.99999999999', 'R'.repeat(201), '💸', "' or 1=1", '__proto__'];
  for (const one of odd)
    for (const method of ['GET', 'DELETE'] as const) {
      const { merchantId } = merchant;
      const response = await service.app.inject({ method, url: `/api/v3/refunds/${encodeURI(one)}?merchant=${merchantId}&checksum=00` });
      expect([one, method, response.statusCode < 500], response.body).toEqual([one, method, true]);
    }
});
