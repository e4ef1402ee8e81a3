import { Client } from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { runCaudalHere, serveForTest } from '../testing/child-server.ts';
import { seededBytes } from '../testing/seed.ts';
import { createTestDatabase } from '../testing/test-database.ts';

const key = seededBytes(32).toString('hex');
let sandbox: Record<string, string>;
let production: Record<string, string>;
let client: Client;
beforeEach(async () => {
  const database = await createTestDatabase();
  sandbox = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key };
  production = { ...sandbox, CAUDAL_MODE: 'production' };
  client = new Client(database.url);
  await client.connect();
  return async () => {
    await client.end();
    await database.drop();
  };
});

const create = (environment: Record<string, string>, id: string) =>
  runCaudalHere(environment, 'merchants', 'create', '--id', id, '--country', '343');
const refusedBy = (mode: string, other: string) => ({
  exitCode: 1,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^This database is of ${mode}, and CAUDAL_MODE is ${other}: [^\\n]+\\n$`)) as string,
});

test('a database of production serves no sandbox, whose setting was only forgotten', async () => {
  expect(await create(production, 'shop')).toMatchObject({ exitCode: 0 });
  expect(await create(sandbox, 'other')).toMatchObject(refusedBy('production', 'sandbox'));
  const server = serveForTest(sandbox);
  expect((await server.exited()).code).toBe(1);
  expect(server.stderr()).toContain('This database is of production');
  expect(server.stdout()).toBe('');
});

test('a database of a sandbox is not taken into production', async () => {
  expect(await create(sandbox, 'shop')).toMatchObject({ exitCode: 0 });
  expect(await create(production, 'other')).toMatchObject(refusedBy('a sandbox', 'production'));
  expect(await create(sandbox, 'other')).toMatchObject({ exitCode: 0 });
});

test('a database of the other mode is refused before it is migrated', async () => {
  expect(await create(production, 'shop')).toMatchObject({ exitCode: 0 });
  await client.query('delete from schema_migrations where version = (select max(version) from schema_migrations)');
  const read = async (): Promise<unknown> => (await client.query('select count(*) from schema_migrations')).rows;
  const before = await read();
  expect(await create(sandbox, 'other')).toMatchObject(refusedBy('production', 'sandbox'));
  const server = serveForTest(sandbox);
  expect((await server.exited()).code).toBe(1);
  expect(server.stderr()).toContain('This database is of production');
  expect(await read()).toEqual(before);
});
