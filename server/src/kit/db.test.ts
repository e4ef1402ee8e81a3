import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabaseProxy, type DatabaseProxy } from '../testing/database-proxy.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { isRetryable, LockTimeout, openDb, statement, StatementTimeout, Unavailable, type Db, type Statement } from './db.ts';
import { connectionConfig } from './db/connection.ts';
import { serversOf } from './db/servers.ts';
import { createLog } from './log.ts';

const CREATE = statement('db_test.create', 'create table if not exists notes (id int primary key, note text)');
const ADD = statement('db_test.add', 'insert into notes (id, note) values ($1, $2)');
const LOAD = statement('db_test.load', 'select id, note from notes order by id');
const CLEAR = statement('db_test.clear', 'delete from notes');
const SLEEP = statement('db_test.sleep', 'select pg_sleep($1)');
const BACKEND = statement('db_test.backend', 'select pg_backend_pid() as id');
const OF_MERCHANT = statement('db_test.of_merchant', 'select from (values ($1::text)) m (merchant_id) where merchant_id = $1');
const FORGET = statement('db_test.forget', 'deallocate "db_test.load"');
const LOCK_NOTES = statement('db_test.lock_notes', 'select from notes for update nowait');
const SETTINGS = statement(
  'db_test.settings',
  `select name, setting from pg_settings where name in ('TimeZone', 'jit', 'plan_cache_mode', 'search_path') order by name collate "C"`,
);
const DIVIDE = statement('db_test.divide', 'select 1 / $1::int');

let database: TestDatabase;
let proxy: DatabaseProxy;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.url);
  db = open();
  await db.query(CREATE, []);
});

beforeEach(async () => {
  proxy.release();
  proxy.refuse(false);
  await db.query(CLEAR, []);
});

afterAll(async () => {
  await db.close();
  await proxy.close();
  await database.drop();
});

function open(options: { statementTimeoutMs?: number | null; connections?: number } = {}): Db {
  return openDb({ url: proxy.url, log: createLog('silent'), connections: 1, statementTimeoutMs: 10_000, ...options });
}

/** Transactions have connections of their own. */
const inTransaction = (one: Statement): Promise<{ id: number }[]> => db.transaction((tx) => tx.query<{ id: number }>(one, []));
const notes = () => db.query<{ id: number; note: string }>(LOAD, []);

/** Waits until the database has answered that many pipelines. The client has seen none of these answers. */
const held = (pipelines: number) => eventually(SOON_MS, () => expect(proxy.pipelinesHeld()).toBe(pipelines));

