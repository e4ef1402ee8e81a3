import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { TEST_DATABASE_PREFIX } from '../src/testing/names.ts';
import { migrateUnderLoad } from './measure-migrations.ts';
import { startServer } from './server.ts';
import { dropBenchDatabase, openBenchDatabase } from './setup.ts';

const HELD_MS = 1_500;
const LATER = [
  ['adds', 'alter table orders add column later int;'],
  ['holds', `lock table orders in access exclusive mode; select pg_sleep(${HELD_MS / 1_000});`],
] as const;

test('the wait that a migration causes is seen, and is counted for that migration', async () => {
  const { adminUrl, runId } = inject('testServer');
  const name = `${TEST_DATABASE_PREFIX}${runId}_migrations`;
  const directory = mkdtempSync(join(tmpdir(), 'caudal-later-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  cpSync(MIGRATIONS, directory, { recursive: true });
  const own = readdirSync(MIGRATIONS).length;
  for (const [index, [title, sql]] of LATER.entries())
    writeFileSync(join(directory, `${String(own + 1 + index).padStart(4, '0')}-${title}.sql`), sql);

  const database = await openBenchDatabase(adminUrl, name, { orders: 500, cashouts: 1_000, cashoutsOfOne: 100 }, () => undefined);
  onTestFinished(() => dropBenchDatabase(adminUrl, name));
  const server = await startServer(database);
  onTestFinished(() => server.stop());
  const { applied, answered, lost, doubled } = await migrateUnderLoad(database, server.origin, directory, 1, () => undefined);
  expect(applied.map(({ title, blocked }) => ({ title, blocked }))).toEqual(LATER.map(([title]) => ({ title, blocked: ['orders'] })));
  const [adds, holds] = applied.map(({ pauseMs }) => pauseMs) as [number, number];
  expect(adds).toBeLessThan(HELD_MS);
  expect(holds).toBeGreaterThanOrEqual(HELD_MS * 0.9);
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
  expect(answered).toBeGreaterThan(100);
});
