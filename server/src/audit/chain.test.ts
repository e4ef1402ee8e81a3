import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Act } from '../kit/changes/act.ts';
import { openDb, type Db } from '../kit/db.ts';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { createLog } from '../kit/log.ts';
import { withSnapshot } from '../kit/snapshot.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testClock, testKeys } from '../testing/test-caudal.ts';
import { actPeople } from './act-people.ts';
import { linkActs } from './link-acts.job.ts';
import { recordActs } from './record-acts.ts';
import { openChainSigner, type ChainSigner } from './sign.ts';
import { verifyChain, verifyCheckpoints, type Checkpoint } from './verify-chain.ts';

const clock = testClock();
let database: TestDatabase;
/** As the service connects. */
let db: Db;
/** Breaks the chain: a superuser, for whom no trigger fires. */
let attacker: Client;
let signer: ChainSigner;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.serviceUrl, log: createLog('silent'), connections: 4, statementTimeoutMs: null });
  const { byName } = await openServiceKeys({ db, keys: testKeys(), clock }, ['audit-log']);
  signer = openChainSigner(byName['audit-log']);
  attacker = new Client({ connectionString: database.url });
  await attacker.connect();
  await attacker.query('set session_replication_role = replica');
});
afterAll(async () => {
  await attacker.end();
  await db.close();
  await database.drop();
});
/** Deletes: a truncate by this user would not reach a table's shard. */
const EMPTY = ['acts', 'act_details', 'act_links', 'acts_to_link', 'act_stubs'].map((table) => `delete from ${table}`).join('; ');
beforeEach(() => attacker.query(EMPTY));

const act = (number: number): Act => ({
  actor: { kind: 'command', id: 'ana', name: 'ana' },
  source: 'host-1',
  requestId: null,
  operation: 'merchants disable',
  merchantId: 'shop',
  target: `merchant shop-${number}`,
  details: { reason: `because ${number} of "Ñandú"\u0000` },
});

async function write(...numbers: readonly number[]): Promise<void> {
  await db.transaction(async (tx) =>
    recordActs(
      tx,
      numbers.map((number) => ({ ...act(number), at: clock.now(), outcome: 'done' })),
    ),
  );
}
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
async function chainOf(length: number): Promise<void> {
  await write(...numbers(1, length));
  while (await linkActs(db));
}
const verify = () => withSnapshot(database.url, (snapshot) => verifyChain(snapshot, signer));
const found = async () => (await verify()).finding;

/** Links all acts again, as one does who knows how, after the chain was broken. */
async function recompute(): Promise<void> {
  await attacker.query('delete from act_links; insert into acts_to_link (act_id) select act_id from acts on conflict do nothing');
  while (await linkActs(db));
}

const refused = (client: Client, sql: string) => client.query(sql).then(String, ({ code }: { code: string }) => code);
const fault = (id: string, problem: string) => ({
  merchantId: 'audit log:',
  id: expect.stringContaining(id) as string,
  problem: expect.stringContaining(problem) as string,
});

