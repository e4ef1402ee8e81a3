import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDb, statement, type Db } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { HOLD_MASTER_KEY, masterKey, seal, type MasterKeys } from '../../kit/secrets.ts';
import { openServiceKeys } from '../../kit/keys/service-keys.ts';
import { createMerchant, type CreatedMerchant } from '../../merchants/index.ts';
import { checksumOf } from '../../testing/checksum-of.ts';
import { openHomeDirectory } from '../../testing/home-directory.ts';
import { eventually, PROCESS_MS, SOON_MS, within } from '../../testing/deadlines.ts';
import { seededBytes } from '../../testing/seed.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { testClock, testKeys } from '../../testing/test-caudal.ts';
import { requireMode } from '../database-mode.ts';
import { MasterKeyFault } from './master-key-file.ts';
import { openMasterKeys, readKeyUse, requireMasterKeys } from './master-keys.ts';
import { rotateMasterKey } from './rotate-master-key.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const LIST_TABLES = statement('test.tables', `select table_name as name from information_schema.tables where table_schema = 'public'`);
const SWAP = statement(
  'test.swap',
  `update merchant_secrets set sealed = (select sealed from merchant_secrets where merchant_id = $1
  and kind = $2) where merchant_id = $3 and kind = $4`,
);

const WAITING = statement(
  'test.waiting',
  `select pid from pg_locks where not granted and locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())`,
);
const INSERT_SECRET = statement(
  'test.insert',
  `insert into service_secrets (name, generation, master_key_id, sealed, created_at) values ($1, 1, $2, $3, $4)`,
);
const LOCK_SECRETS = statement('test.lock_secrets', `select kind from merchant_secrets where merchant_id = $1 for update`);

const log = createLog('silent');
const clock = testClock();
let database: TestDatabase;
let db: Db;
let dataDir: string;
let file: string;

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, log, connections: 8, statementTimeoutMs: null });
  await requireMode(db, 'sandbox');
  dataDir = mkdtempSync(join(tmpdir(), 'caudal-keys-'));
  file = join(dataDir, 'master-key');
});
afterEach(async () => {
  await db.close();
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

const open = (): MasterKeys => openMasterKeys({ masterKeys: [], dataDir });
const rotate = () => rotateMasterKey({ db, url: database.url }, { masterKeys: [], dataDir });
const ownKey = async (keys: MasterKeys, name = 'cursor'): Promise<Buffer> =>
  (await openServiceKeys({ db, keys, clock }, [name])).byName[name]!.current().key;
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');

async function create(keys: MasterKeys, merchantId: string): Promise<CreatedMerchant> {
  const created = await createMerchant({ db, keys, clock }, { merchantId, country: '343' });
  if (isRefusal(created)) throw new Error(created.refusal);
  return created;
}

/** Some at a time: each waits for a connection, and no longer than a request may. */
const CREATED_AT_ONCE = 20;
async function createMany(keys: MasterKeys, count: number): Promise<CreatedMerchant[]> {
  const created: CreatedMerchant[] = [];
  while (created.length < count) {
    const next = Array.from({ length: Math.min(CREATED_AT_ONCE, count - created.length) }, (_, index) => `shop-${created.length + index}`);
    created.push(...(await Promise.all(next.map((id) => create(keys, id)))));
  }
  return created;
}

/** A directory that cannot listen here hears nothing, and so reads every merchant from its rows. */
const DEAF = 'postgres://nobody@127.0.0.1:1/none';
const openDeafDirectory = (keys: MasterKeys) => openHomeDirectory({ db, url: DEAF, keys, clock, log });

const forms = (secret: Buffer): string[] => [secret.toString('hex'), secret.toString('base64'), secret.toString('base64url')];

async function expectAllLetIn(merchants: readonly CreatedMerchant[], keys: MasterKeys): Promise<void> {
  const directory = await openDeafDirectory(keys);
  for (const { merchant, fixedHash } of merchants) {
    expect(await directory.authenticate(merchant, checksumOf(['x'], fixedHash), ['x'])).toBeDefined();
  }
  await directory.close();
}

describe('the master key file', () => {
  test('is made by the first sealing, whole, for its owner alone, and the same for all who start at once', async () => {
    open();
    expect(existsSync(file)).toBe(false);
    const script = `import { openMasterKeys } from ${JSON.stringify(new URL('master-keys.ts', import.meta.url).href)};
      console.log(openMasterKeys({ masterKeys: [], dataDir: process.argv[1] }).current().id);`;
    const starts = Array.from({ length: 6 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, join(dataDir, 'new')]),
    );
    const ids = (await Promise.all(starts)).map(({ stdout }) => stdout);
    expect(new Set(ids)).toEqual(new Set([`${openMasterKeys({ masterKeys: [], dataDir: join(dataDir, 'new') }).current().id}\n`]));
    expect(readdirSync(join(dataDir, 'new'))).toEqual(['master-key']);
    expect(statSync(join(dataDir, 'new', 'master-key')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'new')).mode & 0o777).toBe(0o700);
  });

  test('is refused when other users can read it, in one line that says what to do', () => {
    open().current();
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      chmodSync(file, mode);
      expect(open).toThrow(`run chmod 600 ${file}`);
    }
    chmodSync(file, 0o400);
    expect(open).not.toThrow();
  });

  test('is refused when it is damaged or empty, without showing what it holds', () => {
    const line = seededBytes(32).toString('hex');
    for (const text of ['', '\n', line.slice(1), `${line}\n${line.slice(1)}\n`]) {
      writeFileSync(file, text, { mode: 0o600 });
      expect(open).toThrow(/holds something else than master keys/);
      expect(open).not.toThrow(line.slice(1));
    }
  });

  test('is read again when an unknown key is met and before anything is sealed', async () => {
    const before = open();
    const old = before.current();
    const { masterKeyId } = await rotate();
    expect(before.find(masterKeyId)?.id).toBe(masterKeyId);
    expect(before.current().id).toBe(masterKeyId);
    expect(before.find(old.id)).toEqual(old);
    expect(open().find(old.id)).toBeUndefined();
  });
});

