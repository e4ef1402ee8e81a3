import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionConfig, openDb, statement, type Db } from '../../kit/db.ts';
import { MOST_WALKED, type Scope } from '../../kit/lists/walks.ts';
import { createLog } from '../../kit/log.ts';
import * as fc from '../../testing/fast-check.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { SELECT_CASHOUT } from '../cashout-rows.ts';
import { CASHOUT_STATES, type Cashout } from '../cashout.ts';
import type { CashoutFilter, CashoutPlace } from './cashout-filter.ts';
import { findCashouts } from './find-cashouts.ts';

const MERCHANTS = ['big', 'other', 'small'] as const;
/** More than a walk reads for a page, so that walks stop on the way. */
const CASHOUTS = 2 * MOST_WALKED;

let database: TestDatabase;
let client: Client;
let db: Db;
let stored: readonly Stored[];

type Payment = { readonly paidAt: Temporal.Instant; readonly networkId: string; readonly transactionId: string };
type Stored = Cashout & { readonly paid: Payment | null };

const ALL = statement(
  'test.all_cashouts',
  `select ${SELECT_CASHOUT}, p.paid_at as "paidAt", p.network_id as "networkId", p.transaction_id as "transactionId"
     from cashouts left join cashout_payments p using (merchant_id, operation_id)`,
);

/** Many cashouts have equal instants, documents and cellphones. Merchants are in two time zones. */
const INSERT = `
  insert into cashouts (merchant_id, operation_id, cashout_id, state, version, amount_minor, transaction_cost_minor, currency, description,
                        document, sms, cellphone, expires_on, created_at, updated_at, updated_on)
  select m, 'c-' || n, n * 37 % 10007 + 1, (array['pending', 'approved', 'approved', 'expired', 'cancelled', 'nullified'])[1 + n * 31 / 7 % 6],
         1, 1000 + n * 7919 % 5000, 0, (array['COP', 'USD'])[1 + n * 17 % 2], '', (n * 11 % 700)::text, false, '300' || n * 13 % 800, '2026-12-01',
         '2026-11-01T00:00:00Z'::timestamptz + n * 53 % 400 * interval '1 hour', at,
         (at at time zone case m when 'other' then 'Pacific/Auckland' else 'America/Bogota' end)::date
    from generate_series($1::int, $2::int) as n,
         lateral (select case when n % 7 < 5 then 'big' when n % 7 = 5 then 'other' else 'small' end as m,
                         '2026-11-10T00:00:00Z'::timestamptz + n * 59 % 200 * interval '1 hour' as at) as drawn`;
const INSERT_PAYMENTS = `
  insert into cashout_payments (network_id, transaction_id, merchant_id, operation_id, cashout_id, teller, dane_code, paid_at)
  select (array['cash', 'bank'])[1 + cashout_id % 2], 'T' || cashout_id / 2, merchant_id, operation_id, cashout_id, '', '', updated_at
    from cashouts where state in ('approved', 'nullified')`;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client(connectionConfig(database.url, null));
  await client.connect();
  await client.query('alter table cashouts drop constraint cashouts_merchant_id_fkey');
  await client.query('alter table cashout_payments drop constraint cashout_payments_network_id_fkey');
  await client.query(INSERT, [1, CASHOUTS]);
  await client.query(INSERT_PAYMENTS);
  await client.query('vacuum analyze cashouts, cashout_payments');
  db = openDb({ url: database.url, log: createLog('silent'), connections: 2, statementTimeoutMs: 5_000 });
  const rows = await db.query<Cashout & Payment & { paidAt: Temporal.Instant | null }>(ALL, []);
  stored = rows.map(({ paidAt, networkId, transactionId, ...cashout }) => ({
    ...cashout,
    paid: paidAt === null ? null : { paidAt, networkId, transactionId },
  }));
}, 60_000);
afterAll(async () => {
  await db.close();
  await client.end();
  await database.drop();
});

const isIn = (at: Temporal.Instant, range: CashoutFilter['created']): boolean =>
  (range?.from === undefined || Temporal.Instant.compare(at, range.from) >= 0) &&
  (range?.before === undefined || Temporal.Instant.compare(at, range.before) < 0);

