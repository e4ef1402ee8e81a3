import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type Db, openDb, statement } from './db.ts';
import { createLog } from './log.ts';
import { migrate, migrationCheck } from './migrate.ts';

const ADD_LETTER = statement('test.add_letter', 'insert into letters values ($1)');
/** A migration that waits tries once a second. */
const TWO_TRIES_MS = 2_100;

let database: TestDatabase;
let directory: string;
let client: Client;
let db: Db;

beforeEach(async () => {
  database = await createEmptyDatabase();
  directory = mkdtempSync(join(tmpdir(), 'caudal-migrations-'));
  client = new Client({ connectionString: database.url });
  await client.connect();
  db = openDb({ url: database.url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  file('0001-letters.sql', 'create table letters (id int primary key); insert into letters values (1);');
  file('0002-more-letters.sql', 'insert into letters values (2);');
});

afterEach(async () => {
  await Promise.all([client.end(), db.close()]);
  await database.drop();
  rmSync(directory, { recursive: true });
});

function file(name: string, sql: string): void {
  writeFileSync(join(directory, name), sql);
}

async function letters(): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>('select id from letters order by id');
  return rows.map((row) => row.id);
}

test('applies the files in order, once, and only the new ones later', async () => {
  expect(await migrate(database.url, directory)).toEqual([1, 2]);
  expect(await migrate(database.url, directory)).toEqual([]);
  file('0003-last-letter.sql', 'insert into letters values (3);');
  expect(await migrate(database.url, directory)).toEqual([3]);
  expect(await letters()).toEqual([1, 2, 3]);
});

test('says which tables of before could not be written to meanwhile', async () => {
  await migrate(database.url, directory);
  file('0003-new.sql', 'create table words (id int); insert into letters values (3); insert into words values (1);');
  file('0004-index.sql', 'create index on letters (id); create index on words (id);');
  file('0005-outside.sql', '-- Outside of a transaction.\nalter table words add column more int;');
  const applied: [number, readonly string[]][] = [];
  await migrate(database.url, directory, undefined, { onApplied: ({ version, blocked }) => void applied.push([version, blocked]) });
  expect(applied).toEqual([
    [3, []],
    [4, ['letters', 'words']],
    [5, []],
  ]);
});

test('waits for a transaction that holds its table, and lets those pass that use the table meanwhile', async () => {
  await migrate(database.url, directory);
  file('0003-changed.sql', 'alter table letters add column upper boolean;');
  await client.query('begin');
  await client.query('select from letters');
  const held = Promise.withResolvers<number>();
  const migrated = migrate(database.url, directory, undefined, { onHeld: ({ version }) => held.resolve(version) });
  expect(await held.promise).toBe(3);
  // Nobody who asks now waits for longer than one try of the migration.
  const other = openDb({ url: database.url, log: createLog('silent'), connections: 1, statementTimeoutMs: 1_000 });
  const endsAt = performance.now() + TWO_TRIES_MS;
  for (let id = 10; performance.now() < endsAt; id++) await other.query(ADD_LETTER, [id]);
  await other.close();
  await client.query('commit');
  expect(await migrated).toEqual([3]);
});

test('migrates once when several servers start at once on an empty database', async () => {
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, directory)));
  expect(results.flat().toSorted((one, other) => one - other)).toEqual([1, 2]);
  expect(await letters()).toEqual([1, 2]);
});

test('leaves nothing of a failing file, and keeps the files before it', async () => {
  file('0003-broken.sql', 'insert into letters values (3); select 1 / 0;');
  await expect(migrate(database.url, directory)).rejects.toThrow('Migration 3 (broken) failed and was rolled back: division by zero');
  expect(await letters()).toEqual([1, 2]);
  file('0003-broken.sql', 'insert into letters values (3);');
  expect(await migrate(database.url, directory)).toEqual([3]);
});

test('runs a file outside of a transaction where it says so, and all of it again after a failure', async () => {
  const build = 'drop index concurrently if exists letters_twice;\ncreate index concurrently letters_twice on letters ((id * 2));\n';
  const outside = (last: string): void => file('0003-outside.sql', `-- Outside of a transaction.\n${build}${last}`);
  outside('select 1 / 0;\n');
  await expect(migrate(database.url, directory)).rejects.toThrow(
    'Migration 3 (outside) failed, and runs again at the next start: division',
  );
  outside('');
  // Of several servers that start at once, one builds. The others must not keep it waiting.
  const results = await Promise.all(Array.from({ length: 3 }, () => migrate(database.url, directory)));
  expect(results.flat()).toEqual([3]);
  const { rows } = await client.query(`select indisvalid from pg_index where indexrelid = 'letters_twice'::regclass`);
  expect(rows).toEqual([{ indisvalid: true }]);
});

