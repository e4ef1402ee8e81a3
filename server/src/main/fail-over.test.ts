import { afterAll, beforeAll, expect, test } from 'vitest';
import { examine, type Examining } from './doctor/examine.ts';
import { BOUNDS } from './doctor/served.ts';
import { openDb, statement, Unavailable, type Db } from '../kit/db.ts';
import { listen } from '../kit/listen.ts';
import { captureLog } from '../testing/captured.ts';
import { eventually, SOON_MS, withinSeconds } from '../testing/deadlines.ts';
import { startReplicatedPostgres, type ReplicatedPostgres } from '../testing/replicated-postgres.ts';

const WRITE = statement('test.fail_over_write', 'insert into written values ($1::int)');
const READ = statement('test.fail_over_read', 'select count(*)::int as written from written');

let postgres: ReplicatedPostgres;
let url: string;
let db: Db;
const { log, lines } = captureLog();
const messages = (): readonly string[] => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);

beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  // The standby is named first: the role counts, not the place.
  url = postgres.url.replace(/@(.*),(.*)\//, '@$2,$1/');
  db = openDb({ url, log, connections: 3, statementTimeoutMs: 1_000 });
  await postgres.ask(0, 'create table written (number int)');
});
afterAll(async () => {
  await db.close();
  await postgres.stop();
});

const write = (number: number): Promise<void> => db.transaction(async (tx) => tx.send(WRITE, [number]));
const read = async (): Promise<number> => (await db.query<{ written: number }>(READ, []))[0]?.written ?? NaN;

/** What a check of the doctor finds. */
const see = async (name: string, settings: Examining, at: string = url) =>
  (await Array.fromAsync(examine({ DATABASE_URL: at }, settings))).find(({ check }) => check === name)?.found;

test('the doctor sees that no commit waits for a standby, and one that falls behind', async () => {
  expect(await see('synchronous standbys', {})).toMatchObject([{ level: 'warning', says: expect.stringMatching(/is empty$/) }]);
  expect(await see('synchronous standbys', {}, postgres.servers[0].ownerUrl), 'one server is named, and another follows').toHaveLength(1);
  expect(await see('replication', {})).toEqual([]);
  expect(await see('servers of the database', {}, `${url}?target_session_attrs=read-write`)).toEqual([]);
  expect(await see('servers of the database', {}, url.replace('@', '@%2Fnowhere,'))).toMatchObject([
    { level: 'warning', says: expect.stringMatching(/^replica on \/nowhere cannot be used, .*ENOENT/) },
  ]);
  expect(await see('role of the server', {})).toEqual([]);
  expect(await see('role of the server', {}, postgres.servers[1].ownerUrl)).toMatchObject([{ level: 'fault' }]);
  await postgres.ask(1, 'select pg_wal_replay_pause()');
  await eventually(SOON_MS, async () => {
    await postgres.ask(0, 'create table behind (); drop table behind');
    expect(await see('replication', { bounds: { ...BOUNDS, lagSeconds: 0.1 } })).toMatchObject([{ level: 'warning' }]);
  });
  await postgres.ask(1, 'select pg_wal_replay_resume()');
});

test('writes go to the primary; a promoted standby is used at once, and the former primary no more', async () => {
  let gaps = 0;
  const listener = await listen({ url, channel: 'test', log, onMessage: () => undefined, onGap: () => gaps++ });
  await Promise.all([1, 2, 3].map(write));
  expect(await read()).toBe(3);
  await eventually(5_000, async () =>
    expect((await postgres.ask(1, 'select count(*)::int as written from written'))[0]).toEqual({ written: 3 }),
  );
  const gapsBefore = gaps;

  // The former primary is not ended: it goes on as in a network that is cut.
  await postgres.ask(1, 'select pg_promote()');
  await postgres.ask(1, 'insert into written values (100)');
  await withinSeconds(3, async () => expect(await read().catch(() => NaN)).toBe(4));
  for (let number = 4; number < 10; number++) await write(number);
  expect((await postgres.ask(1, 'select count(*)::int as written from written'))[0], 'all went to the new primary').toEqual({
    written: 10,
  });
  expect((await postgres.ask(0, 'select count(*)::int as written from written'))[0]).toEqual({ written: 3 });
  expect(await read()).toBe(10);
  await eventually(5_000, () => expect(gaps, 'who listens has moved too').toBeGreaterThan(gapsBefore));
  await eventually(5_000, () => expect(listener.isConnected()).toBe(true));
  await listener.close();

  await postgres.servers[1].stop();
  await eventually(5_000, () => expect(read(), 'the former primary is stale, and asked no more').rejects.toThrow(Unavailable));
  for (let times = 0; times < 4; times++) {
    await expect(write(11)).rejects.toThrow(Unavailable);
    await expect(read()).rejects.toThrow(Unavailable);
  }
  expect(messages().filter((message) => message === 'the database is away')).toHaveLength(2);
  expect(messages().filter((message) => message === 'the database is back')).toHaveLength(1);
});
