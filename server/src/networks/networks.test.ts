import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandRefused } from '../kit/command-line.ts';
import { openDb, statement, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { reseal } from '../kit/keys/reseal.ts';
import { masterKey, type MasterKeys } from '../kit/secrets.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { eventually, SOON_MS, withinSeconds } from '../testing/deadlines.ts';
import { testClock } from '../testing/test-caudal.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { NETWORK_SECRETS, networkCommands, openNetworkDirectory, type NetworkDirectory } from './index.ts';

const DAMAGE = statement('test.damage_network_secret', `update network_secrets set sealed = '\\x00' where network_id = $1`);
const reads = { asked: 0 };

const clock = testClock();
const log = createLog('silent');
const [oldKey, newKey] = [masterKey(Buffer.alloc(32, 1)), masterKey(Buffer.alloc(32, 2))];
let sealing = oldKey;
const keys: MasterKeys = { current: () => sealing, find: (id) => [oldKey, newKey].find((key) => key.id === id) };

let database: TestDatabase;
let db: Db;
let one: NetworkDirectory;
let other: NetworkDirectory;
const printed = capturePrinted();

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, log, connections: 3, statementTimeoutMs: null });
  const counted: Db = { ...db, query: (...call) => (reads.asked++, db.query(...call)) };
  one = await openNetworkDirectory({ db: counted, url: database.url, keys, clock, log });
  other = await openNetworkDirectory({ db, url: database.url, keys, clock, log });
});
afterAll(async () => {
  await one.close();
  await other.close();
  await db.close();
  await database.drop();
});

const run = (...words: string[]): Promise<string> =>
  printed.by(() => runCommand({ url: database.url, db, keys, clock }, networkCommands, 'networks', ...words));

const secretOf = (json: string): string => (JSON.parse(json) as { secret: string }).secret;

const isLetIn = async (directory: NetworkDirectory, netname: string, secret: string): Promise<boolean> =>
  (await directory.authenticate(netname, checksumOf([netname, 'x'], secret), [netname, 'x'])) !== undefined;

/** The promise to operators: a change holds in every running server within a second. */
const everywhere = (netname: string, secret: string, expected: boolean): Promise<void> =>
  withinSeconds(1, async () => {
    for (const directory of [one, other]) expect(await isLetIn(directory, netname, secret)).toBe(expected);
  });

test('a network is created, rotated, disabled and enabled, and every server follows within a second', async () => {
  const secret = secretOf(await run('create', 'efectivo', '--countries', '170,348', '--name', 'Efectivo Ya', '--json'));
  expect(secret).toMatch(/^[0-9a-f]{32}$/);
  await everywhere('efectivo', secret, true);
  await everywhere('efectivo', 'another', false);

  const next = secretOf(await run('rotate', 'efectivo', '--days', '2', '--json'));
  await everywhere('efectivo', next, true);
  await everywhere('efectivo', secret, true);
  await expect(run('rotate', 'efectivo')).rejects.toThrow(/Two secrets/);
  expect(await run('list')).toMatch(
    /^NETWORK .*\nefectivo +Efectivo Ya .* enabled +343,348 +all +any +default +everything +valid until 2026-11-23 15:00:00 UTC\n$/,
  );
  clock.advance({ days: 2 });
  await everywhere('efectivo', secret, false);
  await everywhere('efectivo', next, true);
  expect(await run('list')).toMatch(/enabled +343,348 +all +any +default +everything +none\n$/);

  expect(await run('serves', 'efectivo', '--countries', '343', '--currencies', 'COP')).toBe('Network efectivo serves Colombia, in COP.\n');
  expect(await run('list')).toMatch(/enabled +343 +COP +any +default +everything +none\n$/);
  expect(await run('serves', 'efectivo', '--countries', 'all')).toBe('Network efectivo serves every country, in every currency there.\n');
  expect(await run('signing', 'efectivo', 'checksum')).toContain('must sign its requests on orders');
  expect(await run('list')).toMatch(/enabled +all +all +any +default +orders +none\n$/);
  await eventually(SOON_MS, async () => expect(await other.find('efectivo')).toMatchObject({ signing: 'checksum' }));

  await run('disable', 'efectivo');
  await everywhere('efectivo', next, false);
  await run('enable', 'efectivo');
  await everywhere('efectivo', next, true);
  const last = secretOf(await run('rotate', 'efectivo', '--days', '0', '--json'));
  await everywhere('efectivo', next, false);
  await everywhere('efectivo', last, true);
  expect(await run('list', '--json')).not.toContain(last);
});

