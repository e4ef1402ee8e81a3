import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { openRemote } from '../kit/remote/open-remote.ts';
import { ALL_PERMISSIONS, type Permission } from '../manage/index.ts';
import { capturePrinted } from '../testing/captured.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { tokenOf } from '../testing/user-calls.ts';
import { actPeople } from './act-people.ts';
import { auditCommands } from './audit.cli.ts';
import { linkActs } from './link-acts.job.ts';
import { recordActs } from './record-acts.ts';
import { openChainSigner } from './sign.ts';

// Who may read the audit log proves it from afar, and trusts the service with nothing.

const printed = capturePrinted();
let service: TestCaudal;
let origin: string;
let directory: string;
/** Breaks the chain: a superuser, for whom no trigger fires. */
let attacker: Client;

beforeAll(async () => {
  service = await startTestCaudal();
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  directory = makeDataDirectory();
  attacker = new Client({ connectionString: service.url });
  await attacker.connect();
  await attacker.query('set session_replication_role = replica');
});
afterAll(async () => {
  await attacker.end();
  removeDataDirectory(directory);
  await service.close();
});

const ACTS = 450;
const EMPTY = ['acts', 'act_details', 'act_links', 'acts_to_link', 'act_stubs'].map((table) => `delete from ${table}`).join('; ');
async function writeActs(): Promise<void> {
  await attacker.query(EMPTY);
  const actor = { kind: 'user', id: '7', name: 'ana@example.com' } as const;
  const act = { actor, source: '192.0.2.7', requestId: 'r', operation: 'voidOrder', merchantId: 'shop', target: 'order A-1' } as const;
  const done = { ...act, at: service.clock.now(), outcome: 'done' } as const;
  await service.db.transaction(async (tx) =>
    recordActs(
      tx,
      Array.from({ length: ACTS }, (_, index) => ({ ...done, details: { reason: `as payer-${index}@example.com asked` } })),
    ),
  );
  while (await linkActs(service.db));
}

const openNothing = async (): Promise<never> => {
  throw new Error('nothing may be opened');
};

/** Runs a command on the service. No database is opened. */
async function audit(...words: string[]): Promise<string> {
  const token = (await tokenOf(service, ['audit:read'])).replace('Bearer ', '');
  const program = new Command().exitOverride();
  auditCommands(
    program,
    Object.assign(() => openNothing(), { service: async () => openRemote(origin, token) }),
    openNothing,
  );
  return printed.by(() => program.parseAsync(['audit', ...words], { from: 'user' }));
}
const refusalOf = (...words: string[]): Promise<string> => audit(...words).then(String, ({ message }: Error) => message);
const file = (name: string): string => join(directory, name);

test('the chain of a service is proved by its links, and each change is found', async () => {
  await writeActs();
  expect(await audit('verify')).toBe(`The chain is whole: ${ACTS} links.\n`);
  await audit('checkpoint', '--to', file('kept'));
  expect(await audit('verify', '--checkpoints', file('kept'))).toContain(', with 1 checkpoints');
  await attacker.query(
    `update act_details set content = null, salt = null, erased_as = 'erased-1f' where act_id = (select act_id from act_links where place = 7)`,
  );
  expect(await refusalOf('verify')).toMatch(/^The chain is broken\. place 7: the details of its act are gone, and no act says/);
  await writeActs();
  const people = actPeople(service.db);
  const found = await people.find({ document: null, email: 'payer-301@example.com' });
  expect(await service.db.transaction((tx) => people.erase(tx, found, 'erased-1f'))).toHaveLength(1);
  while (await linkActs(service.db));
  expect(await audit('verify')).toBe(`The chain is whole: ${ACTS + 1} links, the details of 1 erased.\n`);
  await attacker.query(`update acts set target = 'order A-2' where act_id = (select act_id from act_links where place = 222)`);
  expect(await refusalOf('verify')).toBe('The chain is broken. place 222: its act or its link was changed.');
  await attacker.query('delete from acts where act_id = (select act_id from act_links where place = 30)');
  expect(await refusalOf('verify')).toBe('The chain is broken. place 30: its act is missing.');
  await attacker.query('delete from act_links where place = 20');
  expect(await refusalOf('verify')).toBe('The chain is broken. place 20: the link of place 20 is missing.');
  await attacker.query('delete from act_links where place > 10');
  expect(await audit('verify')).toContain('The chain is whole: 10 links');
  expect(await refusalOf('verify', '--checkpoints', file('kept'))).toMatch(/^The chain is broken\. place 4\d\d: it has a checkpoint/);
});

test('its export is whole, and begins after what was pruned', async () => {
  await writeActs();
  const { byName } = await openServiceKeys({ db: service.db, keys: service.keys, clock: service.clock }, ['audit-log']);
  const signer = openChainSigner(byName['audit-log']);
  const [last] = (await attacker.query<{ hash: Buffer }>('select link_hash as hash from act_links where place = 100')).rows;
  const at = service.clock.now();
  const signature = signer.sign('stub', { place: 100n, hash: last!.hash }, at);
  await attacker.query(`insert into act_stubs values (100, $1, $2, $3)`, [last!.hash, at.toString(), signature]);
  await attacker.query('delete from act_links where place <= 100');
  writeFileSync(file('export'), await audit('export'));
  const places = readFileSync(file('export'), 'utf8')
    .split('\n')
    .map((line) => /^{"place":"(\d+)"/.exec(line)?.[1]);
  expect(places.filter((place) => place !== undefined)).toEqual(Array.from({ length: ACTS - 100 }, (_, index) => String(index + 101)));
  expect(await audit('verify', '--file', file('export'))).toContain('The chain is whole: 350 links');
  await attacker.query(EMPTY);
  expect(await audit('verify')).toBe('The chain is whole: 0 links.\n');
  expect(await refusalOf('checkpoint')).toBe('There is no act yet.');
});

test.each([
  ['lacks the permission', ALL_PERMISSIONS.filter((one) => one !== 'audit:read'), false],
  ['is bound to a merchant', ALL_PERMISSIONS, true],
] as const)('who %s gets no link', async (_, permissions: readonly Permission[], isBound) => {
  const authorization = await tokenOf(service, permissions, isBound ? (await service.merchant()).merchantId : null);
  for (const url of ['/manage/v1/audit/chain', '/manage/v1/audit/chain/ends'])
    expect((await service.app.inject({ url, headers: { authorization } })).statusCode, url).toBe(403);
});
