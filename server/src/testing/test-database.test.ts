import { Client } from 'pg';
import { expect, test } from 'vitest';
import { withDatabase } from './names.ts';
import { createEmptyDatabase, createTestDatabase } from './test-database.ts';

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test('gives each caller a migrated database of its own, and drops it', async () => {
  const one = await createTestDatabase();
  const other = await createTestDatabase();
  await ask(one.url, 'create table mine (id int)');
  expect(await ask(other.url, `select to_regclass('mine') is null as absent, to_regclass('schema_migrations') is null as bare`)).toEqual([
    { absent: true, bare: false },
  ]);
  await Promise.all([one.drop(), other.drop()]);
  await expect(ask(one.url, 'select 1')).rejects.toMatchObject({ code: '3D000' });
});

test('gives a database without a schema where asked', async () => {
  const empty = await createEmptyDatabase();
  expect(await ask(empty.url, `select to_regclass('schema_migrations') is null as bare`)).toEqual([{ bare: true }]);
  await empty.drop();
});

test.each([
  ['postgres://caudal@/caudal?host=%2Ftmp%2Fx', 'postgres://caudal@/other?host=%2Ftmp%2Fx'],
  ['postgres://me:secret@db.example:5432/main', 'postgres://me:secret@db.example:5432/other'],
  ['postgresql://db.example', 'postgresql://db.example/other'],
  ['postgresql://db.example?sslmode=require', 'postgresql://db.example/other?sslmode=require'],
])('names another database on the server of %s', (url, expected) => {
  expect(withDatabase(url, 'other')).toBe(expected);
});
