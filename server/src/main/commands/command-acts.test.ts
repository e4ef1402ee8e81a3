import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listActs, type ListedAct } from '../../audit/act-rows.ts';
import { openDb, type Db } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import { capturePrinted } from '../../testing/captured.ts';
import { makeDataDirectory, removeDataDirectory } from '../../testing/data-directory.ts';
import { seededBytes } from '../../testing/seed.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { commandName, effectOf } from './command-acts.ts';
import { createProgram } from '../program.ts';

const commandsOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(commandsOf);

test('every command of the program is an act, or is declared to read', () => {
  const names = commandsOf(createProgram()).map(commandName);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => effectOf(name) === undefined)).toEqual([]);
});

const detailsOf = (acts: readonly ListedAct[]): unknown => JSON.parse(acts[0]?.content ?? 'null');

describe('commands', () => {
  const printed = capturePrinted();
  let database: TestDatabase;
  let db: Db;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = openDb({ url: database.url, log: createLog('silent'), connections: 2, statementTimeoutMs: null });
    vi.stubEnv('DATABASE_URL', database.serviceUrl);
    vi.stubEnv('CAUDAL_MIGRATIONS_DATABASE_URL', database.url);
    vi.stubEnv('CAUDAL_MASTER_KEY', seededBytes(32).toString('hex'));
    await run('merchants', 'create', '--id', 'shop', '--country', '343', '--as', 'Ana');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await db.close();
    await database.drop();
  });

  /** Gives the acts of one command. */
  async function run(...words: string[]): Promise<readonly ListedAct[]> {
    const before = await listActs(db, { limit: 1 });
    await createProgram()
      .parseAsync(words, { from: 'user' })
      .catch(() => undefined);
    const after = await listActs(db, { limit: 100 });
    return after.filter(({ actId }) => actId > (before[0]?.actId ?? 0n));
  }

  test('that count figures again record it', async () => {
    const acts = await run('figures', 'rebuild');
    expect(acts).toMatchObject([{ operation: 'figures rebuild', outcome: 'done' }]);
  });

  test('record who ran them, where, on what, and what changed, without a secret', async () => {
    const acts = await run('merchants', 'rotate-hash', 'shop', '--as', 'Ana', '--days', '1');
    expect(acts).toMatchObject([
      {
        actor: { kind: 'command', name: 'Ana' },
        operation: 'merchants rotate-hash',
        merchantId: 'shop',
        target: 'merchant shop',
        outcome: 'done',
      },
    ]);
    expect(acts[0]?.place).not.toBeNull();
    expect(acts[0]?.source).not.toBe('');
    expect(detailsOf(acts)).toMatchObject({ given: { days: 1 }, changes: { secrets: [expect.any(Array), expect.any(Array)] } });
    const [, hash = 'none'] = /fixed hash +(\S+)/.exec(printed.stdout()) ?? [];
    expect(hash).not.toBe('none');
    expect(acts[0]?.content).not.toContain(hash);
    expect(detailsOf(await run('merchants', 'replay-guard', 'shop', 'on'))).toEqual({ changes: { guardsReplays: [false, true] } });
  });

  test.each([
    ['done', ['ledger', 'top-up', '--merchant', 'shop', '--amount', '500', '--currency', 'COP']],
    ['done', ['networks', 'create', 'efecty']],
    ['done', ['networks', 'signing', 'efecty', 'checksum']],
    ['done', ['ledger', 'set-fees', '--merchant', 'shop', '--operation', 'order', '--currency', 'COP', '--fixed', '5']],
    ['done', ['cashouts', 'limits', '--merchant', 'shop', '--currency', 'COP', '--most', '9000']],
    ['done', ['notices', 'pause', 'shop']],
    ['done', ['notices', 'resume', 'shop']],
    ['done', ['notices', 'redeliver', '--since', '2026-01-01T00:00:00Z']],
    ['done', ['people', 'export', '--document', '1020304050']],
    ['done', ['people', 'erase', '--document', '1020304050']],
    ['done', ['tokens', 'create', '--name', 'console', '--permissions', 'orders:read']],
    ['done', ['audit', 'export']],
    ['done', ['service-keys', 'rotate', 'audit-log']],
    ['refused:merchant_unknown', ['merchants', 'disable', 'nobody']],
    ['refused:command', ['ledger', 'top-up', '--merchant', 'nobody', '--amount', '500', '--currency', 'COP']],
    ['refused:cashout_not_registered', ['cashouts', 'nullify', 'W-1', '--merchant', 'shop', '--reason', 'asked']],
    ['refused:order_not_found', ['orders', 'void', 'A-1', '--merchant', 'shop', '--refunded-by', 'network', '--reason', 'asked']],
  ])('leave one act, %s: %j', async (outcome, words) => {
    const acts = await run(...words);
    expect(acts.map((act) => [act.operation, act.outcome])).toEqual([[words.slice(0, 2).join(' '), outcome]]);
    expect(acts[0]?.content ?? '').not.toContain('1020304050');
  });

  test('that import cashouts record it in the transaction of the import, with the number of rows', async () => {
    const directory = makeDataDirectory();
    const file = join(directory, 'old.csv');
    const importing = ['cashouts', 'import', file, '--merchant', 'shop'];
    const header = 'amount,document,currency,operation,expire,update,status';
    writeFileSync(file, `${header}\n45000,1020304050,COP,OLD,20261231,20261101,PENDIENTE\n`);
    const acts = await run(...importing);
    expect(acts).toMatchObject([{ operation: 'cashouts import', target: 'merchant shop', outcome: 'done' }]);
    expect(detailsOf(acts)).toEqual({ given: { rows: 1, added: 1, unchanged: 0, rejected: 0 } });
    writeFileSync(file, `${header}\n0,1020304050,COP,BAD,20261231,20261101,PENDIENTE\n`);
    expect(await run(...importing)).toMatchObject([{ operation: 'cashouts import', outcome: 'refused:command' }]);
    removeDataDirectory(directory);
  });

  test('that read leave none, and their database refuses to write', async () => {
    for (const words of [['merchants', 'list'], ['cashouts', 'limits', '--merchant', 'shop'], ['audit', 'list'], ['verify']])
      expect([words, await run(...words)]).toEqual([words, []]);
  });

  test('leave a chain that is whole', async () => {
    printed.clear();
    await run('audit', 'verify');
    expect(printed.stdout()).toMatch(/^The chain is whole: [0-9]+ links\.\n$/);
  });
});
