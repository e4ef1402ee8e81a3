import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadStatements } from '../../generate/load-statements.ts';
import { renderStatements } from '../../generate/statements-sql.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { userOf } from '../kit/db.ts';

// The user that serves has the rights that its statements use, and no other ones.

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const schema = read('schema.sql');
const tables = Array.from(schema.matchAll(/^create table (\w+)/gm), ([, name]) => name as string);
/** Statements, and the functions that run with the rights of their caller. */
const used = [
  renderStatements(await loadStatements()),
  ...Array.from(schema.matchAll(/^create or replace function[^$]*?as \$function\$.*?\$function\$/gms), ([text]) => text).filter(
    (text) => !text.includes('security definer') && !text.includes('append-only'),
  ),
].join('\n');

const deletes = (name: string): boolean => new RegExp(`\\bdelete from ${name}\\b`).test(used);
const updates = (name: string): boolean =>
  new RegExp(`\\bupdate ${name}\\b|\\binsert into ${name}\\b[^;]*do update|\\bfrom ${name}\\b[^;]*for (no key )?update`).test(used);

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('it deletes from a table where a statement does, and updates one where a statement does or locks its rows', async () => {
  const { rows } = await client.query<{ name: string; deletes: boolean; updates: boolean }>(
    `select relname as name, has_table_privilege($1, oid, 'delete') as deletes, has_any_column_privilege($1, oid, 'update') as updates
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
    [userOf(database.serviceUrl)],
  );
  expect(rows.map(({ name }) => name)).toEqual(tables.toSorted());
  expect(rows.filter(({ name, deletes: may }) => may !== deletes(name))).toEqual([]);
  expect(rows.filter(({ name, updates: may }) => updates(name) && !may)).toEqual([]);
});

test('nobody else may call a function that runs with the rights of its owner', async () => {
  const { rows } = await client.query<{ name: string; anybody: boolean; serving: boolean }>(
    `select proname as name, exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) a where a.grantee = 0) as anybody,
            has_function_privilege($1, oid, 'execute') as serving
       from pg_proc where prosecdef and pronamespace = 'public'::regnamespace order by 1`,
    [userOf(database.serviceUrl)],
  );
  expect(rows).toEqual([
    { name: 'cashout_count_takes_key', anybody: false, serving: false },
    { name: 'cashout_month_count_takes_key', anybody: false, serving: false },
    { name: 'cashout_slot_count_takes_key', anybody: false, serving: false },
    { name: 'ledger_apply_entries', anybody: false, serving: false },
    { name: 'ledger_balance_takes_key', anybody: false, serving: false },
    { name: 'prune_acts', anybody: false, serving: true },
  ]);
});

/** What happened cannot be taken away or rewritten. The database has rows of none of these: the right is asked for first. */
test.each([
  'ledger_entries',
  'ledger_balances',
  'acts',
  'act_links',
  'act_details',
  'act_stubs',
  'order_history',
  'cashout_history',
  'orders',
  'cashouts',
  'order_payments',
  'order_refunds',
  'settlements',
  'settlement_lines',
  'held_money',
  'order_transactions',
  'cashout_payments',
  'cashout_counts',
  'cashout_slot_counts',
  'cashout_month_counts',
  'erasures',
  'merchants',
  'networks',
  'merchant_fees',
  'settlement_rules',
  'settlement_schedules',
  'settlement_files',
  'bank_file_layouts',
  'cells',
  'merchant_cells',
])('it takes nothing from %s', async (table) => {
  const service = new Client({ connectionString: database.serviceUrl });
  await service.connect();
  for (const sql of [`delete from ${table}`, `truncate ${table}`])
    expect([sql, await service.query(sql).then(String, ({ code }: { code: string }) => code)]).toEqual([sql, '42501']);
  await service.end();
});

test.each([
  ['order_history', 'version', 'event', 'actor', 'changed_at', 'request_id', 'digest'],
  ['cashout_history', 'version', 'event', 'actor', 'changed_at', 'request_id', 'digest', 'evidence'],
  ['order_payments', 'amount_minor', 'fee_minor', 'tax_minor', 'po_id', 'paid_at', 'source', 'transaction_id'],
  [
    'order_refunds',
    'order_id',
    'payment_number',
    'amount_minor',
    'currency',
    'fee_minor',
    'tax_minor',
    'keeps_fees',
    'taken_from',
    'reason',
    'requested_at',
  ],
  [
    'settlement_rules',
    'merchant_id',
    'name',
    'kind',
    'base',
    'source',
    'currency',
    'rate_ppm',
    'fixed_minor',
    'tax_ppm',
    'since',
    'set_at',
  ],
  ['settlements', 'currency', 'cutoff_at', 'settled_on', 'due_on', 'entries', 'gross_minor', 'net_minor', 'made_at'],
  ['settlement_lines', 'amount_minor', 'tax_minor'],
  ['held_money', 'currency', 'amount_minor', 'reason', 'settlement_id', 'release_on', 'held_at'],
  ['cashout_payments', 'teller', 'dane_code', 'paid_at', 'cashout_id', 'transaction_id'],
  ['order_transactions', 'order_id'],
  ['cells', 'cell', 'name', 'created_at'],
  ['merchant_cells', 'merchant_id', 'cell', 'placed_at'],
])('it rewrites nothing of %s that was said once', async (table, ...columns) => {
  const service = new Client({ connectionString: database.serviceUrl });
  await service.connect();
  for (const column of columns)
    expect([
      column,
      await service.query(`update ${table} set ${column} = null`).then(String, ({ code }: { code: string }) => code),
    ]).toEqual([column, '42501']);
  await service.end();
});

test('it adds no cell, and seals the connection strings of one again', async () => {
  const service = new Client({ connectionString: database.serviceUrl });
  await service.connect();
  const insert = `insert into cells (cell, name, master_key_id, sealed, created_at) values (1, 'north', 'k', '', now())`;
  expect(await service.query(insert).then(String, ({ code }: { code: string }) => code)).toBe('42501');
  expect((await service.query(`update cells set master_key_id = 'other', sealed = ''`)).rowCount).toBe(0);
  await service.end();
});
