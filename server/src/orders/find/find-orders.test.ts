import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionConfig, openDb, statement, type Db } from '../../kit/db.ts';
import { MOST_WALKED, type Scope } from '../../kit/lists/walks.ts';
import { createLog } from '../../kit/log.ts';
import * as fc from '../../testing/fast-check.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { SELECT_ORDER } from '../order-rows.ts';
import { stateAt, type Order } from '../order.ts';
import { findOrders } from './find-orders.ts';
import type { OrderFilter, OrderPlace } from './order-filter.ts';

const NOW = Temporal.Instant.from('2026-11-20T12:00:00Z');
const MERCHANTS = ['big', 'other', 'small'] as const;
/** More than a walk reads for a page, so that walks stop on the way. */
const ORDERS = 2 * MOST_WALKED;

let database: TestDatabase;
let client: Client;
let db: Db;
let stored: readonly Stored[];

type Payment = { readonly paidAt: Temporal.Instant; readonly source: string; readonly transactionId: string };
type Stored = Order & { readonly paid: Payment | null };

const ALL = statement(
  'test.all_orders',
  `select ${SELECT_ORDER}, p.paid_at as "paidAt", p.source, p.transaction_id as "transactionId"
     from orders o left join order_payments p using (merchant_id, order_id)`,
);

/** `h(n, salt)` draws a number for a row. Many orders have equal instants, e-mail addresses and references. */
const INSERT = `
  insert into orders (merchant_id, order_id, service_order_id, state, version, email, country, currency, amount_minor, reference, method,
                      recurrent, expires_on, expires_at, user_document, created_at, updated_at)
  select case when n % 7 < 5 then 'big' when n % 7 = 5 then 'other' else 'small' end, 'o-' || n / 3 || n % 3, n * 37 % 15013 + 1,
         (array['pending', 'pending', 'pending', 'approved', 'approved', 'expired', 'cancelled'])[1 + n * 31 / 7 % 7], 1,
         (array['Ana@Example.com', 'ana@example.com', 'beto@example.com', 'rare@example.com'])[1 + case when n % 997 = 0 then 3 else n * 13 % 3 end], '343',
         (array['COP', 'USD'])[1 + n * 17 % 2], 1000 + n * 7919 % 5000, (n * 11 % 900)::text, '', n % 2 = 0, '2026-11-20',
         case when n % 2 = 0 then null else '2026-11-20T00:00:00Z'::timestamptz + n * 101 % 48 * interval '1 hour' end,
         (array[null, '52.998.877', '52998877', '1'])[1 + n * 19 % 4],
         '2026-11-01T00:00:00Z'::timestamptz + n * 53 % 400 * interval '1 hour', '2026-11-10T00:00:00Z'::timestamptz + n * 59 % 200 * interval '1 hour'
    from generate_series($1::int, $2::int) as n`;
const INSERT_PAYMENTS = `
  with paid as (
    insert into order_payments (merchant_id, order_id, payment_number, source, transaction_id, po_id, state, amount_minor, currency, fee_minor, tax_minor, paid_at)
    select merchant_id, order_id, 1, (array['network:cash', 'network:bank', 'operator'])[1 + service_order_id % 3], 'T' || service_order_id / 2, order_id,
           'paid', amount_minor, currency, 0, 0, updated_at
      from orders where state = 'approved' returning *)
  insert into order_transactions select source, transaction_id, merchant_id, order_id, payment_number from paid`;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client(connectionConfig(database.url, null));
  await client.connect();
  await client.query('alter table orders drop constraint orders_merchant_id_fkey');
  await client.query('alter table order_payments drop constraint order_payments_merchant_id_fkey');
  await client.query(INSERT, [1, ORDERS]);
  await client.query(INSERT_PAYMENTS);
  await client.query('vacuum analyze orders, order_payments, order_transactions');
  db = openDb({ url: database.url, log: createLog('silent'), connections: 2, statementTimeoutMs: 5_000 });
  const rows = await db.query<Order & Payment & { paidAt: Temporal.Instant | null }>(ALL, []);
  stored = rows.map(({ paidAt, source, transactionId, ...order }) => ({
    ...order,
    paid: paidAt === null ? null : { paidAt, source, transactionId },
  }));
}, 60_000);
afterAll(async () => {
  await db.close();
  await client.end();
  await database.drop();
});

const isWithin = <T>(compare: (one: T, other: T) => number, value: T, from: T | undefined, end: T | undefined, isEndIn: boolean): boolean =>
  (from === undefined || compare(value, from) >= 0) && (end === undefined || compare(value, end) < (isEndIn ? 1 : 0));
const bare = (text: string): string => text.replaceAll(/[\s.,/_-]/g, '');

