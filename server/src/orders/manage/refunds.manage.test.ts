import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerChecks } from '../../ledger/index.ts';
import { setFees } from '../../ledger/fees.ts';
import { ROLES } from '../../manage/index.ts';
import type { CreatedNetwork } from '../../networks/index.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { findings } from '../../testing/findings.ts';
import { manageCalls, walkPages, type ManageCalls } from '../../testing/manage-calls.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';
import { MOST_REFUNDS } from '../refunds/refund.ts';

let service: TestCaudal;
let network: CreatedNetwork;
let owner: ManageCalls;
/** Whoever approves refunds and pays them. */
let operations: ManageCalls;
let shop: Shop;

beforeAll(async () => {
  service = await startTestCaudal();
  network = await service.network();
  owner = await manageCalls(service, { name: 'owner' });
  operations = await manageCalls(service, { name: 'operations', permissions: [...ROLES.operations.permissions] });
  shop = await openShop();
});
afterAll(async () => {
  expect(await findings(service, [...orderChecks, ...ledgerChecks])).toEqual([]);
  await service.close();
});

type Body = Readonly<Record<string, unknown>>;
type Shop = { readonly merchantId: string; readonly clerk: ManageCalls };

/** A merchant whose orders cost 2.5 % and 300, and 19 % of that: of 45,000 these are 1,425 and 270.75. */
async function openShop(options: { readonly fundMinor?: bigint } = {}): Promise<Shop> {
  const { merchantId } = await service.merchant(options);
  await setFees(service, { merchantId, kind: 'order', currency: 'COP', percentPpm: 25_000, fixedMinor: 300_00n, taxPpm: 190_000 });
  return { merchantId, clerk: await manageCalls(service, { name: 'clerk', merchantId, permissions: [...ROLES.clerk.permissions] }) };
}

const cop = (amount: string) => ({ amount, currency: 'COP' });
/** A request. `amount`: of COP; without it, all that is left. */
const asked = (amount?: string, more: object = {}) => ({
  ...(amount !== undefined && { amount: cop(amount) }),
  refundedBy: 'operator',
  reason: 'returned goods',
  ...more,
});

const fromFund = (refund: string, more: object = {}) => asked('15000', { refund, takenFrom: 'fund', ...more });

let orders = 0;
/** Makes an order of 45,000. */
async function newOrder({ merchantId }: Shop = shop): Promise<readonly [order: string, serviceOrderId: string]> {
  const order = `R-${++orders}`;
  const { body, status } = await owner.send('POST', '/orders', {
    merchant: merchantId,
    order,
    email: 'a@example.com',
    amount: cop('45000'),
  });
  expect(status).toBe(201);
  return [order, String(body['serviceOrderId'])];
}
const till = () => networkOrderCalls(service, network);
async function paidOrder(of: Shop = shop): Promise<string> {
  const [order, id] = await newOrder(of);
  expect(await till().pay(id, `T-${order}`)).toMatchObject({ code: '0000' });
  // A merchant asks once the network can no longer take it back.
  service.clock.advance({ seconds: 51 });
  return order;
}

const request = (order: string, body: object, calls = shop.clerk, { merchantId } = shop, headers = {}) =>
  calls.send('POST', `/orders/${merchantId}/${order}/refunds`, body, headers);
const change = (refund: string, to: 'approve' | 'pay' | 'fail' | 'cancel', calls = operations, body?: object, { merchantId } = shop) =>
  calls.send('POST', `/refunds/${merchantId}/${refund}/${to}`, body);
const show = async (refund: string, { merchantId } = shop) => (await owner.get(`/refunds/${merchantId}/${refund}`)).body;