describe('a transaction', () => {
  test('is two round trips: begin with the first query, all that is sent with commit', async () => {
    await inTransaction(LOAD); // The connection is there, and knows the statement.
    proxy.hold();
    const transaction = db.transaction(async (tx) => {
      const before = await tx.query(LOAD, []);
      tx.send(ADD, [1, 'one']);
      tx.send(ADD, [2, 'two']);
      return before.length;
    });
    await held(1);
    proxy.release();
    proxy.hold();
    await held(1);
    proxy.release();
    expect(await transaction).toBe(0);
    expect(await notes()).toHaveLength(2);
  });

  test('rolls back and hands on what its work throws, as it is', async () => {
    const thrown = new Error('no');
    const transaction = db.transaction(async (tx) => {
      await tx.query(ADD, [1, 'one']);
      tx.send(ADD, [2, 'two']);
      throw thrown;
    });
    await expect(transaction).rejects.toBe(thrown);
    expect(await notes()).toEqual([]);
  });

  test('fails as a whole when a sent statement fails, with its error', async () => {
    const transaction = db.transaction(async (tx) => {
      await tx.query(ADD, [1, 'one']);
      tx.send(ADD, [2, 'two']);
      tx.send(ADD, [1, 'again']);
      tx.send(ADD, [3, 'three']);
    });
    await expect(transaction).rejects.toMatchObject({ code: '23505' });
    expect(await notes()).toEqual([]);
  });

  test('fails with the error of its query', async () => {
    await expect(db.transaction((tx) => tx.query(DIVIDE, [0]))).rejects.toMatchObject({ code: '22012' });
  });

  test('whose work swallows the error of a query is still an error, and nothing is committed', async () => {
    const transaction = db.transaction(async (tx) => {
      await tx.query(ADD, [1, 'one']);
      await tx.query(DIVIDE, [0]).catch(() => undefined);
    });
    await expect(transaction).rejects.toMatchObject({ code: '22012' });
    expect(await notes()).toEqual([]);
  });

  test('that failed leaves its connection clean for the next one', async () => {
    const [before] = await db.query<{ id: number }>(BACKEND, []);
    await db.transaction((tx) => tx.query(DIVIDE, [0])).catch(() => undefined);
    await db.transaction(async (tx) => tx.send(DIVIDE, [0])).catch(() => undefined);
    await db.transaction(async (tx) => tx.send(ADD, [1, 'one']));
    expect(await notes()).toHaveLength(1);
    expect(await db.query(BACKEND, [])).toEqual([before]);
  });

  test('without a statement is fine', async () => {
    expect(await db.transaction(async () => 'nothing to do')).toBe('nothing to do');
  });

  test('that says it wrote nothing is rolled back, so that it waits for no disk; what is sent afterwards is committed', async () => {
    await db.transaction(async (tx) => {
      await tx.query(ADD, [1, 'one']);
      tx.wroteNothing();
    });
    await db.transaction(async (tx) => {
      await tx.query(LOAD, []);
      tx.wroteNothing();
      tx.send(ADD, [2, 'two']);
    });
    expect(await notes()).toEqual([{ id: 2, note: 'two' }]);
  });

  test('is one at a time on one connection', async () => {
    const order: string[] = [];
    await Promise.all(
      ['one', 'other'].map((name) =>
        db.transaction(async (tx) => {
          order.push(`${name} begins`);
          await tx.query(SLEEP, [0.01]);
          order.push(`${name} ends`);
        }),
      ),
    );
    expect(order).toEqual(['one begins', 'one ends', 'other begins', 'other ends']);
  });
});

test('reads of merchants take turns: one does not wait behind another’s flood', async () => {
  const order: string[] = [];
  const read = async (merchant: string): Promise<void> => {
    await db.query(OF_MERCHANT, [merchant]);
    order.push(merchant);
  };
  await Promise.all([...Array.from({ length: 200 }, () => read('many')), read('few')]);
  expect(order.indexOf('few')).toBeLessThan(40);
});

