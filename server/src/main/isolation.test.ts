import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireCashouts } from '../cashouts/expiry/expire-cashouts.job.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { holdRows } from '../testing/held-rows.ts';
import { networkCalls } from '../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { isLong } from '../testing/lanes.ts';

// What somebody else holds in the database delays only the requests that need it.

let service: TestCaudal;
let held: TestMerchant;
let shop: OrderCalls;
let other: OrderCalls;
let payer: CashoutCalls;
let otherPayer: CashoutCalls;
let teller: ReturnType<typeof networkCalls>;

beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 6 } });
  held = await service.merchant();
  shop = orderCalls(service, held);
  const stranger = await service.merchant();
  other = orderCalls(service, stranger);
  [payer, otherPayer] = [cashoutCalls(service, held), cashoutCalls(service, stranger)];
  teller = networkCalls(service, await service.network());
});
afterAll(() => service.close());

type CashoutCalls = ReturnType<typeof cashoutCalls>;

/** Longer than any request of these tests takes, and shorter than any wait for a row. */
const AT_ONCE_MS = 1_500;

type Coded = Promise<{ readonly code: string; readonly status?: number }>;

/** Sends requests of others, in rounds, while these requests wait. Each of the others is answered with success, at once. */
async function expectOthersServed(
  blocked: () => Coded,
  others: readonly (() => Coded)[],
): Promise<{ readonly blocked: readonly string[] }> {
  const waiting = Array.from({ length: 8 }, blocked);
  const codes: string[] = [];
  const done = Promise.all(waiting.map(async (answer) => (await answer).code)).then((all) => codes.push(...all));
  let rounds = 0;
  do {
    const began = performance.now();
    const answers = await Promise.all([...others, ...others].map((send) => send()));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => '0000'));
    expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
    rounds++;
  } while (codes.length === 0);
  expect(rounds).toBeGreaterThan(2);
  await done;
  return { blocked: codes };
}

const BUSY = Array.from({ length: 8 }, () => '0953');

test('a merchant that sends much more than the others waits for itself', async () => {
  const orders = await Promise.all(Array.from({ length: 30 }, () => shop.newOrder()));
  const stranger = await other.newOrder();
  let answered = 0;
  const flood = Array.from({ length: 900 }, async (_, index) => {
    const { code } = await shop.update({ order: orders[index % orders.length], amount: 1 + index });
    answered++;
    return code;
  });
  await flood[0];
  expect(await other.update({ order: stranger, amount: 1 })).toMatchObject({ code: '0000' });
  expect(answered, 'only batches that had left went first').toBeLessThan(700);
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['0000']));
});

const HOLD_ORDER = 'select from orders where merchant_id = $1 and order_id = $2 for update';

test('an order that another transaction holds delays only its own requests; they are refused in time, and served once it is free', async () => {
  const [order, sibling, stranger] = [await shop.newOrder(), await shop.newOrder(), await other.newOrder()];
  const release = await holdRows(service.url, HOLD_ORDER, [held.merchantId, order]);
  let amount = 0;
  const others = [
    () => shop.update({ order: sibling, amount: ++amount }),
    () => other.update({ order: stranger, amount: ++amount }),
    () => other.create({ order: `C-${++amount}` }),
  ];
  expect((await expectOthersServed(() => shop.update({ order, amount: 7 }), others)).blocked).toEqual(BUSY);
  expect((await expectOthersServed(() => shop.cancel(order), others)).blocked).toEqual(BUSY);
  const late = shop.update({ order, amount: 8 });
  await shop.query(order);
  await release();
  expect(await late).toMatchObject({ code: '0000' });
  expect((await shop.history(order)).data).toMatchObject({ HISTORY: { length: 2 } });
});

test.runIf(isLong)('a reference that another transaction holds delays only the requests that give it up', async () => {
  const [order, sibling, stranger] = [await shop.newOrder({ reference: '4711' }), await shop.newOrder(), await other.newOrder()];
  const release = await holdRows(service.url, 'select from open_references where reference = $1 for update', ['4711']);
  let amount = 0;
  const others = [() => shop.update({ order: sibling, amount: ++amount }), () => other.update({ order: stranger, amount: ++amount })];
  expect((await expectOthersServed(() => shop.update({ order, reference: '4712' }), others)).blocked).toEqual(BUSY);
  await release();
  expect(await shop.update({ order, reference: '4712' })).toMatchObject({ code: '0000' });
});

const DOCUMENT = '1020304050';
let operations = 0;
/** Registers a cashout, and cancels it or not. */
async function registers(calls: CashoutCalls): Coded {
  return calls.register(calls.registration({ operation: `W-${++operations}`, amount: '1', document: DOCUMENT }));
}
async function registersAndCancels(calls: CashoutCalls): Coded {
  const operation = `W-${++operations}`;
  const { code } = await calls.register(calls.registration({ operation, amount: '1', document: DOCUMENT }));
  return code === '0000' ? calls.cancel(operation, DOCUMENT) : { code };
}

