import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createLog } from '../kit/log.ts';
import { serveForTest, startChildServer, type ChildServer } from '../testing/child-server.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { withDatabase, withUser } from '../testing/names.ts';
import { seededBytes } from '../testing/seed.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { prepareSchema } from './migrations.ts';

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

/** What must not work for the user that serves. */
const FORBIDDEN = [
  'alter table ledger_entries disable trigger all',
  'drop trigger ledger_entries_are_append_only on ledger_entries',
  'set session_replication_role = replica',
  `update ledger_entries set amount_minor = 1`,
  'delete from ledger_entries',
  'truncate ledger_entries',
  'update ledger_balances set balance_minor = 1',
  'create or replace function ledger_refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
  `copy ledger_entries from program 'id'`,
  `copy merchants to program 'cat'`,
  `select pg_read_file('/etc/passwd')`,
  'create table public.mine (id int)',
  'create extension dblink',
  'alter system set fsync = off',
  'create role another superuser',
  `update schema_migrations set checksum = ''`,
  // A trigger of its own on a temporary table, from which it writes a balance.
  `create temporary table bait (id int);
   create function pg_temp.write() returns trigger language plpgsql as $$ begin update ledger_balances set balance_minor = 1; return null; end $$;
   create trigger write after insert on bait for each statement execute function pg_temp.write();
   insert into bait values (1)`,
  // The ledger's own trigger on a temporary table, which would apply entries that are not written.
  `create temporary table bait (like ledger_entries);
   create trigger apply after insert on bait referencing new table as new_entries for each statement execute function ledger_apply_entries()`,
];

async function expectHarmless(url: string): Promise<void> {
  const client = await connect(url);
  const { rows } = await client.query<{ rolsuper: boolean; owned: string }>(
    `select rolsuper, (select count(*) from pg_class where relowner = r.oid) as owned from pg_roles r where rolname = current_user`,
  );
  expect(rows).toEqual([{ rolsuper: false, owned: '0' }]);
  for (const statement of FORBIDDEN) {
    const outcome = await client.query(statement).then(
      () => 'done',
      ({ code }: { code: string }) => code,
    );
    expect([statement, outcome]).toEqual([statement, expect.stringMatching(/^(42501|23001)$/)]);
  }
}

const readOwner = (dataDir: string) =>
  JSON.parse(readFileSync(join(dataDir, 'owner.json'), 'utf8')) as { databaseUrl: string; ownerUrl: string };

describe('the user of the embedded database that serves', () => {
  let dataDir: string;
  let server: ChildServer;
  beforeAll(async () => {
    dataDir = makeDataDirectory();
    server = startChildServer({ CAUDAL_DATA_DIR: dataDir });
    await server.origin;
  });
  afterAll(async () => {
    await server.stop();
    removeDataDirectory(dataDir);
  });

  test('cannot turn the rules of the ledger off, run a program or own a table', () => expectHarmless(readOwner(dataDir).databaseUrl));

  test('cannot post entries past their balances', async () => {
    const client = await connect(readOwner(dataDir).databaseUrl);
    await client.query('create temporary table ledger_balances (like public.ledger_balances including all)');
    await client.query(
      `insert into ledger_entries (merchant_id, transaction_id, line, kind, account, currency, amount_minor, posted_at)
       values ('demo', 'top-up/T', 1, 'top_up', 'collected', 'USD', 5, now()), ('demo', 'top-up/T', 2, 'top_up', 'service:bank', 'USD', -5, now())`,
    );
    const { rows } = await client.query(`select account, balance_minor from public.ledger_balances where currency = 'USD' order by 1`);
    expect(rows).toEqual([
      { account: 'collected', balance_minor: '5' },
      { account: 'service:bank', balance_minor: '-5' },
    ]);
  });

  test('is added to a database without it, which keeps its rows', async () => {
    await server.stop();
    const earlier = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'a test', log: createLog('silent') });
    const owner = await connect(earlier.ownerUrl);
    await owner.query('drop owned by caudal_service; drop role caudal_service');
    await owner.query(
      `insert into merchants (merchant_id, name, country, language, currencies, created_at) values ('kept', 'Kept', '343', 'es', '{COP}', now())`,
    );
    await owner.end();
    await earlier.stop();
    server = startChildServer({ CAUDAL_DATA_DIR: dataDir });
    await server.origin;
    const { databaseUrl } = readOwner(dataDir);
    await expectHarmless(databaseUrl);
    const { rows } = await (await connect(databaseUrl)).query(`select name from merchants where merchant_id = 'kept'`);
    expect(rows).toEqual([{ name: 'Kept' }]);
  });
});