/** All that is written of a merchant's orders, refunds and money. */
async function written({ merchantId }: Shop = shop): Promise<string> {
  const lists = ['/refunds', '/ledger/entries', '/orders'].map(async (path) => walkPages(owner, `${path}?merchant=${merchantId}`, [200]));
  const [refunds, entries, listed] = await Promise.all(lists);
  const whole = await Promise.all(
    (listed ?? []).map(async (one) => (await owner.get(`/orders/${merchantId}/${String(one['order'])}`)).body),
  );
  return JSON.stringify([refunds, entries, whole]);
}
/** Balances that are not zero. */
async function balancesOf({ merchantId }: Shop): Promise<Readonly<Record<string, string>>> {
  const { balances: all } = (await owner.get(`/ledger/balances?merchant=${merchantId}`)).body as unknown as {
    balances: { account: string; balance: { amount: string } }[];
  };
  const moved = all.filter(({ balance }) => balance.amount !== '0.00');
  return Object.fromEntries(moved.map(({ account, balance }) => [account, balance.amount]));
}
/** Those but for the fund and what came in for it. */
async function balances(of: Shop): Promise<Readonly<Record<string, unknown>>> {
  const { available: _fund, 'service:bank': _bank, ...moved } = await balancesOf(of);
  return moved;
}

