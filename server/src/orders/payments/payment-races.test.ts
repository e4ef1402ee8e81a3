import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEngine } from '../../kit/changes/engine.ts';
import { ledgerChecks } from '../../ledger/index.ts';
import type { Caudal } from '../../main/rooms.ts';
import { findings } from '../../testing/findings.ts';
import { networkOrderCalls, type NetworkOrderAnswer } from '../../testing/network-calls.ts';
import { orderCalls, type OrderAnswer, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';
import { openGivingBack } from './give-back-payment.ts';

type Till = ReturnType<typeof networkOrderCalls>;

/** A second server on the same database: between two processes only the database keeps order. */
let service: TestCaudal;
let other: Caudal;
let merchant: TestMerchant;
let shops: readonly [OrderCalls, OrderCalls];
/** Eight networks, every other one at the second server. */
let tills: readonly Till[];
let count = 0;

beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4 } });
  other = await service.openAnother({ databaseConnections: 4 });
  merchant = await service.merchant();
  shops = [orderCalls(service, merchant), orderCalls({ ...service, app: other.app }, merchant)];
  const networks = await Promise.all(Array.from({ length: 8 }, () => service.network()));
  tills = networks.map((network, index) => networkOrderCalls(index % 2 === 0 ? service : other, network));
});
afterAll(async () => {
  // Whatever raced: histories replay, the ledger has what the payments demand, no reference is held by an order that is over.
  expect(await findings(service, [...orderChecks, ...ledgerChecks])).toEqual([]);
  await other.close();
  await service.close();
});

async function created(fields: Readonly<Record<string, unknown>> = {}): Promise<{ order: string; idorder: string; reference: string }> {
  const order = `P-${++count}`;
  const { code, data } = await shops[0].create({ order, ...fields });
  expect(code).toBe('0000');
  return { order, idorder: data['SVordenID'] as unknown as string, reference: data['Referencia'] as unknown as string };
}
const shop = (index: number): OrderCalls => shops[index % 2] as OrderCalls;
const till = (index: number): Till => tills[index % tills.length] as Till;
const tally = (answers: readonly { readonly code: string }[]): Record<string, number> =>
  answers.reduce<Record<string, number>>((counts, { code }) => ({ ...counts, [code]: (counts[code] ?? 0) + 1 }), {});
const each = <T>(n: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => make(index)));

test('of 64 payments of one order by different networks exactly one wins', async () => {
  const { order, idorder } = await created();
  const answers = await each(64, (index) => till(index).pay(idorder, `W-${index}`));
  expect(tally(answers)).toEqual({ '0000': 1, '0041': 63 });
  const winner = answers.find(({ code }) => code === '0000');
  expect((await shops[0].query(order)).data).toMatchObject({ STATE: 'APROBADA', TRANSACTION: { ID: winner?.data['Transaccion'] } });
});

test('of 64 orders that one transaction would pay, at both servers, exactly one is paid', async () => {
  const orders = await each(64, () => created());
  const network = await service.network();
  const [here, there] = [networkOrderCalls(service, network), networkOrderCalls(other, network)];
  const answers = await each(64, (index) => (index % 2 === 0 ? here : there).pay(orders[index]?.idorder, 'ONE'));
  expect(tally(answers)).toEqual({ '0000': 1, '0016': 63 });
  const paid = orders[answers.findIndex(({ code }) => code === '0000')];
  expect((await shops[1].query(paid?.order ?? '')).data['STATE']).toBe('APROBADA');
  expect((await till(0).lookUp(paid?.reference)).code).toBe('0001');
});

test('the same payment sent 32 times at once is one payment with one answer', async () => {
  const { idorder } = await created();
  const network = await service.network();
  const [here, there] = [networkOrderCalls(service, network), networkOrderCalls(other, network)];
  const answers = await each(32, (index) => (index % 2 === 0 ? here : there).pay(idorder, 'SAME'));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ code: '0000', data: { Pago: '1' } });
});

test('an order is never paid at one amount and stored at another, however updates and payments race', async () => {
  const ROUNDS = 12;
  const tried: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { order, idorder } = await created({ amount: 1 });
    // Chains of updates and chains of payments race. Each payment has the first amount, or one that some update sets.
    const updates = async (chain: number): Promise<OrderAnswer[]> => {
      const answers: OrderAnswer[] = [];
      for (let index = 0; index < 6; index++) answers.push(await shop(chain).update({ order, amount: 1 + ((index + chain) % 4) }));
      return answers;
    };
    const pays = async (chain: number): Promise<NetworkOrderAnswer[]> => {
      const answers: NetworkOrderAnswer[] = [];
      for (let index = 0; index < 6; index++) {
        answers.push(await till(chain).pay(idorder, `A-${round}-${chain}-${index}`, String(1 + ((index + chain) % 4))));
      }
      return answers;
    };
    const [updated, paid] = (await Promise.all([each(3, updates), each(3, pays)])).map((chains) => chains.flat()) as [
      OrderAnswer[],
      NetworkOrderAnswer[],
    ];
    tried.push(...updated.map(({ code }) => `update ${code}`), ...paid.map(({ code }) => `pay ${code}`));
    const winners = paid.filter(({ code }) => code === '0000');
    const { STATE, AMOUNT, TRANSACTION } = (await shop(round).query(order)).data as unknown as {
      readonly STATE: string;
      readonly AMOUNT: string;
      readonly TRANSACTION: { readonly AMOUNT?: string };
    };
    expect(winners.length).toBeLessThanOrEqual(1);
    if (winners.length === 0) expect([STATE, TRANSACTION]).toEqual(['PENDIENTE', {}]);
    else expect([STATE, AMOUNT, TRANSACTION.AMOUNT]).toEqual(['APROBADA', `${winners[0]?.data['Monto']}0`, AMOUNT]);
  }
  // All of it happened: updates before and after the payment, payments of another amount and of an order that is paid.
  expect(new Set(tried)).toEqual(new Set(['update 0000', 'update 0041', 'pay 0000', 'pay 0905', 'pay 0041']));
});