test('refuses a database that is newer than the files, in one line', async () => {
  await migrate(database.url, directory);
  rmSync(join(directory, '0002-more-letters.sql'));
  const message = 'This database has schema version 2; this Caudal knows up to 1. Start a newer Caudal.';
  await expect(migrate(database.url, directory)).rejects.toMatchObject({ name: 'SchemaMismatch', message });
  await expect(migrationCheck(directory)(db)).rejects.toMatchObject({ name: 'SchemaMismatch', message });
});

test.each(['SQL_ASCII', 'LATIN1'])('refuses a new database of the encoding %s in one line, and makes nothing in it', async (encoding) => {
  const other = await createEmptyDatabase(`encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0`);
  onTestFinished(() => other.drop());
  const message = `This database has the encoding ${encoding}, which does not know all characters: make it again with encoding 'UTF8' template template0: docs/operations/database.md.`;
  await expect(migrate(other.url, directory)).rejects.toMatchObject({ name: 'SchemaMismatch', message });
  const asked = new Client({ connectionString: other.url });
  await asked.connect();
  const { rows } = await asked.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`);
  await asked.end();
  expect(rows).toEqual([]);
});

test('works on the schema of newer files that say so, and on no other', async () => {
  file('0003-more.sql', '-- Releases from 0002 on work with it.\nalter table letters add column more int;');
  file('0004-still-more.sql', '-- A comment.\n-- Releases from 0002 on work with it.\nalter table letters add column still_more int;');
  file('0005-less.sql', '-- Releases from 0003 on work with it.\nalter table letters drop column more;');
  const remove = (name: string): void => rmSync(join(directory, name));
  const files = async (): Promise<unknown> => ({
    migrated: await migrate(database.url, directory),
    pending: await migrationCheck(directory)(db),
  });
  expect(await migrate(database.url, directory)).toEqual([1, 2, 3, 4, 5]);
  remove('0005-less.sql');
  remove('0004-still-more.sql');
  expect(await files()).toEqual({ migrated: [], pending: false });
  remove('0003-more.sql');
  const message = 'This database has schema version 5; this Caudal knows up to 2. Start a newer Caudal.';
  await expect(files()).rejects.toMatchObject({ name: 'SchemaMismatch', message });
  await client.query('delete from schema_migrations where version = 5');
  expect(await files()).toEqual({ migrated: [], pending: false });
});

test('refuses a file that was changed after it was applied, but not other line ends', async () => {
  file('0002-more-letters.sql', 'insert into letters\nvalues (2);');
  await migrate(database.url, directory);
  file('0002-more-letters.sql', 'insert into letters\r\nvalues (2);');
  expect(await migrate(database.url, directory)).toEqual([]);
  file('0002-more-letters.sql', 'insert into letters\nvalues (4);');
  await expect(migrate(database.url, directory)).rejects.toThrow(
    'Migration 2 (more-letters) is not the one that this database was made with',
  );
});

test('refuses a database whose first migration is another one, however many it has', async () => {
  file('0003-last-letter.sql', 'insert into letters values (3);');
  await migrate(database.url, directory);
  for (const gone of ['0003-last-letter.sql', '0002-more-letters.sql']) rmSync(join(directory, gone));
  file('0001-letters.sql', 'create table letters (id bigint primary key);');
  await expect(migrate(database.url, directory)).rejects.toThrow('take another database or data directory');
});

test.each(['3-letters.sql', '0003-Letters.sql', '0003.sql', '0004-letters.sql', '0002-letters.sql'])(
  'refuses a file named %s',
  async (name) => {
    file(name, 'select 1;');
    await expect(migrate(database.url, directory)).rejects.toMatchObject({ name: 'SchemaMismatch' });
  },
);

test('says whether migrations are pending', async () => {
  expect(await migrationCheck(directory)(db)).toBe(true);
  await migrate(database.url, directory);
  const check = migrationCheck(directory);
  expect(await check(db)).toBe(false);
  file('0003-last-letter.sql', 'insert into letters values (3);');
  expect(await migrationCheck(directory)(db)).toBe(true);
  expect(await check(db), 'a check reads the files once').toBe(false);
});