describe('a refund', () => {
  test('that a clerk asks for is kept aside at once, operations approves it and pays it, and the history says who', async () => {
    const own = await openShop();
    const order = await paidOrder(own);
    const net = `network:${network.netname}`;
    const whole = { [net]: '-45000.00', collected: '43304.25', 'service:fees': '1425.00', 'service:tax': '270.75' };
    expect(await balances(own)).toEqual(whole);
    const made = await request(order, asked('15000', { refund: 'back' }), own.clerk, own);
    const kept = { amount: cop('15000.00'), fee: cop('475.00'), tax: cop('90.25'), refundedBy: 'operator', reason: 'returned goods' };
    const requested = { merchant: own.merchantId, refund: 'back', order, payment: 1, state: 'requested', next: 'approval', ...kept };
    expect(made).toMatchObject({ status: 201, body: { ...requested, endedAt: null, proof: null, problem: null, isRepeated: false } });
    const aside = { ...whole, collected: '28869.50', 'service:fees': '950.00', 'service:tax': '180.50', refunds: '15000.00' };
    expect(await balances(own)).toEqual(aside);
    expect(await change('back', 'approve', own.clerk, undefined, own)).toMatchObject({ status: 403, problem: 'permission_missing' });
    expect(await change('back', 'approve', operations, undefined, own)).toMatchObject({
      status: 200,
      body: { state: 'approved', next: 'payment' },
    });
    expect(await balances(own)).toEqual(aside);
    expect(await change('back', 'pay', own.clerk, {}, own)).toMatchObject({ status: 403 });
    const paid = await change('back', 'pay', operations, { proof: 'TRX-1', refundedBy: 'network' }, own);
    expect(paid).toMatchObject({ body: { state: 'paid', next: null, refundedBy: 'network', proof: 'TRX-1', isRepeated: false } });
    const { refunds: _, ...left } = aside;
    expect(await balances(own)).toEqual({ ...left, [net]: '-30000.00' });
    const seen = (await own.clerk.get(`/orders/${own.merchantId}/${order}`)).body;
    expect(seen).toMatchObject({
      state: 'approved',
      paymentList: [{ state: 'paid', amount: cop('45000.00'), refunded: cop('15000.00') }],
      refunds: [{ refund: 'back', state: 'paid' }],
      history: [
        {},
        { event: 'order.paid' },
        {
          event: 'order.refund_requested',
          actor: 'merchant:clerk',
          changes: { refund: { to: 'back' }, refundAmount: { from: null, to: cop('15000.00') }, reason: { to: 'returned goods' } },
        },
        { event: 'order.refund_approved', actor: 'operator' },
        { event: 'order.refunded', actor: 'operator', changes: { refundState: { from: 'approved', to: 'paid' } } },
      ],
    });
  });

  test('of a merchant whose fees are kept takes the whole amount from it, and so does a void', async () => {
    const own = await openShop();
    const net = `network:${network.netname}`;
    const [order, whole] = [await paidOrder(own), await paidOrder(own)];
    expect(await request(order, asked('15000'), own.clerk, own)).toMatchObject({ body: { fee: cop('475.00'), tax: cop('90.25') } });
    const set = await owner.send('PUT', `/merchants/${own.merchantId}/kept-fees`, { isOn: true });
    expect(set).toMatchObject({ status: 200, body: { keepsFees: true } });
    const nothing = { fee: cop('0.00'), tax: cop('0.00') };
    expect(await request(order, asked('15000'), own.clerk, own)).toMatchObject({ status: 201, body: nothing });
    const voided = await operations.send('POST', `/orders/${own.merchantId}/${whole}/void`, { refundedBy: 'network', reason: 'r' });
    expect(voided).toMatchObject({ status: 200, body: { state: 'voided', refund: nothing } });
    // Of two payments, each of 43,304.25 after the fee: 14,434.75, 15,000 and 45,000 less.
    expect(await balances(own)).toEqual({
      [net]: '-45000.00',
      collected: '12173.75',
      refunds: '30000.00',
      'service:fees': '2375.00',
      'service:tax': '451.25',
    });
    await owner.send('PUT', `/merchants/${own.merchantId}/kept-fees`, { isOn: false });
    // In proportion with the first one, and no more for the one between them.
    expect(await request(order, asked('9000'), own.clerk, own)).toMatchObject({ body: { fee: cop('285.00'), tax: cop('54.15') } });
  });

  test('of the service’s own side is approved at once; the last of them voids the payment, with all fee and tax', async () => {
    const own = await openShop();
    const order = await paidOrder(own);
    for (const [index, amount] of ['15000', '15000.01', undefined].entries()) {
      const made = await request(order, asked(amount, { refundedBy: 'network' }), operations, own);
      expect(made, made.text).toMatchObject({ status: 201, body: { state: 'approved' } });
      expect(await change(String(made.body['refund']), 'pay', operations, {}, own)).toMatchObject({ status: 200 });
      expect((await owner.get(`/orders/${own.merchantId}/${order}`)).body['state']).toBe(index < 2 ? 'approved' : 'voided');
    }
    expect(await balances(own)).toEqual({});
  });

  test('that failed or was cancelled gives the merchant its money again, and another one can have it', async () => {
    const own = await openShop();
    const order = await paidOrder(own);
    const before = await balances(own);
    const ends = { fail: ['failed', { reason: 'The account is closed' }], cancel: ['cancelled', undefined] } as const;
    for (const [how, [state, body]] of Object.entries(ends) as ['fail' | 'cancel', (typeof ends)['fail' | 'cancel']][]) {
      await request(order, asked(undefined, { refund: how }), operations, own);
      expect(await request(order, asked('1'), operations, own)).toMatchObject({ problem: 'nothing_to_refund' });
      expect(await change(how, how, operations, body, own)).toMatchObject({ status: 200, body: { state, next: null } });
      expect(await balances(own)).toEqual(before);
    }
    expect(await show('fail', own)).toMatchObject({ problem: 'The account is closed', proof: null, endedAt: expect.any(String) });
    expect(await request(order, asked(), own.clerk, own)).toMatchObject({ body: { amount: cop('45000.00') } });
  });

  test('cannot be asked for by the merchant while the network may still take the payment back: it could not any more', async () => {
    const [order, id] = await newOrder();
    expect(await till().pay(id, `T-${order}`)).toMatchObject({ code: '0000' });
    const before = await written();
    expect(await request(order, asked('0.01'))).toMatchObject({ status: 409, problem: 'refund_too_early' });
    expect(await written()).toBe(before);
    expect(await till().reverse(id, `T-${order}`)).toMatchObject({ code: '0000' });
  });

  test('is approved by whoever pays refunds: who may only ask, of the service’s own side too, only asks and withdraws', async () => {
    const order = await paidOrder();
    const asking = await manageCalls(service, { name: 'asking', permissions: ['refunds:write'] });
    expect(await request(order, asked('100', { refund: 'asks-only' }), asking)).toMatchObject({
      status: 201,
      body: { state: 'requested' },
    });
    await change('asks-only', 'approve');
    expect(await change('asks-only', 'cancel', asking)).toMatchObject({ status: 409, problem: 'refund_approved' });
  });

  test('is withdrawn by the merchant until it is approved, and by the operator until it is paid', async () => {
    const order = await paidOrder();
    for (const refund of ['w-1', 'w-2']) await request(order, asked('100', { refund }));
    expect(await change('w-1', 'cancel', shop.clerk)).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    await change('w-2', 'approve');
    const before = await written();
    expect(await change('w-2', 'cancel', shop.clerk)).toMatchObject({ status: 409, problem: 'refund_approved' });
    expect(await written()).toBe(before);
    expect(await change('w-2', 'cancel')).toMatchObject({ status: 200, body: { state: 'cancelled' } });
  });

  test('of another merchant is what does not exist', async () => {
    const other = await openShop();
    const order = await paidOrder();
    await request(order, asked('100', { refund: 'mine' }));
    const before = await written();
    const foreign = [
      await request(order, asked('100'), other.clerk),
      await other.clerk.get(`/refunds/${shop.merchantId}/mine`),
      await change('mine', 'cancel', other.clerk),
      await other.clerk.get(`/refunds?merchant=${shop.merchantId}`),
    ];
    for (const answer of foreign) expect(answer).toMatchObject({ status: 404, problem: 'not_found' });
    expect((await other.clerk.get('/refunds')).body).toMatchObject({ items: [] });
    expect(await written()).toBe(before);
  });
});

