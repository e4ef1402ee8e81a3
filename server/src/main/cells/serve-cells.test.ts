import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCaudalHere, serveForTest, type ChildServer } from '../../testing/child-server.ts';
import { openDatabaseProxy, type DatabaseProxy } from '../../testing/database-proxy.ts';
import { eventually, PROCESS_MS } from '../../testing/deadlines.ts';
import { seededBytes } from '../../testing/seed.ts';
import { makeOrder, readAmount, sendOrder, type ServedShop } from '../../testing/served-shop.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';

// Servers of several databases, as processes: one that is away when they start is migrated once it is back.

let home: TestDatabase;
let north: TestDatabase;
let toNorth: DatabaseProxy;
let settings: Record<string, string>;

beforeAll(async () => {
  [home, north] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  toNorth = await openDatabaseProxy(north.url);
  settings = {
    DATABASE_URL: home.serviceUrl,
    CAUDAL_MIGRATIONS_DATABASE_URL: home.url,
    CAUDAL_MASTER_KEY: seededBytes(32).toString('hex'),
    CAUDAL_MODE: 'production',
    CAUDAL_DATABASE_PLAINTEXT: 'yes',
    CAUDAL_METRICS_ADDRESS: '127.0.0.1:0',
  };
  const created = await runCaudalHere(settings, 'cells', 'create', 'north', '--database-url', toNorth.url);
  expect(created.exitCode, created.stderr).toBe(0);
});
afterAll(async () => {
  await toNorth.close();
  for (const one of [home, north]) await one.drop();
});

const metricsOf = async (server: ChildServer): Promise<string> => {
  const [, address] = /"address":"(http[^"]+)","msg":"metrics are served/.exec(server.stderr()) ?? [];
  return (await fetch(`${address}/metrics`)).text();
};

const readinessOf = async (origin: string): Promise<unknown> => (await fetch(`${origin}/readyz`)).json();

async function shopIn(cell: string, id: string): Promise<ServedShop> {
  const words = ['--id', id, '--country', '343', '--cell', cell, '--json'];
  return JSON.parse((await runCaudalHere(settings, 'merchants', 'create', ...words)).stdout) as ServedShop;
}

/** Takes from the cell what its migrations have made: it has an older schema. */
async function takeBack(): Promise<void> {
  const client = new Client({ connectionString: north.url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.end();
}

test('a cell that is away keeps no other one from being served, and is migrated once it is back', async () => {
  toNorth.refuse(true);
  await takeBack();
  const server = serveForTest(settings);
  const origin = await server.origin;
  expect(server.stderr()).toContain('a cell cannot be used: its merchants are answered 503');
  expect(await readinessOf(origin)).toEqual({ status: 'ready', away: { north: 'the database does not answer' } });
  const atHome = await shopIn('home', 'at-home');
  await makeOrder(origin, atHome, '100');
  expect(await metricsOf(server)).toMatch(/^caudal_database_reachable\{cell="home"\} 1\ncaudal_database_reachable\{cell="north"\} 0$/m);
  expect((await runCaudalHere(settings, 'doctor', '--json')).stdout).toMatch(/"check":"cell north","found":\[\{"level":"fault"/);

  toNorth.refuse(false);
  await eventually(PROCESS_MS, () => expect(server.stderr()).toContain('the schema of a cell was brought up to date'));
  const ofNorth = await shopIn('north', 'of-north');
  await eventually(PROCESS_MS, () => makeOrder(origin, ofNorth, '100'));
  expect(await readAmount(origin, ofNorth)).toBe('100.00');
  expect(await sendOrder(origin, 'PATCH', ofNorth, '250')).toMatchObject({ CODE: '0000' });
  expect(await readinessOf(origin)).toEqual({ status: 'ready' });
  toNorth.hold();
  expect(await readinessOf(origin)).toEqual({ status: 'ready', away: { north: 'the database does not answer in time' } });
  toNorth.release();
  await eventually(PROCESS_MS, async () => expect(await metricsOf(server)).toContain('caudal_database_reachable{cell="north"} 1'));
  const { stdout } = await runCaudalHere(settings, 'doctor', '--json');
  expect(stdout).toMatch(/"check":"cell north: schema","found":\[\],"state":"well"/);
  expect(stdout).not.toContain('"check":"cell north"');
});

test('a server serves the cells that CAUDAL_CELLS names, and refuses a name that none has', async () => {
  const wrong = serveForTest({ ...settings, CAUDAL_CELLS: 'west' });
  await wrong.exited();
  expect(wrong.stderr()).toContain('CAUDAL_CELLS: there is no cell west; caudal cells list shows them\n');
  const server = serveForTest({ ...settings, CAUDAL_CELLS: 'home' });
  const url = await server.origin;
  expect(await metricsOf(server)).toMatch(/^caudal_database_reachable 1$/m);
  const terms = ['--name', 'test', '--permissions', 'merchants:read,merchants:write', '--json'];
  const { token } = JSON.parse((await runCaudalHere(settings, 'tokens', 'create', ...terms)).stdout) as { token: string };
  const ask = (...words: string[]) => runCaudalHere({ CAUDAL_TOKEN: token }, '--url', url, ...words);
  const listed = JSON.parse((await ask('cells', 'list', '--json')).stdout) as unknown;
  expect(listed).toMatchObject([
    { name: 'home', isServed: true },
    { name: 'north', isServed: false, state: 'serving' },
  ]);
  expect(await ask('cells', 'place', 'next', 'north')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/needs a restart/) as string,
  });
  expect(await ask('cells', 'place', 'next', 'home')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('next belongs to home') as string,
  });
});