describe('statements of one pipeline', () => {
  test('do not suffer from one that is refused: those behind it leave again', async () => {
    const [before, refused, after] = await Promise.allSettled([db.query(LOAD, []), db.query(DIVIDE, [0]), db.query(BACKEND, [])]);
    expect(before).toEqual({ status: 'fulfilled', value: [] });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    expect(after).toMatchObject({ status: 'fulfilled', value: [{ id: expect.any(Number) as number }] });
  });

  test('are written though one beside them is refused, before or behind', async () => {
    const outcomes = await Promise.allSettled([
      db.query(ADD, [1, 'one']),
      db.query(DIVIDE, [0]),
      db.query(ADD, [2, 'two']),
      db.query(ADD, [2, 'again']),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(await notes()).toEqual([
      { id: 1, note: 'one' },
      { id: 2, note: 'two' },
    ]);
  });

  test('are prepared again once the database has lost them', async () => {
    await db.query(LOAD, []);
    await db.query(FORGET, []);
    await expect(db.query(LOAD, [])).rejects.toMatchObject({ code: '26000' });
    expect(await db.query(LOAD, [])).toEqual([]);
  });
});

describe('what is read together', () => {
  const LOCK = statement('db_test.lock', 'select pg_advisory_xact_lock(31)');
  const WAITING = statement('db_test.waiting', `select 1 from pg_locks where locktype = 'advisory' and not granted`);

  test('is of one state of the database', async () => {
    const other = open();
    const [before, , after] = await other
      .transaction(async (tx) => {
        await tx.query(LOCK, []);
        const seen = db.readTogether((together) =>
          Promise.all([together.query(LOAD, []), together.query(LOCK, []), together.query(LOAD, [])]),
        );
        await eventually(SOON_MS, async () => expect(await tx.query(WAITING, [])).toHaveLength(1));
        tx.send(ADD, [1, 'one']);
        return { seen };
      })
      .then(({ seen }) => seen);
    expect([before, after]).toEqual([[], []]);
    expect(await notes()).toHaveLength(1);
    await other.close();
  });

  test('fails as a whole, and the database serves again', async () => {
    const divided = db.readTogether((together) => Promise.all([together.query(LOAD, []), together.query(DIVIDE, [0])]));
    await expect(divided).rejects.toMatchObject({ code: '22012' });
    const late = db.readTogether(async (together) => {
      await together.query(LOAD, []);
      return together.query(DIVIDE, [1]);
    });
    await expect(late).rejects.toThrow('db_test.divide was asked for after');
    expect(await notes()).toEqual([]);
  });
});

describe('a database that is away is Unavailable, and serves again by itself', () => {
  test('when the connection breaks between two statements', async () => {
    const transaction = db.transaction(async (tx) => {
      await tx.query(ADD, [1, 'one']);
      proxy.cut();
      await tx.query(ADD, [2, 'two']);
    });
    await expect(transaction).rejects.toBeInstanceOf(Unavailable);
    await eventually(SOON_MS, async () => expect(await notes()).toEqual([]));
  });

  test('when the connection breaks while a statement runs', async () => {
    proxy.hold();
    const query = db.query(BACKEND, []);
    await held(1);
    proxy.cut();
    await expect(query).rejects.toBeInstanceOf(Unavailable);
    proxy.release();
    expect(await notes()).toEqual([]);
  });

  test('when the answer to commit is lost: the outcome is unknown, and it is not reported as done', async () => {
    await inTransaction(LOAD);
    proxy.hold();
    const transaction = db.transaction(async (tx) => tx.send(ADD, [1, 'one']));
    await held(1);
    proxy.cut();
    await expect(transaction).rejects.toBeInstanceOf(Unavailable);
    proxy.release();
    await eventually(SOON_MS, async () => expect(await notes()).toHaveLength(1));
  });

  test('when an idle connection breaks: nobody notices', async () => {
    await db.query(LOAD, []);
    proxy.cut();
    await eventually(SOON_MS, async () => expect(await notes()).toEqual([]));
  });

  test('when its backend is ended by an administrator', async () => {
    const other = open();
    const transaction = db.transaction(async (tx) => {
      const [backend] = await tx.query<{ id: number }>(BACKEND, []);
      await other.query(TERMINATE, [backend!.id]);
      await tx.query(ADD, [1, 'one']);
    });
    await expect(transaction).rejects.toBeInstanceOf(Unavailable);
    await other.close();
    expect(await notes()).toEqual([]);
  });

  test('when no connection can be made', async () => {
    proxy.refuse(true);
    proxy.cut();
    await expect(notes()).rejects.toBeInstanceOf(Unavailable);
    await expect(db.transaction((tx) => tx.query(LOAD, []))).rejects.toBeInstanceOf(Unavailable);
    proxy.refuse(false);
    expect(await notes()).toEqual([]);
  });

  test('when it hangs, for those on a connection and for those that wait for one', async () => {
    const hasty = open({ statementTimeoutMs: 100 });
    await hasty.query(LOAD, []);
    proxy.hold();
    const startedAt = performance.now();
    const outcomes = await Promise.allSettled([
      hasty.query(LOAD, []),
      hasty.transaction((tx) => tx.query(LOAD, [])),
      hasty.transaction(async (tx) => tx.send(ADD, [1, 'one'])),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable' } });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    proxy.release();
    expect(await hasty.query(LOAD, [])).toEqual([]);
    await hasty.close();
  });

  test('when a statement takes too long', async () => {
    const hasty = open({ statementTimeoutMs: 50 });
    await expect(hasty.query(SLEEP, [10])).rejects.toBeInstanceOf(Unavailable);
    const transaction = hasty.transaction(async (tx) => {
      await tx.query(ADD, [1, 'one']);
      await tx.query(SLEEP, [10]);
    });
    await expect(transaction).rejects.toBeInstanceOf(Unavailable);
    expect(await hasty.query(LOAD, [])).toEqual([]);
    await hasty.close();
  });

  test('and a statement that was cancelled alone leaves its connection to others', async () => {
    const hasty = open({ statementTimeoutMs: 50 });
    const other = open();
    await other.query(ADD, [1, 'one']);
    const backend = (): Promise<unknown> => hasty.transaction((tx) => tx.query(BACKEND, []));
    const first = await backend();
    const isHeld = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const holding = other.transaction(async (tx) => {
      await tx.query(LOCK_NOTES, []);
      isHeld.resolve();
      await end.promise;
    });
    await isHeld.promise;
    await expect(hasty.transaction((tx) => tx.query(LOCK_NOTES, []))).rejects.toBeInstanceOf(LockTimeout);
    await expect(hasty.transaction((tx) => tx.query(SLEEP, [10]))).rejects.toBeInstanceOf(StatementTimeout);
    expect(await backend()).toEqual(first);
    const reading = (): Promise<unknown> => hasty.readTogether((read) => read.query(BACKEND, []));
    const reader = await reading();
    await expect(hasty.readTogether((read) => read.query(SLEEP, [10]))).rejects.toBeInstanceOf(StatementTimeout);
    expect(await reading()).toEqual(reader);
    end.resolve();
    await holding;
    await Promise.all([hasty.close(), other.close()]);
  });

  test('when all connections are taken for too long', async () => {
    const busy = db.query(SLEEP, [2.5]);
    await new Promise(setImmediate); // It has left, alone: what comes later needs a connection of its own.
    await expect(db.query(LOAD, [])).rejects.toBeInstanceOf(Unavailable);
    await busy;
  });

  test.each([
    ['a query', 1, (one: Statement) => db.query<{ id: number }>(one, [])],
    ['a transaction', 2, inTransaction],
  ])('when it answers more than %s asked: that connection serves no more', async (_what, statements, ask) => {
    const [before] = await ask(BACKEND);
    proxy.hold();
    const answer = ask(LOAD);
    await held(1);
    for (let sent = 0; sent <= statements; sent++) proxy.inject(COMMAND_COMPLETE);
    proxy.release();
    await expect(answer).rejects.toThrow(
      new Unavailable('database protocol: a command completion was not expected by a pipeline that is answered'),
    );
    const [after] = await ask(BACKEND);
    expect(after!.id).not.toBe(before!.id);
  });

  test('when it was closed', async () => {
    const other = open();
    await other.close();
    await expect(other.query(LOAD, [])).rejects.toBeInstanceOf(Unavailable);
  });
});

/** The message "command complete" with an empty tag: kind, length, tag. */
const COMMAND_COMPLETE = Buffer.from([67, 0, 0, 0, 5, 0]);
const TERMINATE = statement('db_test.terminate', 'select pg_terminate_backend($1, 5000)');

const raise = (state: string, name = state) =>
  statement(`db_test.raise_${name}`, `do $$ begin raise exception using errcode = '${state}'; end $$`);

const raising = (message: string): Promise<unknown> => {
  const text = `do $$ begin raise exception using errcode = 'XX000', message = '${message}'; end $$`;
  return db.query(statement(`db_test.raise ${message}`, text), []).catch((thrown: unknown) => thrown);
};

describe('an error of the database', () => {
  test.each(['08006', '53100', '53200', '53300', '57P01', '57P03', '57014', '58030', '25006', '55P03'])(
    '%s says "not now": Unavailable, not retryable',
    async (state) => {
      const error: unknown = await db.query(raise(state), []).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Unavailable);
      expect(isRetryable(error)).toBe(false);
    },
  );

  test.each(['25006', '53100'])('%s keeps its connection for a second: to make one is dearer than to refuse', async (state) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const own = open();
    try {
      const refused = raise(state, `${state}_again`);
      const ways: ((one: Statement) => Promise<{ id: number }[]>)[] = [
        (one) => own.query(one, []),
        (one) => own.transaction((tx) => tx.query(one, [])),
      ];
      for (const run of ways) {
        const backendAfterRefusal = async () => {
          await expect(run(refused)).rejects.toBeInstanceOf(Unavailable);
          return (await run(BACKEND))[0]?.id;
        };
        const first = (await run(BACKEND))[0]?.id;
        vi.advanceTimersByTime(999);
        expect(await backendAfterRefusal()).toBe(first);
        vi.advanceTimersByTime(1);
        expect(await backendAfterRefusal()).not.toBe(first);
      }
    } finally {
      vi.useRealTimers();
      await own.close();
    }
  });

  test.each(['23505', '40001', '40P01'])('%s is a lost race: retryable', async (state) => {
    const error: unknown = await db.query(raise(state), []).catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(Unavailable);
    expect(isRetryable(error)).toBe(true);
  });

  test.each(['22003', '23514', '42601', 'P0001'])('%s is our fault: neither', async (state) => {
    const error: unknown = await db.query(raise(state), []).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: state });
    expect(isRetryable(error)).toBe(false);
  });

  test('that names another node of a cluster says "not now", also where it has the code of any internal error', async () => {
    expect(await raising('failure on connection marked as essential: db-2:5432')).toBeInstanceOf(Unavailable);
    expect(await raising('cache lookup failed')).not.toBeInstanceOf(Unavailable);
  });

  test('is none for whatever else is thrown', () => {
    expect(isRetryable(undefined)).toBe(false);
    expect(isRetryable({ code: '23505' })).toBe(false);
  });
});

