import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionConfig, openDb, type Db } from '../kit/db.ts';
import type { Scope } from '../kit/lists/walks.ts';
import { createLog } from '../kit/log.ts';
import { stateAt, type Order } from '../orders/index.ts';
import * as fc from '../testing/fast-check.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { search, type SearchFilter } from './search.ts';
import { FOUND_STATES, LEAST_ENDING, LEAST_PREFIX, MOST_HITS } from './search-terms.ts';

const NOW = Temporal.Instant.from('2026-11-20T12:00:00Z');
const CREATED = Temporal.Instant.from('2026-11-01T00:00:00Z');
const MERCHANTS = ['big', 'other', 'small'] as const;

let database: TestDatabase;
let client: Client;
let db: Db;

/** The texts are short and few, so that one is in several fields, and begins others. */
const ORDERS = `
  insert into orders (merchant_id, order_id, service_order_id, state, version, email, country, currency, amount_minor, reference, method,
                      recurrent, expires_on, expires_at, user_document, created_at, updated_at)
  select (array['big', 'big', 'other', 'small'])[1 + n % 4], (array['A-', '30', ''])[1 + n % 3] || n, n,
         (array['pending', 'approved', 'expired', 'cancelled'])[1 + n * 31 / 7 % 4], 1, (array['Ana', 'ana.b', '300'])[1 + n * 13 % 3] || n % 40 || '@x.co',
         '343', (array['COP', 'USD'])[1 + n * 17 % 2], 1000 + n * 7919 % 5000, '30' || n * 11 % 400, '', false, '2026-11-20',
         '2026-11-20T00:00:00Z'::timestamptz + n % 48 * interval '1 hour', (array[null, '30.0', '3.00.1', '52'])[1 + n * 19 % 4] || n % 9,
         '2026-11-01T00:00:00Z'::timestamptz + n % 30 * interval '1 hour', '2026-11-10T00:00:00Z'
    from generate_series(1, 700) as n`;
const ORDER_PAYMENTS = `
  with paid as (
    insert into order_payments (merchant_id, order_id, payment_number, source, transaction_id, po_id, state, amount_minor, currency, fee_minor, tax_minor, paid_at)
    select merchant_id, order_id, 1, (array['network:cash', 'network:bank'])[1 + service_order_id % 2], '300' || service_order_id / 2, order_id, 'paid',
           amount_minor, currency, 0, 0, updated_at
      from orders where state = 'approved' returning *)
  insert into order_transactions select source, transaction_id, merchant_id, order_id, payment_number from paid`;
const CASHOUTS = `
  insert into cashouts (merchant_id, operation_id, cashout_id, state, version, amount_minor, transaction_cost_minor, currency, description,
                        document, sms, cellphone, expires_on, created_at, updated_at, updated_on)
  select (array['big', 'other', 'other', 'small'])[1 + n % 4], (array['A-', '30', ''])[1 + n % 3] || n, n,
         (array['pending', 'approved', 'expired', 'cancelled', 'nullified'])[1 + n * 31 / 7 % 5], 1, 1000 + n * 7919 % 5000, 0,
         (array['COP', 'USD'])[1 + n * 17 % 2], '', '30' || n * 11 % 300, false, (array['', '300 ', '+30-0'])[1 + n % 3] || n * 13 % 90, '2026-12-01',
         '2026-11-01T00:00:00Z'::timestamptz + n % 30 * interval '1 hour', '2026-11-10T00:00:00Z', '2026-11-10'
    from generate_series(1, 700) as n`;
const CASHOUT_PAYMENTS = `
  insert into cashout_payments (network_id, transaction_id, merchant_id, operation_id, cashout_id, teller, dane_code, paid_at)
  select (array['cash', 'bank'])[1 + cashout_id % 2], '300' || cashout_id / 2, merchant_id, operation_id, cashout_id, '', '', updated_at
    from cashouts where state in ('approved', 'nullified')`;

/** A row as the test sees it: its texts, as each field compares them. */
type Row = {
  readonly kind: 'orders' | 'cashouts';
  readonly name: string;
  readonly merchant: string;
  readonly state: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly created: Temporal.Instant;
  readonly network: string | null;
  readonly texts: Readonly<Record<string, string | null>>;
};
let rows: readonly Row[];

