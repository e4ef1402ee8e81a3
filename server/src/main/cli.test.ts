import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb, statement, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import type { MerchantDirectory } from '../merchants/index.ts';
import { runProgram, type Ran } from '../testing/captured.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { runCaudal, runCaudalHere, runWholeCaudal } from '../testing/child-server.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { createEmptyDatabase, createTestDatabase } from '../testing/test-database.ts';
import { openHomeDirectory } from '../testing/home-directory.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { testClock } from '../testing/test-caudal.ts';
import { openMasterKeys } from './keys/master-keys.ts';
import { prepareSchema } from './migrations.ts';

const AGE = statement('test.newer', `insert into schema_migrations (version, title, checksum) values (9999, 'later', 'x')`);
const log = createLog('silent');

const oneLine = expect.stringMatching(/^[^\n]+\n$/) as string;

describe('beside a running server on its embedded database', () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let db: Db;
  let directory: MerchantDirectory;

  beforeAll(async () => {
    dataDir = makeDataDirectory();
    postgres = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'caudal serve', log, durable: false });
    await prepareSchema(postgres);
    db = openDb({ url: postgres.url, log, connections: 2, statementTimeoutMs: null });
    const keys = openMasterKeys({ masterKeys: [], dataDir });
    directory = await openHomeDirectory({ db, url: postgres.url, keys, clock: testClock(), log });
  });
  afterAll(async () => {
    await directory.close();
    await db.close();
    await postgres.stop();
    removeDataDirectory(dataDir);
  });

  const isLetIn = async (secret: string): Promise<boolean> =>
    (await directory.authenticate('shop', checksumOf(['x'], secret), ['x'])) !== undefined;
  const run = (...words: string[]): Promise<Ran> => runCaudalHere({ CAUDAL_DATA_DIR: dataDir }, ...words);

  test('a merchant is created, rotated, disabled and enabled, and the server follows within a second', async () => {
    const created = await runCaudal({ CAUDAL_DATA_DIR: dataDir }, 'merchants', 'create', '--id', 'shop', '--country', '343', '--json');
    expect(created).toMatchObject({ stderr: '', exitCode: 0, stdout: oneLine });
    const { fixedHash, noticeHash } = JSON.parse(created.stdout) as Record<string, string>;
    const webhookSecret = `whsec_${Buffer.from(noticeHash ?? '').toString('base64')}`;
    expect(JSON.parse(created.stdout)).toEqual({ merchant: 'shop', fixedHash, noticeHash, webhookSecret });
    await eventually(SOON_MS, async () => expect(await isLetIn(fixedHash as string)).toBe(true));

    const rotated = await run('merchants', 'rotate-hash', 'shop', '--days', '1', '--json');
    const next = JSON.parse(rotated.stdout) as { fixedHash: string };
    await eventually(SOON_MS, async () => expect(await isLetIn(next.fixedHash)).toBe(true));
    expect(await run('merchants', 'rotate-hash', 'shop')).toMatchObject({ stdout: '', stderr: oneLine, exitCode: 1 });

    const signed = await run('merchants', 'signing', 'shop', 'accept');
    const [signingSecret = 'none'] = /whsec_[A-Za-z0-9+/]{43}=/.exec(signed.stdout) ?? [];
    expect(signed).toMatchObject({ stdout: expect.stringContaining(`  signing secret  ${signingSecret}\n`) as string, exitCode: 0 });
    expect((await run('merchants', 'signing', 'shop', 'require')).stdout).toBe('Signing of requests of shop: require.\n');

    expect(await run('master-key', 'rotate')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await run('merchants', 'disable', 'shop')).toMatchObject({ stdout: 'Merchant shop is disabled.\n', exitCode: 0 });
    await eventually(SOON_MS, async () => expect(await isLetIn(next.fixedHash)).toBe(false));
    expect(await run('merchants', 'enable', 'shop')).toMatchObject({ stdout: 'Merchant shop is enabled.\n', exitCode: 0 });
    await eventually(SOON_MS, async () => expect(await isLetIn(next.fixedHash)).toBe(true));

    const { stdout: status } = await run('master-key', 'status', '--json');
    expect(JSON.parse(status)).toEqual([{ masterKeyId: expect.any(String) as string, secrets: 4, held: true, seals: true }]);
    for (const words of [['list'], ['list', '--json'], ['show', 'shop'], ['show', 'shop', '--json']]) {
      const { stdout, exitCode } = await run('merchants', ...words);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('shop');
      for (const secret of [fixedHash as string, noticeHash as string, next.fixedHash, signingSecret]) expect(stdout).not.toContain(secret);
    }
  });
});

test('alone on a data directory the database is started for the command, and stopped after it', async () => {
  const dataDir = makeDataDirectory();
  const settings = { CAUDAL_DATA_DIR: dataDir };
  try {
    const id = 'with-an-id-too-long-for-cashouts';
    const created = await runCaudal(settings, 'merchants', 'create', '--id', id, '--country', '170');
    expect(created).toMatchObject({ stderr: '', exitCode: 0, stdout: expect.stringContaining('It can have no cashouts') as string });
    expect(created.stdout, 'how to close what the checksum leaves open').toContain(`./caudal merchants signing ${id} require-writes\n`);
    const { stdout, stderr } = await runWholeCaudal(settings, 'merchants', 'list');
    expect(stderr).toBe(`Database: embedded, in ${dataDir}\n`);
    expect(stdout).toMatch(/^MERCHANT .*SIGNING .*\nwith-an-id-.*off .*enabled\n$/);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  } finally {
    removeDataDirectory(dataDir);
  }
});

