import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listActs } from '../../audit/act-rows.ts';
import { openDb, statement, type Db } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import { cellOfId } from '../../kit/per-cell.ts';
import { capturePrinted } from '../../testing/captured.ts';
import { makeDataDirectory, removeDataDirectory } from '../../testing/data-directory.ts';
import { seededBytes } from '../../testing/seed.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createProgram } from '../program.ts';

// Commands in a service of several databases: the real program, as an operator runs it.

const printed = capturePrinted();
let home: TestDatabase;
let north: TestDatabase;
let south: TestDatabase;
let folder: string;
const opened: Db[] = [];
const open = (url: string): Db => {
  const db = openDb({ url, log: createLog('silent'), connections: 2, statementTimeoutMs: null });
  opened.push(db);
  return db;
};

beforeAll(async () => {
  [home, north, south] = await Promise.all([createTestDatabase(), createEmptyDatabase(), createEmptyDatabase()]);
  folder = makeDataDirectory();
  vi.stubEnv('DATABASE_URL', home.serviceUrl);
  vi.stubEnv('CAUDAL_MIGRATIONS_DATABASE_URL', home.url);
  vi.stubEnv('CAUDAL_MASTER_KEY', seededBytes(32).toString('hex'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  await Promise.all(opened.map((db) => db.close()));
  for (const one of [home, north, south]) await one.drop();
  removeDataDirectory(folder);
});

let written = 0;
const writeTo = (db: Db, text: string): Promise<object[]> => db.query({ name: `test.write_${++written}`, text }, []);

async function run(line: string): Promise<string> {
  printed.clear();
  process.exitCode = undefined;
  await createProgram().parseAsync(line.split(' '), { from: 'user' });
  return printed.stdout();
}
const json = async (line: string): Promise<unknown> => JSON.parse(await run(`${line} --json`));
const refused = (line: string): Promise<string> =>
  run(line).then(
    () => 'done',
    ({ message }: Error) => message,
  );

const COUNT = statement(
  'test.orders_in_cells',
  'select merchant_id as "merchantId", order_id as "orderId", service_order_id as id from orders',
);
const CREATE_ORDER = '--email payer@example.com --amount 5000 --currency COP';

test('an empty database becomes a cell', async () => {
  expect(await json('cells list')).toMatchObject([{ cell: 0, name: 'home', state: 'serving', merchants: 0, isServed: null }]);
  const file = join(folder, 'owner-url');
  writeFileSync(file, `${north.url}\n`, { mode: 0o600 });
  const line = `cells create north --database-url ${north.serviceUrl} --owner-url-file ${file}`;
  expect(await json(line)).toMatchObject({ cell: 1, name: 'north' });
  expect(await json(line), 'one that was cut off is carried on').toMatchObject({ cell: 1 });
  expect(await run('cells list')).toMatch(/^CELL .*\n.* home .* serving\n.* north .* serving\n$/);
  expect(printed.stdout()).not.toContain('postgres://');
  const [act] = await listActs(open(home.serviceUrl), { operation: 'cells create', limit: 1 });
  expect(act?.content).not.toContain('postgres://');
  expect(act).toMatchObject({ target: 'cell north', outcome: 'done' });
});

test('what is no new database of its own becomes none', async () => {
  const again = (url: string) => refused(`cells create south --database-url ${url}`);
  expect(await again(home.url)).toMatch(/^This is the database of home/);
  expect(await again(north.url)).toMatch(/^This is the database of the cell north/);
  expect(await again(north.url.replace(/@[^:/]+/, '@localhost'))).toMatch(/^This is the database of the cell north/);
  expect(await again('http://nowhere')).toMatch(/^This is no connection string/);
  expect(await refused(`cells create HOME --database-url ${south.url}`)).toMatch(/^The name of a cell is/);
  expect(await refused(`cells create home --database-url ${south.url}`)).toMatch(/^The name of a cell is/);
  expect(await refused(`cells create north --database-url ${south.url}`)).toMatch(/^There is another cell of this name/);
  const other = await createTestDatabase();
  const mode = statement('test.other_mode', `insert into database_mode (mode) values ('production')`);
  await open(other.url).query(mode, []);
  expect(await again(other.url)).toMatch(/^This database is of production/);
  expect(await json('cells list')).toHaveLength(2);
});

test('a merchant is created in its cell, and what is done for it is done and recorded there', async () => {
  await run('merchants create --id at-home --country 343 --cell home');
  await run('merchants create --id of-north --country 343 --cell north');
  expect(await refused('merchants create --id lost --country 343 --cell nowhere')).toBe(
    'There is no cell nowhere: ./caudal cells list shows them.',
  );
  for (const merchant of ['at-home', 'of-north']) await run(`orders create A-1 --merchant ${merchant} ${CREATE_ORDER}`);
  const [atHome, inNorth] = [open(home.serviceUrl), open(north.serviceUrl)];
  for (const [db, merchantId, cell] of [
    [atHome, 'at-home', 0],
    [inNorth, 'of-north', 1],
  ] as const) {
    const [order] = await db.query<{ merchantId: string; id: bigint }>(COUNT, []);
    expect([order?.merchantId, cellOfId(order?.id ?? 0n)]).toEqual([merchantId, cell]);
    const acts = await listActs(db, { merchantId, limit: 10 });
    expect(acts.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['orders create', 'done'],
      ['merchants create', 'done'],
    ]);
  }
  expect(await refused('orders cancel none --merchant of-north')).toBe('none of of-north does not exist.');
  expect((await listActs(inNorth, { operation: 'orders cancel', limit: 1 }))[0]?.outcome, 'a refusal too').toBe('refused:order_not_found');
  expect(await refused('orders show A-1 --merchant of-north')).toBe('done');
  expect(await refused('merchants show of-north')).toBe('done');
});

test('an id is taken for a cell before its merchant is there, and stays there', async () => {
  expect(await json('cells place next north')).toEqual({ merchant: 'next', cell: 'north' });
  expect(await json('cells place next north')).toEqual({ merchant: 'next', cell: 'north' });
  const acts = await listActs(open(home.serviceUrl), { operation: 'cells place', limit: 10 });
  expect(acts.map(({ target }) => target)).toContain('merchant next');
  expect(await refused('cells place next home')).toBe('next is in another cell: a single merchant cannot be moved to another cell.');
  expect(await refused('cells place at-home north')).toMatch(/a single merchant cannot be moved to another cell/);
  expect(await refused('cells place of-north nowhere')).toBe('There is no cell nowhere: ./caudal cells list shows them.');
  expect(await run('cells verify')).toMatch(/^(True: .*\n){9}next is placed in north, and not created yet\.\n$/);
  await run('merchants create --id next --country 343');
  expect(await run('cells verify')).not.toContain('not created yet');
  expect(await json('cells list')).toMatchObject([{ merchants: 1 }, { name: 'north', merchants: 2 }]);
});

test('home is told again of what it has lost, and what is in two cells is named', async () => {
  const [owner, inNorth] = [open(home.url), open(north.url)];
  expect(await json('cells claim-again')).toMatchObject({ claimed: { merchants: 0, references: 0 }, left: [] });
  await writeTo(owner, 'delete from merchant_cells');
  await writeTo(owner, 'delete from open_references where cell = 1');
  await writeTo(owner, `insert into open_references (reference, merchant_id, order_id) values ('4711', 'at-home', 'A-2')`);
  await writeTo(inNorth, `insert into open_references (reference, merchant_id, order_id) values ('4711', 'of-north', 'A-2')`);
  expect(await refused('cells verify')).toMatch(/promises do not hold/);
  expect(await refused('cells claim-again')).toBe('1 belong to two cells: a person has to decide.');
  expect(printed.stdout()).toBe(
    'Claimed again: 2 merchants.\nClaimed again: 1 references.\nClaimed again: 0 transactions that paid orders.\n' +
      'Claimed again: 0 transactions that paid cashouts.\n' +
      'north: of-north A-2 has a reference that its cell did not claim: 4711; home says that it belongs to home.\n',
  );
  for (const db of [owner, inNorth]) await writeTo(db, `delete from open_references where reference = '4711'`);
  expect(await run('cells verify')).toMatch(/^(True: .*\n){9}$/);
  expect(await refused('merchants show of-north')).toBe('done');
  const [act] = await listActs(owner, { operation: 'cells claim-again', limit: 1 });
  expect(act).toMatchObject({ outcome: 'done', merchantId: null });
  expect(act?.content).toContain('"merchants":2');
});

test('each cell is proved, with its name', async () => {
  const said = await run('verify');
  const [ofHome, ofNorth] = ['home', 'north'].map((name) => said.split('\n').filter((line) => line.startsWith(`${name}: True: `)).length);
  expect(ofHome).toBeGreaterThan(10);
  expect(ofNorth).toBe(ofHome);
});

test('what reads or writes all that there is does so in every cell, and what is one snapshot names its cell', async () => {
  await run(`orders pay A-1 --merchant of-north --amount 5000 --currency COP --transaction T-1`);
  expect(await json('orders show A-1 --merchant of-north')).toMatchObject({ state: 'approved' });
  await run('ledger top-up --merchant of-north --amount 500000 --currency COP');
  expect(await json('day --merchant of-north')).toMatchObject({ merchant: 'of-north' });

  const rows = ['amount,currency,document,operation,expire,update,status', '45000,COP,1020304050,W-1,20261201,20261120,CANCELADA'];
  writeFileSync(join(folder, 'history.csv'), `${rows.join('\n')}\n`);
  expect(await json(`cashouts import ${join(folder, 'history.csv')} --merchant of-north`)).toMatchObject({ added: 1 });

  await run('figures rebuild');
  expect(await run('audit verify')).toMatch(/^home: The chain is whole: \d+ links\.\nnorth: The chain is whole: \d+ links\.\n$/);
  expect(await run('audit verify --cell north')).toMatch(/^The chain is whole/);
  const acts = (await json('audit list')) as { operation: string; merchant: string | null }[];
  expect(acts.map(({ operation }) => operation)).toEqual(expect.arrayContaining(['cells create', 'orders pay', 'ledger top-up']));

  expect(await refused('export orders')).toBe('Name one of the cells by --cell: home, north.');
  expect(await refused('export orders --cell nowhere')).toMatch(/^There is no cell nowhere/);
  expect(await run('export orders --cell north --format csv')).toContain('of-north');
  expect(await run('export orders --cell north --format csv')).not.toContain('at-home');
  expect(await run('export orders --merchant of-north --format csv')).toContain('of-north');
  // What somebody of the merchant was refused is an act at home.
  const refusedAct = statement(
    'test.act_at_home',
    `insert into acts (acted_at, actor_kind, actor_id, actor_name, source, operation, merchant_id, outcome, recorded_at)
     values (now(), 'user', '7', 'ana', '192.0.2.7', 'createOrder', 'of-north', 'refused:order_exists', now())`,
  );
  await open(home.url).query(refusedAct, []);
  const ofNorth = await run('export acts --merchant of-north --format csv');
  for (const operation of ['createOrder', 'merchants create', 'orders pay']) expect(ofNorth).toContain(operation);
  expect((await json('audit list --merchant of-north')) as object[]).toContainEqual(
    expect.objectContaining({ operation: 'createOrder', cell: 'home' }),
  );

  const found = JSON.parse(await run('people export --email payer@example.com')) as { orders: object[] };
  expect(found.orders).toHaveLength(2);
  const erased = (await json('people erase --email payer@example.com')) as { pseudonym: string; erased: object; left: object[] };
  expect(erased).toMatchObject({ erased: { orders: 1 }, left: [{ merchantId: 'at-home' }] });
  expect(JSON.stringify(await json('orders show A-1 --merchant of-north'))).toContain(erased.pseudonym);
  process.exitCode = undefined;
});

test('all secrets of all cells are sealed under a new master key', async () => {
  const before = process.env['CAUDAL_MASTER_KEY'] as string;
  vi.stubEnv('CAUDAL_MASTER_KEY', `${seededBytes(32).toString('hex')},${before}`);
  await run('master-key rotate');
  const [newest = ''] = (process.env['CAUDAL_MASTER_KEY'] as string).split(',');
  vi.stubEnv('CAUDAL_MASTER_KEY', newest);
  expect(await json('master-key status')).toMatchObject([{ held: true, seals: true }]);
  expect(await refused('merchants show of-north')).toBe('done');
});

test('a cell is connected to in another way, and to no other data', async () => {
  expect(await refused(`cells reconnect north --database-url ${south.url}`)).toMatch(/^The former database of north still answers/);
  expect(await refused(`cells reconnect west --database-url ${south.url}`)).toMatch(/^There is no cell west/);
  expect(await json(`cells reconnect north --database-url ${north.url}`)).toMatchObject({ cell: 1, name: 'north' });
  expect(await refused('merchants show of-north')).toBe('done');
  const [act] = await listActs(open(home.serviceUrl), { operation: 'cells reconnect', limit: 1 });
  expect(act).toMatchObject({ target: 'cell north', outcome: 'done' });
  expect(act?.content).not.toContain('postgres://');
});

test('a cell is moved to a copy that has all its rows and no other, while nobody uses it', async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  const there = await createEmptyDatabase(`template ${new Client({ connectionString: north.url }).database}`);
  const move = (): Promise<string> => refused(`cells move north --database-url ${there.serviceUrl} --owner-url ${there.url}`);
  const copy = open(there.url);
  const write = (text: string): Promise<object[]> => writeTo(copy, text);
  expect(await refused(`cells move west --database-url ${there.url}`)).toMatch(/^There is no cell west/);
  await write(`insert into sign_in_tries values ('of nobody', '', now(), 1, null)`);
  expect(await move()).toMatch(/ is no copy: sign_in_tries has 1 rows there and 0 here, or other values\.$/);
  await write('delete from sign_in_tries');
  const server = open(north.serviceUrl);
  await server.query(COUNT, []);
  expect(await move()).toMatch(/^1 other connections use north: what they write now would be lost\./);
  await server.close();
  expect(await move()).toBe('done');
  expect(await refused('merchants show of-north')).toBe('done');
  expect(await json('cells list')).toMatchObject([{ name: 'home' }, { name: 'north', merchants: 2, state: 'serving' }]);
  const [former] = await listActs(open(home.serviceUrl), { operation: 'cells move', limit: 1 });
  expect(former).toMatchObject({ target: 'cell north', outcome: 'done' });
  // What follows in this file is of the database that the cell has now.
  [north] = [there, await north.drop()];
});

