import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb, type Db } from '../kit/db.ts';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { createLog } from '../kit/log.ts';
import { withSnapshot } from '../kit/snapshot.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testClock, testKeys } from '../testing/test-caudal.ts';
import { actPeople } from './act-people.ts';
import { checkpointJob, parseCheckpointPlace } from './checkpoint.job.ts';
import { auditCommands } from './audit.cli.ts';
import { linkActs } from './link-acts.job.ts';
import { pruneActs } from './prune-acts.job.ts';
import { recordActs } from './record-acts.ts';
import { openChainSigner, type ChainSigner } from './sign.ts';
import { verifyChain } from './verify-chain.ts';

const printed = capturePrinted();
const clock = testClock();
const keys = testKeys();
const log = createLog('silent');
let database: TestDatabase;
let db: Db;
let signer: ChainSigner;
let directory: string;
/** Breaks the chain: a superuser, for whom no trigger fires. */
let attacker: Client;

beforeAll(async () => {
  directory = makeDataDirectory();
  database = await createTestDatabase();
  db = openDb({ url: database.serviceUrl, log, connections: 2, statementTimeoutMs: null });
  const { byName } = await openServiceKeys({ db, keys, clock }, ['audit-log']);
  signer = openChainSigner(byName['audit-log']);
  attacker = new Client({ connectionString: database.url });
  await attacker.connect();
  await attacker.query('set session_replication_role = replica');
});
afterAll(async () => {
  await attacker.end();
  await db.close();
  await database.drop();
  removeDataDirectory(directory);
});

async function write(count: number, reason = 'as asked', at = clock.now()): Promise<void> {
  const actor = { kind: 'user', id: '7', name: 'ana@example.com' } as const;
  const act = {
    actor,
    source: '192.0.2.7',
    requestId: 'r',
    operation: 'voidOrder',
    merchantId: 'shop',
    target: 'order A-1',
    at,
    outcome: 'done',
  } as const;
  await db.transaction(async (tx) =>
    recordActs(
      tx,
      Array.from({ length: count }, () => ({ ...act, details: { reason } })),
    ),
  );
  while (await linkActs(db));
}
const empty = () =>
  attacker.query(['acts', 'act_details', 'act_links', 'acts_to_link', 'act_stubs'].map((table) => `delete from ${table}`).join('; '));
const audit = (...words: string[]) =>
  runCommand(
    { url: database.url, db, keys, clock },
    (program, connect) => auditCommands(program, connect, async () => signer),
    'audit',
    ...words,
  );
const outcomeOf = (...words: string[]) =>
  audit(...words).then(
    () => 'whole',
    ({ message }: Error) => message,
  );
const file = (name: string) => join(directory, name);
const verify = () => withSnapshot(database.url, (snapshot) => verifyChain(snapshot, signer));

test('list shows the newest first, by filters', async () => {
  await empty();
  await write(2, 'first', clock.now().subtract({ hours: 1 }));
  await write(1, 'second');
  const listed = async (...words: string[]) =>
    (JSON.parse(await printed.by(() => audit('list', '--json', ...words))) as { place: string; details: { reason: string } }[]).map(
      ({ place }) => place,
    );
  expect(await listed()).toEqual(['3', '2', '1']);
  expect(await listed('--until', clock.now().toString())).toEqual(['2', '1']);
  expect(await listed('--since', clock.now().toString())).toEqual(['3']);
  expect(await listed('--actor', 'ana@example.com', '--limit', '1')).toEqual(['3']);
  expect([await listed('--only', 'changes'), await listed('--only', 'reads')]).toEqual([['3', '2', '1'], []]);
  for (const filter of [
    ['--actor', 'x'],
    ['--operation', 'x'],
    ['--merchant', 'x'],
  ])
    expect(await listed(...filter)).toEqual([]);
  expect(await printed.by(() => audit('list'))).toMatch(
    /^AT.* ACTOR .*\n.* user:ana@example\.com +192\.0\.2\.7 +voidOrder +shop +order A-1 +done +\{"reason":"second"\}\n/,
  );
});

const exportedLines = async (): Promise<string[]> => {
  await empty();
  await write(4);
  return (await printed.by(() => audit('export'))).trimEnd().split('\n');
};
const checkExport = (text: readonly string[]) => {
  writeFileSync(file('export.ndjson'), `${text.join('\n')}\n`);
  return outcomeOf('verify', '--file', file('export.ndjson'));
};
const sha = (domain: string, content: string) => createHash('sha256').update(`caudal/audit/${domain}/1\n${content}`).digest('hex');

describe('an export', () => {
  test('can be checked without the database, and each change of it is found', async () => {
    const whole = await exportedLines();
    expect(await checkExport(whole)).toBe('whole');
    expect(printed.stdout()).toContain(`4 links. It is signed by the key ${signer.publicKey()}`);
    const changed = (at: number, text: string, by: string) => whole.with(at, (whole[at] ?? '').replace(text, by));
    expect(await checkExport(changed(2, 'order A-1', 'order A-2'))).toBe('place 2: its act or its link was changed.');
    expect(await checkExport(changed(3, 'as asked', 'as told'))).toBe('place 3: the details of its act were changed.');
    expect(await checkExport(whole.toSpliced(2, 1))).toBe('place 2: the link of place 2 is missing.');
    expect(await checkExport(whole.slice(0, -1))).toBe('The file has no end: it was cut.');
    expect(await checkExport(changed(5, '"place":"4"', '"place":"3"'))).toBe('The end of the file is of another link.');
    expect(await checkExport(changed(5, '"signature":"', '"signature":"A'))).toBe('The end of the file has a wrong signature.');
    expect(await checkExport(['{}'])).toBe('Line 1 is no line of the audit log.');
  });

  test('can be checked by its description alone', async () => {
    const [, first = '', second = ''] = await exportedLines();
    const read = JSON.parse(second) as Record<string, string> & { actor: Record<string, string>; details: Record<string, string> };
    const { place, actId, at, source, requestId, operation, merchantId, target, outcome, detailsHash, actor, details } = read;
    const previous = (JSON.parse(first) as { hash: string }).hash;
    const text = [
      place,
      previous,
      actId,
      at,
      actor['kind'],
      actor['id'],
      actor['name'],
      source,
      requestId,
      operation,
      merchantId,
      target,
      outcome,
      detailsHash,
    ];
    expect(sha('link', JSON.stringify(text))).toBe(read['hash']);
    expect(sha('details', `${details['salt']}\n${details['content']}`)).toBe(detailsHash);
  });
});