const HOLD_FUND = `select from ledger_balances where merchant_id = $1 and account = 'available' for update`;

test.runIf(isLong)("a merchant's fund that another transaction holds delays only the requests that move its money", async () => {
  const [cancelled, stays] = [`W-${++operations}`, `W-${++operations}`];
  for (const operation of [cancelled, stays]) await payer.register(payer.registration({ operation, amount: '1', document: DOCUMENT }));
  const order = await shop.newOrder();
  const release = await holdRows(service.url, HOLD_FUND, [held.merchantId]);
  let amount = 0;
  const others = [
    () => registersAndCancels(otherPayer),
    () => registers(otherPayer),
    () => payer.query(stays, DOCUMENT),
    () => shop.update({ order, amount: ++amount }),
  ];
  const codes = (await expectOthersServed(() => registers(payer), others)).blocked;
  expect(new Set(codes)).toEqual(new Set(['0953']));
  expect(new Set((await expectOthersServed(() => payer.cancel(cancelled, DOCUMENT), others)).blocked)).toEqual(new Set(['0953']));
  await release();
  expect(await payer.cancel(cancelled, DOCUMENT)).toMatchObject({ code: '0000' });
  expect(await registers(payer)).toMatchObject({ code: '0000' });
});

test.runIf(isLong)('counts that another transaction holds delay only the changes of that merchant', async () => {
  const operation = `W-${++operations}`;
  await payer.register(payer.registration({ operation, amount: '1', document: DOCUMENT }));
  const release = await holdRows(service.url, 'select from cashout_counts where merchant_id = $1 for update', [held.merchantId]);
  const others = [() => registersAndCancels(otherPayer), () => registers(otherPayer)];
  await expectOthersServed(() => payer.cancel(operation, DOCUMENT), others);
  await release();
  expect(await payer.cancel(operation, DOCUMENT)).toMatchObject({ code: '0000' });
});

test("no connection waits for a merchant's fund that another transaction holds", async () => {
  const operation = `W-${++operations}`;
  await payer.register(payer.registration({ operation, amount: '1', document: DOCUMENT }));
  const release = await holdRows(service.url, HOLD_FUND, [held.merchantId]);
  const cancelled = payer.cancel(operation, DOCUMENT);
  const WAITING = {
    name: 'test.waiting_connections',
    text: `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  };
  for (let look = 0; look < 100; look++) expect(await service.db.query(WAITING, [])).toEqual([{ count: 0 }]);
  await release();
  expect(await cancelled).toMatchObject({ code: '0000' });
});

const STATES = { name: 'test.states_of_cashouts', text: 'select operation_id, state from cashouts where operation_id = any($1)' };
async function stateOf(ids: readonly string[]): Promise<Record<string, string>> {
  const rows = await service.db.query<{ operation_id: string; state: string }>(STATES, [ids]);
  return Object.fromEntries(rows.map(({ operation_id, state }) => [operation_id, state]));
}

test('a cashout that another transaction holds delays only those who look it up or change it', async () => {
  const [operation, free] = [`W-${++operations}`, `W-${++operations}`];
  const document = '77';
  await payer.register(payer.registration({ operation, amount: '1', document }));
  const { data } = await payer.register(payer.registration({ operation: free, amount: '1', document: '78' }));
  const release = await holdRows(service.url, 'select from cashouts where merchant_id = $1 and operation_id = $2 for update', [
    held.merchantId,
    operation,
  ]);
  const others = [() => registers(payer), () => registersAndCancels(otherPayer), () => teller.lookUp(data['otp']!, '78')];
  await expectOthersServed(() => teller.lookUp('000000', document).catch(() => ({ code: '0953' })), others);
  await expectOthersServed(() => payer.cancel(operation, document), others);
  await expectOthersServed(() => payer.renew(operation, document), others);
  await release();
  expect(await payer.cancel(operation, document)).toMatchObject({ code: '0000' });
});

test.each([
  ['fund', HOLD_FUND],
  ['count', 'select from cashout_counts where merchant_id = $1 for update'],
])('a %s that another transaction holds keeps only the sweep of its merchant waiting', async (_, hold) => {
  const [mine, theirs] = [`W-${++operations}`, `W-${++operations}`];
  await payer.register(payer.registration({ operation: mine, amount: '1', document: DOCUMENT }));
  await otherPayer.register(otherPayer.registration({ operation: theirs, amount: '1', document: DOCUMENT }));
  const release = await holdRows(service.url, hold, [held.merchantId]);
  service.clock.advance({ days: 60 });
  const sweep = expireCashouts(service);
  while (await sweep.step());
  expect(await stateOf([mine, theirs])).toEqual({ [mine]: 'pending', [theirs]: 'expired' });
  await release();
  while (await sweep.step());
  expect(await stateOf([mine, theirs])).toEqual({ [mine]: 'expired', [theirs]: 'expired' });
});