test('a payment races a cancellation: the order is paid or cancelled, and the second one is refused', async () => {
  for (let round = 0; round < 12; round++) {
    const { order, idorder } = await created();
    const [paid, cancelled] = await Promise.all([till(round).pay(idorder, `C-${round}`), shop(round).cancel(order)]);
    const { STATE } = (await shops[0].query(order)).data as unknown as { STATE: string };
    expect([paid.code, cancelled.code, STATE]).toEqual(paid.code === '0000' ? ['0000', '0041', 'APROBADA'] : ['0041', '0000', 'CANCELADA']);
  }
});

test('a payment is given back once: its reversals and voids race', async () => {
  const givingBack = [service.db, other.db].map((db) => openGivingBack({ db, engine: openEngine({ db, clock: service.clock }) }));
  for (let round = 0; round < 8; round++) {
    const { order, idorder } = await created();
    await till(round).pay(idorder, `B-${round}`);
    const voids = each(4, (index) =>
      (givingBack[index % 2] as (typeof givingBack)[0]).voidOrder({
        merchantId: merchant.merchantId,
        orderId: order,
        paymentNumber: null,
        refundedBy: 'network',
        isClaim: true,
        reason: 'Claimed',
        requestId: null,
      }),
    );
    const [voided, reversed] = await Promise.all([voids, each(4, () => till(round).reverse(idorder, `B-${round}`))]);
    const isVoided = !('refusal' in (voided[0] as object));
    expect(tally(reversed)).toEqual(isVoided ? { '0906': 4 } : { '0000': 4 });
    for (const outcome of voided) expect('refusal' in outcome).toBe(!isVoided);
  }
  const notices = {
    name: 'test.given_back_notices',
    text: `select count(*) as notices from notices where subject_id like 'P-%' and status = 'cancelled' group by subject_id having count(*) > 1`,
  };
  expect(await service.db.query(notices, [])).toEqual([]);
});

test('refunds of one payment race with each other, with its reversal and with a void: no peso is promised twice', async () => {
  const givingBack = [service.db, other.db].map((db) => openGivingBack({ db, engine: openEngine({ db, clock: service.clock }) }));
  const at = (index: number) => givingBack[index % 2] as (typeof givingBack)[0];
  for (let round = 0; round < 8; round++) {
    const { order: orderId, idorder } = await created();
    await till(round).pay(idorder, `R-${round}`);
    const key = { merchantId: merchant.merchantId, orderId, paymentNumber: null };
    const by = { refundedBy: 'operator', reason: 'Raced', requestId: null, actor: 'operator' } as const;
    // Each asks for a third: three of them fit, and a fourth does not.
    const asked = each(6, (index) =>
      at(index).requestRefund({ ...key, ...by, amountMinor: 1_500_000n, currency: 'COP', isApproved: true }),
    );
    const [requested, reversed, voided] = await Promise.all([
      asked,
      round % 2 === 0 ? each(2, () => till(round).reverse(idorder, `R-${round}`)) : [],
      round % 3 === 0 ? at(round).voidOrder({ ...key, ...by, actor: 'token:t', isClaim: false }) : { refusal: 'none' },
    ]);
    const made = requested.flatMap((outcome) => ('refund' in outcome ? [outcome.refund] : []));
    const isReversed = reversed.some(({ code }) => code === '0000');
    const isVoided = !('refusal' in voided);
    expect(made.length + (isReversed ? 3 : 0) + (isVoided ? 3 : 0), 'of a payment there are three thirds').toBe(3);
    // Paid by both servers at once, each of them is paid once.
    const { merchantId } = key;
    const paying = made.flatMap(({ refundId }) =>
      [0, 1].map((index) => at(index).changeRefund({ ...by, merchantId, refundId, to: 'paid' })),
    );
    for (const outcome of await Promise.all(paying)) expect(outcome).toMatchObject({ refund: { state: 'paid' } });
    expect((await shops[0].query(orderId)).data).toMatchObject({ STATE: 'ANULADA' });
  }
});

test('payments of many orders at both servers, in opposite directions, never deadlock', async () => {
  const orders = await each(48, () => created());
  const answers = await each(96, (index) => {
    const place = index % 2 === 0 ? index >> 1 : 47 - (index >> 1);
    return till(index).pay(orders[place]?.idorder, `M-${index}`);
  });
  expect(tally(answers)).toEqual({ '0000': 48, '0041': 48 });
});
