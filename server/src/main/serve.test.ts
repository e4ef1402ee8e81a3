import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../kit/log.ts';
import { runProgram, type Ran } from '../testing/captured.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { startChildServer, type ChildServer } from '../testing/child-server.ts';
import { openDatabaseProxy } from '../testing/database-proxy.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { eventually, PROCESS_MS, SOON_MS } from '../testing/deadlines.ts';
import { seededBytes } from '../testing/seed.ts';
import { createEmptyDatabase, createTestDatabase } from '../testing/test-database.ts';

const CLI = fileURLToPath(new URL('cli.ts', import.meta.url));
const log = createLog('silent');
const running: ChildServer[] = [];

function serve(environment: Readonly<Record<string, string>>): ChildServer {
  const server = startChildServer(environment);
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

const run = (command: string, words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runProgram(command, words, { PATH: process.env['PATH'] ?? '', ...environment });

const caudal = (environment: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran> =>
  run(process.execPath, [CLI, ...words], environment);

const oneLine = expect.stringMatching(/^[^\n]+\n$/) as string;

type Shop = { readonly merchant: string; readonly fixedHash: string };

async function createShop(environment: Readonly<Record<string, string>>, id: string): Promise<Shop> {
  const { stdout, stderr } = await caudal(environment, 'merchants', 'create', '--id', id, '--country', '343', '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Shop;
}

const sign = ({ fixedHash }: Shop, ...values: readonly string[]): string => checksumOf(values, fixedHash);

function orderBody(shop: Shop, amount: string): string {
  const values = { email: 'ana@example.com', country: '343', order: 'A-1', money: 'COP', amount };
  return JSON.stringify({ merchant: shop.merchant, ...values, checksum: sign(shop, ...Object.values(values)) });
}

async function sendOrder(origin: string, method: 'POST' | 'PATCH', shop: Shop, amount: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${origin}/api/v3/porders`, { method, body: orderBody(shop, amount) });
  return (await answer.json()) as Record<string, unknown>;
}

/** The first order of a merchant that was just made. A running server hears of it a moment after its commit, and promises to within a second. */
const makeOrder = (origin: string, shop: Shop, amount: string): Promise<Record<string, unknown>> =>
  eventually(1_000, async () => {
    const answer = await sendOrder(origin, 'POST', shop, amount);
    expect(answer).toMatchObject({ CODE: '0000' });
    return answer;
  });

async function readAmount(origin: string, shop: Shop): Promise<string | undefined> {
  const query = `merchant=${shop.merchant}&checksum=${sign(shop, 'A-1', shop.merchant)}`;
  const answer = (await (await fetch(`${origin}/api/v3/porders/A-1?${query}`)).json()) as { DATA: { AMOUNT?: string } };
  return answer.DATA.AMOUNT;
}

describe('a sandbox on its own data directory', { timeout: 40_000 }, () => {
  let dataDir: string;
  let environment: Record<string, string>;
  let shop: Shop;

  beforeAll(() => {
    dataDir = makeDataDirectory();
    environment = { CAUDAL_DATA_DIR: dataDir };
  });
  afterAll(() => removeDataDirectory(dataDir));

  const postmasterFile = (): string => join(dataDir, 'postgres', 'postmaster.pid');

  test('prints where it serves, the demo merchant’s fixed hash and commands that work as they stand', async () => {
    const server = serve(environment);
    const origin = await server.origin;
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:[1-9][0-9]+$/);
    expect(server.stdout()).toMatch(/^Merchant demo, fixed hash [0-9a-f]{32}$/m);
    const commands = server.stdout().match(/^ *curl .*$/gm) ?? [];
    expect(commands).toHaveLength(4);
    const answers = await Promise.all(commands.map((command) => run('sh', ['-c', command.replace('curl ', 'curl -sS ')])));
    expect(answers.map(({ stderr }) => stderr)).toEqual(['', '', '', '']);
    const [created, changed, paid, listed] = answers.map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>);
    expect(created).toMatchObject({ CODE: '0000', DATA: { Operacion: 'CREADA' } });
    expect(changed).toMatchObject({ CODE: '0000', DATA: { Operacion: 'ACTUALIZADO' } });
    expect(paid).toMatchObject({ CODE: '0000', DATA: { Operacion: 'PAGADA' } });
    expect(listed).toMatchObject({ code: '0000', next: expect.stringMatching(/^\//) });
    expect(listed!['data']).toHaveLength(23);
  });

  test('prints them again when it is started again, and they work again', async () => {
    const server = serve(environment);
    await server.origin;
    const commands = server.stdout().match(/^ *curl .*$/gm) ?? [];
    const answers = await Promise.all(commands.map((command) => run('sh', ['-c', command.replace('curl ', 'curl -sS ')])));
    for (const { stdout } of answers) expect(stdout).toMatch(/"(CODE|code)":"0000"/);
    expect(answers).toHaveLength(4);
  });

  test('refuses a second server on its directory in one line, and a disabled merchant within a second', async () => {
    const origin = await serve(environment).origin;
    const second = startChildServer(environment);
    expect((await second.exited()).code).toBe(1);
    expect(second.stderr()).toEqual(oneLine);
    expect(second.stderr()).toContain(`in use by process`);
    expect(second.stderr()).toContain(origin);
    expect(second.stdout()).toBe('');

    shop = await createShop(environment, 'shop');
    const other = await createShop(environment, 'other');
    await makeOrder(origin, shop, '100');
    await makeOrder(origin, other, '100');
    expect(await caudal(environment, 'merchants', 'disable', 'other')).toMatchObject({ exitCode: 0 });
    await eventually(1_000, async () => expect(await sendOrder(origin, 'PATCH', other, '200')).toMatchObject({ CODE: '0025' }));
    expect(await sendOrder(origin, 'PATCH', shop, '200')).toMatchObject({ CODE: '0000' });
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('answers a request under way after %s, then stops its database and exits 0', async (signal) => {
    const server = serve(environment);
    const origin = await server.origin;
    const { url } = await openEmbeddedPostgres({ name: 'caudal', dataDir, command: 'a test', log });
    const locker = new Client({ connectionString: url });
    await locker.connect();
    await locker.query('begin');
    await locker.query(`select from orders where merchant_id = 'shop' for update`);
    const answer = sendOrder(origin, 'PATCH', shop, signal === 'SIGTERM' ? '300' : '400');
    await eventually(SOON_MS, async () => {
      const { rows } = await locker.query(`select from pg_stat_activity where wait_event_type = 'Lock'`);
      expect(rows).toHaveLength(1);
    });
    server.child.kill(signal);
    // Whoever comes now is not let in; whoever was in is answered.
    await eventually(SOON_MS, () => expect(fetch(`${origin}/healthz`)).rejects.toThrow());
    await locker.query('commit');
    await locker.end();
    expect(await answer).toMatchObject({ CODE: '0000' });
    const askedAt = performance.now();
    expect(await server.exited()).toEqual({ code: 0, signal: null });
    expect(performance.now() - askedAt).toBeLessThan(5_000);
    expect(existsSync(postmasterFile())).toBe(false);
  });

  test('killed with -9 leaves no database running, and the next start has all that was acknowledged', async () => {
    const server = serve(environment);
    expect(await sendOrder(await server.origin, 'PATCH', shop, '512.25')).toMatchObject({ CODE: '0000' });
    const postmaster = Number(readFileSync(postmasterFile(), 'utf8').split('\n')[0]);
    expect(await server.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    await eventually(PROCESS_MS, () => expect(() => process.kill(postmaster, 0)).toThrow('ESRCH'));
    expect(await readAmount(await serve(environment).origin, shop)).toBe('512.25');
  });
});

describe('with a database of its own choice', () => {
  const key = seededBytes(32).toString('hex');

  test('production needs a master key: all faults in clear lines, exit code 1', async () => {
    const server = startChildServer({ CAUDAL_MODE: 'production', CAUDAL_PORT: 'x' });
    expect((await server.exited()).code).toBe(1);
    expect(server.stderr().trim().split('\n')).toEqual([
      expect.stringMatching(/^CAUDAL_PORT: takes a port/),
      expect.stringMatching(/^CAUDAL_MASTER_KEY: required in production mode/),
    ]);
    expect(server.stdout()).toBe('');
  });

  test('production has no demo merchant, no sandbox routes, and no metrics unless told', async () => {
    const database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, CAUDAL_MODE: 'production', CAUDAL_MASTER_KEY: key, CAUDAL_METRICS_ADDRESS: '' };
    const server = serve(environment);
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

  test('two servers that start at once on one empty database migrate it once, and both serve', async () => {
    const database = await createEmptyDatabase();
    const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key };
    const servers = [serve(environment), serve(environment)];
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
      `insert into service_secrets (name, master_key_id, sealed, created_at) values ('other', 'abcdef012345', '', now())`,
      /abcdef012345, which is not held here/,
    ],
  ])('a database with %s is refused in one line', async (_what, statement, message) => {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(statement);
    await client.end();
    const server = startChildServer({ DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key });
    expect((await server.exited()).code).toBe(1);
    expect(server.stderr()).toEqual(oneLine);
    expect(server.stderr()).toMatch(message);
    await database.drop();
  });

  test('a first start that was cut short once the demo merchant was made is made whole by the next', async () => {
    const database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key };
    await createShop(environment, 'demo');
    const server = serve(environment);
    await server.origin;
    const commands = server.stdout().match(/^ *curl .*$/gm) ?? [];
    const answers = await Promise.all(commands.map((command) => run('sh', ['-c', command.replace('curl ', 'curl -sS ')])));
    for (const { stdout } of answers) expect(stdout).toMatch(/"(CODE|code)":"0000"/);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      `select (select count(*)::integer from orders where order_id like 'A-%') as orders, (select count(*)::integer from cashouts) as cashouts`,
    );
    await client.end();
    expect(rows).toEqual([{ orders: 5, cashouts: 300 }]);
    await server.stop();
    await database.drop();
  });

  test('a database that is not there is told in the same words by the server and by a command', async () => {
    const database = await createEmptyDatabase();
    await database.drop();
    const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key };
    const server = startChildServer(environment);
    const [{ stderr }] = await Promise.all([caudal(environment, 'merchants', 'list'), server.exited()]);
    expect(server.stderr()).toBe(stderr);
    expect(stderr).toMatch(/^The database cannot be used: .*does not exist\n$/);
  });

  test('an address that is taken is told in one line', async () => {
    const database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: key, CAUDAL_MODE: 'production' };
    const { port } = new URL(await serve(environment).origin);
    const second = startChildServer({ ...environment, CAUDAL_PORT: port, CAUDAL_LOG_LEVEL: 'silent' });
    expect((await second.exited()).code).toBe(1);
    expect(second.stderr()).toEqual(oneLine);
    expect(second.stderr()).toMatch(new RegExp(`^Cannot listen: .*${port}`));
    await database.drop();
  });
});

describe('while the database is away', { timeout: 60_000 }, () => {
  const SECONDS = 5;
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let environment: Record<string, string>;
  let origin: string;
  let shop: Shop;
  let checkout: string;
  let server: ChildServer;

  beforeAll(async () => {
    dataDir = makeDataDirectory();
    postgres = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'a test', log });
    environment = { DATABASE_URL: postgres.url, CAUDAL_MASTER_KEY: seededBytes(32).toString('hex'), CAUDAL_MODE: 'production' };
    server = startChildServer(environment);
    origin = await server.origin;
    shop = await createShop(environment, 'shop');
    const created = (await makeOrder(origin, shop, '100')) as { DATA: { checkout: string } };
    checkout = new URL(created.DATA.checkout).search;
  });
  afterAll(async () => {
    await server.stop();
    await postgres.stop();
    removeDataDirectory(dataDir);
  });

  function requests(): readonly (readonly [method: string, path: string, body?: string])[] {
    const { merchant } = shop;
    const ofOrder = `merchant=${merchant}&checksum=${sign(shop, 'A-1', merchant)}`;
    const registration = { merchant, operation: 'W-1', amount: '100', currency: 'COP', document: '1' };
    return [
      ['PATCH', '/api/v3/porders', orderBody(shop, '200')],
      ['POST', '/api/v3/porders', orderBody(shop, '200')],
      ['GET', `/api/v3/porders/A-1?${ofOrder}`],
      ['GET', `/api/v3/porders/A-1/history?${ofOrder}`],
      ['DELETE', `/api/v3/porders/A-1?${ofOrder}`],
      ['GET', `/checkout${checkout}`],
      ['GET', `/cashout/v1/operation/${merchant}?checksum=${sign(shop, merchant, '', '')}`],
      ['POST', '/cashout/v1/operation', JSON.stringify({ ...registration, checksum: sign(shop, ...Object.values(registration)) })],
      ['GET', `/cashout/v1/operation/${merchant}/W-1?document=1&checksum=${sign(shop, merchant, 'W-1', '1')}`],
      ['DELETE', `/cashout/v1/operation/${merchant}/W-1?document=1&checksum=${sign(shop, merchant, 'W-1')}`],
    ];
  }

  async function expectUnavailable(): Promise<void> {
    await Promise.all(
      requests().map(async ([method, path, body]) => {
        const startedAt = performance.now();
        const answer = await fetch(origin + path, { method, ...(body === undefined ? {} : { body }) });
        expect(answer.status, `${method} ${path}`).toBe(503);
        expect((performance.now() - startedAt) / 1000, `${method} ${path}`).toBeLessThan(SECONDS);
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]/);
        if (path.startsWith('/checkout')) return expect(await answer.text(), 'a payer reads a page').toMatch(/^<!doctype html>/);
        const envelope = path.startsWith('/cashout/') ? { code: '0953', data: expect.anything() } : { CODE: '0953', DATA: {} };
        expect(await answer.json()).toMatchObject(envelope);
      }),
    );
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    const readiness = await fetch(`${origin}/readyz`);
    expect(readiness.status).toBe(503);
    expect(readiness.headers.get('retry-after')).toMatch(/^[1-9]/);
  }

  const expectServing = (amount: string): Promise<void> =>
    eventually(SOON_MS, async () => expect(await sendOrder(origin, 'PATCH', shop, amount)).toMatchObject({ CODE: '0000' }));

  test('every route answers 503 at once, and serves again when it is back', async () => {
    await expectServing('1000');
    await postgres.stop();
    await expectUnavailable();
    postgres = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'a test', log });
    await expectServing('2000');
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(await readAmount(origin, shop)).toBe('2000.00');
  });

  test('every route answers 503 within five seconds when it only hangs, and serves again when it goes on', async () => {
    await expectServing('3000');
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(`select pid from pg_stat_activity where pid <> pg_backend_pid()`);
    await client.end();
    const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const frozen = [postmaster, ...rows.map(({ pid }) => pid)];
    for (const processId of frozen) process.kill(processId, 'SIGSTOP');
    try {
      await expectUnavailable();
      // A second time: then there are no connections left that could be asked.
      await expectUnavailable();
    } finally {
      for (const processId of frozen) process.kill(processId, 'SIGCONT');
    }
    await expectServing('4000');
  });
});

test(
  'connections that break at any moment lose nothing that was acknowledged, and do not end the server',
  { timeout: 30_000 },
  async () => {
    const database = await createTestDatabase();
    const proxy = await openDatabaseProxy(database.url);
    const environment = { DATABASE_URL: proxy.url, CAUDAL_MASTER_KEY: '0'.repeat(64), CAUDAL_MODE: 'production' };
    const server = serve(environment);
    const origin = await server.origin;
    const shop = await createShop(environment, 'shop');
    await makeOrder(origin, shop, '1');

    const acknowledged: string[] = [];
    let refused = 0;
    let amount = 1_000;
    const client = async (): Promise<void> => {
      while (amount < 1_600) {
        const mine = String(++amount);
        const { CODE: code } = await sendOrder(origin, 'PATCH', shop, mine);
        if (code === '0000') acknowledged.push(mine);
        else expect(code).toBe('0953');
        if (code === '0953') refused++;
        if (amount % 20 === 0) proxy.cut();
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(0);

    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    const { rows } = await reader.query<{ amount: string }>(`select changes->'amount'->>1 as amount from order_history order by version`);
    await reader.end();
    const written = new Set(rows.map((row) => row.amount));
    expect(acknowledged.filter((mine) => !written.has(`${mine}00 COP`))).toEqual([]);
    await proxy.close();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await database.drop();
  },
);

test('a server that waits for its database ends as gladly', async () => {
  const server = serve({ DATABASE_URL: 'postgres://caudal@127.0.0.1:1/caudal', CAUDAL_MASTER_KEY: '0'.repeat(64) });
  await eventually(PROCESS_MS, () => expect(server.stderr()).toContain('the database is not reachable yet'));
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});
