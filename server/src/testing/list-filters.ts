import { Client } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { connectionConfig, openDb, type Db } from '../kit/db.ts';
import type { ListFilter } from '../kit/lists/filters.ts';
import type { From, Page, Scope } from '../kit/lists/walks.ts';
import { createLog } from '../kit/log.ts';
import * as fc from './fast-check.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

// What the tests of lists with filters share: their rows, drawn filters, and the same filter over an array.

/** A database with rows of three merchants for the tests of one file. `fill` writes and reads them. */
export function listDatabase(fill: (client: Client, db: Db) => Promise<void>): { readonly client: () => Client; readonly db: () => Db } {
  let database: TestDatabase;
  let client: Client;
  let db: Db;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client(connectionConfig(database.url, null));
    await client.connect();
    db = openDb({ url: database.url, log: createLog('silent'), connections: 2, statementTimeoutMs: 5_000 });
    await fill(client, db);
  }, 60_000);
  afterAll(async () => {
    await db.close();
    await client.end();
    await database.drop();
  });
  return { client: () => client, db: () => db };
}

type Row = {
  readonly merchantId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
  readonly paid: { readonly paidAt: Temporal.Instant; readonly network: string | null; readonly transactionId: string } | null;
};

const isIn = (at: Temporal.Instant, range: From<Temporal.Instant> | undefined): boolean =>
  (range?.from === undefined || Temporal.Instant.compare(at, range.from) >= 0) &&
  (range?.before === undefined || Temporal.Instant.compare(at, range.before) < 0);

/** Whether a row is in the scope and passes the filter. */
export function passes(
  row: Row,
  scope: Scope,
  { currency, amountMinor, created, updated, paid, network, transaction }: ListFilter,
): boolean {
  const asksPaid = [paid?.from, paid?.before, network, transaction].some((asked) => asked !== undefined);
  return (
    (scope === 'everybody' || scope.merchantId === row.merchantId) &&
    (currency === undefined || row.currency === currency) &&
    (amountMinor?.from === undefined || row.amountMinor >= amountMinor.from) &&
    (amountMinor?.to === undefined || row.amountMinor <= amountMinor.to) &&
    isIn(row.createdAt, created) &&
    isIn(row.updatedAt, updated) &&
    (!asksPaid ||
      (row.paid !== null &&
        isIn(row.paid.paidAt, paid) &&
        (network === undefined || row.paid.network === network) &&
        (transaction === undefined || row.paid.transactionId === transaction)))
  );
}

/** All pages. `between` runs after each. */
export async function walk<Item, Place>(
  read: (after: Place | undefined, limit: number) => Promise<Page<Item, Place>>,
  limit: number,
  between?: () => Promise<unknown>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let after: Place | undefined;
  do {
    const { items, next } = await read(after, limit);
    expect(items.length).toBeLessThanOrEqual(limit);
    found.push(...items);
    after = next;
    await between?.();
  } while (after !== undefined);
  return found;
}

export const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined, freq: 2 });
export const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const anyInstant = fc.integer({ min: 0, max: 500 }).map((hours) => Temporal.Instant.from('2026-11-01T00:00:00Z').add({ hours }));
const anyRange = rarely(fc.record({ from: some(anyInstant), before: some(anyInstant) }));
const anyAmount = fc.integer({ min: 900, max: 6100 }).map(BigInt);

/** Parts that filters of all lists have. Transactions are `T0` to `T7507`. */
export const ANY_FILTER = {
  currency: rarely(fc.constantFrom('COP', 'USD')),
  amountMinor: rarely(fc.record({ from: some(anyAmount), to: some(anyAmount) })),
  created: anyRange,
  updated: anyRange,
  paid: anyRange,
  network: rarely(fc.constantFrom('cash', 'bank')),
  transaction: rarely(fc.integer({ min: 0, max: 7507 }).map((n) => `T${n}`)),
};
export const anyScope: fc.Arbitrary<Scope> = fc.constantFrom(
  'everybody' as const,
  ...['big', 'other', 'small'].map((merchantId) => ({ merchantId })),
);

type Summed = { readonly state: string; readonly currency: string; readonly amountMinor: bigint };

/** The summary of these rows, as a list of all of them would be added up by hand. Amounts are by the name of the currency. */
export function summed(rows: readonly Summed[]): { readonly count: bigint; readonly amounts: readonly (readonly [string, bigint])[] } {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted();
  const sum = (code: string): bigint =>
    rows.filter(({ currency }) => currency === code).reduce((all, { amountMinor }) => all + amountMinor, 0n);
  return { count: BigInt(rows.length), amounts: currencies.map((code) => [code, sum(code)] as const) };
}
