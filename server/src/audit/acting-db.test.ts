import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Act } from '../kit/changes/act.ts';
import { Held } from '../kit/changes/engine.ts';
import { openDb, statement, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { refuse } from '../kit/outcome.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testClock } from '../testing/test-caudal.ts';
import { listActs } from './act-rows.ts';
import { openActingDb, openReadingDb } from './acting-db.ts';

const WRITE = statement('test.write_mode', `insert into database_mode (mode) values ('sandbox') on conflict do nothing`);
const FACTS = statement('test.mode_facts', 'select mode from database_mode');
const ADD = statement('test.add_key', `insert into acts_probe values (1)`);
const COUNT = statement('test.count_probe', 'select count(*)::int as rows from acts_probe');

const clock = testClock();
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, log: createLog('silent'), connections: 2, statementTimeoutMs: null });
  await db.query({ name: 'test.probe', text: 'create table acts_probe (id int)' }, []);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => db.query({ name: 'test.empty', text: 'delete from acts_probe' }, []));

const act = (operation: string): Act => ({
  actor: { kind: 'user', id: '7', name: 'ana@example.com' },
  source: '192.0.2.7',
  requestId: 'req-1',
  operation,
  merchantId: null,
  target: null,
});
const actsOf = async (operation: string) =>
  (await listActs(db, { operation, limit: 10 })).map(({ outcome, content }) => [outcome, content]);
const written = async () => (await db.query<{ rows: number }>(COUNT, []))[0]?.rows;

test('an act and what it did are committed together, or not at all', async () => {
  const acting = openActingDb({ db, clock }, act('both'));
  await acting.db.query(ADD, []);
  expect([await written(), await actsOf('both'), acting.isRecorded()]).toEqual([1, [['done', null]], true]);

  const failing = openActingDb({ db, clock }, act('neither'));
  const work = failing.db.transaction(async (tx) => {
    await tx.query(ADD, []);
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect([await written(), await actsOf('neither'), failing.isRecorded()]).toEqual([1, [], false]);

  const unrecordable = openActingDb({ db, clock }, { ...act('neither'), actor: { kind: 'nothing' as 'user', id: '', name: '' } });
  await expect(unrecordable.db.query(ADD, [])).rejects.toThrow('actor_kind');
  expect([await written(), unrecordable.isRecorded()]).toEqual([1, false]);
});

test('a refusal records nothing and is remembered; a held row records nothing', async () => {
  const acting = openActingDb({ db, clock }, act('refused'));
  await acting.db.transaction(async () => [refuse('too_late')]);
  await acting.db.transaction(async () => [new Held('row')]);
  expect([await actsOf('refused'), acting.isRecorded(), acting.refusal()]).toEqual([[], false, 'too_late']);
});

test('what was done before is no second act, and under an Idempotency-Key a refusal is none', async () => {
  const acting = openActingDb({ db, clock }, act('keyed'));
  const settled = [
    [409, false],
    [200, true],
    [200, false],
    [200, true],
  ] as const;
  for (const [status, isReplay] of settled)
    await acting.db.transaction(async () => [{ answer: { status, etag: null, body: '' }, isReplay }]);
  await acting.db.transaction(async () => ({ isRepeated: true }));
  expect(await actsOf('keyed')).toEqual([['done', null]]);
});

test('what differs between the facts before and after is recorded', async () => {
  await openActingDb({ db, clock, facts: { statement: FACTS, values: [] } }, act('differs')).db.query(WRITE, []);
  expect(await actsOf('differs')).toEqual([['done', '{"changes":{"mode":[null,"sandbox"]}}']]);
});

test('a database for reading refuses to write', async () => {
  const reading = openReadingDb(db);
  await expect(reading.query(ADD, [])).rejects.toThrow('declared to read');
  await expect(reading.transaction(async () => undefined)).rejects.toThrow('declared to read');
  expect(await reading.query(COUNT, [])).toEqual([{ rows: 0 }]);
});
