import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

// Balances and kept counts are found by their newest version, so no unique index has their keys (docs/decisions/0053). A table of keys has.

const AT = `'2026-11-28T10:00:00Z'`;
/** By table: the table of its keys, a row without `changed_in`, and a change of its key. */
const BUSY = {
  ledger_balances: ['ledger_balance_keys', `'shop', 'available', 'COP', 5`, `account = 'reserved'`],
  cashout_counts: ['cashout_count_keys', `'shop', '2026-11-28', 1, 0, 0, 0, 0`, `updated_on = '2026-11-27'`],
  cashout_slot_counts: ['cashout_slot_count_keys', `'shop', '2026-11-28', ${AT}, 1, 0, 0, 0, 0`, `updated_slot = now()`],
  cashout_month_counts: ['cashout_month_count_keys', `'shop', '2026-11-01', 1, 0, 0, 0, 0`, `month_on = '2026-10-01'`],
} as const;

let database: TestDatabase;
let owner: Client;
let service: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new Client({ connectionString: database.url });
  service = new Client({ connectionString: database.serviceUrl });
  await Promise.all([owner.connect(), service.connect()]);
  await owner.query(
    `insert into merchants (merchant_id, name, country, language, currencies, created_at) values ('shop', 'Shop', '343', 'es', '{COP}', now())`,
  );
  // What the entries write, the test writes by hand.
  await owner.query('alter table ledger_balances disable trigger ledger_balances_follow_entries');
});
afterAll(async () => {
  await Promise.all([owner.end(), service.end()]);
  await database.drop();
});

const refusal = (client: Client, sql: string): Promise<string> => client.query(sql).then(String, ({ code }: { code: string }) => code);

describe.each(Object.entries(BUSY))('%s', (table, [keys, row, change]) => {
  test('has one row of a key, whenever it changed, and whoever makes it', async () => {
    await owner.query(`insert into ${table} values (${row}, 1)`);
    expect(await refusal(owner, `insert into ${table} values (${row}, 2)`)).toBe('23505');
    expect((await owner.query(`select from ${table}`)).rowCount).toBe(1);
  });

  test('of two that make a row at once, the second is refused', async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    const made = row.replace('shop', 'shop-2');
    await owner.query(
      `insert into merchants select 'shop-2', name, country, language, currencies, created_at from merchants on conflict do nothing`,
    );
    await owner.query('begin');
    await owner.query(`insert into ${table} values (${made}, 1)`);
    const second = refusal(other, `insert into ${table} values (${made}, 2)`);
    await owner.query('commit');
    expect(await second).toBe('23505');
    await other.end();
  });

  test('keeps the key of a row, and a key with a row stays', async () => {
    expect(await refusal(owner, `update ${table} set ${change}`)).toBe('23001');
    expect(await refusal(owner, `update ${keys} set merchant_id = 'other'`)).toBe('23001');
    expect(await refusal(owner, `delete from ${keys}`)).toBe('23503');
  });

  test('has keys that the user that serves cannot write', async () => {
    expect(await refusal(service, `insert into ${keys} select * from ${keys}`)).toBe('42501');
    expect(await refusal(service, `delete from ${keys}`)).toBe('42501');
  });
});
