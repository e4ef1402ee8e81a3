import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb, statement, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { isRefusal } from '../kit/outcome.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { openHomeDirectory } from '../testing/home-directory.ts';
import { openDatabaseProxy } from '../testing/database-proxy.ts';
import { eventually, SOON_MS, withinSeconds } from '../testing/deadlines.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testClock, testKeys } from '../testing/test-caudal.ts';
import { createMerchant, type CreatedMerchant } from './create-merchant.ts';
import { disableMerchant, enableMerchant, hashRotation } from './change-merchant.ts';
import type { MerchantDirectory } from './merchant-directory.ts';

const KILL_LISTENERS = statement(
  'test.kill_listeners',
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
     and (query like 'listen %' or query = 'select 1')`,
);
const DAMAGE = statement('test.damage_secret', `update merchant_secrets set sealed = '\\x00' where merchant_id = $1`);

const log = createLog('silent');
const clock = testClock();
const keys = testKeys();
let database: TestDatabase;
let db: Db;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, log, connections: 3, statementTimeoutMs: null });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function create(): Promise<CreatedMerchant> {
  const created = await createMerchant({ db, keys, clock }, { merchantId: `shop-${++count}`, country: '343' });
  if (isRefusal(created)) throw new Error(created.refusal);
  return created;
}

/** The database, with a count of what the directory asked of it, and a gate before its answers. */
function watched(): Db & { asked: number; hold(): () => void } {
  let gate: Promise<void> | undefined;
  const watch = {
    ...db,
    asked: 0,
    query: async <Row>(...call: Parameters<Db['query']>): Promise<Row[]> => {
      watch.asked++;
      const held = gate;
      const rows = await db.query<Row>(...call);
      await held;
      return rows;
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = undefined;
        resolve();
      };
    },
  };
  return watch;
}

async function withDirectory(
  work: (directory: MerchantDirectory, watch: ReturnType<typeof watched>) => Promise<void>,
  url = database.url,
): Promise<void> {
  const watch = watched();
  const directory = await openHomeDirectory({ db: watch, url, keys, clock, log });
  try {
    await work(directory, watch);
  } finally {
    await directory.close();
  }
}

const isLetIn = async (directory: MerchantDirectory, merchantId: string, secret: string): Promise<boolean> =>
  (await directory.authenticate(merchantId, checksumOf(['a', 'b'], secret), ['a', 'b'])) !== undefined;

test('a change holds within a second in every running server', async () => {
  await withDirectory((one) =>
    withDirectory(async (other) => {
      const everywhere = (merchantId: string, secret: string, expected: boolean): Promise<void> =>
        withinSeconds(1, async () => {
          for (const directory of [one, other]) expect(await isLetIn(directory, merchantId, secret)).toBe(expected);
        });
      await everywhere(`shop-${count + 1}`, 'anything', false);
      const { merchant, fixedHash } = await create();
      await everywhere(merchant, fixedHash, true);
      await disableMerchant({ db, clock }, merchant);
      await everywhere(merchant, fixedHash, false);
      await enableMerchant({ db }, merchant);
      await everywhere(merchant, fixedHash, true);

      const rotated = await db.transaction(hashRotation({ keys, clock }, merchant, 7));
      if (isRefusal(rotated)) throw new Error(rotated.refusal);
      await everywhere(merchant, rotated.fixedHash, true);
      await everywhere(merchant, fixedHash, true);
      clock.advance({ days: 7 });
      await everywhere(merchant, fixedHash, false);
      await everywhere(merchant, rotated.fixedHash, true);
    }),
  );
});

test('known, unknown, disabled and wrongly signed ask the database nothing', async () => {
  const known = await create();
  const disabled = await create();
  await disableMerchant({ db, clock }, disabled.merchant);
  await withDirectory(async (directory, watch) => {
    const before = watch.asked;
    expect(await isLetIn(directory, known.merchant, known.fixedHash)).toBe(true);
    expect(await isLetIn(directory, known.merchant, disabled.fixedHash)).toBe(false);
    expect(await isLetIn(directory, disabled.merchant, disabled.fixedHash)).toBe(false);
    for (let made = 0; made < 20_000; made++) expect(await directory.find(`made-up-${made}`)).toBeUndefined();
    for (const name of ['__proto__', 'constructor', '', '\u0000']) expect(await directory.find(name)).toBeUndefined();
    expect(watch.asked).toBe(before);
  });
});

test('a read that began before a change does not outlive it', async () => {
  const { merchant, fixedHash } = await create();
  await withDirectory(async (directory, watch) => {
    await disableMerchant({ db, clock }, merchant);
    await withinSeconds(1, async () => {
      await directory.find(merchant);
      expect(watch.asked).toBeGreaterThan(2);
    });
    // The read of the next change has the rows of that moment. It is held back while one more change is reported.
    await enableMerchant({ db }, merchant);
    const open = watch.hold();
    const asked = watch.asked;
    let early: ReturnType<typeof directory.find> | undefined;
    await withinSeconds(1, async () => {
      early = directory.find(merchant);
      await Promise.resolve();
      expect(watch.asked).toBe(asked + 1);
    });
    await new Promise(setImmediate); // Single statements leave together, with the next turn of the loop.
    await disableMerchant({ db, clock }, merchant);
    await withinSeconds(1, async () => {
      void directory.find(merchant);
      await Promise.resolve();
      expect(watch.asked).toBe(asked + 2);
    });
    open();
    expect((await early)?.isDisabled).toBe(false);
    expect(await isLetIn(directory, merchant, fixedHash)).toBe(false);
    const settled = watch.asked;
    expect((await directory.find(merchant))?.isDisabled).toBe(true);
    expect(watch.asked).toBe(settled);
  });
});

test('a change that is reported while all are loaded is not lost', async () => {
  const { merchant, fixedHash } = await create();
  const watch = watched();
  const open = watch.hold();
  const opening = openHomeDirectory({ db: watch, url: database.url, keys, clock, log });
  await eventually(SOON_MS, () => expect(watch.asked).toBe(1));
  await disableMerchant({ db, clock }, merchant);
  open();
  const directory = await opening;
  await withinSeconds(1, async () => expect(await isLetIn(directory, merchant, fixedHash)).toBe(false));
  await directory.close();
});

test('a killed listener is replaced, and nothing that happened meanwhile is missed', async () => {
  const { merchant, fixedHash } = await create();
  await withDirectory(async (directory, watch) => {
    expect(await isLetIn(directory, merchant, fixedHash)).toBe(true);
    for (let round = 0; round < 3; round++) {
      await db.query(KILL_LISTENERS, []);
      await disableMerchant({ db, clock }, merchant);
      await withinSeconds(1, async () => expect(await isLetIn(directory, merchant, fixedHash)).toBe(false));
      await enableMerchant({ db }, merchant);
      await withinSeconds(1, async () => expect(await isLetIn(directory, merchant, fixedHash)).toBe(true));
    }
    // Once it listens again it serves from memory. That memory has the changes that were never reported.
    await db.query(KILL_LISTENERS, []);
    await disableMerchant({ db, clock }, merchant);
    await withinSeconds(1, async () => expect(await isLetIn(directory, merchant, fixedHash)).toBe(false));
    await eventually(SOON_MS, async () => {
      const asked = watch.asked;
      await directory.find(merchant);
      expect(watch.asked).toBe(asked);
    });
    expect(await isLetIn(directory, merchant, fixedHash)).toBe(false);
  });
});

test('a network that goes silent cannot keep a changed merchant in memory', async () => {
  const proxy = await openDatabaseProxy(database.url);
  const { merchant, fixedHash } = await create();
  await withDirectory(async (directory, watch) => {
    expect(await isLetIn(directory, merchant, fixedHash)).toBe(true);
    proxy.hold();
    await disableMerchant({ db, clock }, merchant);
    const before = watch.asked;
    await withinSeconds(1.5, async () => expect(await isLetIn(directory, merchant, fixedHash)).toBe(false));
    expect(watch.asked).toBeGreaterThan(before);
    proxy.release();
    await withinSeconds(1, async () => expect(await isLetIn(directory, merchant, fixedHash)).toBe(false));
  }, proxy.url);
  await proxy.close();
});

test('a merchant whose secret is damaged fails alone', async () => {
  const damaged = await create();
  const sound = await create();
  await db.query(DAMAGE, [damaged.merchant]);
  await withDirectory(async (directory) => {
    expect(await isLetIn(directory, sound.merchant, sound.fixedHash)).toBe(true);
    await expect(directory.find(damaged.merchant)).rejects.toThrow('does not open');
    await expect(directory.find(damaged.merchant)).rejects.toThrow('does not open');
  });
});