describe('a rotation', () => {
  test('brings every secret under one new key, forgets the old one, and changes no secret', async () => {
    const keys = open();
    const merchants = await createMany(keys, 30);
    const cursorKey = await ownKey(keys);
    const old = keys.current().id;

    const { masterKeyId, resealed } = await rotate();
    expect(resealed).toBe(61);
    expect(masterKeyId).not.toBe(old);
    expect(await readKeyUse(db)).toEqual([{ masterKeyId, secrets: 61n }]);
    expect(linesOf(file)).toHaveLength(1);
    expect(readdirSync(dataDir)).toEqual(['master-key']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expectAllLetIn(merchants, open());
    await expectAllLetIn(merchants, keys);
    expect(await ownKey(open())).toEqual(cursorKey);
  });

  test('is not noticed by 64 concurrent requests, nor by merchants that are being created', async () => {
    const first = await createMany(open(), 20);
    const merchants = [...first];
    const directories = await Promise.all([
      openDeafDirectory(open()),
      openHomeDirectory({ db, url: database.url, keys: open(), clock, log }),
    ]);
    const rotation = { isOver: false };
    let letIn = 0;
    const request = async (worker: number): Promise<void> => {
      for (let turn = worker; !rotation.isOver; turn++) {
        const { merchant, fixedHash } = first[turn % first.length] as CreatedMerchant;
        const found = await directories[turn % 2]?.authenticate(merchant, checksumOf(['x'], fixedHash), ['x']);
        if (found === undefined) throw new Error(`${merchant} was turned away`);
        letIn++;
        await new Promise(setImmediate); // What is in memory answers without giving others a turn.
      }
    };
    const creation = async (worker: number): Promise<void> => {
      const keys = open();
      for (let turn = 0; !rotation.isOver; turn++) merchants.push(await create(keys, `new-${worker}-${turn}`));
    };
    const traffic = Promise.all([...Array.from({ length: 64 }, (_, worker) => request(worker)), creation(0), creation(1)]);
    for (let round = 0; round < 8; round++) await rotate();
    rotation.isOver = true;
    await traffic;

    expect(letIn).toBeGreaterThan(64);
    expect(merchants.length).toBeGreaterThan(first.length);
    const keys = open();
    await requireMasterKeys(db, keys);
    await expectAllLetIn(merchants, keys);
    for (const directory of directories) await directory.close();
  });

  test('that is killed leaves every secret readable, and the next one finishes the work', async () => {
    const merchants = await createMany(open(), 300);
    const killWhen = async (isTime: () => Promise<boolean>): Promise<void> => {
      const child = spawn(process.execPath, [CLI, 'master-key', 'rotate'], {
        env: { ...process.env, DATABASE_URL: database.url, CAUDAL_DATA_DIR: dataDir, CAUDAL_MASTER_KEY: '' },
        stdio: 'ignore',
      });
      const exit = within(2 * PROCESS_MS, 'the end of the process', once(child, 'exit'));
      await eventually(PROCESS_MS, async () => expect(await isTime()).toBe(true));
      child.kill('SIGKILL');
      await exit;
      await expectAllLetIn(merchants, open());
    };
    // The last row of all is held back, so that no rotation comes to its end before it is killed.
    await db.transaction(async (tx) => {
      await tx.query(LOCK_SECRETS, ['shop-99']);
      await killWhen(async () => linesOf(file).length === 2);
      const before = new Set((await readKeyUse(db)).map(({ masterKeyId }) => masterKeyId));
      await killWhen(async () => (await readKeyUse(db)).some(({ masterKeyId }) => !before.has(masterKeyId)));
    });
    expect(linesOf(file).length).toBeGreaterThan(2);
    expect((await readKeyUse(db)).length).toBeGreaterThan(1);

    // The lock of a killed rotation goes with its connection.
    const { masterKeyId } = await eventually(SOON_MS, rotate);
    expect(await readKeyUse(db)).toEqual([{ masterKeyId, secrets: 600n }]);
    expect(linesOf(file)).toHaveLength(1);
    await expectAllLetIn(merchants, open());
  });

  test('waits for a secret that is being sealed under the old key, and takes it along', async () => {
    const keys = open();
    let rotation: ReturnType<typeof rotate> | undefined;
    await db.transaction(async (tx) => {
      await tx.query(HOLD_MASTER_KEY, []);
      const { masterKeyId, sealed } = seal(keys, 'late', 'service_secrets/late/1');
      rotation = rotate();
      await eventually(SOON_MS, async () => expect(await db.query(WAITING, [])).not.toEqual([]));
      tx.send(INSERT_SECRET, ['late', masterKeyId, sealed, clock.now()]);
    });
    expect(await rotation).toMatchObject({ resealed: 1 });
    expect((await ownKey(open(), 'late')).toString()).toBe('late');
  });

  test('overtakes a row that was read before it and is opened after it', async () => {
    const { merchant } = await create(open(), 'shop');
    const keys = open();
    await rotate(); // To a key that these keys have not met.
    let isOvertaken = false;
    const slow: Db = {
      ...db,
      query: async <Row>(...call: Parameters<Db['query']>): Promise<Row[]> => {
        const rows = await db.query<Row>(...call);
        if (!isOvertaken) await rotate();
        isOvertaken = true;
        return rows;
      },
    };
    const directory = await openHomeDirectory({ db: slow, url: DEAF, keys, clock, log });
    expect(await directory.find(merchant)).toBeDefined();
    expect(isOvertaken).toBe(true);
    await directory.close();
  });

  test('is refused while another one runs', async () => {
    await createMany(open(), 3);
    let second: Promise<unknown> | undefined;
    // The second one starts, and is answered, between two statements of the first.
    const interrupted: Db = {
      ...db,
      query: async <Row>(...call: Parameters<Db['query']>): Promise<Row[]> => {
        await (second ??= rotate().catch((error: unknown) => error));
        return db.query<Row>(...call);
      },
    };
    await rotateMasterKey({ db: interrupted, url: database.url }, { masterKeys: [], dataDir });
    expect(await second).toEqual(new MasterKeyFault('Another rotation of the master key is under way.'));
  });

  test('of keys in the environment goes to the first one, while servers still seal with the second', async () => {
    const old = testKeys().current();
    const next = testKeys().current();
    const serving = openMasterKeys({ masterKeys: [old, next], dataDir });
    const merchants = await createMany(serving, 20);
    const rotateTo = (...masterKeys: (typeof old)[]) => rotateMasterKey({ db, url: database.url }, { masterKeys, dataDir });

    expect(await rotateTo(next, old)).toEqual({ masterKeyId: next.id, resealed: 40 });
    await expectAllLetIn(merchants, serving);
    await expectAllLetIn(merchants, openMasterKeys({ masterKeys: [next], dataDir }));
    merchants.push(await create(serving, 'late'));
    await expect(rotateTo(next)).rejects.toThrow(old.id);
    expect(await rotateTo(next, old)).toEqual({ masterKeyId: next.id, resealed: 2 });
    expect(await rotateTo(next)).toEqual({ masterKeyId: next.id, resealed: 0 });
    await expectAllLetIn(merchants, openMasterKeys({ masterKeys: [next], dataDir }));
    expect(existsSync(file)).toBe(false);
  });
});

describe('the database', () => {
  test('holds no usable secret in any column of any table', async () => {
    const keys = open();
    const { fixedHash, noticeHash } = await create(keys, 'shop');
    const own = await ownKey(keys);
    const tables = await db.query<{ name: string }>(LIST_TABLES, []);
    expect(tables.length).toBeGreaterThan(5);
    let dump = '';
    for (const { name } of tables) {
      const rows = await db.query({ name: `test.dump_${name}`, text: `select to_jsonb(t)::text as row from ${name} t` }, []);
      dump += JSON.stringify(rows).toLowerCase();
    }
    expect(dump).toContain('shop');
    const secrets = [Buffer.from(fixedHash), Buffer.from(noticeHash), Buffer.from(fixedHash, 'hex'), Buffer.from(noticeHash, 'hex')];
    for (const secret of [...secrets, own, keys.current().key]) {
      for (const form of forms(secret)) expect(dump).not.toContain(form.toLowerCase().replace(/=+$/, ''));
    }
    for (const plain of [fixedHash, noticeHash]) expect(dump).not.toContain(plain);
  });

  test.each([
    ['of another merchant', 'one', 'fixed', 'other', 'fixed'],
    ['of another kind', 'other', 'notice', 'other', 'fixed'],
  ])('has no use for a sealed secret %s', async (_name, fromMerchant, fromKind, toMerchant, toKind) => {
    const keys = open();
    await create(keys, 'one');
    await create(keys, 'other');
    await db.query(SWAP, [fromMerchant, fromKind, toMerchant, toKind]);
    const directory = await openDeafDirectory(keys);
    await expect(directory.find('other')).rejects.toThrow('A secret does not open at merchant_secrets/other/');
    expect(await directory.find('one')).toBeDefined();
    await directory.close();
  });
});

test('a command with other keys than the servers is refused before it seals anything', async () => {
  await create(open(), 'shop');
  const foreign = openMasterKeys({ masterKeys: [masterKey(seededBytes(32))], dataDir });
  await expect(requireMasterKeys(db, foreign)).rejects.toThrow(open().current().id);
  await expect(requireMasterKeys(db, openMasterKeys({ masterKeys: [], dataDir: join(dataDir, 'elsewhere') }))).rejects.toThrow(
    /CAUDAL_DATA_DIR/,
  );
  expect(existsSync(join(dataDir, 'elsewhere'))).toBe(false);
});
