import { expect, test } from 'vitest';
import { statement } from '../../kit/db.ts';
import { MOST_WALKED, type Scope } from '../../kit/lists/walks.ts';
import * as fc from '../../testing/fast-check.ts';
import { ANY_FILTER, anyScope, listDatabase, passes, rarely, some, summed, walk } from '../../testing/list-filters.ts';
import { SELECT_ORDER } from '../order-rows.ts';
import { ORDER_STATES, stateAt, type Order } from '../order.ts';
import { findOrders, sumOrders } from './find-orders.ts';
import { type OrderFilter, type OrderPlace } from './order-filter.ts';

const NOW = Temporal.Instant.from('2026-11-20T12:00:00Z');
/** More than a walk reads for a page, so that walks stop on the way. */
const ORDERS = 2 * MOST_WALKED;

let stored: readonly Stored[];

type Payment = { readonly paidAt: Temporal.Instant; readonly network: string | null; readonly transactionId: string };
type Stored = Order & { readonly paid: Payment | null };

const ALL = statement(
  'test.all_orders',
  `select ${SELECT_ORDER}, p.paid_at as "paidAt", substring(p.source from '^network:(.*)') as network, p.transaction_id as "transactionId"
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

const { client, db } = listDatabase(async (filling, reading) => {
  await filling.query('alter table orders drop constraint orders_merchant_id_fkey');
  await filling.query('alter table order_payments drop constraint order_payments_merchant_id_fkey');
  await filling.query(INSERT, [1, ORDERS]);
  await filling.query(INSERT_PAYMENTS);
  await filling.query('vacuum analyze orders, order_payments, order_transactions');
  const rows = await reading.query<Order & Payment & { paidAt: Temporal.Instant | null }>(ALL, []);
  stored = rows.map(({ paidAt, network, transactionId, ...order }) => ({
    ...order,
    paid: paidAt === null ? null : { paidAt, network, transactionId },
  }));
});

const bare = (text: string): string => text.replaceAll(/[\s.,/_-]/g, '');

function fits(order: Stored, scope: Scope, filter: OrderFilter): boolean {
  const { states, email, document, reference, orderId, serviceOrderId } = filter;
  return (
    passes(order, scope, filter) &&
    (states === undefined || states.includes(stateAt(order, NOW))) &&
    (email === undefined || email.toLowerCase() === order.email.toLowerCase()) &&
    (document === undefined || (order.userDocument !== null && bare(document) === bare(order.userDocument))) &&
    (reference === undefined || reference === order.reference) &&
    (orderId === undefined || orderId === order.orderId) &&
    (serviceOrderId === undefined || serviceOrderId === order.serviceOrderId)
  );
}

const newestFirst = (one: Order, other: Order): number =>
  Temporal.Instant.compare(other.createdAt, one.createdAt) || Number(other.serviceOrderId - one.serviceOrderId);
const nameOf = ({ merchantId, orderId }: Order): string => `${merchantId} ${orderId}`;

const found = async (scope: Scope, filter: OrderFilter, limit: number, between?: () => Promise<unknown>): Promise<readonly string[]> =>
  (
    await walk((after: OrderPlace | undefined, most) => findOrders(db(), scope, filter, { after, limit: most, now: NOW }), limit, between)
  ).map(nameOf);

const anyFilter: fc.Arbitrary<OrderFilter> = fc.record({
  states: some(fc.subarray(['pending', 'approved', 'expired', 'cancelled', 'voided'] as const, { minLength: 1, maxLength: 3 })),
  email: rarely(fc.constantFrom('ANA@example.com', 'beto@example.com', 'rare@Example.com', 'nobody@example.com')),
  reference: rarely(fc.integer({ min: 0, max: 905 }).map(String)),
  orderId: rarely(fc.integer({ min: 0, max: ORDERS }).map((n) => `o-${Math.floor(n / 3)}${n % 3}`)),
  serviceOrderId: rarely(fc.integer({ min: 0, max: ORDERS }).map(BigInt)),
  document: rarely(fc.constantFrom('52998877', '5299-8877', '1')),
  ...ANY_FILTER,
});

test('each filter finds exactly the orders that pass it, each once, newest first', async () => {
  await fc.assert(
    fc.asyncProperty(anyScope, anyFilter, async (scope, filter) => {
      const expected = stored.filter((order) => fits(order, scope, filter)).toSorted(newestFirst);
      expect(await found(scope, filter, 900)).toEqual(expected.map(nameOf));
    }),
    { numRuns: 30 },
  );
});

test('the summary of each filter is what its orders are in number and worth, in all and by state', async () => {
  await fc.assert(
    fc.asyncProperty(anyScope, anyFilter, async (scope, filter) => {
      const now = stored.map((order) => ({ ...order, state: stateAt(order, NOW) }));
      const all = now.filter((order) => fits(order, scope, { ...filter, states: undefined }));
      const chosen = all.filter(({ state }) => filter.states?.includes(state) ?? true);
      expect(await sumOrders(db(), scope, filter, NOW)).toEqual({
        isWhole: true,
        all: summed(chosen),
        byState: ORDER_STATES.map((state) => ({ state, ...summed(all.filter((one) => one.state === state)) })),
      });
    }),
    { numRuns: 30 },
  );
});

test('a summary reads so many rows at most, the newest of a merchant, and says that there are more', async () => {
  const own = stored.filter(({ merchantId }) => merchantId === 'big').toSorted(newestFirst);
  for (const most of [100, own.length, own.length + 1]) {
    const { isWhole, all } = await sumOrders(db(), { merchantId: 'big' }, {}, NOW, most);
    expect([isWhole, all]).toEqual([most > own.length, summed(own.slice(0, most))]);
  }
  // Of everybody too, however many merchants there are.
  expect((await sumOrders(db(), 'everybody', { email: 'nobody@example.com' }, NOW, 50)).all.count).toBe(0n);
  expect(await sumOrders(db(), 'everybody', {}, NOW, 50)).toMatchObject({ isWhole: false, all: { count: 50n } });
});

test('orders that come during a walk neither repeat nor hide those that were there', async () => {
  let made = ORDERS;
  const create = (): Promise<unknown> => client().query(INSERT, [made + 1, (made += 200)]);
  const names = await found({ merchantId: 'big' }, { currency: 'COP' }, 300, create);
  expect(new Set(names).size).toBe(names.length);
  const before = stored
    .filter((order) => fits(order, { merchantId: 'big' }, { currency: 'COP' }))
    .toSorted(newestFirst)
    .map(nameOf);
  const wasThere = new Set(before);
  expect(names.filter((name) => wasThere.has(name))).toEqual(before);
});
