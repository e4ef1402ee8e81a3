import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ailment } from '../../kit/checks/doctor.ts';
import { createShop, makeOrder } from '../../testing/served-shop.ts';
import { runCaudal, startChildServer, type ChildServer } from '../../testing/child-server.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { examine } from './examine.ts';

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
}, 60_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function findings(settings: Record<string, string> = environment): Promise<readonly (Ailment & { readonly check: string })[]> {
  const all = [];
  for await (const { check, found, problem } of examine(settings)) {
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
    `insert into networks (network_id, name, created_at, countries) values ('kiosk', 'Kiosk', now(), '{CO}')`,
    'delete from networks',
  ],
  [
    'where networks serve',
    'warning',
    /kiosk may take/,
    `insert into networks (network_id, name, created_at, signing) values ('kiosk', 'Kiosk', now(), 'require')`,
    'delete from networks',
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
    `insert into service_secrets (name, master_key_id, sealed, created_at) values ('other', 'abcdef012345', '', now())`,
    `delete from service_secrets where name = 'other'`,
  ],
];

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
    const ownAddress = { ...environment, CAUDAL_CHECKOUT_URL: 'https://pay.example/checkout' };
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

  test('ends with 1 where it found something, and prints JSON', async () => {
    const { exitCode, stdout, stderr } = await runCaudal(environment, 'doctor', '--json');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^\d+ faults and \d+ warnings\.\n$/);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { check: string });
    expect(lines.map(({ check }) => check)).toEqual(expect.arrayContaining(['disk', 'clocks', 'durability', 'long transactions']));
  });
});
