import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { createEmptyDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { examine } from '../../main/doctor/examine.ts';
import { prepareSchema } from '../../main/migrations.ts';
import { seededBytes } from '../../testing/seed.ts';
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

/** What a pooler does to a session, as PgBouncer was seen to do it. */
const POOLERS = ['takes no settings', 'drops our settings', 'shares sessions between clients'] as const;
type Pooler = (typeof POOLERS)[number];

const text = (type: string, ...parts: readonly string[]): Buffer => {
  const body = Buffer.from(parts.map((part) => `${part}\0`).join(''));
  const head = Buffer.alloc(4);
  head.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), head, body]);
};
const REFUSED = text('E', 'SFATAL', 'VFATAL', 'C08P01', 'Munsupported startup parameter: options', '');
const STARTUP_HEAD = 8;

/** The start of a connection without the settings that it asks for. */
function withoutSettings(start: Buffer): Buffer {
  const words = start.subarray(STARTUP_HEAD).toString('utf8').split('\0');
  const kept = words.flatMap((word, at) => (at % 2 === 0 && ['user', 'database'].includes(word) ? [word, words[at + 1] as string] : []));
  const made = Buffer.concat([start.subarray(0, STARTUP_HEAD), text('', ...kept, '').subarray(4)]);
  made.writeInt32BE(made.length, 0);
  return made;
}

/** Leaves notifications out of what a server says: they reach whoever has the session then. */
function withoutNotifications(): (bytes: Buffer) => Buffer {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const kept: Buffer[] = [];
    for (;;) {
      const size = rest.length < 5 ? Infinity : 1 + rest.readInt32BE(1);
      if (rest.length < size) return Buffer.concat(kept);
      if (rest[0] !== 'A'.charCodeAt(0)) kept.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  };
}

/** Stands for PgBouncer, which not every machine has. Shape: the address by which the database is reached through it. */
async function openPooler(does: Pooler): Promise<string> {
  const { host, port, user, password, database: name } = new Client({ connectionString: database.url });
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port });
    for (const one of [client, upstream])
      sockets.add(one.on('error', () => undefined).on('close', () => [client, upstream].map((each) => each.destroy())));
    client.once('data', (start: Buffer) => {
      if (does === 'takes no settings') return client.end(REFUSED);
      upstream.write(does === 'drops our settings' ? withoutSettings(start) : start);
      return client.pipe(upstream);
    });
    const shown = does === 'shares sessions between clients' ? withoutNotifications() : (bytes: Buffer) => bytes;
    upstream.on('data', (bytes: Buffer) => client.write(shown(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const one of sockets) one.destroy();
    server.close();
  });
  return `postgres://${user}${password ? `:${password}` : ''}@127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
}

/** What the doctor says of a database. */
async function doctorSays(url: string): Promise<readonly string[]> {
  const said: string[] = [];
  for await (const { found } of examine({ DATABASE_URL: url, CAUDAL_MASTER_KEY: seededBytes(32).toString('hex') }))
    said.push(...found.map((one) => one.says));
  return said;
}

test.each(POOLERS)('what %s is refused before anything is written, and the doctor says so', async (does) => {
  const url = await openPooler(does);
  const [, , said] = await Promise.all([
    expect(prepareSchema({ url, ownerUrl: database.url, mayBePooled: true })).rejects.toThrow(does),
    expect(prepareSchema({ url: database.url, ownerUrl: url, mayBePooled: true })).rejects.toThrow('Give the address of PostgreSQL itself'),
    doctorSays(url),
  ]);
  expect(await tables()).toBe(0);
  expect(said.filter((one) => one.includes(does))).not.toEqual([]);
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