const key = ({ kind, name }: Pick<Row, 'kind' | 'name'>): string => `${kind} ${name}`;
const bare = (text: string | null): string | null => text?.replaceAll(/[\s.,/_+()-]/g, '') ?? null;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client(connectionConfig(database.url, null));
  await client.connect();
  for (const table of ['orders', 'order_payments', 'cashouts'])
    await client.query(`alter table ${table} drop constraint ${table}_merchant_id_fkey`);
  for (const insert of [ORDERS, ORDER_PAYMENTS, CASHOUTS, CASHOUT_PAYMENTS]) await client.query(insert);
  await client.query('vacuum analyze orders, order_payments, order_transactions, cashouts, cashout_payments');
  db = openDb({ url: database.url, log: createLog('silent'), connections: 4, statementTimeoutMs: 5_000 });
  type Stored = Readonly<Record<string, string | null>> & { readonly created_at: Temporal.Instant; readonly amount_minor: bigint };
  const { rows: orders } = await client.query<Stored & { expires_at: Temporal.Instant }>(
    `select o.*, p.source, p.transaction_id from orders o left join order_payments p using (merchant_id, order_id)`,
  );
  const { rows: cashouts } = await client.query<Stored>(
    `select o.*, p.network_id, p.transaction_id from cashouts o left join cashout_payments p using (merchant_id, operation_id)`,
  );
  const common = (row: Stored) => ({
    merchant: row['merchant_id'] as string,
    currency: row['currency'] as string,
    amount: row.amount_minor,
    created: row.created_at,
  });
  rows = [
    ...orders.map((row): Row => {
      const { state, expires_at: expiresAt } = row;
      return {
        ...common(row),
        kind: 'orders',
        name: `${row['merchant_id']} ${row['order_id']}`,
        state: stateAt({ state, expiresAt } as unknown as Order, NOW),
        network: row['source']?.replace('network:', '') ?? null,
        texts: {
          orderId: row['order_id'] as string,
          reference: row['reference'] as string,
          serviceOrderId: String(row['service_order_id']),
          transaction: row['transaction_id'] ?? null,
          email: (row['email'] as string).toLowerCase(),
          document: bare(row['user_document'] as string | null),
        },
      };
    }),
    ...cashouts.map((row): Row => ({
      ...common(row),
      kind: 'cashouts',
      name: `${row['merchant_id']} ${row['operation_id']}`,
      state: row['state'] as string,
      network: row['network_id'] ?? null,
      texts: {
        operationId: row['operation_id'] as string,
        transaction: row['transaction_id'] ?? null,
        document: bare(row['document'] as string),
        cellphone: bare(row['cellphone'] as string) || null,
      },
    })),
  ];
});
afterAll(async () => {
  await db.close();
  await client.end();
  await database.drop();
});

/** The fields of a row that have the text; undefined: none has it. */
function fieldsOf({ texts }: Row, text: string): { readonly fields: readonly string[]; readonly isWhole: boolean } | undefined {
  const marks: Readonly<Record<string, RegExp>> = {
    reference: /[\s.-]/g,
    serviceOrderId: /[\s.-]/g,
    document: /[\s.,/_-]/g,
    cellphone: /[+() .-]/g,
  };
  const folded = (field: string): string => {
    const mark = marks[field];
    return field === 'email' ? text.toLowerCase() : mark === undefined ? text : text.replaceAll(mark, '');
  };
  const found = (has: (value: string, wanted: string, field: string) => boolean): string[] =>
    Object.entries(texts).flatMap(([field, value]) =>
      value !== null && folded(field) !== '' && has(value, folded(field), field) ? [field] : [],
    );
  const whole = found((value, wanted) => value === wanted);
  const begun =
    text.length < LEAST_PREFIX
      ? whole
      : found((value, wanted, field) => (field === 'serviceOrderId' ? value === wanted : value.startsWith(wanted)));
  const ending = text.replaceAll(/[\s.-]/g, '');
  const ends = /^[0-9]+$/.test(ending) && ending.length >= LEAST_ENDING && texts['reference'] !== ending;
  if (ends && texts['reference']?.endsWith(ending)) begun.push('referenceEnd');
  return begun.length === 0 ? undefined : { fields: begun.toSorted(), isWhole: whole.length > 0 };
}