/** Makes the refund `known`. Returns what was asked for. */
const known = async (order: string, own: Shop) => {
  const body = asked('100', { refund: 'known' });
  expect(await request(order, body, own.clerk, own)).toMatchObject({ status: 201 });
  return body;
};

describe('a request that is refused writes nothing', () => {
  /** Asks for a refund of the order that is made here. */
  type Scene = (order: string, own: Shop) => object | Promise<object>;
  const REFUSED: Readonly<Record<string, readonly [status: number, problem: string, scene: Scene]>> = {
    'of a payment that is not there': [404, 'payment_not_found', () => asked('1', { payment: 2 })],
    'of what is refunded already': [
      409,
      'nothing_to_refund',
      async (order, own) => {
        await request(order, asked('45000'), own.clerk, own);
        return asked();
      },
    ],
    'under an id of another amount': [409, 'refund_exists', async (order, own) => ({ ...(await known(order, own)), amount: cop('101') })],
    'under an id of all that was left': [
      409,
      'refund_exists',
      async (order, own) => {
        await known(order, own);
        return asked('44900', { refund: 'known' });
      },
    ],
    'under an id that somebody else was to pay': [
      409,
      'refund_exists',
      async (order, own) => ({ ...(await known(order, own)), refundedBy: 'merchant' }),
    ],
    'under an id of another order': [409, 'refund_exists', async (_order, own) => known(await paidOrder(own), own)],
    'in another currency': [422, 'refund_currency_differs', () => asked(undefined, { amount: { amount: '1', currency: 'USD' } })],
    'of more than the payment': [409, 'refund_too_large', () => asked('45000.01')],
    'of more than is left': [
      409,
      'refund_too_large',
      async (order, own) => {
        await request(order, asked('40000'), own.clerk, own);
        return asked('5000.01');
      },
    ],
    'after fifty': [
      409,
      'too_many_refunds',
      async (order, own) => {
        for (let count = 1; count <= MOST_REFUNDS; count++) await request(order, asked('1', { refund: `n-${count}` }), own.clerk, own);
        await change('n-1', 'cancel', own.clerk, undefined, own);
        return asked('1');
      },
    ],
    'of more than the merchant has collected': [
      409,
      'collected_too_small',
      async (_order, own) => {
        // A refund of 15,000 takes 14,434.75 from it.
        const settled = { account: 'collected', amount: cop('-28869.51'), reason: 'settled with the bank of the merchant' };
        expect(await owner.send('POST', `/ledger/${own.merchantId}/adjustments`, settled)).toMatchObject({ status: 201 });
        return asked('15000');
      },
    ],
    'of nothing': [422, 'fields_invalid', () => asked('0')],
    'of more decimals than the currency has': [422, 'fields_invalid', () => asked('1.001')],
    'in a currency that is none': [422, 'fields_invalid', () => asked(undefined, { amount: { amount: '1', currency: 'ZZZ' } })],
    'under an id that is none': [422, 'fields_invalid', () => asked('1', { refund: 'a/b' })],
    'without a reason': [422, 'fields_invalid', () => asked('1', { reason: ' ' })],
    'that says not who pays': [422, 'fields_invalid', () => asked('1', { refundedBy: undefined })],
  };
  test.each(Object.entries(REFUSED))('%s', async (_what, [status, problem, scene]) => {
    const own = await openShop();
    const order = await paidOrder(own);
    const body = await scene(order, own);
    const before = await written(own);
    expect(await request(order, body, own.clerk, own)).toMatchObject({ status, problem });
    expect(await written(own)).toBe(before);
  });

  test('of an order that is not paid, that its network took back, or that is unknown', async () => {
    const [unpaid] = await newOrder();
    expect(await request(unpaid, asked())).toMatchObject({ status: 404, problem: 'payment_not_found' });
    const [reversed, id] = await newOrder();
    await till().pay(id, `T-${reversed}`);
    await till().reverse(id, `T-${reversed}`);
    expect(await request(reversed, asked())).toMatchObject({ status: 409, problem: 'nothing_to_refund' });
    expect(await request('none', asked())).toMatchObject({ status: 404, problem: 'not_found' });
  });

  test('the last peso that was collected is enough', async () => {
    const own = await openShop();
    const order = await paidOrder(own);
    const settled = { account: 'collected', amount: cop('-28869.50'), reason: 'settled with the bank of the merchant' };
    await owner.send('POST', `/ledger/${own.merchantId}/adjustments`, settled);
    expect(await request(order, asked('15000'), own.clerk, own)).toMatchObject({ status: 201 });
  });
});