test('what cannot be true of cells that fit together is found', async () => {
  const twice = statement(
    'test.merchant_twice',
    `insert into merchants (merchant_id, name, country, language, currencies, created_at) values ('of-north', 'Twice', '343', 'es', '{COP}', now())`,
  );
  await open(home.url).query(twice, []);
  expect(await refused('cells verify')).toBe('2 of 9 promises do not hold.');
  expect(printed.stdout()).toContain('Not true: no merchant is in two cells. of-north is in home and in north.');
  expect(printed.stdout()).toContain('of-north is in home, and home says north.');
});

test('a cell that is away stops nobody else, and every answer without it says so', async () => {
  const dropped = north;
  north = await createEmptyDatabase();
  await dropped.drop();
  await run('merchants show at-home');
  expect(printed.stderr()).toMatch(/The cell north cannot be used: /);
  expect(process.exitCode).toBeUndefined();
  expect(await refused('merchants show of-north')).toMatch(/^The cell north cannot be used: /);
  expect(await run('merchants list')).toContain('at-home');
  expect([process.exitCode, printed.stderr()], 'it is named once').toEqual([3, expect.not.stringContaining('Missing here')]);
  expect(await json('cells claim-again')).toMatchObject({ left: [] });
  expect(process.exitCode).toBe(3);
  expect(await json('cells list')).toMatchObject([{ state: 'serving' }, { name: 'north', state: 'away', merchants: null }]);
  expect(await json('audit list')).toContainEqual(expect.objectContaining({ operation: 'cells create' }));
  expect(process.exitCode).toBe(3);
  expect(await run('people erase --email nobody@example.com')).toContain('Nothing was erased in north, which cannot be used');
  expect(process.exitCode).toBe(3);
  expect(await json('people erase --email payer@example.com')).toMatchObject({ missing: ['north'] });
  expect(await refused('people export --email payer@example.com')).toBe('Nothing was exported: north cannot be used.');
  expect(await refused('export acts --merchant at-home')).toBe('Nothing was exported: north cannot be used.');
  expect(await refused('export orders --merchant at-home')).toBe('done');
  expect(await refused('verify')).toBe('Not proved: north cannot be used.');
  expect(await refused('master-key rotate')).toBe('Nothing was rotated: north cannot be used.');
});