describe('on an external database', () => {
  const key = 'ab'.repeat(32);
  let dataDir: string;
  beforeAll(() => void (dataDir = makeDataDirectory()));
  afterAll(() => removeDataDirectory(dataDir));

  test('brings an empty one up to date, and refuses other keys than its secrets need', async () => {
    const database = await createEmptyDatabase();
    const settings = { DATABASE_URL: database.url, CAUDAL_DATA_DIR: dataDir };
    const create = (more: object, id: string): Promise<Ran> =>
      runCaudalHere({ ...settings, ...more }, 'merchants', 'create', '--id', id, '--country', '343', '--json');
    expect(await create({ CAUDAL_MASTER_KEY: key }, 'one')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await create({}, 'two')).toMatchObject({ stdout: '', stderr: oneLine, exitCode: 1 });
    expect(existsSync(join(dataDir, 'master-key'))).toBe(false);
    const status = await runCaudalHere(settings, 'master-key', 'status');
    expect(status.stdout).toMatch(/not held here/);
    expect(JSON.stringify(status)).not.toContain(key);
    expect(await runCaudalHere({ ...settings, CAUDAL_MODE: 'production' }, 'merchants', 'list')).toMatchObject({
      stderr: oneLine,
      exitCode: 1,
    });
    await database.drop();
  });

  test('says which one it uses, without a user or a password', async () => {
    const database = await createEmptyDatabase();
    const { stderr } = await runWholeCaudal({ DATABASE_URL: database.url, CAUDAL_DATA_DIR: dataDir }, 'merchants', 'list');
    expect(stderr).toMatch(/^Database: \w+ on [^\s@]+\n/);
    const backup = await runCaudal({ DATABASE_URL: database.url, CAUDAL_DATA_DIR: dataDir }, 'backup', join(dataDir, 'backups'));
    expect([backup.exitCode, backup.stderr], 'what makes a backup of it').toEqual([1, expect.stringMatching(/pg_basebackup --dbname/)]);
    await database.drop();
    const away = 'postgres://someone:hidden@127.0.0.1:1/payments';
    const failed = await runWholeCaudal({ DATABASE_URL: away, CAUDAL_DATA_DIR: dataDir }, 'merchants', 'list');
    expect(failed.stderr).toMatch(/^Database: payments on 127\.0\.0\.1:1\n/);
    expect(failed.stderr).not.toMatch(/hidden|someone/);
  });

  test('says in one line that a database of that name is missing', async () => {
    const database = await createEmptyDatabase();
    await database.drop();
    const ended = await runCaudal({ DATABASE_URL: database.url, CAUDAL_DATA_DIR: dataDir }, 'merchants', 'list');
    expect(ended).toEqual({ stdout: '', stderr: oneLine, exitCode: 1 });
    expect(ended.stderr).toMatch(/^The database cannot be used: .*does not exist/);
  });

  test('refuses a schema that is newer than itself', async () => {
    const database = await createTestDatabase();
    const db = openDb({ url: database.url, log, connections: 1, statementTimeoutMs: null });
    await db.query(AGE, []);
    await db.close();
    expect(await runCaudalHere({ DATABASE_URL: database.url }, 'merchants', 'list')).toEqual({
      stdout: '',
      stderr: expect.stringContaining('9999') as string,
      exitCode: 1,
    });
    await database.drop();
  });

  test.each(['postgres://me:hidden@127.0.0.1:1/x', 'postgres://me:hidden@localhost:1/x', 'postgres://me:hidden@nowhere.invalid/x'])(
    'says in one line that %s cannot be reached',
    async (url) => {
      const ended = await runCaudalHere({ DATABASE_URL: url, CAUDAL_DATA_DIR: dataDir }, 'merchants', 'list', '--json');
      expect(ended).toEqual({ stdout: '', stderr: oneLine, exitCode: 1 });
      expect(ended.stderr).toMatch(/^The database cannot be used: \S/);
      expect(ended.stderr).not.toContain('hidden');
    },
  );
});

describe('the command line', () => {
  test.each([
    { words: ['no-such-command'] },
    { words: ['merchants', 'no-such-command'] },
    { words: ['merchants', 'create', '--id', 'x'] },
    { words: ['merchants', 'create', '--country', '343'] },
    { words: ['merchants', 'create', '--id', 'x', '--country', '343', '--language', 'fr'] },
    { words: ['merchants', 'rotate-hash', 'x', '--days', 'many'] },
    { words: ['merchants', 'signing', 'x', 'perhaps'] },
    { words: ['merchants', 'show'] },
    { words: ['merchants', 'show', 'one', 'two'] },
    { words: ['merchants', 'list', '--no-such-option'] },
  ])('is refused with exit code 2 and one line: $words', async ({ words }) => {
    expect(await runCaudalHere({}, ...words)).toEqual({ stdout: '', stderr: oneLine, exitCode: 2 });
  });

  test('is refused with that code by the process, too', async () => {
    expect(await runCaudal({}, 'no-such-command')).toEqual({ stdout: '', stderr: oneLine, exitCode: 2 });
  });

  test('ends without a word where its reader stops', async () => {
    const piped = `'${process.execPath}' '${fileURLToPath(new URL('cli.ts', import.meta.url))}' --help | true`;
    expect(await runProgram('/bin/sh', ['-c', piped], process.env)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  test('prints its version and its commands', async () => {
    expect(await runCaudal({}, '--version')).toMatchObject({ stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string, exitCode: 0 });
    for (const words of [['--help'], ['help'], ['merchants', '--help'], ['help', 'merchants']]) {
      const { stdout, stderr, exitCode } = await runCaudalHere({}, ...words);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout).toMatch(/Usage: caudal/);
    }
  });
});
