import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openEngine } from '../../kit/changes/engine.ts';
import { ledgerChecks, type Refunder } from '../../ledger/index.ts';
import type { CreatedNetwork } from '../../networks/index.ts';
import { findings } from '../../testing/findings.ts';
import { fillAccount } from '../../testing/full-account.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';
import { openGivingBack } from './give-back-payment.ts';
import { payByMethod, type PaymentMethod } from './payment-method.ts';
import { payOrders } from './pay-order.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let network: CreatedNetwork;
let shop: OrderCalls;
let till: ReturnType<typeof networkOrderCalls>;

beforeAll(async () => {
  service = await startTestCaudal();
  network = await service.network();
  till = networkOrderCalls(service, network);
});
beforeEach(async () => {
  merchant = await service.merchant({ name: 'Demo Books', language: 'en' });
  shop = orderCalls(service, merchant);
});
afterAll(async () => {
  expect(await findings(service, [...orderChecks, ...ledgerChecks])).toEqual([]);
  await service.close();
});

async function created(order: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { code, data } = await shop.create({ order, ...fields });
  expect(code).toBe('0000');
  return data['SVordenID'] as unknown as string;
}
const stateOf = async (order: string): Promise<unknown> => (await shop.query(order)).data['STATE'];

/** The merchant's notices, in order: the id, the status and the way of payment. */
const noticesOf = async (): Promise<readonly string[]> =>
  (
    await service.db.query<{ notice: string }>(
      {
        name: 'test.order_notices',
        text: `select concat_ws(' ', po_id, status, amount_minor, payment) as notice from notices where merchant_id = $1 order by notice_id`,
      },
      [merchant.merchantId],
    )
  ).map(({ notice }) => notice);
const balances = async (): Promise<Readonly<Record<string, bigint>>> =>
  Object.fromEntries(
    (
      await service.db.query<{ account: string; balance: bigint }>(
        {
          name: 'test.balances',
          text: `select account, balance_minor as balance from ledger_balances where merchant_id = $1 and currency = 'COP' and balance_minor <> 0
                    and account not in ('available', 'service:bank')`,
        },
        [merchant.merchantId],
      )
    ).map(({ account, balance }) => [account, balance]),
  );
const balanceOf = async (account: string): Promise<bigint> => {
  const text = `select balance_minor as balance from ledger_balances where merchant_id = $1 and account = $2 and currency = 'COP'`;
  const [row] = await service.db.query<{ balance: bigint }>({ name: 'test.balance', text }, [merchant.merchantId, account]);
  return row?.balance ?? 0n;
};
const voidPayment = (orderId: string, paymentNumber: number | null, isClaim = false, refundedBy: Refunder = 'network') =>
  openGivingBack({ db: service.db, engine: openEngine(service) }).voidOrder({
    merchantId: merchant.merchantId,
    orderId,
    paymentNumber,
    refundedBy,
    isClaim,
    reason: 'Claimed',
    requestId: null,
  });

const setFee = (percentPpm: number, fixedMinor: bigint, taxPpm: number): Promise<unknown> =>
  service.db.query(
    {
      name: 'test.set_fee',
      text: `insert into merchant_fees (merchant_id, operation_kind, currency, percent_ppm, fixed_minor, tax_ppm, set_at) values ($1, 'order', 'COP', $2, $3, $4, now())`,
    },
    [merchant.merchantId, percentPpm, fixedMinor, taxPpm],
  );

test('a payment is owed to the merchant less the fee of that day, and all of it goes back with it', async () => {
  await setFee(25_000, 300_00n, 190_000);
  const [first, second] = [await created('F-1', { amount: '45000' }), await created('F-2', { amount: '45000' })];
  expect((await till.pay(first, 'F-1')).code).toBe('0000');
  // 2.5 % of 45,000 and 300: 1,425; 19 % of it: 270.75.
  const one = { [`network:${network.netname}`]: -45_000_00n, collected: 43_304_25n, 'service:fees': 1_425_00n, 'service:tax': 270_75n };
  expect(await balances()).toEqual(one);
  await setFee(0, 0n, 0);
  expect((await till.pay(second, 'F-2')).code).toBe('0000');
  expect(await balances()).toEqual({ ...one, [`network:${network.netname}`]: -90_000_00n, collected: 88_304_25n });
  expect((await till.reverse(first, 'F-1')).code).toBe('0000');
  await voidPayment('F-2', null);
  expect(await balances()).toEqual({});
});

