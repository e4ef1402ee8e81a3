import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionConfig, declaredStatements } from '../../kit/db.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { refundCalls } from '../../testing/refund-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { readWholeOrder } from '../operator/read-whole-order.ts';
import { readRefundedAt } from '../refunds/refunded-at.ts';

// What networks and payers make without end costs whoever reads it a bounded part.

let service: TestCaudal;
let client: Client;

beforeAll(async () => {
  service = await startTestCaudal();
  client = new Client(connectionConfig(service.url, 60_000));
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.close();
});

/** Refused payments of an order, a second apart; of the last so many an operator has said that nothing is left to do. */
const refuse = (merchantId: string, orderId: string, rows: number, resolved: number): Promise<unknown> =>
  client.query(
    `insert into refused_payments (merchant_id, order_id, source, transaction_id, refusal, order_state, amount_minor, currency, tries, first_at,
                                   last_at, resolved_at, resolved_by, note)
     select $1, $2::text, 'network:flood', $2 || '-' || n, 'amount_changed', 'pending', 1, 'COP', 1, at, at,
            case when n > $3 - $4 then at end, case when n > $3 - $4 then 'operator' end, case when n > $3 - $4 then 'seen' end
       from generate_series(1, $3::int) n, lateral (select '2026-11-01T05:00:00Z'::timestamptz + n * interval '1 second' as at) as times`,
    [merchantId, orderId, rows, resolved],
  );

test('an order is shown with the newest of its payments, refused payments and entries: open ones first, whole transactions alone', async () => {
  const merchant = await service.merchant();
  const network = await service.network();
  const { data } = await orderCalls(service, merchant).create({ order: 'R-1', recurrent: true, amount: '45000' });
  const till = networkOrderCalls(service, network);
  const pay = (n: number) => till.pay(data['SVordenID'], `T-${n}`, '45000');
  for (let n = 0; n < 210; n += 15) {
    const codes = await Promise.all(Array.from({ length: 15 }, async (_, one) => (await pay(n + one)).code));
    expect(new Set(codes)).toEqual(new Set(['0000']));
  }
  await refuse(merchant.merchantId, 'R-1', 150, 130);
  const whole = await readWholeOrder(service.db, { merchantId: merchant.merchantId, orderId: 'R-1' });
  if ('refusal' in whole) throw new Error(whole.refusal);
  expect(whole.payments.map(({ paymentNumber }) => paymentNumber)).toEqual(Array.from({ length: 100 }, (_, n) => 111 + n));
  const numbers = whole.refused.map(({ transactionId }) => Number(transactionId.split('-').at(-1)));
  const shown = [...Array.from({ length: 20 }, (_, n) => 1 + n), ...Array.from({ length: 80 }, (_, n) => 71 + n)];
  expect(numbers, 'twenty are open, and eighty are the newest of the others').toEqual(shown);
  const sums = new Map<string, bigint>();
  for (const { transactionId, amountMinor } of whole.entries) sums.set(transactionId, (sums.get(transactionId) ?? 0n) + amountMinor);
  expect(sums.size).toBe(199);
  expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
});

type Plan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
};

/** Rows of a table that a plan read. */
function readBy(plan: Plan, table = 'refused_payments'): number {
  const own = plan['Relation Name'] === table ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, below) => sum + readBy(below, table), own);
}

const LIMIT = 101;

test.each(['all', 'merchant'])('a list of %s goes along its index, from its beginning and from any place', async (kind) => {
  const merchants = await Promise.all(['one', 'two', 'three'].map((name) => service.merchant({ merchantId: `${kind}-${name}` })));
  for (const { merchantId } of merchants) for (const order of ['A', 'B']) await refuse(merchantId, order, 3_000, 0);
  await client.query('analyze refused_payments');
  const { text } = declaredStatements().find(({ name }) => name === `orders.list_refused_payments_of_${kind}`)!;
  await client.query(`prepare listed as ${text}`);
  const whose = kind === 'all' ? 'null' : `'${merchants[1]!.merchantId}'`;
  const places = ['null, null, null, null, null', `'2026-11-01T05:25:00Z', '${merchants[1]!.merchantId}', 'A', 'network:flood', 'A-1500'`];
  for (const place of places) {
    const explained = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      `explain (analyze, format json) execute listed (${whose}, null, ${LIMIT}, false, ${place})`,
    );
    const plan = explained.rows[0]!['QUERY PLAN'][0].Plan;
    expect(plan['Actual Rows']).toBe(LIMIT);
    expect(readBy(plan)).toBeLessThanOrEqual(2 * LIMIT);
  }
  await client.query('deallocate listed');
});

test('the page of an order with many updates and many refunds reads the end of its history', async () => {
  const shop = await service.merchant();
  const { merchantId } = shop;
  const network = await service.network();
  const { update, create } = orderCalls(service, shop);
  const { data } = await create({ order: 'U-1', amount: '1' });
  for (let amount = 2; amount <= 60; amount++) await update({ order: 'U-1', amount: String(amount) });
  await networkOrderCalls(service, network).pay(data['SVordenID'], 'T-U-1', '60');
  service.clock.advance({ seconds: 51 });
  const { request, cancel } = refundCalls(service, shop);
  const refunds = Array.from({ length: 10 }, (_, n) => `U-${n}`);
  for (const refund of refunds) {
    service.clock.advance({ seconds: 1 });
    expect(await request('U-1', { refund, amount: '1' })).toMatchObject({ code: '0000' });
  }
  await cancel('U-3');
  const at = (version: number) => readRefundedAt(service.db, { merchantId, orderId: 'U-1', paymentNumber: 1 }, version);
  const [paid, whole] = [61, 72];
  expect([await at(paid), await at(paid + 4), await at(whole)].map(({ requested }) => requested)).toEqual([0n, 400n, 900n]);

  const { text } = declaredStatements().find(({ name }) => name === 'orders.refunds_at_version')!;
  await client.query(`prepare seen as ${text}`);
  for (const version of [paid, whole]) {
    const explained = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      `explain (analyze, format json) execute seen ('${merchantId}', 'U-1', ${version}, 1)`,
    );
    expect(readBy(explained.rows[0]!['QUERY PLAN'][0].Plan, 'order_history')).toBeLessThanOrEqual(version === paid ? 1 : 100);
  }
});
