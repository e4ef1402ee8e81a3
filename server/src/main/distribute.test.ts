import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandRefused } from '../kit/command-line.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { distribute, PLACES } from './distribute.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const placeColumn = (table: string): string | undefined => {
  const place = PLACES[table];
  return place === 'merchant' ? 'merchant_id' : typeof place === 'object' ? place.by : undefined;
};

test('every table has a place', async () => {
  const { rows } = await client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`);
  expect(Object.keys(PLACES).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('what is unique in a table that is spread contains the column that it is spread by', async () => {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select i.indrelid::regclass::text as table, array_agg(a.attname::text) as columns
       from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
       join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where i.indisunique group by i.indexrelid, i.indrelid`,
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { table, columns } of rows) {
    const column = placeColumn(table);
    if (column !== undefined) expect(columns, table).toContain(column);
  }
});

test('what a table refers to is everywhere, or beside it', async () => {
  const { rows } = await client.query<{ table: string; target: string }>(
    `select conrelid::regclass::text as table, confrelid::regclass::text as target from pg_constraint where contype = 'f'`,
  );
  for (const { table, target } of rows)
    if (PLACES[target] !== 'everywhere') expect([table, PLACES[table]], `${table} refers to ${target}`).toEqual([table, PLACES[target]]);
});

test('only tables of the coordinator have triggers of their own', async () => {
  const { rows } = await client.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger where not tgisinternal`,
  );
  expect(rows.map(({ table }) => table).filter((table) => PLACES[table] !== 'coordinator')).toEqual([]);
});

test('a server without the extension is refused in one line, and nothing is changed', async () => {
  const refused = await distribute(database.url).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CommandRefused);
  expect((refused as Error).message).toMatch(/^[^\n]*does not have the extension Citus: nothing was changed[^\n]*$/);
});