function passes(row: Row, scope: Scope, { states, currency, amountMinor, created, network }: SearchFilter): boolean {
  return (
    (scope === 'everybody' || scope.merchantId === row.merchant) &&
    (states === undefined || (states as readonly string[]).includes(row.state)) &&
    (currency === undefined || currency === row.currency) &&
    (amountMinor?.from === undefined || row.amount >= amountMinor.from) &&
    (created?.before === undefined || Temporal.Instant.compare(row.created, created.before) < 0) &&
    (network === undefined || network === row.network)
  );
}

const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const anyScope: fc.Arbitrary<Scope> = fc.constantFrom('everybody' as const, ...MERCHANTS.map((merchantId) => ({ merchantId })));
const anyText = fc.oneof(
  fc.constantFrom(
    'ana',
    'ANA1',
    'Ana1@x.co',
    '300',
    '30',
    '3',
    '30.0',
    '300 1',
    '+300',
    'A-1',
    'A-12',
    'a-12',
    'nothing',
    '52',
    '--',
    '%',
    "'",
  ),
  fc.integer({ min: 0, max: 800 }).map((n) => `30${n}`),
  fc.integer({ min: 0, max: 800 }).map(String),
  fc.integer({ min: 100, max: 420 }).map((n) => `0${n}`),
);
const anyFilter: fc.Arbitrary<SearchFilter> = fc.record({
  states: rarely(fc.subarray([...FOUND_STATES], { minLength: 1, maxLength: 3 })),
  currency: rarely(fc.constantFrom('COP', 'USD')),
  amountMinor: rarely(fc.record({ from: fc.integer({ min: 900, max: 6100 }).map(BigInt) })),
  created: rarely(fc.record({ before: fc.integer({ min: 0, max: 31 }).map((hours) => CREATED.add({ hours })) })),
  network: rarely(fc.constantFrom('cash', 'bank')),
});

test('a search finds what any field has, whole or at its beginning, the end of a reference, and nothing outside of its scope; other letters where there is nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyScope, anyText, anyFilter, async (scope, text, filter) => {
      const { orders, cashouts, isMore } = await search(db, { scope, text, filter, now: NOW, ofCashouts: true });
      const shown = [
        ...orders.map(({ item, ...hit }) => ({ ...hit, kind: 'orders' as const, name: `${item.merchantId} ${item.orderId}` })),
        ...cashouts.map(({ item, ...hit }) => ({
          ...hit,
          kind: 'cashouts' as const,
          name: `${item.merchantId} ${item.operationId}`,
        })),
      ].map((hit) => ({ ...hit, fields: [...hit.fields].sort() }));
      const having = (one: string) =>
        rows.flatMap((row) => {
          const found = passes(row, scope, filter) ? fieldsOf(row, one) : undefined;
          return found === undefined ? [] : [{ ...found, kind: row.kind, name: row.name }];
        });
      const expected = [text, text.toUpperCase(), text.toLowerCase()].map(having).find((found) => found.length > 0) ?? [];
      const byKey = new Map(expected.map((one) => [key(one), one]));
      expect(new Set(shown.map(key)).size).toBe(shown.length);
      expect(shown.length).toBe(Math.min(expected.length, MOST_HITS));
      // A field reads some hits only, so another hit of it may lack the field.
      for (const hit of shown) {
        const one = byKey.get(key(hit));
        expect(one).toMatchObject({ isWhole: hit.isWhole });
        expect(one?.fields).toEqual(expect.arrayContaining([...hit.fields]));
        if (expected.length <= MOST_HITS) expect(hit.fields).toEqual(one?.fields);
      }
      const whole = expected.filter(({ isWhole }) => isWhole).length;
      expect(shown.filter(({ isWhole }) => isWhole).length).toBe(Math.min(whole, MOST_HITS));
      if (expected.length > MOST_HITS) expect(isMore).toBe(true);
      else if (shown.length < MOST_HITS) expect(isMore).toBe(false);
    }),
    // In this one, merchants before the last fill a field with its beginnings. The whole texts of the last are found all the same.
    { numRuns: 150, examples: [['everybody', '301', { states: ['expired', 'cancelled'] }]] },
  );
});