test('whoever gave the money of a payment back is owed it, days later too, and what the network holds stays there', async () => {
  await setFee(25_000, 300_00n, 190_000);
  const networkAccount = `network:${network.netname}`;
  const ids = await Promise.all(['W-1', 'W-2', 'W-3'].map((order) => created(order, { amount: '100000' })));
  for (const [index, id] of ids.entries()) expect((await till.pay(id, `W-${merchant.merchantId}-${index}`, '100000.0')).code).toBe('0000');
  const bank = await balanceOf('service:bank');
  // 2.5 % of 100,000 and 300: 2,800; 19 % of it: 532.
  const [fee, tax] = [2_800_00n, 532_00n];
  const paid = {
    [networkAccount]: -300_000_00n,
    collected: 3n * (100_000_00n - fee - tax),
    'service:fees': 3n * fee,
    'service:tax': 3n * tax,
  };
  expect(await balances()).toEqual(paid);
  service.clock.advance({ hours: 72 });
  expect(await voidPayment('W-1', null, false, 'operator')).toMatchObject({
    payment: { state: 'voided' },
    refund: { refundedBy: 'operator' },
  });
  const one = { ...paid, collected: paid.collected - (100_000_00n - fee - tax), 'service:fees': 2n * fee, 'service:tax': 2n * tax };
  expect([await balances(), (await balanceOf('service:bank')) - bank]).toEqual([one, 100_000_00n]);
  await voidPayment('W-2', null, false, 'merchant');
  const two = { ...one, collected: one.collected + fee + tax, 'service:fees': fee, 'service:tax': tax };
  expect(await balances()).toEqual(two);
  await voidPayment('W-3', null, false, 'network');
  expect(await balances()).toEqual({ [networkAccount]: -200_000_00n, collected: 100_000_00n });
  expect((await balanceOf('service:bank')) - bank).toBe(100_000_00n);
  // Who gave it back is on record: somebody else cannot have.
  expect(await voidPayment('W-1', null, false, 'operator')).toMatchObject({ payment: { state: 'voided' } });
  expect(await voidPayment('W-1', null, false, 'network')).toMatchObject({ refusal: 'void_differs' });
});

test('a network takes nothing back of which a refund has promised some, and the history says which refund changed', async () => {
  const id = await created('H-1', { amount: '45000' });
  const transaction = `H-${merchant.merchantId}`;
  expect((await till.pay(id, transaction)).code).toBe('0000');
  const givingBack = openGivingBack({ db: service.db, engine: openEngine(service) });
  const by = { merchantId: merchant.merchantId, refundId: 'back', requestId: null, actor: 'operator' } as const;
  const asked = {
    orderId: 'H-1',
    paymentNumber: null,
    amountMinor: 15_000_00n,
    currency: 'COP',
    refundedBy: 'operator',
    reason: 'Broken',
  } as const;
  // Within these seconds only who decides about refunds can: a merchant would keep its network from taking its payment back.
  expect(await givingBack.requestRefund({ ...by, ...asked, isApproved: false })).toEqual({ refusal: 'refund_too_early' });
  await givingBack.requestRefund({ ...by, ...asked, isApproved: true });
  expect((await till.reverse(id, transaction)).code).toBe('0906');
  await givingBack.changeRefund({ ...by, to: 'cancelled', isWithdrawn: false });
  expect((await till.reverse(id, transaction)).code).toBe('0000');
  const { HISTORY } = (await shop.history('H-1')).data as unknown as { HISTORY: readonly Record<string, unknown>[] };
  const [REFUND, REFUND_AMOUNT] = [
    { from: null, to: 'back' },
    { from: null, to: '15000.0' },
  ];
  expect(HISTORY.slice(2)).toMatchObject([
    {
      OPERATION: 'REEMBOLSO_APROBADO',
      CHANGES: { REFUND, REFUND_AMOUNT, REFUND_STATE: { from: null, to: 'APROBADO' }, reason: { from: null, to: 'Broken' } },
    },
    { OPERATION: 'REEMBOLSO_CANCELADO', CHANGES: { REFUND, REFUND_AMOUNT, REFUND_STATE: { from: 'APROBADO', to: 'CANCELADO' } } },
    { OPERATION: 'REVERSADA', CHANGES: { STATE: { from: 'APROBADA', to: 'ANULADA' } } },
  ]);
});