const inSchema = (schema: string): string => `postgres://caudal@one,two/caudal?options=${encodeURIComponent(`-c search_path=${schema}`)}`;

test('two schemas of one cluster have nodes of their own, which connections and the pools of each share', () => {
  const [north, south] = ['north', 'south'].map((schema) => serversOf(connectionConfig(inSchema(schema), 10_000)));
  expect(north?.urls).toHaveLength(2);
  expect(south).not.toBe(north);
  expect(serversOf(connectionConfig(inSchema('north'), null))).toBe(north);
});

test('a pool that gets no connection refuses nobody whom another pool can serve', async () => {
  const own = open({ connections: 2 });
  const [begun, busy] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = own.transaction(async (tx) => {
    await tx.query(LOAD, []);
    begun.resolve();
    await busy.promise;
  });
  await begun.promise;
  proxy.refuse(true);
  for (let tries = 0; tries < 20; tries++) await expect(own.query(LOAD, [])).rejects.toBeInstanceOf(Unavailable);
  const second = own.transaction((tx) => tx.query(LOAD, []));
  busy.resolve();
  await first;
  expect(await second).toEqual([]);
  await own.close();
});

test('the options of a connection string come beside ours, and win', async () => {
  const options = encodeURIComponent('-c search_path=pg_catalog -c plan_cache_mode=auto');
  const url = `${database.url}${database.url.includes('?') ? '&' : '?'}options=${options}`;
  const other = openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: 10_000 });
  expect(await other.query(SETTINGS, [])).toEqual([
    { name: 'TimeZone', setting: 'UTC' },
    { name: 'jit', setting: 'off' },
    { name: 'plan_cache_mode', setting: 'auto' },
    { name: 'search_path', setting: 'pg_catalog' },
  ]);
  await other.close();
});

test('two statements never share a name', () => {
  statement('db_test.twin', 'select 1');
  expect(() => statement('db_test.twin', 'select 2')).toThrow('db_test.twin');
});
