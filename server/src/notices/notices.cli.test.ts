import { CommanderError } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandRefused } from '../kit/command-line.ts';
import { openDb, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { createMerchant } from '../merchants/index.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { testClock, testKeys } from '../testing/test-caudal.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { noticeCommands, openNotices, readNoticeGauges, writeNotices } from './index.ts';
import { CONTRACT_DIALECT } from '../requests/index.ts';

const clock = testClock();
const keys = testKeys();
const log = createLog('silent');
let database: TestDatabase;
let db: Db;
const printed = capturePrinted();

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, log, connections: 1, statementTimeoutMs: null });
  await createMerchant({ db, keys, clock }, { merchantId: 'shop', country: '343' });
  const shared = { merchantId: 'shop', amountMinor: 4_500_000n, currency: 'COP', at: clock.now() };
  await db.transaction(async (tx) =>
    writeNotices(tx, [
      { ...shared, kind: 'order', orderId: 'A-1', poId: 'A-1', serviceOrderId: 7n, status: 'approved', payment: 'efectivo' },
      { ...shared, kind: 'cashout', operationId: 'W-1', document: '1020304050', status: 'expired' },
    ]),
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Runs `caudal notices …`; → what it prints, or the failure's exit code and message. */
async function run(...words: string[]): Promise<string> {
  try {
    return await printed.by(() => runCommand({ url: database.url, db, keys, clock }, noticeCommands, 'notices', ...words));
  } catch (error) {
    if (error instanceof CommandRefused) return `${error.exitCode}: ${error.message}`;
    if (error instanceof CommanderError) return `2: ${error.message}`;
    throw error;
  }
}

async function deliver(): Promise<void> {
  const notices = openNotices({
    db,
    keys,
    clock,
    wallClock: clock,
    log,
    dialect: CONTRACT_DIALECT,
    readUpdates: async () => [],
    isSandbox: true,
    chance: () => 0.5,
    keptDays: 90,
  });
  for (const job of notices.jobs) while (await job.step());
  await notices.close();
}

test('lists, shows, redelivers, pauses and resumes', async () => {
  expect(await run('endpoints')).toMatch(/shop +taking +2 /);
  await deliver();
  const listed = JSON.parse(await run('list', '--json')) as Record<string, unknown>[];
  expect(listed).toMatchObject([
    { kind: 'cashout', subject: 'W-1', status: 'expired', state: 'given_up', problem: 'the merchant has no notice URL' },
    { kind: 'order', subject: 'A-1', status: 'approved', state: 'given_up', amount: '45000.00', currency: 'COP', merchant: 'shop' },
  ]);
  const id = listed[1]!['id'] as string;
  expect(id).toMatch(/^msg_[0-9]+_[0-9]+$/);
  expect(await run('list', '--merchant', 'shop', '--state', 'delivered')).toBe('No matching notices.\n');
  const shown = await run('show', id);
  expect(shown).toMatch(/^notice +msg_[^]*about +order A-1\n[^]*amount +45 000\.00 COP\nwritten +2026-11-21 10:00:00 America\/Bogota\n/);
  const { body, ...rest } = JSON.parse(await run('show', id, '--json')) as { body: string };
  expect(rest).toEqual(listed[1]);
  expect(JSON.parse(body)).toMatchObject({
    po_id: 'A-1',
    status: 'approved',
    amount: '45000.0',
    sv_checksum: expect.any(String) as string,
  });
  expect(shown).toContain(body);
  expect(await run('show', id, '--utc')).toMatch(/written +2026-11-21 15:00:00 UTC\n/);

  expect(await run('redeliver', id)).toMatch(/^Notice ([0-9]+) waits to be sent again by a running server\. "notices show \1" shows/);
  expect(await run('redeliver', id)).toMatch(/^1: .*waits/);
  expect(await run('show', id)).toMatch(/\nstate +waiting\n[^]*\nwill be given up on +2026-11-/);
  expect(await run('show', id)).not.toMatch(/\ngiven up /);
  expect(await run('redeliver', '--since', clock.now().toString(), '--failed')).toMatch(
    /^1 notice waits to be sent again\. "notices list" shows/,
  );
  expect(JSON.parse(await run('pause', 'shop', '--json'))).toEqual({ merchant: 'shop', isPaused: true });
  expect(await run('pause', 'shop')).toBe('The endpoint of shop is paused.\n');
  expect(await run('endpoints')).toMatch(/shop +paused by operator +2 /);
  expect(await readNoticeGauges(db)).toEqual({ caudal_notices_waiting: 2, caudal_notice_endpoints_paused: 1 });
  expect(await run('resume', 'shop')).toBe('The endpoint of shop is resumed.\n');
  expect(await run('resume', 'shop')).toContain('was not paused');
  await deliver();
  expect(await run('endpoints')).toBe('Nothing waits, and no endpoint fails.\n');
});

test.each([
  [['show', '999999'], '1: There is no notice 999999.'],
  [['show', 'x'], '2: '],
  [['redeliver'], '2: Name one notice'],
  [['redeliver', '1', '--since', '2026-11-21T15:00:00Z'], '2: Name one notice'],
  [['redeliver', '1', '--failed'], '2: --merchant and --failed'],
  [['redeliver', '--since', 'yesterday'], '2: '],
  [['redeliver', '999999'], '1: There is no notice 999999.'],
  [['list', '--limit', '0'], '2: '],
  [['list', '--state', 'lost'], '2: '],
  [['test', 'nobody'], '1: There is no merchant nobody.'],
  [['test', 'shop'], '1: The merchant has no notice URL.'],
  [['pause', 'nobody'], '1: There is no merchant nobody.'],
  [['resume', 'nobody'], '1: There is no merchant nobody.'],
])('refuses %j', async (words, said) => {
  expect(await run(...words)).toMatch(new RegExp(`^${said}`));
});