/** What each change of a refund that has ended is answered. `how` it ended. */
const ended = (refund: string, how: string) => ({
  ...Object.fromEntries(['approve', 'pay', 'fail', 'cancel'].map((one) => [`${one} ${refund}`, 'refund_ended'])),
  [`${how} ${refund}`]: '200 true',
});

describe('a change', () => {
  test('that the state of the refund does not allow is refused, and writes nothing', async () => {
    const order = await paidOrder();
    for (const refund of ['s-requested', 's-paid', 's-failed', 's-cancelled']) await request(order, asked('100', { refund }));
    for (const refund of ['s-paid', 's-failed']) await change(refund, 'approve');
    await change('s-paid', 'pay', operations, { proof: 'TRX-1' });
    await change('s-failed', 'fail', operations, { reason: 'closed' });
    await change('s-cancelled', 'cancel');
    const before = await written();
    const bodies = { approve: undefined, pay: {}, fail: { reason: 'x' }, cancel: undefined } as const;
    const answers: Record<string, string> = {};
    for (const refund of ['s-requested', 's-paid', 's-failed', 's-cancelled', 'none'])
      for (const how of ['approve', 'pay', 'fail', 'cancel'] as const) {
        if (refund === 's-requested' && (how === 'approve' || how === 'cancel')) continue;
        const { status, problem, body } = await change(refund, how, operations, bodies[how]);
        answers[`${how} ${refund}`] = problem ?? `${status} ${body['isRepeated']}`;
      }
    expect(answers).toEqual({
      'pay s-requested': 'refund_not_approved',
      'fail s-requested': 'refund_not_approved',
      ...ended('s-paid', 'pay'),
      ...ended('s-failed', 'fail'),
      ...ended('s-cancelled', 'cancel'),
      ...Object.fromEntries(['approve', 'pay', 'fail', 'cancel'].map((how) => [`${how} none`, 'not_found'])),
    });
    expect(await written()).toBe(before);
    expect(await show('s-paid'), 'what proved it stays').toMatchObject({ proof: 'TRX-1' });
    // Only one of them can have paid.
    expect(await change('s-paid', 'pay', operations, { refundedBy: 'network' })).toMatchObject({ status: 409, problem: 'refund_ended' });
    expect(await change('s-paid', 'pay', operations, { refundedBy: 'operator' })).toMatchObject({ body: { isRepeated: true } });
  });
});

