import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ailment } from '../../kit/checks/doctor.ts';
import { masterKey, seal } from '../../kit/secrets.ts';
import { createShop, makeOrder } from '../../testing/served-shop.ts';
import { runCaudalHere, startChildServer, type ChildServer } from '../../testing/child-server.ts';
import { seededBytes } from '../../testing/seed.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { CHECK_NAMES, examine, type Examining } from './examine.ts';
import { BOUNDS, THIS_MACHINE, type Bounds } from './served.ts';

const EXAMPLES = JSON.parse(readFileSync(new URL('../../../../contract/vectors.json', import.meta.url), 'utf8')) as {
  readonly secrets: Readonly<Record<string, string>>;
};
const KEY = '0'.repeat(64);
let database: TestDatabase;
let client: Client;
let environment: Record<string, string>;
let server: ChildServer;

beforeAll(async () => {
  database = await createTestDatabase();
  environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: KEY, CAUDAL_MODE: 'production' };
  server = startChildServer(environment);
  await makeOrder(await server.origin, await createShop(environment, 'shop'), '100');
  await server.stop();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const seeEncoding = async (url: string) =>
  (await Array.fromAsync(examine({ ...environment, DATABASE_URL: url }))).find(({ check }) => check === 'encoding')?.found;

async function findings(
  settings: Record<string, string> = environment,
  examining: Examining = {},
): Promise<readonly (Ailment & { readonly check: string })[]> {
  const all = [];
  for await (const { check, found, problem } of examine(settings, {
    except: examining.backups === undefined ? ['backups'] : [],
    ...examining,
  })) {
    expect(problem, check).toBeUndefined();
    all.push(...found.map((one) => ({ ...one, check })));
  }
  return all;
}

/** A state that is wrong: what the doctor says of it, what makes it, and what puts it right. */
const STATES: readonly (readonly [check: string, level: Ailment['level'], says: RegExp, make: string, undo: string])[] = [
  [
    'merchants on checksum alone',
    'warning',
    /requests of shop are/,
    `update merchants set signing = 'accept'`,
    `update merchants set signing = 'require'`,
  ],
  [
    'secrets of merchants',
    'warning',
    /secrets of shop are older/,
    `update merchant_secrets set created_at = created_at - interval '500 days'`,
    `update merchant_secrets set created_at = created_at + interval '500 days'`,
  ],
  [
    'networks that do not sign',
    'warning',
    /of kiosk are/,
    `insert into networks (network_id, name, created_at, signing, countries) values ('kiosk', 'Kiosk', now(), 'checksum', '{CO}')`,
    'delete from networks',
  ],
  [
    'secrets of networks',
    'warning',
    /secrets of kiosk are older/,
    `insert into networks (network_id, name, created_at, signing, countries) values ('kiosk', 'Kiosk', now(), 'require', '{CO}');
     insert into network_secrets (network_id, generation, master_key_id, sealed, created_at)
       select 'kiosk', 1, master_key_id, sealed, now() - interval '500 days' from merchant_secrets limit 1`,
    'delete from network_secrets; delete from networks',
  ],
  [
    'calendars of holidays',
    'warning',
    /the holidays of colombia end within/,
    `insert into holidays values ('colombia', '2020-12-25', 'Navidad')`,
    'delete from holidays',
  ],
  [
    'time zones',
    'warning',
    /^the database does not know the time zone America\/Bogota/,
    `create view public.pg_timezone_names as select 'UTC' as name;
     do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`,
    `drop view public.pg_timezone_names;
     do $$ begin execute format('alter database %I reset search_path', current_database()); end $$`,
  ],
  [
    'notice URLs that fail',
    'warning',
    /notices to shop are paused/,
    `insert into notice_endpoints (merchant_id, paused_at, paused_by) values ('shop', now(), 'operator')`,
    'delete from notice_endpoints',
  ],
  [
    'mails and SMS that are late',
    'warning',
    /^1 mails/,
    `insert into messages (merchant_id, subject_id, kind, channel, state, created_at, due_at, gives_up_at) select 'shop', 'A-1', 'order_paid', 'mail', 'pending', t, t, t from (select now() - interval '1 hour' as t) late`,
    'delete from messages',
  ],
  [
    'orders that should have expired',
    'warning',
    /^1 orders/,
    `update orders set expires_at = now() - interval '1 hour'`,
    `update orders set expires_at = now() + interval '1 day'`,
  ],
  [
    'indexes',
    'fault',
    /orders_pkey is not usable/,
    `update pg_index set indisvalid = false where indexrelid = 'orders_pkey'::regclass`,
    `update pg_index set indisvalid = true where indexrelid = 'orders_pkey'::regclass`,
  ],
  [
    'schema',
    'fault',
    /schema version 9999/,
    `insert into schema_migrations (version, title, checksum) values (9999, 'later', 'x')`,
    'delete from schema_migrations where version = 9999',
  ],
  [
    'master keys',
    'fault',
    /abcdef012345/,
    `insert into service_secrets (name, generation, master_key_id, sealed, created_at) values ('other', 1, 'abcdef012345', '', now())`,
    `delete from service_secrets where name = 'other'`,
  ],
];

const refuseZone = (): number => {
  throw new RangeError('no such zone');
};
// A machine, and bounds, that are wrong in one thing.
const at = (apartMs: number): Examining => ({ machine: { ...THIS_MACHINE, nowMs: () => Date.now() + apartMs } });
const free = (percent: number): Examining => ({ machine: { ...THIS_MACHINE, space: async () => ({ free: percent, all: 100 }) } });
const zones = (wrong: (right: number) => number): Examining => ({
  machine: { ...THIS_MACHINE, offsetAt: (zone, instant) => wrong(THIS_MACHINE.offsetAt(zone, instant)) },
});
const bounds = (changed: Partial<Bounds>): Examining => ({ bounds: { ...BOUNDS, ...changed } });

const seeArchive = async (examining: Examining = {}) =>
  (await findings(environment, examining)).filter(({ check, says }) => check === 'archive of the log' && says.startsWith('archive_mode'));

describe('the doctor', () => {
  test('sees each state, and does not see it once it is put right', async () => {
    await client.query(`update merchants set signing = 'require'`);
    for (const [check, level, says, make, undo] of STATES) {
      await client.query(make);
      const found = (await findings()).filter((one) => one.check === check);
      expect(found, check).toMatchObject([{ level, says: expect.stringMatching(says), remedy: expect.stringMatching(/./) }]);
      await client.query(undo);
    }
    const left = new Set((await findings()).map(({ check }) => check));
    for (const [check] of STATES) expect(left, check).not.toContain(check);
  });

  test('says what the settings lack', async () => {
    const all = await findings();
    expect(all).toContainEqual(
      expect.objectContaining({ check: 'settings', level: 'fault', says: expect.stringMatching(/^checkout links/) }),
    );
    const ownAddress = { ...environment, CAUDAL_CHECKOUT_URL: 'http://pay.example/checkout' };
    expect(await findings(ownAddress)).not.toContainEqual(expect.objectContaining({ says: expect.stringMatching(/^checkout links/) }));
    const many = { ...ownAddress, CAUDAL_DATABASE_CONNECTIONS: '900' };
    expect(await findings(many)).toContainEqual(expect.objectContaining({ check: 'connections', level: 'fault' }));
  });

  test('names wrong settings, a missing database and one that is away', async () => {
    expect(await findings({ CAUDAL_PORT: 'x', CAUDAL_HOSTS: 'y' })).toMatchObject([
      { level: 'fault', says: expect.stringMatching(/^CAUDAL_PORT/) },
      { level: 'fault', says: expect.stringMatching(/^CAUDAL_HOSTS/) },
    ]);
    const nowhere = await findings({ ...environment, DATABASE_URL: 'postgres://caudal@127.0.0.1:1/caudal' });
    expect(nowhere.at(-1)).toMatchObject({ check: 'the database', level: 'fault', says: expect.stringContaining('ECONNREFUSED') });
    const empty = await findings({ CAUDAL_DATA_DIR: '/tmp/there-is-no-caudal-here' });
    expect(empty.at(-1)).toMatchObject({ check: 'the database', says: expect.stringMatching(/^there is none yet/) });
  });

  test('changes nothing: it works on a database that refuses every write', async () => {
    const { database: name } = client;
    await client.query(`alter database ${name} set default_transaction_read_only = on`);
    expect((await findings()).map(({ check }) => check)).not.toContain('the database');
    await client.query(`set default_transaction_read_only = off; alter database ${name} reset default_transaction_read_only`);
  });

  test('sees what is beyond its bounds, and nothing within them', async () => {
    await client.query(`update merchants set signing = signing; select pg_stat_force_next_flush()`);
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const beyond: readonly (readonly [check: string, level: Ailment['level'], says: RegExp, beyond: Examining])[] = [
      ['clocks', 'warning', /apart$/, at(5_000)],
      ['clocks', 'fault', /apart$/, at(-60_000)],
      ['disk of this machine', 'warning', /are free/, free(10)],
      ['disk of this machine', 'fault', /are free/, free(4)],
      ['disk of the database', 'fault', /are free at .*postgres/, free(4)],
      ['time zones', 'warning', /do not agree on the clocks of America\/Bogota$/, zones((right) => right + 3600)],
      ['time zones', 'fault', /^Node does not know the time zone America\/Bogota/, zones(refuseZone)],
      ['version of PostgreSQL', 'fault', /^this is PostgreSQL \d/, bounds({ oldestPostgres: 990_000 })],
      ['long transactions', 'warning', /is open for 0 minutes \(idle/, bounds({ longMinutes: 0 })],
      ['rows to clear away', 'warning', /^merchants has \d/, bounds({ deadRows: 0, deadShare: 0 })],
      ['transaction numbers', 'warning', /transactions old/, bounds({ wraparoundWarning: -1 })],
      ['transaction numbers', 'fault', /transactions old/, bounds({ wraparoundFault: -1 })],
    ];
    for (const [check, level, says, ill] of beyond) {
      const found = (await findings(environment, ill)).filter((one) => one.check === check);
      expect(found, check).toContainEqual({ check, level, says: expect.stringMatching(says), remedy: expect.stringMatching(/./) });
      if (check === 'long transactions') expect(found.map(({ remedy }) => remedy).join()).toContain(`(${rows[0]?.pid})`);
    }
    const within = new Set((await findings(environment, free(50))).map(({ check }) => check));
    for (const [check] of beyond) expect(within).not.toContain(check);
    await client.query('rollback');
  });

  test('sees statements that can be read on the way', async () => {
    const away = { ...environment, CAUDAL_DATABASE_PLAINTEXT: 'yes', DATABASE_URL: 'postgres://caudal@0.0.0.0:1/caudal' };
    const found = { check: 'TLS to the database', level: 'warning', says: expect.stringMatching(/can be read/) };
    expect(await findings(away)).toContainEqual(expect.objectContaining(found));
    const proved = { ...away, DATABASE_URL: `${away.DATABASE_URL}?sslmode=verify-full` };
    expect(await findings(proved)).not.toContainEqual(expect.objectContaining(found));
  });

  test.each([
    ['a key that was counted up', { CAUDAL_MASTER_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('hex') }, 'fault'],
    ['a key of few bytes', { CAUDAL_MASTER_KEY: KEY }, 'fault'],
    ['a password that is guessed first', { DATABASE_URL: 'postgres://me:PassWord-123!@127.0.0.1:1/x' }, 'fault'],
    ['the name of the user', { CAUDAL_MIGRATIONS_DATABASE_URL: 'postgres://walter:walter99@127.0.0.1:1/x' }, 'fault'],
    ['a short password', { CAUDAL_SMTP_URL: 'smtp://me:kR7%23vQ2p@127.0.0.1', CAUDAL_MAIL_FROM: 'me@example.com' }, 'warning'],
    ['a few characters, again and again', { CAUDAL_SMS_URL: 'https://xyxyxyxyxyxyxyxy@sms.example/send' }, 'warning'],
    ['random ones', { CAUDAL_SMS_URL: 'https://9be27d05c1f84a63b7e0d2fa@sms.example/send' }, undefined],
  ] as const)('says of secrets in settings that they are weak, and never shows them: %s', async (_what, settings, level) => {
    const strong = { CAUDAL_MASTER_KEY: seededBytes(32).toString('hex'), DATABASE_URL: 'postgres://caudal@127.0.0.1:1/x' };
    const given: Record<string, string> = { ...environment, ...strong, ...settings };
    const found = (await findings(given)).filter(({ check }) => check === 'weak secrets');
    expect(found.map((one) => one.level)).toEqual(level === undefined ? [] : [level]);
    for (const [, secret] of JSON.stringify(settings).matchAll(/(?::|\/\/)([^:/@"]+)@/g))
      expect(JSON.stringify(found)).not.toContain(secret);
    expect(JSON.stringify(found)).not.toContain(given['CAUDAL_MASTER_KEY']);
  });

  test.each([
    ...Object.values(EXAMPLES.secrets).map((secret) => ['of the contract’s examples', secret, 'fault'] as const),
    ['that is the name of its merchant', 'SHOP-2026', 'fault'],
    ['that is guessed first', 'Password123!', 'fault'],
    ['that is short', 'kR7#vQ2pW9$x', 'warning'],
    ['of a few characters, again and again', '01'.repeat(20), 'warning'],
    ['as random as ours', seededBytes(16).toString('hex'), undefined],
  ] as const)('says whose secret is weak, and never shows it: one %s', async (_what, secret, level) => {
    const { rows } = await client.query<{ sealed: Buffer }>(`select sealed from merchant_secrets where kind = 'fixed'`);
    const only = masterKey(Buffer.from(KEY, 'hex'));
    const seals = { current: () => only, find: () => only };
    const keep = (sealed: Buffer) => client.query(`update merchant_secrets set sealed = $1 where kind = 'fixed'`, [sealed]);
    await keep(seal(seals, secret, 'merchant_secrets/shop/fixed/1').sealed);
    const found = (await findings()).filter(({ check }) => check === 'weak secrets of merchants');
    await keep(rows[0]!.sealed);
    const one = { level, says: expect.stringMatching(/^the fixed hash of shop /), remedy: expect.stringContaining('rotate-hash') };
    expect(found).toMatchObject(level === undefined ? [] : [one]);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test('says that a lost disk loses all, unless a backup is named or the log is archived', async () => {
    const shadow = (value: string) =>
      client.query(
        `create or replace view public.pg_settings as
           select name, case name when 'archive_mode' then '${value}' else setting end as setting from pg_catalog.pg_settings;
         do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`,
      );
    await shadow('off');
    expect(await seeArchive()).toMatchObject([{ level: 'warning', remedy: expect.stringContaining('--backups') }]);
    expect(await seeArchive({ backups: { dir: tmpdir(), keyFile: undefined } })).toEqual([]);
    await shadow('on');
    expect(await seeArchive()).toEqual([]);
    await client.query(
      `drop view public.pg_settings; do $$ begin execute format('alter database %I reset search_path', current_database()); end $$`,
    );
  });

  test('says how old the newest backup is, and that it knows of none', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'caudal-doctor-'));
    const at = (days: number): Examining => ({
      backups: { dir, keyFile: undefined },
      machine: { ...THIS_MACHINE, nowMs: () => Date.now() + days * 86_400_000 },
    });
    const see = async (days: number) => (await findings(environment, at(days))).filter(({ check }) => check === 'backups');
    const none = [{ level: 'fault', says: `there is no whole backup in ${dir}` }];
    expect(await see(0)).toMatchObject(none);
    rmSync(dir, { recursive: true });
    expect(await see(0)).toMatchObject(none);
    mkdirSync(join(dir, 'monday'), { recursive: true });
    // So pgBackRest names it until the backup is whole.
    writeFileSync(join(dir, 'monday', 'backup.manifest.copy'), '{}');
    expect(await see(0)).toMatchObject(none);
    for (const manifest of ['backup_manifest', 'backup.manifest']) {
      writeFileSync(join(dir, 'monday', manifest), '{}');
      expect(await see(0), manifest).toEqual([]);
      if (manifest === 'backup_manifest') rmSync(join(dir, 'monday', manifest));
    }
    expect(await see(3)).toMatchObject([{ level: 'warning', says: `the newest backup in ${dir} is 3.0 days old` }]);
    expect(await see(8)).toMatchObject([{ level: 'fault' }]);
    rmSync(dir, { recursive: true });
    const unknown = (await Array.fromAsync(examine(environment))).find(({ check }) => check === 'backups');
    expect(unknown?.problem).toMatch(/^no directory of backups is known/);
  });

  test('says that a database is of another encoding', async () => {
    const other = await createEmptyDatabase(`encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`);
    expect(await seeEncoding(other.url)).toMatchObject([{ level: 'fault', says: expect.stringContaining('SQL_ASCII') }]);
    expect(await seeEncoding(database.url)).toEqual([]);
    await other.drop();
  });

  test('says where it could not look: to a user without rights other sessions are no idle ones', async () => {
    const seen = await Array.fromAsync(examine({ ...environment, DATABASE_URL: database.serviceUrl }, { except: ['backups'] }));
    const unseen = seen.filter(({ problem }) => problem !== undefined);
    expect(unseen.map(({ check }) => check)).toEqual([
      'disk of the database',
      'connections',
      'synchronous standbys',
      'replication',
      'long transactions',
    ]);
    for (const { found, problem } of unseen)
      expect({ found, problem }).toEqual({ found: [], problem: expect.stringMatching(/: grant pg_monitor to \w+$/) });
  });

  test('says which disk it means without a data directory, and that a container hides that of a database', async () => {
    const home = mkdtempSync(join(tmpdir(), 'caudal-disk-'));
    const asked: string[] = [];
    /** A machine that has these directories alone, as a container beside PostgreSQL. */
    const space: typeof THIS_MACHINE.space = async (place) => {
      asked.push(place);
      return THIS_MACHINE.space(place === home ? place : join(home, 'none', place));
    };
    const settings = { ...environment, CAUDAL_DATA_DIR: join(home, 'no', 'such', 'data') };
    const seen = await Array.fromAsync(examine(settings, { machine: { ...THIS_MACHINE, space }, except: ['backups'] }));
    rmSync(home, { recursive: true });
    expect(asked[0]).toBe(home);
    expect(seen.filter(({ check }) => check.startsWith('disk'))).toEqual([
      { check: 'disk of this machine', found: expect.any(Array) as unknown },
      {
        check: 'disk of the database',
        found: [],
        problem: `this machine, or this container, does not show ${asked[1]}: watch it where PostgreSQL runs`,
      },
    ]);
  });

  const SIGNING = 'merchants on checksum alone';
  test.each([
    ['all is well', 0, ['autovacuum'], /^$/, ['well']],
    ['it found a fault', 1, ['settings', SIGNING], /^1 fault and [1-9]\d* warnings?; 0 checks could not look\.\n$/, ['fault', 'warning']],
    ['it found warnings alone', 3, ['autovacuum', SIGNING], /^0 faults and 1 warning; 0 checks/, ['well', 'warning']],
    ['it could not look', 3, ['autovacuum', 'connections'], /^0 faults and 0 warnings; 1 check could/, ['not seen', 'well']],
  ])('where %s it ends with %i, and says the same in JSON', async (_when, code, kept, says, states) => {
    await client.query(`update merchants set signing = 'accept'`);
    const settings = { ...environment, DATABASE_URL: kept.includes('connections') ? database.serviceUrl : database.url };
    const except = CHECK_NAMES.filter((name) => !kept.includes(name));
    const { exitCode, stdout, stderr } = await runCaudalHere(settings, 'doctor', '--json', '--except', ...except);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringMatching(says) });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { check: string; state: string });
    expect(lines.filter(({ check }) => kept.includes(check)).map(({ state }) => state)).toEqual(states);
    expect(lines.map(({ check }) => check)).toEqual(expect.arrayContaining(['schema', 'master keys']));
  });

  test('refuses to leave out what there is not', async () => {
    const { exitCode, stderr } = await runCaudalHere(environment, 'doctor', '--except', 'disks');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/^There is no check "disks"\. Checks: .*clocks.*\n$/),
    });
  });
});