test('checkpoints in a file find that the newest acts vanished', async () => {
  await empty();
  await write(120);
  await audit('checkpoint', '--to', file('kept'));
  const compared = () => outcomeOf('verify', '--checkpoints', file('kept'));
  expect(await compared()).toBe('whole');
  await attacker.query(
    'delete from acts where act_id in (select act_id from act_links where place > 20); delete from act_links where place > 20',
  );
  expect(await outcomeOf('verify')).toBe('whole');
  expect(await compared()).toMatch(/place 120: was there at .*, so 100 are missing\.$/);
  writeFileSync(file('kept'), readFileSync(file('kept'), 'utf8').replace('"place":"120"', '"place":"20"'));
  expect(await compared()).toMatch(/Line 1 of .* has a wrong signature/);
});

describe('the job that writes checkpoints', () => {
  test('appends to a file at most every ten minutes, and only what is new', async () => {
    await empty();
    let ms = 0;
    const { step } = checkpointJob({ db, signer, now: () => clock.now(), log }, { file: file('job') }, () => ms);
    const places = () =>
      readFileSync(file('job'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { place: string }).place);
    await step();
    await write(2);
    await step();
    await write(1);
    await step();
    expect(places()).toEqual(['2']);
    ms = 600_001;
    await step();
    ms = 1_300_000;
    await step();
    expect(places()).toEqual(['2', '3']);
    expect(await outcomeOf('verify', '--checkpoints', file('job'))).toBe('whole');
  });

  test('posts to an address, and tries again ten minutes after a failure', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.writeHead(bodies.length === 1 ? 500 : 204).end());
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    let ms = 0;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { step } = checkpointJob({ db, signer, now: () => clock.now(), log }, { url }, () => ms);
    await step();
    await step();
    expect(bodies).toHaveLength(1);
    ms = 600_001;
    await step();
    server.close();
    writeFileSync(file('posted'), bodies[1] ?? '');
    expect(await outcomeOf('verify', '--checkpoints', file('posted'))).toBe('whole');
  });

  test.each([
    ['/var/log/checkpoints', true],
    ['https://keep.example/c', true],
    ['http://keep.example/c', false],
    ['checkpoints', false],
    ['https://a:b@keep.example', false],
  ])('%s is a place: %s', (text, isPlace) => expect(parseCheckpointPlace(text) !== undefined).toBe(isPlace));
});

test('acts go by age from the oldest end, and the chain holds after a signed stub', async () => {
  await empty();
  const wall = { now: () => Temporal.Now.instant() };
  await write(1_002, 'old', wall.now().subtract({ hours: 24 * 400 }));
  // The database took them now; they are to be as if it had taken them then.
  await attacker.query('update acts set recorded_at = acted_at');
  await write(2, 'new', wall.now());
  await audit('checkpoint', '--to', file('before'));
  const { step } = pruneActs({ db, signer, clock: wall }, 366);
  expect([await step(), await step()]).toEqual([true, false]);
  expect(await verify()).toMatchObject({ checked: 2, finding: undefined, last: { place: 1_004n } });
  expect(
    (await attacker.query('select (select count(*)::int from acts) as acts, (select count(*)::int from act_details) as details')).rows,
  ).toEqual([{ acts: 2, details: 2 }]);
  expect(await outcomeOf('verify', '--checkpoints', file('before'))).toBe('whole');
  await write(1, 'next');
  expect(await verify()).toMatchObject({ checked: 3, finding: undefined });
  expect(
    await pruneActs({ db, signer, clock: { now: () => wall.now().add({ hours: 24 * 800 }) } }, 366)
      .step()
      .catch(({ code }) => code as string),
  ).toBe('23001');
});

test('the details of a person are found and erased, and the chain holds', async () => {
  await empty();
  await write(1, 'for Ana.Gil@Example.com, as she asked');
  await write(1, 'for 1020304050');
  await write(1, 'for 10203040501');
  const data = actPeople(db);
  const person = { document: '1020304050', email: 'ana.gil@example.com' };
  const found = await data.find(person);
  expect(found).toHaveLength(2);
  expect(await data.read(found[0]!)).toMatchObject({ content: expect.stringContaining('Ana.Gil') as string });
  const erased = await db.transaction((tx) => data.erase(tx, found, 'erased-1f'));
  expect(erased).toHaveLength(2);
  expect([await data.find(person), await data.find({ document: '1', email: null })]).toEqual([[], []]);
  expect(await verify()).toMatchObject({ checked: 3, erased: 2, finding: undefined });
  while (await linkActs(db));
  expect(await verify()).toMatchObject({ checked: 4, erased: 2, finding: undefined });
  await attacker.query(`update act_details set erased_as = 'erased-2f' where erased_as = 'erased-1f'`);
  expect(await verify()).toMatchObject({ finding: { problem: expect.stringContaining('no act says that they were erased') as string } });
});