/** Statements that a page of docs/operations/ shows, with a name and a password of this test's own. */
function documentedStatements(page: string, beginning: string, name: string, password: string): string[] {
  const text = readFileSync(new URL(`../../../docs/operations/${page}`, import.meta.url), 'utf8');
  const [block] = new RegExp(`${beginning}[^\`]*`).exec(text) ?? [];
  if (block === undefined) throw new Error(`docs/operations/${page} shows no statement that begins with "${beginning}"`);
  return block
    .replaceAll(/\bcaudal(_\w+)?\b/g, (_caudal, role = '') => `${name}${role}`)
    .replaceAll("'…'", `'${password}'`)
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

type Documented = { name: string; password: string; adminUrl: string; url: string; ownerUrl: string };

/** Makes the two users and the database as the page says, for one test. `more`: other roles that the test makes. */
async function makeDocumented(suffix: string, ...more: readonly string[]): Promise<Documented> {
  const { adminUrl, runId } = inject('testServer');
  const name = `caudal_test_${runId}_${suffix}`;
  const password = seededBytes(8).toString('hex');
  const admin = await connect(adminUrl);
  for (const statement of documentedStatements('database.md', 'create role caudal_owner', name, password)) await admin.query(statement);
  onTestFinished(async () => {
    const cleaner = await connect(adminUrl);
    await cleaner.query(`drop database ${name} with (force)`);
    for (const role of ['owner', 'service', ...more]) await cleaner.query(`drop role if exists ${name}_${role}`);
  });
  const as = (role: string): string => withUser(withDatabase(adminUrl, name), `${name}_${role}`, password);
  return { name, password, adminUrl: withDatabase(adminUrl, name), url: as('service'), ownerUrl: as('owner') };
}

/** It makes no demo merchant, which would take seconds. */
const productionOn = (url: string) => ({
  DATABASE_URL: url,
  CAUDAL_MASTER_KEY: seededBytes(32).toString('hex'),
  CAUDAL_MODE: 'production',
});

describe('on a PostgreSQL of your own', () => {
  test('the documented users suffice: one migrates, the other serves and is harmless', async () => {
    const { url, ownerUrl } = await makeDocumented('documented');
    const environment = productionOn(url);

    const tooEarly = serveForTest(environment);
    expect(await tooEarly.exited()).toMatchObject({ code: 1 });
    const [line] = tooEarly.stderr().trimEnd().split('\n').slice(-1);
    expect(line).toMatch(
      /^The user .*_service may not bring the schema up to date \(.*\): set CAUDAL_MIGRATIONS_DATABASE_URL to its owner\.$/,
    );

    await serveForTest({ ...environment, CAUDAL_MIGRATIONS_DATABASE_URL: ownerUrl }).origin;
    await expectHarmless(url);
    await serveForTest(environment).origin;
  });

  test('another user gets the rights at the next start, and the earlier one can be removed', async () => {
    const { name, password, adminUrl, url, ownerUrl } = await makeDocumented('replaced', 'next');
    await prepareSchema({ url, ownerUrl });
    const admin = await connect(adminUrl);
    await admin.query(`create role ${name}_next login password '${password}'`);
    const next = withUser(adminUrl, `${name}_next`, password);
    await prepareSchema({ url: next, ownerUrl });
    for (const statement of documentedStatements('database.md', 'drop owned', name, password)) await admin.query(statement);
    await expectHarmless(next);
    await serveForTest(productionOn(next)).origin;
    await expect(connect(url)).rejects.toThrow(/authentication failed|does not exist/);
  });

  test('the documented user for reports reads orders, and no person', async () => {
    const { name, password, adminUrl, url, ownerUrl } = await makeDocumented('reported', 'reports');
    await prepareSchema({ url, ownerUrl });
    const admin = await connect(adminUrl);
    for (const statement of documentedStatements('backup.md', 'create role caudal_reports', name, password)) await admin.query(statement);
    const reports = await connect(withUser(adminUrl, `${name}_reports`, password));
    await reports.query('select merchant_id, sum(amount_minor) from orders group by 1');
    for (const refused of ['select email from orders', 'select * from orders', 'select * from cashouts', 'select * from order_history'])
      await expect(reports.query(refused), refused).rejects.toThrow('permission denied');
  });

  test('one user that owns the tables works as before', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    await serveForTest(productionOn(database.url)).origin;
  });
});
