import { startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { inLane, openDb, statement, Unavailable, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { drawn } from '../testing/lanes.ts';

// A server process of PostgreSQL that is stopped answers nothing. Only those who need its answer wait.

const ADD = statement('test.add_beside_stopped', 'insert into written values ($1::int)');
const COUNT = statement('test.count_beside_stopped', 'select count(*)::int as written from written');
/** It lasts until its process is stopped. */
const SLOW = statement('test.read_slowly', 'select pg_sleep(60)::text');
const ADD_SLOWLY = statement('test.add_slowly', 'insert into written select 0 from pg_sleep(60)');
const STATEMENT_TIMEOUT_MS = 1_500;

const log = createLog('silent');
let dataDir: string;
let postgres: EmbeddedPostgres;
let operator: Client;
let db: Db;
let stopped: number[];

beforeAll(async () => {
  dataDir = makeDataDirectory();
  postgres = await startEmbeddedPostgres({ name: 'stopped', dataDir, command: 'a test', log });
  operator = new Client({ connectionString: postgres.ownerUrl });
  await operator.connect();
  await operator.query('create table written (number int); grant select, insert on written to public');
});
afterAll(async () => {
  await operator.end();
  await postgres.stop();
  removeDataDirectory(dataDir);
});
beforeEach(() => {
  stopped = [];
  db = openDb({ url: postgres.url, log, connections: 6, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
});
afterEach(async () => {
  for (const processId of stopped) goOn(processId);
  await db.close();
});

/** Lets a process go on, unless it was ending when it was stopped, and is gone. */
function goOn(processId: number): void {
  try {
    process.kill(processId, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Stops all processes that work on the slow statement, once there are so many. */
async function stopBackends(count: number): Promise<void> {
  const { rows } = await eventually(SOON_MS, async () => {
    const found = await operator.query<{ pid: number }>(
      `select pid from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like '%pg_sleep%'`,
    );
    expect(found.rows).toHaveLength(count);
    return found;
  });
  stopped = rows.map(({ pid }) => pid);
  for (const processId of stopped) process.kill(processId, 'SIGSTOP');
}

const many = (work: () => Promise<unknown>): Promise<unknown>[] => Array.from({ length: 12 }, () => work());
const readSlowly = (): Promise<unknown> => db.query(SLOW, []);

const STOPPED: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a read of a request', readSlowly],
  ['statements that are read together', () => db.readTogether((together) => together.query(SLOW, []))],
  ['a transaction that reads', () => db.transaction((tx) => tx.query(SLOW, []))],
  ['a read of the management API', () => inLane('views', readSlowly)],
  ['a statement of a job', () => inLane('jobs', readSlowly)],
  ['a transaction of a job', () => inLane('jobs', () => db.transaction((tx) => tx.query(SLOW, [])))],
  ['the commit of a job', () => inLane('jobs', () => db.transaction(async (tx) => tx.send(ADD_SLOWLY, [])))],
  ['the commit of a request', () => db.transaction(async (tx) => tx.send(ADD_SLOWLY, []))],
];

test.each(drawn(STOPPED, 2))('while %s is not answered, no write and no read of others is refused', async (_what, work) => {
  const [{ written: before } = { written: NaN }] = await db.query<{ written: number }>(COUNT, []);
  let isGivenUp = false;
  const outcome = work().finally(() => (isGivenUp = true));
  outcome.catch(() => undefined);
  await stopBackends(1);
  let written = 0;
  for (let after = 0; after < 50; after += isGivenUp ? 1 : 0) {
    await db.transaction(async (tx) => tx.send(ADD, [++written]));
    await db.query(ADD, [++written]);
    await inLane('jobs', () => db.transaction(async (tx) => tx.send(ADD, [++written])));
    expect(await db.query(COUNT, [])).toEqual([{ written: before + written }]);
    expect(await inLane('views', () => db.query(COUNT, []))).toEqual([{ written: before + written }]);
  }
  await expect(outcome).rejects.toThrow(Unavailable);
});

test('what takes all connections of one kind takes none of another', async () => {
  const slow = [...many(readSlowly), ...many(() => inLane('views', readSlowly)), ...many(() => inLane('jobs', readSlowly))];
  const ended = Promise.allSettled(slow);
  // Three of each kind, by the number of its connections.
  await stopBackends(9);
  for (let number = 0; number < 50; number++) await db.transaction(async (tx) => tx.send(ADD, [number]));
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']));
});