test('a payment that the ledger cannot hold is no fault and no refusal: the others of its batch are made, and it is once the account is settled', async () => {
  const { merchantId } = merchant;
  const first = await created('L-0');
  const others = orderCalls(service, await service.merchant());
  const ids = await Promise.all(['L-1', 'L-2', 'L-3'].map(async (order) => (await others.create({ order })).data['SVordenID']));
  const settle = await fillAccount(service, { merchantId, account: 'collected' });
  const [full, ...made] = await Promise.allSettled([first, ...ids].map((id, index) => till.pay(id, `L-${merchantId}-${index}`)));
  expect(full).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/^HTTP 503: .*"0953"/) as string } });
  expect(made).toMatchObject(ids.map(() => ({ status: 'fulfilled', value: { code: '0000' } })));
  expect(await stateOf('L-0')).toBe('PENDIENTE');
  await settle();
  expect(await till.pay(first, `L-${merchantId}-0`)).toMatchObject({ code: '0000' });
});

test('the merchant gets notices of a payment, of its reversal, and of a void only after a claim of the payer', async () => {
  const ids = await Promise.all(['N-1', 'N-2', 'N-3', 'N-4'].map((order) => created(order)));
  for (const [index, id] of ids.entries()) expect((await till.pay(id, `N-${merchant.merchantId}-${index}`)).code).toBe('0000');
  const paid = ['N-1', 'N-2', 'N-3', 'N-4'].map((order) => `${order} approved 4500000 ${network.netname}`);
  expect(await noticesOf()).toEqual(paid);
  expect(await voidPayment('N-1', null)).toMatchObject({ order: { state: 'voided', version: 3 }, payment: { state: 'voided' } });
  expect(await voidPayment('N-2', 1, true)).toMatchObject({ order: { state: 'voided' } });
  expect((await till.reverse(ids[2], `N-${merchant.merchantId}-2`)).code).toBe('0000');
  const given = [`N-2 cancelled 4500000 ${network.netname}`, `N-3 cancelled 4500000 ${network.netname}`];
  expect(await noticesOf()).toEqual([...paid, ...given]);
  // A repeated void is the same void, also with a claim. The network has nothing left to reverse.
  expect(await voidPayment('N-1', null, true)).toMatchObject({ order: { state: 'voided', version: 3 } });
  expect((await till.reverse(ids[0], `N-${merchant.merchantId}-0`)).code).toBe('0906');
  expect(await voidPayment('N-3', 1)).toMatchObject({ refusal: 'payment_given_back' });
  expect(await voidPayment('N-4', 2)).toMatchObject({ refusal: 'payment_not_found' });
  expect(await voidPayment('N-5', null)).toMatchObject({ refusal: 'order_not_found' });
  expect(await noticesOf()).toEqual([...paid, ...given]);
  const { HISTORY } = (await shop.history('N-2')).data as unknown as { HISTORY: readonly Record<string, unknown>[] };
  expect(HISTORY.map(({ OPERATION, ACTOR }) => [OPERATION, ACTOR])).toEqual([
    ['CREADA', 'merchant'],
    ['PAGADA', `network:${network.netname}`],
    ['ANULADA', 'operator'],
  ]);
});

test('a recurrent order stays open through payments that are counted, notified and given back one by one', async () => {
  const id = await created('R-1', { recurrent: true, amount: '45000' });
  const transactions = [1, 2, 3].map((number) => `R-${merchant.merchantId}-${number}`);
  for (const [index, transaction] of transactions.entries()) {
    expect(await till.pay(id, transaction)).toMatchObject({ code: '0000', data: { Pago: String(index + 1) } });
  }
  expect(await till.pay(id, transactions[0])).toMatchObject({ code: '0000', data: { Pago: '1' } });
  expect((await shop.query('R-1')).data).toMatchObject({ STATE: 'PENDIENTE', TRANSACTION: { NUMBER: 3 } });
  expect(await voidPayment('R-1', 2, true)).toMatchObject({ order: { state: 'pending', paymentsGivenBack: 1 } });
  expect((await till.reverse(id, transactions[2] as string)).code).toBe('0000');
  expect(await balances()).toEqual({ [`network:${network.netname}`]: -45_000_00n, collected: 45_000_00n });
  const noticeOf = (poId: string, status: string): string => `${poId} ${status} 4500000 ${network.netname}`;
  const expected = [
    noticeOf('R-1_1', 'approved'),
    noticeOf('R-1_2', 'approved'),
    noticeOf('R-1_3', 'approved'),
    noticeOf('R-1_2', 'cancelled'),
    noticeOf('R-1_3', 'cancelled'),
  ];
  expect(await noticesOf()).toEqual(expected);

  // It becomes an order like any other: the next payment ends it, and only that one's return voids it.
  await shop.update({ order: 'R-1', recurrent: false });
  expect(await till.pay(id, `${transactions[0]}-last`)).toMatchObject({ code: '0000', data: { Pago: '4' } });
  expect(await stateOf('R-1')).toBe('APROBADA');
  expect(await voidPayment('R-1', 1)).toMatchObject({ order: { state: 'approved', paymentsGivenBack: 3 } });
  expect(await voidPayment('R-1', 4)).toMatchObject({ order: { state: 'voided', paymentsGivenBack: 4 } });
  expect(await noticesOf()).toEqual([...expected, noticeOf('R-1', 'approved')]);
  expect(await balances()).toEqual({});
});

