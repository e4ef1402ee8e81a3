import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { createEmptyDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { prepareSchema } from '../../main/migrations.ts';
import { connectClient } from './servers.ts';
import { requireSessions } from './require-sessions.ts';

const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;
/** What PgBouncer must ignore before it takes our connections at all. */
const IGNORES = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

let database: TestDatabase;
let directory: string;
let pooler: ChildProcess | undefined;

beforeAll(async () => {
  database = await createEmptyDatabase();
  directory = mkdtempSync(join(tmpdir(), 'caudal-pooler-'));
});
afterEach(async () => {
  if (pooler === undefined) return;
  const ended = new Promise((resolve) => pooler?.once('exit', resolve));
  pooler.kill('SIGINT');
  await ended;
  pooler = undefined;
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await database.drop();
});

/** Starts PgBouncer in front of the database. Shape: the address by which the database is reached through it. */
async function startPooler(mode: 'session' | 'transaction', ignores = ''): Promise<string> {
  const { host, port, user, password, database: name } = new Client({ connectionString: database.url });
  const listening = createServer();
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const own = (listening.address() as AddressInfo).port;
  await new Promise((resolve) => listening.close(resolve));
  const settings = join(directory, 'pgbouncer.ini');
  const target = `host=${host} port=${port} user=${user}${password ? ` password=${password}` : ''}`;
  writeFileSync(
    settings,
    `[databases]\n${name} = ${target}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}\n` +
      (ignores === '' ? '' : `ignore_startup_parameters = ${ignores}\n`),
  );
  // It refuses to run as root, and must reach a socket that only its owner may enter.
  const owner = host.startsWith('/') ? statSync(host) : undefined;
  if (owner !== undefined) {
    chmodSync(directory, 0o755);
    chownSync(settings, owner.uid, owner.gid);
  }
  const run = spawn('pgbouncer', ['-q', settings], { stdio: 'ignore', ...(owner === undefined ? {} : { uid: owner.uid, gid: owner.gid }) });
  pooler = run;
  const url = `postgres://${user}@127.0.0.1:${own}/${name}`;
  await eventually(SOON_MS, async () => (await connectClient({ connectionString: url })).end());
  return url;
}

const tables = async (): Promise<number> => {
  const client = await connectClient({ connectionString: database.url });
  const { rowCount } = await client.query(`select 1 from pg_tables where schemaname = 'public'`);
  await client.end();
  return rowCount ?? 0;
};

test('PostgreSQL itself gives sessions of our own', async () => {
  await requireSessions(database.url);
});

test.runIf(hasPgBouncer).each([
  ['transaction', '', 'takes no settings'],
  ['session', '', 'takes no settings'],
  ['transaction', IGNORES, 'drops our settings'],
  ['session', IGNORES, 'drops our settings'],
] as const)('a pooler by %s that ignores “%s” is refused in words, and nothing is written', async (mode, ignores, what) => {
  const url = await startPooler(mode, ignores);
  await expect(prepareSchema({ url, ownerUrl: database.url, mayBePooled: true })).rejects.toThrow(what);
  await expect(prepareSchema({ url: database.url, ownerUrl: url, mayBePooled: true })).rejects.toThrow(
    'Give the address of PostgreSQL itself',
  );
  expect(await tables()).toBe(0);
});