describe('a request that is sent again', () => {
  test('under its id is the same refund, whatever has become of it', async () => {
    const order = await paidOrder();
    const body = asked('100', { refund: 'again' });
    expect(await request(order, body)).toMatchObject({ status: 201, body: { isRepeated: false } });
    const before = await written();
    expect(await request(order, body)).toMatchObject({ status: 201, body: { refund: 'again', state: 'requested', isRepeated: true } });
    // The amount of a request without one is that of the refund.
    expect(await request(order, asked(undefined, { refund: 'again' }))).toMatchObject({
      body: { amount: cop('100.00'), isRepeated: true },
    });
    expect(await written()).toBe(before);
    await change('again', 'cancel');
    expect(await request(order, body)).toMatchObject({ status: 201, body: { state: 'cancelled', isRepeated: true } });
    const paid = asked('200', { refund: 'paid-otherwise' });
    await request(order, paid);
    await change('paid-otherwise', 'approve');
    await change('paid-otherwise', 'pay', operations, { refundedBy: 'network' });
    expect(await request(order, paid)).toMatchObject({ status: 201, body: { state: 'paid', isRepeated: true } });
  });

  test('under a key gets its first answer, and makes one refund', async () => {
    const order = await paidOrder();
    const key = { 'idempotency-key': 'refund-1' };
    const first = await request(order, asked('100'), shop.clerk, shop, key);
    const before = await written();
    const again = await request(order, asked('100'), shop.clerk, shop, key);
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([201, first.text, 'true']);
    expect(await request(order, asked('200'), shop.clerk, shop, key)).toMatchObject({ status: 422, problem: 'key_reused' });
    expect(await written()).toBe(before);
  });

  test('without an id or a key is another refund; an id of the service is never one that a merchant chose', async () => {
    const order = await paidOrder();
    const { body } = await request(order, asked('100'));
    // The version of the order is a number higher with each refund.
    const next = String(body['refund']).replace(/\d+$/, (version) => String(Number(version) + 2));
    expect(await request(order, asked('100', { refund: next }))).toMatchObject({ status: 422, problem: 'fields_invalid' });
    await request(order, asked('100', { refund: next.replace('.', '-') }));
    const made = await request(order, asked('100'));
    expect(made, made.text).toMatchObject({ status: 201, body: { isRepeated: false } });
    expect(made.body['refund']).toBe(next);
    expect(await show(next)).toMatchObject({ refund: next, amount: cop('100.00') });
  });

  test('together with others promises no more than the payment', async () => {
    const own = await openShop();
    const order = await paidOrder(own);
    const answers = await Promise.all(Array.from({ length: 8 }, async () => request(order, asked('20000'), own.clerk, own)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 201, 409, 409, 409, 409, 409, 409]);
    expect(await balances(own)).toMatchObject({ refunds: '40000.00' });
  });

  test('may be taken from the merchant’s fund, which gives no more than it has, and gets back what is released', async () => {
    const own = await openShop({ fundMinor: 0n });
    const made = [await paidOrder(own), await paidOrder(own), await paidOrder(own), await paidOrder(own)];
    const [order] = made as [string, ...string[]];
    const before = await balances(own);
    const fund = async (): Promise<string> => (await balancesOf(own))['available'] ?? '0.00';
    expect(await request(order, fromFund('empty'), own.clerk, own)).toMatchObject({ status: 409, problem: 'fund_too_small' });
    await owner.send('POST', `/ledger/${own.merchantId}/top-ups`, { amount: cop('30000') });
    // 15,000 less 475 of the fee and 90.25 of the tax on it. Four at once find a fund that bears two.
    const asking = made.map(async (one) => request(one, fromFund(`of-${one}`), own.clerk, own));
    const answers = await Promise.all(asking);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 201, 409, 409]);
    expect(answers.flatMap(({ problem = [] }) => problem)).toEqual(['fund_too_small', 'fund_too_small']);
    expect(await fund()).toBe('1130.50');
    const aside = { refunds: '30000.00', 'service:fees': '4750.00', 'service:tax': '902.50' };
    expect(await balances(own)).toEqual({ ...before, ...aside });
    const [first = {}, second = {}] = answers.filter(({ status }) => status === 201).map(({ body }): Body => body);
    expect(first).toMatchObject({ takenFrom: 'fund', fee: cop('475.00') });
    const [of, refund] = [String(first['order']), String(first['refund'])];
    expect(await request(of, fromFund(refund, { takenFrom: 'collected' }), own.clerk, own)).toMatchObject({ problem: 'refund_exists' });
    await change(refund, 'cancel', own.clerk, undefined, own);
    expect(await fund()).toBe('15565.25');
    // The merchant pays out of pocket: its fund has the amount again, and the part of fee and tax.
    await change(String(second['refund']), 'approve', operations, undefined, own);
    await change(String(second['refund']), 'pay', operations, { refundedBy: 'merchant' }, own);
    expect(await fund()).toBe('30565.25');
    expect(await balances(own)).toEqual({ ...before, 'service:fees': '5225.00', 'service:tax': '992.75' });
  });

  test('brings a merchant no money while it can be withdrawn, also of a payment whose fee was more than it', async () => {
    const own = await openShop({ fundMinor: 0n });
    const { merchantId } = own;
    await setFees(service, { merchantId, kind: 'order', currency: 'COP', percentPpm: 0, fixedMinor: 50_000_00n, taxPpm: 190_000 });
    const order = await paidOrder(own);
    const before = await balancesOf(own);
    expect(before).toMatchObject({ collected: '-14500.00', 'service:fees': '50000.00' });
    for (const amount of ['0.01', '45000']) {
      const made = await request(order, asked(amount, { refund: `of-${amount.length}`, takenFrom: 'fund' }), own.clerk, own);
      expect(made, made.text).toMatchObject({ status: 201, body: { fee: cop(Number(amount).toFixed(2)), tax: cop('0.00') } });
      const { available = '0.00' } = await balancesOf(own);
      expect(available).toBe('0.00');
      expect(await change(`of-${amount.length}`, 'cancel', own.clerk, undefined, own)).toMatchObject({ status: 200 });
      expect(await balancesOf(own)).toEqual(before);
    }
  });
});