test('the payer has a mail of the order with the link to pay it, and one of the payment', async () => {
  const id = await created('M-1', { email: 'ana@example.com', description: 'Books' });
  service.clock.advance({ minutes: 1 });
  await till.pay(id, 'M-1');
  await till.pay(id, 'M-1');
  const { data } = (await service.app.inject(`/sandbox/v1/inbox?merchant=${merchant.merchantId}`)).json<{
    data: { messages: readonly Readonly<Record<string, string>>[] };
  }>();
  const mails = data.messages.filter(({ channel }) => channel === 'mail');
  expect(mails.map(({ kind, to, about }) => [kind, to, about])).toEqual([
    ['order_paid', 'ana@example.com', 'M-1'],
    ['order_created', 'ana@example.com', 'M-1'],
  ]);
  expect(mails[1]?.['text']).toContain('https://pay.example/checkout?token=');
  expect(mails[0]?.['text']).not.toContain('token=');
});

test('a charge that turns out not to pay the order is given back to its payer; one that paid never is', async () => {
  const events: string[] = [];
  const processor = (answer: 'paid' | 'declined'): PaymentMethod => ({
    name: 'card',
    charge: async ({ transactionId }) => (events.push(`charge ${transactionId}`), answer),
    giveBack: async ({ transactionId }) => void events.push(`give back ${transactionId}`),
  });
  const messages = { writes: { mail: false, sms: false }, write: () => undefined };
  const { merchantId } = merchant;
  const { db, clock } = service;
  const merchants = { find: () => merchant.read() };
  const payOrder = payOrders({ db, clock, claims: undefined, engine: openEngine(service), messages, merchants });
  const id = BigInt(await created('C-1'));
  const pay = (transactionId: string, amountMinor: bigint, answer: 'paid' | 'declined' = 'paid') =>
    payByMethod(processor(answer), payOrder, {
      serviceOrderId: id,
      transactionId: `${merchantId}-${transactionId}`,
      shown: {
        amountMinor,
        currency: 'COP',
      },
      requestId: null,
    });
  expect(await pay('1', 45_000_00n, 'declined')).toEqual({ refusal: 'charge_declined' });
  expect(await pay('2', 1n)).toMatchObject({ refusal: 'amount_changed' });
  expect(await pay('3', 45_000_00n)).toMatchObject({ payment: { source: 'method:card', state: 'paid' } });
  expect(await pay('3', 45_000_00n)).toMatchObject({ payment: { paymentNumber: 1 } });
  expect(await pay('3', 2n)).toMatchObject({ refusal: 'transaction_repeated' });
  expect(await pay('4', 45_000_00n)).toMatchObject({ refusal: 'order_not_open' });
  expect(events.map((event) => event.replace(`${merchantId}-`, ''))).toEqual([
    'charge 1',
    'charge 2',
    'give back 2',
    'charge 3',
    'charge 3',
    'charge 3',
    'charge 4',
    'give back 4',
  ]);
  expect(await balances()).toEqual({ 'network:method:card': -45_000_00n, collected: 45_000_00n });
  // The operator has given the money back. The card gets none a second time.
  await voidPayment('C-1', 1);
  expect(await pay('3', 45_000_00n)).toMatchObject({ refusal: 'payment_given_back' });
  expect(events.at(-1)).toBe(`charge ${merchantId}-3`);
});
