import { startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examine } from './doctor/examine.ts';
import { openDb, statement, Unavailable, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';

const CONNECTIONS = 3;
const ADD = statement('test.add_to_standby', 'insert into written values ($1::int)');
const COUNT = statement('test.count_at_standby', 'select count(*)::int as written from written');

const log = createLog('silent');
let dataDir: string;
let postgres: EmbeddedPostgres;
let operator: Client;
let db: Db;
/** The one server is named twice: each may be the former primary of the other. */
let several: Db;

beforeAll(async () => {
  dataDir = makeDataDirectory();
  postgres = await startEmbeddedPostgres({ name: 'standby', dataDir, command: 'a test', log });
  operator = new Client({ connectionString: postgres.ownerUrl });
  await operator.connect();
  await operator.query('create table written (number int); grant select, insert on written to public');
  db = openDb({ url: postgres.url, log, connections: CONNECTIONS, statementTimeoutMs: 100 });
  const twice = postgres.url.replace(/@(.*)\?host=([^&]*).*$/, '@$2,$2$1');
  several = openDb({ url: twice, log, connections: CONNECTIONS, statementTimeoutMs: 100 });
});
afterAll(async () => {
  await db.close();
  await several.close();
  await operator.end();
  await postgres.stop();
  removeDataDirectory(dataDir);
});

const setStandby = async (name: string): Promise<void> => {
  await operator.query(`alter system set synchronous_standby_names = '${name}'`);
  await operator.query('select pg_reload_conf()');
};
const backends = async (): Promise<number> => {
  const { rows } = await operator.query<{ backends: number }>(
    `select count(*)::int as backends from pg_stat_activity where application_name = 'caudal'`,
  );
  return rows[0]?.backends ?? NaN;
};

test('nobody reads a commit that waits for a lost standby; reads go on, and writes are refused at once', async () => {
  await setStandby('nobody');
  await eventually(SOON_MS, async () => {
    const { rows } = await operator.query<{ names: string }>(`select current_setting('synchronous_standby_names') as names`);
    expect(rows[0]?.names).toBe('nobody');
  });
  const seen = await Array.fromAsync(examine({ DATABASE_URL: postgres.ownerUrl }));
  expect(seen.find(({ check }) => check === 'synchronous standbys')?.found, 'the doctor sees it').toMatchObject([{ level: 'fault' }]);
  const write = (number: number): Promise<void> => db.transaction(async (tx) => tx.send(ADD, [number]));
  await expect(write(1)).rejects.toThrow(Unavailable);
  const waiting = await backends();
  for (let times = 0; times < 6; times++) {
    await expect(write(2)).rejects.toThrow(Unavailable);
    await expect(db.query(ADD, [3])).rejects.toThrow(Unavailable);
    expect(await db.query(COUNT, []), 'a fail-over would lose it').toEqual([{ written: 0 }]);
  }
  // One that reads, and one that asks whether the commit still waits.
  expect(await backends()).toBeLessThanOrEqual(waiting + 2);
  await setStandby('');
  await eventually(SOON_MS, () => write(4));
  expect(await db.query(COUNT, []), 'of the refused writes none was done').toEqual([{ written: 2 }]);
  expect(await backends()).toBeLessThanOrEqual(CONNECTIONS + 1);
});

test.each<[string, (db: Db) => Promise<unknown>]>([
  ['a statement', (of) => of.query(COUNT, [])],
  ['statements of one state', (of) => of.readTogether((together) => together.query(COUNT, []))],
  ['a transaction', (of) => of.transaction((tx) => tx.query(COUNT, []))],
  ['a transaction that wrote nothing', (of) => of.transaction((tx) => tx.query(COUNT, []).finally(() => tx.wroteNothing()))],
])('of several servers nothing is read that no standby has acknowledged, it may be old: %s', async (_what, read) => {
  await read(several);
  await setStandby('nobody');
  await eventually(SOON_MS, () => expect(read(several)).rejects.toThrow(Unavailable));
  await setStandby('');
  await eventually(SOON_MS, () => read(several));
});
