import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../testing/captured.ts';
import { runCaudal, serveForTest } from '../testing/child-server.ts';
import { seededBytes } from '../testing/seed.ts';
import { createShop, makeOrder, printedCommands, readAmount, runPrinted, sendOrder } from '../testing/served-shop.ts';
import { openDatabaseProxy } from '../testing/database-proxy.ts';
import { createEmptyDatabase, createTestDatabase } from '../testing/test-database.ts';
import { isLong } from '../testing/lanes.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const oneLine = expect.stringMatching(/^[^\n]+\n$/) as string;

describe('with a database of its own choice', () => {
  const key = seededBytes(32).toString('hex');

  test('production needs a master key: all faults in clear lines, exit code 1', async () => {
    const server = serveForTest({ CAUDAL_MODE: 'production', CAUDAL_PORT: 'x' });
    expect((await server.exited()).code).toBe(1);
    expect(server.stderr().trim().split('\n')).toEqual([
      expect.stringMatching(/^CAUDAL_PORT: takes a port/m),
      expect.stringMatching(/^DATABASE_URL: required in production mode/),
      expect.stringMatching(/^CAUDAL_MASTER_KEY: required in production mode/),
    ]);
    expect(server.stdout()).toBe('');
  });

  test('production has no demo merchant and no sandbox routes, and metrics only where set', async () => {
    const database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, CAUDAL_MODE: 'production', CAUDAL_MASTER_KEY: key, CAUDAL_METRICS_ADDRESS: '' };
    const server = serveForTest(environment);
    const origin = await server.origin;
    expect(server.stdout()).toBe(`Caudal serves production on ${origin}\n`);
    expect(server.stderr()).not.toContain('metrics');
    const shop = await createShop(environment, 'demo'); // The id is still free.
    await makeOrder(origin, shop, '100');
    for (const path of ['/v1/operation/demo', '/sandbox/v1/clock']) {
      const answer = await fetch(origin + path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ CODE: '0940' });
    }
    expect((await fetch(`${origin}/cashout/v1/operation/demo`)).status).toBe(200);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await database.drop();
  });

  test.runIf(isLong)('two servers that start at once on one empty database migrate it once, and both serve', async () => {
    const database = await createEmptyDatabase();
    const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key };
    const servers = [serveForTest(environment), serveForTest(environment)];
    const [one, other] = (await Promise.all(servers.map(({ origin }) => origin))) as [string, string];
    const migrated = servers.filter((server) => server.stderr().includes('schema was brought up to date'));
    expect(migrated).toHaveLength(1);
    const hashes = servers.map((server) => /fixed hash (\w+)/.exec(server.stdout())?.[1]);
    expect(hashes[0]).toBe(hashes[1]);
    const demo = { merchant: 'demo', fixedHash: hashes[0] as string };
    await sendOrder(one, 'POST', demo, '700');
    expect(await readAmount(other, demo)).toBe('700.00');
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  });

  test.each([
    [
      'a newer schema',
      `insert into schema_migrations (version, title, checksum) values (9999, 'later', 'x')`,
      /schema version 9999; .*newer Caudal/,
    ],
    [
      'secrets under another master key',
      `insert into service_secrets (name, generation, master_key_id, sealed, created_at) values ('other', 1, 'abcdef012345', '', now())`,
      /abcdef012345, which is not held here/,
    ],
  ])('a database with %s is refused in one line', async (_what, statement, message) => {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(statement);
    await client.end();
    const server = serveForTest({ DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key });
    expect((await server.exited()).code).toBe(1);
    expect(server.stderr()).toEqual(oneLine);
    expect(server.stderr()).toMatch(message);
    await database.drop();
  });

  test.runIf(isLong)('a first start that ended right after it made the demo merchant is completed by the next start', async () => {
    const database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key };
    await createShop(environment, 'demo');
    const server = serveForTest(environment);
    await server.origin;
    const commands = printedCommands(server.stdout());
    const answers = await Promise.all(commands.map(runPrinted));
    for (const { stdout } of answers) expect(stdout).toMatch(/"(CODE|code)":"0000"/);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      `select (select count(*)::integer from orders where order_id like 'A-%') as orders, (select count(*)::integer from cashouts) as cashouts`,
    );
    await client.end();
    expect(rows).toEqual([{ orders: 115, cashouts: 168 }]);
    await server.stop();
    await database.drop();
  });

  test('a database without TLS, where its address demands it, is refused in one line', async () => {
    const database = await createTestDatabase();
    const proxy = await openDatabaseProxy(database.url);
    const server = serveForTest({ DATABASE_URL: `${proxy.url}?sslmode=verify-full`, CAUDAL_MASTER_KEY: key });
    expect((await server.exited()).code).toBe(1);
    expect(server.stderr()).toMatch(/^The database offers no TLS, and DATABASE_URL demands it: .*\n$/);
    await proxy.close();
    await database.drop();
  });

  test('the server and a command report a missing database in the same words', async () => {
    const database = await createEmptyDatabase();
    await database.drop();
    const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key };
    const server = serveForTest(environment);
    const [{ stderr }] = await Promise.all([runCaudal(environment, 'merchants', 'list'), server.exited()]);
    expect(server.stderr()).toBe(stderr);
    expect(stderr).toMatch(/^The database cannot be used: .*does not exist\n$/);
  });

  test('npm start takes the words after --: a port that is none is refused, and npm ends as the server ends', async () => {
    const { PATH = '', HOME = '' } = process.env;
    const started = await runProgram('npm', ['--prefix', ROOT, 'start', '--silent', '--', '--port', 'x'], { PATH, HOME });
    expect(started).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/^CAUDAL_PORT: takes a port/m) as string });
  });

  test(
    'a server without a terminal outlives its shell; one whose address of metrics is taken serves, and says so in one line',
    { timeout: 180_000 },
    async () => {
      const database = await createTestDatabase();
      const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key, CAUDAL_MODE: 'production' };
      const first = serveForTest(environment);
      const origin = await first.origin;
      first.child.kill('SIGHUP');
      const second = serveForTest({ ...environment, CAUDAL_METRICS_ADDRESS: new URL(origin).host });
      await second.origin;
      const lines = second.stderr().trim().split('\n');
      const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => String(msg).startsWith('metrics'));
      expect(said).toEqual([expect.objectContaining({ level: 'warn', address: origin })]);
      expect(said[0]).not.toHaveProperty('error');
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      await Promise.all([first.stop(), second.stop()]);
      await database.drop();
    },
  );

  test('an address that is in use is reported in one line', async () => {
    const database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key, CAUDAL_MODE: 'production' };
    const { port } = new URL(await serveForTest(environment).origin);
    const second = serveForTest({ ...environment, CAUDAL_PORT: port, CAUDAL_LOG_LEVEL: 'silent' });
    expect((await second.exited()).code).toBe(1);
    expect(second.stderr()).toEqual(oneLine);
    expect(second.stderr()).toMatch(new RegExp(`^Cannot listen: .*${port}.*Take another port, such as npm start -- --port [0-9]+\n$`));
    await database.drop();
  });
});