test.each([
  ['serves --countries 170,343,348 --currencies COP', { countries: ['343', '348'], currencies: ['COP'] }],
  ['addresses 192.0.2.7,2001:db8::/32', { addresses: ['192.0.2.7', '2001:db8::/32'] }],
  ['addresses any', { addresses: null }],
  ['limits --per-second 5', { limits: { perSecond: 5, burst: 10, concurrent: 1_000 } }],
  ['signing checksum', { signing: 'checksum' }],
  ['disable', { isDisabled: true }],
  ['enable', { isDisabled: false }],
])('%s prints what holds then as JSON', async (words, changed) => {
  const netname = 'program';
  await run('create', netname).catch(() => undefined);
  const [command = '', ...rest] = words.split(' ');
  expect(JSON.parse(await run(command, netname, ...rest, '--json'))).toEqual({ netname, ...changed });
});

test('a rotation of the master key reseals the secrets of networks, which stay what they are', async () => {
  const secret = secretOf(await run('create', 'sealed', '--json'));
  sealing = newKey;
  expect(await reseal(db, keys, NETWORK_SECRETS)).toBeGreaterThan(0);
  const rows = await db.query<{ masterKeyId: string }>(NETWORK_SECRETS.count, []);
  expect(rows.map(({ masterKeyId }) => masterKeyId)).toEqual([newKey.id]);
  await run('disable', 'sealed');
  await run('enable', 'sealed');
  await everywhere('sealed', secret, true);
});

test('known, unknown and wrongly signed networks ask the database nothing', async () => {
  const secret = secretOf(await run('create', 'quiet', '--json'));
  await everywhere('quiet', secret, true);
  const before = reads.asked;
  for (let made = 0; made < 1_000; made++) expect(await isLetIn(one, `made-up-${made}`, secret)).toBe(false);
  for (const name of ['__proto__', 'constructor', '', '\u0000']) expect(await isLetIn(one, name, secret)).toBe(false);
  expect(await isLetIn(one, 'quiet', 'wrong')).toBe(false);
  // The notification of the creation may arrive after a read that saw it. It causes one more read, for a thousand requests.
  expect(reads.asked).toBeLessThanOrEqual(before + 1);
});

test('a network whose secret is damaged fails alone', async () => {
  await run('create', 'damaged');
  const secret = secretOf(await run('create', 'sound', '--json'));
  await db.query(DAMAGE, ['damaged']);
  await run('disable', 'damaged'); // Reported, so that it is read again.
  await everywhere('sound', secret, true);
  await eventually(SOON_MS, () => expect(one.find('damaged')).rejects.toThrow('does not open'));
  expect(await isLetIn(one, 'sound', secret)).toBe(true);
});

test.each<[string, 1 | 2, string[]]>([
  ['netname', 2, ['create', 'Efectivo']],
  ['netname', 2, ['create', 'x'.repeat(31)]],
  ['netname', 2, ['create', 'a b']],
  ['netname', 2, ['create', '']],
  ['--name', 2, ['create', 'fine', '--name', 'two\nlines']],
  ['--countries', 2, ['create', 'fine', '--countries', '343,999']],
  ['--countries', 2, ['serves', 'twice', '--countries', '']],
  ['--currencies', 2, ['serves', 'twice', '--countries', '343', '--currencies', 'PEN']],
  ['no network', 1, ['serves', 'nobody', '--countries', '343']],
  ['exists', 1, ['create', 'twice']],
  ['no network', 1, ['rotate', 'nobody']],
  ['no network', 1, ['disable', 'nobody']],
  ['no network', 1, ['enable', 'nobody']],
  ['no network', 1, ['signing', 'nobody', 'require']],
  ['--days', 2, ['rotate', 'twice', '--days', '8']],
])('refuses for its %s with exit code %i: %j', async (reason, exitCode, words) => {
  await run('create', 'twice').catch(() => undefined);
  const failed = run(...words);
  await expect(failed).rejects.toThrow(CommandRefused);
  await expect(failed).rejects.toMatchObject({ exitCode, message: expect.stringContaining(reason) as string });
});