describe('the chain', () => {
  test('is whole after concurrent writers and several that link', async () => {
    await Promise.all(numbers(1, 12).map((writer) => write(...numbers(writer * 100, writer * 100 + 9))));
    await Promise.all([linkActs(db), linkActs(db), linkActs(db)]);
    while (await linkActs(db));
    expect(await verify()).toMatchObject({ checked: 120, finding: undefined, last: { place: 120n } });
  });

  test('goes on after a portion of 1,000, and a step without work writes nothing', async () => {
    await write(...numbers(1, 1_001));
    expect([await linkActs(db), await linkActs(db), await linkActs(db)]).toEqual([true, false, false]);
    expect(await verify()).toMatchObject({ checked: 1_001, finding: undefined });
  });

  test('takes no act of a transaction that failed', async () => {
    const failed = db.transaction(async (tx) => {
      recordActs(tx, [{ ...act(1), at: clock.now(), outcome: 'done' }]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await linkActs(db)).toBe(false);
    expect(await verify()).toMatchObject({ checked: 0, finding: undefined });
  });

  test.each([
    ['a row is changed', `update acts set target = 'merchant other' where target = 'merchant shop-3'`, 'place 3', 'changed; 3 links'],
    ['a row is removed', `delete from acts where target = 'merchant shop-3'`, 'place 3', 'its act is missing; 3 links'],
    [
      'details are changed',
      `update act_details set content = '{"reason":"x"}' where content like '%because 4%'`,
      'place 4',
      'changed; 2 links',
    ],
    ['details are removed', `delete from act_details where content like '%because 4%'`, 'place 4', 'missing'],
    ['a link is removed', 'delete from act_links where place = 2', 'place 2', 'the link of place 2 is missing; 3 links'],
    [
      'two links are swapped',
      `update act_links set act_id = -act_id where place in (2, 4);
       update act_links l set act_id = -o.act_id from act_links o where (l.place, o.place) in ((2, 4), (4, 2))`,
      'place 2',
      'changed; 4 links',
    ],
    ['the last link is removed', 'delete from act_links where place = 5', 'act', 'has lost its link'],
    [
      'a stub is forged',
      `insert into act_stubs select place, link_hash, '2026-11-19Z', 'AAAA' from act_links where place = 2`,
      'place 2',
      'not signed',
    ],
  ])('%s: it is found', async (_name, sql, id, problem) => {
    await chainOf(5);
    expect(await found()).toBeUndefined();
    await attacker.query(sql);
    expect(await found()).toEqual(fault(id, problem));
  });

  test.each([
    ['acted_at', `acted_at - interval '1 second'`],
    ['actor_kind', `'user'`],
    ['actor_id', `'beto'`],
    ['actor_name', `'beto'`],
    ['source', `'host-2'`],
    ['request_id', `'r-1'`],
    ['operation', `'merchants enable'`],
    ['merchant_id', 'null'],
    ['outcome', `'refused:not_found'`],
    ['details_hash', 'null'],
  ])('the column %s of an act is changed: it is found', async (column, value) => {
    await chainOf(2);
    await attacker.query(`update acts set ${column} = ${value} where target = 'merchant shop-1'`);
    expect(await found()).toEqual(fault('place 1', 'its act or its link was changed'));
  });

  test('an act that was never queued, or waits for a minute, is found', async () => {
    await write(1);
    expect(await found()).toBeUndefined();
    await attacker.query(`update acts_to_link set queued_at = queued_at - interval '61 seconds'`);
    expect(await found()).toMatchObject({ problem: 'waits for its link since more than a minute' });
    await attacker.query('delete from acts_to_link');
    expect(await found()).toMatchObject({ problem: 'has lost its link' });
  });

  test('erased details break nothing and are counted where an act says so, and are found where none does', async () => {
    await chainOf(5);
    const [one] = await actPeople(db).find({ document: null, email: 'because 3' });
    await db.transaction((tx) => actPeople(db).erase(tx, [one!], 'erased-1'));
    while (await linkActs(db));
    expect(await verify()).toMatchObject({ checked: 6, finding: undefined, erased: 1 });
    await attacker.query(`update act_details set salt = null, content = null, erased_as = 'erased-1'`);
    expect(await found()).toEqual(fault('place 1', 'no act says that they were erased'));
  });
});

test('checkpoints find that the newest hundred vanished, with the chain computed again', async () => {
  await chainOf(150);
  const { last } = await verify();
  const kept: Checkpoint[] = [{ place: last!.place, hash: last!.hash, at: clock.now() }];
  const compare = async () => {
    const state = await verify();
    return [state.finding, await withSnapshot(database.url, (snapshot) => verifyCheckpoints(snapshot, kept, state.last))];
  };
  expect(await compare()).toEqual([undefined, undefined]);
  await attacker.query(`delete from acts where act_id in (select act_id from act_links where place > 50)`);
  await recompute();
  expect(await compare()).toEqual([
    undefined,
    expect.objectContaining({ id: 'place 150', problem: expect.stringContaining('100 are missing') as string }),
  ]);
  await write(...numbers(151, 260));
  while (await linkActs(db));
  expect(await compare()).toEqual([
    undefined,
    expect.objectContaining({ id: 'place 150', problem: expect.stringContaining('another hash') as string }),
  ]);
});

test('the user that serves can add acts, and change, delete or truncate none', async () => {
  await chainOf(2);
  const service = new Client({ connectionString: database.serviceUrl });
  await service.connect();
  for (const table of ['acts', 'act_links', 'act_stubs'])
    for (const sql of [
      `update ${table} set ${table === 'acts' ? 'source' : 'link_hash'} = null`,
      `delete from ${table}`,
      `truncate ${table}`,
    ])
      expect([sql, await refused(service, sql)]).toEqual([sql, '42501']);
  await service.end();
});

const years = (count: number) => `clock_timestamp() - interval '${count} years'`;
const backDated = (count: number) =>
  `insert into acts (acted_at, actor_kind, actor_id, actor_name, source, operation, outcome) values (${years(count)}, 'nobody', '', '', '', 'x', 'done')`;
const pruneTo = (place: string) => `select prune_acts(l.place, l.link_hash, now(), 's') from public.act_links l where place = ${place}`;
const last = '(select max(place) from public.act_links)';
/** Puts acts of 400 days ago into the chain, as time alone does. */
async function chainOfOld(length: number): Promise<void> {
  await write(...numbers(1, length));
  await attacker.query(`update acts set acted_at = acted_at - interval '400 days', recorded_at = recorded_at - interval '400 days'`);
  while (await linkActs(db));
}

describe('the user that serves deletes no act of the last year, whatever it inserts', () => {
  test.each([
    ['a back-dated act at the end', [backDated(9)], last],
    [
      'a back-dated act whose time of record is given',
      [
        backDated(9)
          .replace('acts (', 'acts (recorded_at, ')
          .replace('values (', `values (${years(9)}, `),
      ],
      last,
    ],
    [
      'a link of its own far behind, to an act that is old',
      [`insert into act_links (place, act_id, link_hash) select 1000000, -1, 'x'`],
      '1000000',
    ],
    [
      'a young act linked again before an old one',
      [
        `insert into act_links (place, act_id, link_hash) select 1000000, act_id, 'x' from act_links where place = 1 on conflict do nothing`,
      ],
      last,
    ],
    [
      'tables of its own that say that all is old',
      [
        'create temporary table act_links as select * from public.act_links',
        `create temporary table acts as select act_id, ${years(9)} as acted_at, ${years(9)} as recorded_at from public.acts`,
      ],
      last,
    ],
    ['the setting that lets prune_acts delete', [`set caudal.prunes_acts = 'yes'`], last],
  ])('%s', async (_name, statements, place) => {
    await chainOf(3);
    const service = new Client({ connectionString: database.serviceUrl });
    await service.connect();
    for (const sql of statements) await service.query(sql);
    while (await linkActs(db));
    expect(await refused(service, pruneTo(place))).toBe('23001');
    for (const sql of [
      'delete from public.acts',
      'delete from public.act_links',
      'delete from public.act_details',
      'truncate public.act_details',
    ])
      expect([sql, await refused(service, sql)]).toEqual([sql, '42501']);
    for (const sql of [`update act_details set content = '{}'`, 'update act_details set act_id = act_id + 1000000'])
      expect([sql, await refused(service, sql)]).toEqual([sql, expect.stringMatching(/^(23001|42501)$/)]);
    await service.end();
    expect(
      (await attacker.query<{ acts: number }>(`select count(*)::int as acts from acts where target like 'merchant shop-%'`)).rows,
    ).toEqual([{ acts: 3 }]);
  });

  test('what is old goes, and one young act among them keeps all', async () => {
    await chainOfOld(3);
    const service = new Client({ connectionString: database.serviceUrl });
    await service.connect();
    await attacker.query(`update acts set recorded_at = clock_timestamp() where act_id = (select act_id from act_links where place = 2)`);
    expect(await refused(service, pruneTo(last))).toBe('23001');
    await attacker.query(`update acts set recorded_at = acted_at`);
    await service.query(pruneTo(last));
    expect(
      (await attacker.query('select (select count(*)::int from acts) as acts, (select count(*)::int from act_details) as details')).rows,
    ).toEqual([{ acts: 0, details: 0 }]);
    await service.end();
  });

  test('in production an act is of now; a sandbox, whose clock is ahead, records all the same', async () => {
    const service = new Client({ connectionString: database.serviceUrl });
    await service.connect();
    const ahead = backDated(-3);
    expect(await refused(service, ahead)).not.toBe('23514');
    await attacker.query(`insert into database_mode (mode) values ('production')`);
    try {
      expect([await refused(service, ahead), await refused(service, backDated(9))]).toEqual(['23514', '23514']);
      expect(await refused(service, backDated(0))).not.toBe('23514');
      await service.query(`create temporary table database_mode (mode text)`);
      expect(await refused(service, ahead)).toBe('23514');
    } finally {
      await attacker.query('delete from database_mode');
      await service.end();
    }
  });
});
