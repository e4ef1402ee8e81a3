import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseRunAs } from './embedded-postgres/run-as.ts';
import { DataDirectoryInUse, type EmbeddedPostgres, openEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const OWNER = fileURLToPath(new URL('../testing/own-data-directory.ts', import.meta.url));
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** What each test has to end, last one first, before its directory goes. */
const atEnd: (() => unknown)[] = [];
let parent: string;
let dataDir: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'caudal-embedded-'));
  chmodSync(parent, 0o711);
  dataDir = join(parent, 'data');
});

afterEach(async () => {
  for (let end = atEnd.pop(); end !== undefined; end = atEnd.pop()) await end();
  await postgresGone();
  const entry = join(dataDir, 'postgres');
  if (existsSync(entry) && lstatSync(entry).isSymbolicLink()) rmSync(dirname(readlinkSync(entry)), { recursive: true, force: true });
  rmSync(parent, { recursive: true, force: true });
});

async function start(options: { durable?: boolean } = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, command: 'caudal serve', log: silent, durable: false, ...options });
  atEnd.push(() => postgres.stop());
  return postgres;
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** A process of its own that owns the directory (or works beside the owner): what it says line by line, and itself to be killed. */
function ownerProcess(...options: string[]): { child: ChildProcess; next(): Promise<Record<string, string>> } {
  const child = spawn(process.execPath, [OWNER, dataDir, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  atEnd.push(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  return { child, next: async () => JSON.parse((await lines.next()).value as string) as Record<string, string> };
}

function postmaster(): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** A dead process may keep its number until its parent has asked for it: the first process of a container may never do so. */
function isAlive(processId: number): boolean {
  return (
    spawnSync('ps', ['-o', 'stat=', '-p', String(processId)], { encoding: 'utf8' })
      .stdout.trim()
      .replace(/^Z.*/, '') !== ''
  );
}

async function postgresGone(): Promise<void> {
  await vi.waitFor(() => expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false), { timeout: 15_000 });
}

describe('a data directory', () => {
  test('gets a durable database on the first start, and keeps it', async () => {
    const first = await start({ durable: true });
    expect(
      await ask(first.url, `select current_database(), current_user, current_setting('fsync'), current_setting('synchronous_commit')`),
    ).toEqual(['caudal', 'caudal', 'on', 'on']);
    expect(await ask(first.url, `select pg_encoding_to_char(encoding), datcollate from pg_database where datname = 'caudal'`)).toEqual([
      'UTF8',
      'C.UTF-8',
    ]);
    await ask(first.url, 'create table kept as select 1 as id');
    await first.stop();
    const second = await start();
    expect(await ask(second.url, 'select id from kept')).toEqual([1]);
  });

  test('is closed to other users and to the network', async () => {
    const { url } = await start();
    expect(await ask(url, `select current_setting('listen_addresses'), current_setting('unix_socket_permissions')`)).toEqual(['', '0700']);
    const socketDir = new URL(url.replace('@/', '@socket/')).searchParams.get('host')!;
    expect(statSync(socketDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  });

  test('refuses a second owner in one line that names the first', async () => {
    const postgres = await start();
    const directory = realpathSync(dataDir);
    await expect(start()).rejects.toThrow(new DataDirectoryInUse(directory, { processId: process.pid, command: 'caudal serve' }));
    postgres.announce('http://127.0.0.1:3000');
    await expect(start()).rejects.toThrow(
      `The data directory ${directory} is in use by process ${process.pid} (caudal serve at http://127.0.0.1:3000).`,
    );
    expect(await ownerProcess().next()).toEqual({
      refused: `The data directory ${directory} is in use by process ${process.pid} (caudal serve at http://127.0.0.1:3000).`,
    });
  });

  test('has one owner when several start at once on an empty one', async () => {
    const owners = Array.from({ length: 3 }, () => ownerProcess());
    const answers = await Promise.all(owners.map((owner) => owner.next()));
    expect(answers.filter((answer) => answer['url'] !== undefined)).toHaveLength(1);
    expect(answers.filter((answer) => answer['refused']?.includes('is in use by process'))).toHaveLength(2);
  });

  test('works under a path that is too long for a socket', async () => {
    dataDir = join(parent, 'long'.repeat(30), 'data');
    const { url } = await start();
    expect(await ask(url, 'select 1')).toEqual([1]);
    expect(await openUrlBeside()).toBe(url);
  });

  test('works under a path with spaces and quotes', async () => {
    dataDir = join(parent, `it's "my" data $HOME`);
    const { url } = await start();
    expect(await ask(url, 'select 1')).toEqual([1]);
  });

  test('refuses a database of another major version and says what to do', async () => {
    await (await start()).stop();
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/was written by PostgreSQL 17 and this Caudal brings 18: dump it with pg_dump/);
  });

  test('that cannot be made is refused in one line', async () => {
    writeFileSync(dataDir, 'a file');
    await expect(start()).rejects.toMatchObject({
      name: 'EmbeddedPostgresFailure',
      message: expect.stringMatching(/^The embedded PostgreSQL cannot use .*data: .*\.$/),
    });
  });

  test('shows the reason of PostgreSQL itself when that does not start, and is free again', async () => {
    await (await start()).stop();
    const settings = join(dataDir, 'postgres', 'postgresql.auto.conf');
    writeFileSync(settings, 'shared_buffers = nonsense\n');
    await expect(start()).rejects.toThrow(/does not start: configuration file .* contains errors \(more in .*postgres\.log\)\.$/);
    writeFileSync(settings, '');
    expect(await ask((await start()).url, 'select 1')).toEqual([1]);
  });
});

async function openUrlBeside(): Promise<string> {
  return (await openEmbeddedPostgres({ dataDir, command: 'caudal merchants list', log: silent })).url;
}

describe('a command', () => {
  test('beside an owner uses its database and leaves it running', async () => {
    const { url } = await start();
    const command = await openEmbeddedPostgres({ dataDir, command: 'caudal merchants list', log: silent });
    expect(command.url).toBe(url);
    await command.stop();
    expect(await ask(url, 'select 1')).toEqual([1]);
  });

  test('waits for an owner that is just starting', async () => {
    const owner = ownerProcess();
    const command = ownerProcess('--beside');
    const [one, other] = await Promise.all([owner.next(), command.next()]);
    expect(one['url'] ?? other['url']).toBe(other['url']);
  });

  test('without an owner starts the database and stops it at its end', async () => {
    const command = await openEmbeddedPostgres({ dataDir, command: 'caudal merchants list', log: silent, durable: false });
    expect(await ask(command.url, 'select 1')).toEqual([1]);
    await command.stop();
    await expect(ask(command.url, 'select 1')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a killed process', () => {
  test('of the owner leaves no PostgreSQL behind, and the next start has all that was committed', async () => {
    const owner = ownerProcess();
    const { url } = await owner.next();
    await ask(url!, 'create table kept as select 1 as id');
    const processId = postmaster();
    owner.child.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(processId)).toBe(false), { timeout: 15_000 });
    expect(await ask((await start()).url, 'select id from kept')).toEqual([1]);
  });

  test('of the owner does not hinder a start in the same moment', async () => {
    const owner = ownerProcess();
    const { url } = await owner.next();
    await ask(url!, 'create table kept as select 1 as id');
    owner.child.kill('SIGKILL');
    await once(owner.child, 'exit');
    expect(await ask((await start()).url, 'select id from kept')).toEqual([1]);
  });

  test('of PostgreSQL is replaced, and committed rows are there', async () => {
    const { url } = await start({ durable: true });
    await ask(url, 'create table kept as select 1 as id');
    const killed = postmaster();
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(async () => expect(await ask(url, 'select id from kept')).toEqual([1]), { timeout: 15_000 });
    expect(postmaster()).not.toBe(killed);
  });

  test(
    'of owner and wrapper both leaves a PostgreSQL that the next start stops before it starts its own',
    { timeout: 40_000 },
    async () => {
      const owner = ownerProcess();
      const { url } = await owner.next();
      await ask(url!, 'create table kept as select 1 as id');
      const left = postmaster();
      killFamily(owner.child.pid!, left);
      await once(owner.child, 'exit');
      expect(isAlive(left)).toBe(true);
      expect(await ask((await start()).url, 'select id from kept')).toEqual([1]);
      expect(isAlive(left)).toBe(false);
    },
  );

  test('in the middle of the first start does not spoil the directory', async () => {
    const owner = ownerProcess();
    await vi.waitFor(() => expect(readdirSync(dataDir).filter((name) => existsSync(join(dataDir, name, 'PG_VERSION')))).toHaveLength(1), {
      timeout: 15_000,
      interval: 5,
    });
    owner.child.kill('SIGKILL');
    await once(owner.child, 'exit');
    expect(await ask((await start()).url, 'select 1')).toEqual([1]);
  });

  test('whose number another process has got since is not taken for PostgreSQL', async () => {
    const owner = ownerProcess();
    await owner.next();
    process.kill(postmaster(), 'SIGQUIT');
    owner.child.kill('SIGKILL');
    await once(owner.child, 'exit');
    await postgresGone();
    // PostgreSQL heeds only processes of its own user.
    const stranger = spawn('tail', ['-f', '/dev/null'], chooseRunAs().spawn);
    atEnd.push(() => stranger.kill());
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${stranger.pid}\n${join(dataDir, 'postgres')}\n`);
    expect(await ask((await start()).url, 'select 1')).toEqual([1]);
  });
});

function parentOf(processId: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))![1]);
}

/** Kills the owner and the shells between it and PostgreSQL, PostgreSQL not. Linux knows who is whose child. */
function killFamily(ownerId: number, postmasterId: number): void {
  const wrapper = parentOf(postmasterId);
  const readers = readdirSync('/proc')
    .map(Number)
    .filter(
      (processId) =>
        processId > 0 && processId !== postmasterId && existsSync(`/proc/${processId}/status`) && parentOf(processId) === wrapper,
    );
  for (const processId of [...readers, wrapper, ownerId]) process.kill(processId, 'SIGKILL');
}

describe.runIf(process.getuid?.() === 0)('under a directory that nobody but root may enter', () => {
  beforeEach(() => chmodSync(parent, 0o700));

  test('the cluster lives elsewhere and a link leads there', async () => {
    const { url } = await start();
    await ask(url, 'create table kept as select 1 as id');
    expect(readlinkSync(join(dataDir, 'postgres'))).toMatch(/^\/var\/lib\/caudal\/\w{16}-\w{8}\/postgres$/);
    expect(await openUrlBeside()).toBe(url);
  });

  test('it is found again, and not by a directory that was removed and made anew', async () => {
    const first = await start();
    await ask(first.url, 'create table kept as select 1 as id');
    await first.stop();
    const again = await start();
    expect(await ask(again.url, 'select id from kept')).toEqual([1]);
    await again.stop();
    const old = dirname(readlinkSync(join(dataDir, 'postgres')));
    atEnd.push(() => rmSync(old, { recursive: true }));
    rmSync(dataDir, { recursive: true });
    expect(await ask((await start()).url, `select to_regclass('kept')`)).toEqual([null]);
  });

  test('a copy of the directory does not take the database of its original', async () => {
    await (await start()).stop();
    const original = dataDir;
    const cluster = readlinkSync(join(original, 'postgres'));
    mkdirSync(join(parent, 'copy'));
    symlinkSync(cluster, join(parent, 'copy', 'postgres'));
    dataDir = join(parent, 'copy');
    await expect(start()).rejects.toThrow(`leads to the database of ${realpathSync(original)}`);
    rmSync(dataDir, { recursive: true });
    dataDir = original;
  });

  test('a link whose database is gone is refused in one line', async () => {
    await (await start()).stop();
    rmSync(dirname(readlinkSync(join(dataDir, 'postgres'))), { recursive: true });
    await expect(start()).rejects.toThrow(/is not there any more/);
    unlinkSync(join(dataDir, 'postgres'));
    expect(await ask((await start()).url, 'select 1')).toEqual([1]);
  });
});
