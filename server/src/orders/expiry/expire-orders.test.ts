import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionConfig, declaredStatements } from '../../kit/db.ts';
import type { Job } from '../../kit/jobs.ts';
import { findings } from '../../testing/findings.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';
import { CONTRACT_DIALECT } from '../../requests/index.ts';
import { noticeOfExpiry } from './notice-of-expiry.ts';
import { expireOrders } from './expire-orders.job.ts';

let service: TestCaudal;
beforeEach(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4 } });
});
afterEach(() => service.close());

const MANY = 2_000;
/** Fewer than a merchant may have under way at once. */
const TOGETHER = 500;

async function createMany(merchant: TestMerchant, orders: number, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const calls = orderCalls(service, merchant);
  for (let first = 0; first < orders; first += TOGETHER) {
    const ids = Array.from({ length: Math.min(TOGETHER, orders - first) }, (_, index) => `E-${first + index}`);
    const answers = await Promise.all(ids.map((order) => calls.create({ order, ...fields })));
    expect(answers.filter(({ code }) => code !== '0000')).toEqual([]);
  }
}

const statesOf = async ({ merchantId }: TestMerchant): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    (
      await service.db.query<{ state: string; orders: number }>(
        { name: 'test.order_states', text: 'select state, count(*)::integer as orders from orders where merchant_id = $1 group by 1' },
        [merchantId],
      )
    ).map(({ state, orders }) => [state, orders]),
  );

async function sweep(job: Job): Promise<void> {
  while (await job.step());
}

test('each order expires when its last day ends at its merchant, swept by two servers at once while others are paid', async () => {
  const other = await service.openAnother({ databaseConnections: 4 });
  const [bogota, santiago] = [await service.merchant(), await service.merchant({ country: '152' })];
  await createMany(bogota, MANY, { expiration: '21/11/2026', method: 'CASH' });
  await createMany(santiago, 1, { country: '152', money: 'CLP', expiration: '21/11/2026' });
  const shop = orderCalls(service, bogota);
  const open = await Promise.all(Array.from({ length: 40 }, (_, index) => shop.create({ order: `O-${index}` })));
  expect((await shop.create({ order: 'S-1', recurrent: true, expiration: '21/11/2026' })).code).toBe('0000');

  service.clock.set('2026-11-22T02:59:59.999Z'); // A moment before midnight in Santiago.
  await service.runJobs();
  expect(await statesOf(santiago)).toEqual({ pending: 1 });
  service.clock.advance({ milliseconds: 1 });
  await service.runJobs();
  expect([await statesOf(santiago), (await statesOf(bogota))['pending']]).toEqual([{ expired: 1 }, MANY + 41]);

  service.clock.set('2026-11-22T05:00:00Z');
  const till = networkOrderCalls(service, await service.network());
  const [, , ...paid] = await Promise.all([
    ...[service.db, other.db]
      .map((db) => expireOrders({ db, clock: service.clock, noticeOf: noticeOfExpiry(CONTRACT_DIALECT) }))
      .map(sweep),
    ...open.map(({ data }, index) => till.pay(data['SVordenID'], `O-${index}`)),
  ]);
  expect(paid.every((answer) => answer?.code === '0000')).toBe(true);
  // What one of them skipped because the other held it is done by now, or by the next step.
  await service.runJobs();
  expect(await statesOf(bogota)).toEqual({ approved: 40, expired: MANY, pending: 1 });

  const written = {
    name: 'test.expiry_notices',
    text: `select status, payment, count(*)::integer as notices, count(distinct po_id)::integer as orders
             from notices where merchant_id = $1 and status = 'cancelled' group by 1, 2`,
  };
  expect(await service.db.query(written, [bogota.merchantId])).toEqual([{ status: 'cancelled', payment: '', notices: MANY, orders: MANY }]);
  const held = {
    name: 'test.held',
    text: 'select count(*)::integer as held from open_references where merchant_id = $1 and not ended and (expires_at is null or expires_at > $2)',
  };
  expect(await service.db.query(held, [bogota.merchantId, service.clock.now()])).toEqual([{ held: 1 }]);
  const history = {
    name: 'test.expiry_history',
    text: `select event, actor, changes from order_history where merchant_id = $1 and order_id = 'E-7' order by version offset 1`,
  };
  expect(await service.db.query(history, [bogota.merchantId])).toEqual([
    { event: 'order.expired', actor: 'service', changes: { state: ['pending', 'expired'] } },
  ]);
  expect(await findings(service, orderChecks)).toEqual([]);
  await other.close();
});

test('what was moved or ended while it fell due is left alone, and an end in the past is swept at once', async () => {
  service.clock.set('2026-12-01T15:00:00Z');
  const merchant = await service.merchant();
  const shop = orderCalls(service, merchant);
  for (const order of ['K-1', 'K-2', 'K-3']) await shop.create({ order, expiration: '01/12/2026' });
  await shop.update({ order: 'K-1', expiration: '05/12/2026' });
  await shop.cancel('K-2');
  service.clock.set('2026-12-02T05:00:00Z');
  await service.runJobs();
  const states = async (): Promise<unknown[]> =>
    Promise.all(['K-1', 'K-2', 'K-3'].map(async (order) => (await shop.query(order)).data['STATE']));
  expect(await states()).toEqual(['PENDIENTE', 'CANCELADA', 'VENCIDA']);
  await shop.update({ order: 'K-1', expiration: '01/12/2026' });
  await service.runJobs();
  expect((await shop.history('K-1')).data).toMatchObject({ HISTORY: [{}, {}, {}, { VERSION: 4 }] });
  expect(await findings(service, orderChecks)).toEqual([]);
});

test('a portion reads in the order of the index and stops, also where many are due that the statistics do not know', async () => {
  const merchant = await service.merchant();
  await createMany(merchant, 1, { expiration: '02/12/2026' });
  const { text = '' } = declaredStatements().find(({ name }) => name === 'orders.claim_due') ?? {};
  const client = new Client(connectionConfig(service.url, 5_000));
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into orders (merchant_id, order_id, state, version, email, country, currency, amount_minor, reference, method, recurrent, expires_on,
                         expires_at, created_at, updated_at)
     select merchant_id, 'L-' || n, state, version, email, country, currency, amount_minor, reference, method, recurrent, expires_on, expires_at,
            created_at, updated_at from orders, generate_series(1, 20000) as n where merchant_id = $1`,
    [merchant.merchantId],
  );
  const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
  await client.query('rollback');
  await client.end();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan using orders_due');
  expect(plan).not.toMatch(/Sort|Bitmap/);
});