function passes(order: Stored, scope: Scope, filter: OrderFilter): boolean {
  const { states, email, document, amountMinor, created, updated, paid, network, transaction, ...equal } = filter;
  const isIn = (at: Temporal.Instant, range: OrderFilter['created']): boolean =>
    isWithin(Temporal.Instant.compare, at, range?.from, range?.before, false);
  const asksPaid = [paid?.from, paid?.before, network, transaction].some((asked) => asked !== undefined);
  return (
    (scope === 'everybody' || scope.merchantId === order.merchantId) &&
    (states === undefined || states.includes(stateAt(order, NOW))) &&
    (email === undefined || email.toLowerCase() === order.email.toLowerCase()) &&
    (document === undefined || (order.userDocument !== null && bare(document) === bare(order.userDocument))) &&
    Object.entries(equal).every(([field, value]) => value === undefined || order[field as keyof Order] === value) &&
    isWithin((a, b) => (a < b ? -1 : a > b ? 1 : 0), order.amountMinor, amountMinor?.from, amountMinor?.to, true) &&
    isIn(order.createdAt, created) &&
    isIn(order.updatedAt, updated) &&
    (!asksPaid ||
      (order.paid !== null &&
        isIn(order.paid.paidAt, paid) &&
        (network === undefined || order.paid.source === `network:${network}`) &&
        (transaction === undefined || order.paid.transactionId === transaction)))
  );
}

const newestFirst = (one: Order, other: Order): number =>
  Temporal.Instant.compare(other.createdAt, one.createdAt) || Number(other.serviceOrderId - one.serviceOrderId);
const nameOf = ({ merchantId, orderId }: Order): string => `${merchantId} ${orderId}`;

/** All pages. `between` runs after each. */
async function walk(scope: Scope, filter: OrderFilter, limit: number, between?: () => Promise<unknown>): Promise<readonly string[]> {
  const found: string[] = [];
  let after: OrderPlace | undefined;
  do {
    const { items, next } = await findOrders(db, scope, filter, { after, limit, now: NOW });
    expect(items.length).toBeLessThanOrEqual(limit);
    found.push(...items.map(nameOf));
    after = next;
    await between?.();
  } while (after !== undefined);
  return found;
}

const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined, freq: 2 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const anyInstant = fc.integer({ min: 0, max: 500 }).map((hours) => Temporal.Instant.from('2026-11-01T00:00:00Z').add({ hours }));
const anyRange = rarely(fc.record({ from: some(anyInstant), before: some(anyInstant) }));
const anyAmount = fc.integer({ min: 900, max: 6100 }).map(BigInt);
const anyFilter: fc.Arbitrary<OrderFilter> = fc.record({
  states: some(fc.subarray(['pending', 'approved', 'expired', 'cancelled', 'voided'] as const, { minLength: 1, maxLength: 3 })),
  email: rarely(fc.constantFrom('ANA@example.com', 'beto@example.com', 'rare@Example.com', 'nobody@example.com')),
  reference: rarely(fc.integer({ min: 0, max: 905 }).map(String)),
  orderId: rarely(fc.integer({ min: 0, max: ORDERS }).map((n) => `o-${Math.floor(n / 3)}${n % 3}`)),
  serviceOrderId: rarely(fc.integer({ min: 0, max: ORDERS }).map(BigInt)),
  document: rarely(fc.constantFrom('52998877', '5299-8877', '1')),
  currency: rarely(fc.constantFrom('COP', 'USD')),
  amountMinor: rarely(fc.record({ from: some(anyAmount), to: some(anyAmount) })),
  created: anyRange,
  updated: anyRange,
  paid: anyRange,
  network: rarely(fc.constantFrom('cash', 'bank')),
  transaction: rarely(fc.integer({ min: 0, max: 7507 }).map((n) => `T${n}`)),
});
const anyScope: fc.Arbitrary<Scope> = fc.constantFrom('everybody' as const, ...MERCHANTS.map((merchantId) => ({ merchantId })));

test('each filter finds exactly the orders that pass it, each once, newest first', async () => {
  await fc.assert(
    fc.asyncProperty(anyScope, anyFilter, async (scope, filter) => {
      const expected = stored.filter((order) => passes(order, scope, filter)).toSorted(newestFirst);
      expect(await walk(scope, filter, 900)).toEqual(expected.map(nameOf));
    }),
    { numRuns: 30 },
  );
}, 60_000);

test('orders that come during a walk neither repeat nor hide those that were there', async () => {
  let made = ORDERS;
  const create = (): Promise<unknown> => client.query(INSERT, [made + 1, (made += 200)]);
  const found = await walk({ merchantId: 'big' }, { currency: 'COP' }, 300, create);
  expect(new Set(found).size).toBe(found.length);
  const before = stored.filter((order) => passes(order, { merchantId: 'big' }, { currency: 'COP' })).toSorted(newestFirst);
  const names = new Set(before.map(nameOf));
  expect(found.filter((name) => names.has(name))).toEqual(before.map(nameOf));
}, 60_000);