test('the list has the newest first, by states, in pages', async () => {
  const own = await openShop();
  const order = await paidOrder(own);
  for (const refund of ['l-1', 'l-2', 'l-3', 'l-4']) {
    await request(order, asked('100', { refund }), own.clerk, own);
    service.clock.advance({ seconds: 1 });
  }
  await change('l-2', 'approve', operations, undefined, own);
  await change('l-3', 'cancel', operations, undefined, own);
  const listed = async (query: string, limits: readonly number[]) =>
    (await walkPages(own.clerk, `/refunds${query}`, limits)).map(({ refund }) => refund);
  expect(await listed('', [1, 2])).toEqual(['l-4', 'l-3', 'l-2', 'l-1']);
  expect(await listed('?state=requested,approved', [1])).toEqual(['l-4', 'l-2', 'l-1']);
  expect(await listed('?state=cancelled', [50])).toEqual(['l-3']);
  expect((await own.clerk.get('/refunds?state=open')).status).toBe(422);
});

test('a frozen merchant asks for nothing and withdraws nothing; the operator settles what was begun', async () => {
  const own = await openShop();
  const order = await paidOrder(own);
  for (const refund of ['f-1', 'f-2', 'f-3', 'f-4']) await request(order, asked('100', { refund }), own.clerk, own);
  await owner.send('POST', `/merchants/${own.merchantId}/freeze`);
  await eventually(SOON_MS, async () => expect((await service.merchants.find(own.merchantId))?.isFrozen).toBe(true));
  const before = await written(own);
  for (const calls of [own.clerk, operations])
    expect(await request(order, asked('100'), calls, own)).toMatchObject({ status: 409, problem: 'merchant_frozen' });
  expect(await change('f-1', 'cancel', own.clerk, undefined, own)).toMatchObject({ status: 409, problem: 'merchant_frozen' });
  expect(await written(own)).toBe(before);
  for (const refund of ['f-1', 'f-2', 'f-3'])
    expect(await change(refund, 'approve', operations, undefined, own)).toMatchObject({ status: 200 });
  const ends = {
    'f-1': ['pay', {}],
    'f-2': ['fail', { reason: 'closed' }],
    'f-3': ['cancel', undefined],
    'f-4': ['cancel', undefined],
  } as const;
  for (const [refund, [how, body]] of Object.entries(ends))
    expect(await change(refund, how, operations, body, own), refund).toMatchObject({ status: 200, body: { next: null } });
  expect(await own.clerk.get(`/refunds/${own.merchantId}/f-1`)).toMatchObject({ body: { state: 'paid' } });
});