function passes(cashout: Stored, scope: Scope, filter: CashoutFilter): boolean {
  const { states, amountMinor, created, updated, paid, network, transaction, ...equal } = filter;
  const asksPaid = [paid?.from, paid?.before, network, transaction].some((asked) => asked !== undefined);
  return (
    (scope === 'everybody' || scope.merchantId === cashout.merchantId) &&
    (states === undefined || states.includes(cashout.state)) &&
    Object.entries(equal).every(([field, value]) => value === undefined || cashout[field as keyof Cashout] === value) &&
    (amountMinor?.from === undefined || cashout.amountMinor >= amountMinor.from) &&
    (amountMinor?.to === undefined || cashout.amountMinor <= amountMinor.to) &&
    isIn(cashout.createdAt, created) &&
    isIn(cashout.updatedAt, updated) &&
    (!asksPaid ||
      (cashout.paid !== null &&
        isIn(cashout.paid.paidAt, paid) &&
        (network === undefined || cashout.paid.networkId === network) &&
        (transaction === undefined || cashout.paid.transactionId === transaction)))
  );
}

const newestFirst = (one: Cashout, other: Cashout): number =>
  Temporal.PlainDate.compare(other.updatedOn, one.updatedOn) ||
  Temporal.Instant.compare(other.updatedAt, one.updatedAt) ||
  Number(other.cashoutId - one.cashoutId);
const nameOf = ({ merchantId, operationId }: Cashout): string => `${merchantId} ${operationId}`;

/** All pages. `between` runs after each. */
async function walk(scope: Scope, filter: CashoutFilter, limit: number, between?: () => Promise<unknown>): Promise<readonly string[]> {
  const found: string[] = [];
  let after: CashoutPlace | undefined;
  do {
    const { items, next } = await findCashouts(db, scope, filter, { after, limit });
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
const anyFilter: fc.Arbitrary<CashoutFilter> = fc.record({
  states: some(fc.subarray([...CASHOUT_STATES], { minLength: 1, maxLength: 3 })),
  document: rarely(fc.integer({ min: 0, max: 705 }).map(String)),
  cellphone: rarely(fc.integer({ min: 0, max: 805 }).map((n) => `300${n}`)),
  operationId: rarely(fc.integer({ min: 0, max: CASHOUTS }).map((n) => `c-${n}`)),
  currency: rarely(fc.constantFrom('COP', 'USD')),
  amountMinor: rarely(fc.record({ from: some(anyAmount), to: some(anyAmount) })),
  created: anyRange,
  updated: anyRange,
  paid: anyRange,
  network: rarely(fc.constantFrom('cash', 'bank')),
  transaction: rarely(fc.integer({ min: 0, max: 5004 }).map((n) => `T${n}`)),
});
const anyScope: fc.Arbitrary<Scope> = fc.constantFrom('everybody' as const, ...MERCHANTS.map((merchantId) => ({ merchantId })));

test('each filter finds exactly the cashouts that pass it, each once, the last changed first', async () => {
  await fc.assert(
    fc.asyncProperty(anyScope, anyFilter, async (scope, filter) => {
      const expected = stored.filter((cashout) => passes(cashout, scope, filter)).toSorted(newestFirst);
      expect(await walk(scope, filter, 900)).toEqual(expected.map(nameOf));
    }),
    { numRuns: 30 },
  );
}, 60_000);

test('cashouts that come during a walk neither repeat nor hide those that were there', async () => {
  let made = CASHOUTS;
  const create = (): Promise<unknown> => client.query(INSERT, [made + 1, (made += 200)]);
  const found = await walk('everybody', { currency: 'COP' }, 300, create);
  expect(new Set(found).size).toBe(found.length);
  const before = stored.filter((cashout) => passes(cashout, 'everybody', { currency: 'COP' })).toSorted(newestFirst);
  const names = new Set(before.map(nameOf));
  expect(found.filter((name) => names.has(name))).toEqual(before.map(nameOf));
}, 60_000);
