import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../kit/log.ts';
import { makeDataDirectory, quickestFolder, removeDataDirectory } from '../../testing/data-directory.ts';
import { prepareSchema } from '../migrations.ts';
import { readBackups } from './backup-folder.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { planRestore } from './unpack-backup.ts';

let home: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  home = makeDataDirectory(undefined, quickestFolder());
  postgres = await startEmbeddedPostgres({
    name: 'caudal',
    dataDir: join(home, 'data'),
    command: 'npm test',
    log: createLog('silent'),
    durable: false,
  });
  await prepareSchema(postgres);
  // The service's files are of root, and PostgreSQL's user must reach what a program of it would make.
  chmodSync(home, 0o777);
});

afterAll(async () => {
  await postgres.stop();
  removeDataDirectory(join(home, 'data'));
  rmSync(home, { recursive: true });
});

/** Asks as an attacker would, with settings that keep his own traps still. */
async function ask(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: postgres.ownerUrl, options: '-c event_triggers=off -c session_preload_libraries=' });
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
}

const newest = async (folder: string) => (await readBackups(folder, undefined)).at(-1)!;

let made = 0;

/** A backup that no key seals. */
async function backUp(): Promise<string> {
  const folder = join(home, `backups-${(made += 1)}`);
  await makeBackup({ ownerUrl: postgres.ownerUrl, folder, key: undefined, caudal: '1', keep: undefined, proveMasterKeys: async () => [] });
  return folder;
}

async function restore(folder: string, isTrusted = false): Promise<void> {
  const into = makeDataDirectory(undefined, quickestFolder());
  onTestFinished(() => removeDataDirectory(into));
  const restored = await restoreBackup(await planRestore(folder, undefined, undefined, isTrusted), into);
  await restored.stop();
}

/** What a program leaves that PostgreSQL ran. */
const trace = (): string => join(home, 'ran');

test('a backup of ours restores without its seal, and holds nothing foreign', async () => {
  await expect(restore(await backUp())).resolves.toBeUndefined();
});

const SETTINGS = ['recovery_end_command', 'archive_cleanup_command', 'restore_command'];

test.each(['postgresql.auto.conf', 'postgresql.conf', 'caudal.conf', 'tablespace_map'])(
  'what a backup has as %s counts for nothing, whether or not it is trusted',
  { timeout: 180_000 },
  async (name) => {
    await ask(...SETTINGS.map((setting) => `alter system set ${setting} = 'touch ${trace()}'`), 'alter system set max_connections = 150');
    const folder = await backUp();
    await ask('alter system reset all');
    const path = join(folder, (await newest(folder)).backup, 'manifest.json');
    const { seal: _seal, ...body } = JSON.parse(readFileSync(path, 'utf8')) as { seal: string; files: { path: string }[] };
    body.files.find((file) => file.path === 'postgresql.auto.conf')!.path = name;
    // Anybody can make the seal anew.
    const seal = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    writeFileSync(path, JSON.stringify({ ...body, seal }));
    await restore(folder, true);
    expect(existsSync(trace())).toBe(false);
  },
);

const PROGRAM = (): string => `copy (select 1) to program 'touch ${trace()}'`;

test.each<[what: string, make: () => string[], undo: string[]]>([
  [
    'function evil',
    () => [`create function evil() returns int language plpgsql as $$ begin ${PROGRAM()}; return 1; end $$`],
    ['drop function evil'],
  ],
  [
    'event trigger evil',
    () => [
      `create function evil() returns event_trigger language plpgsql as $$ begin ${PROGRAM()}; end $$`,
      'create event trigger evil on login execute function evil()',
      'alter event trigger evil enable always',
    ],
    ['drop event trigger evil', 'drop function evil'],
  ],
  ['settings of a user or database', () => [`alter role caudal set event_triggers = on`], ['alter role caudal reset all']],
  ['superuser evil', () => ['create role evil superuser login'], ['drop role evil']],
  ['extension', () => ['create extension if not exists pg_stat_statements'], ['drop extension pg_stat_statements']],
  [
    'default of public.evil, which calls lo_export',
    () => [`create table evil (id int default lo_export(1, '${trace()}'))`],
    ['drop table evil'],
  ],
])('a backup with %s is refused before anything of it runs', async (what, make, undo) => {
  await ask(...make());
  const folder = await backUp();
  await ask(...undo);
  rmSync(trace(), { force: true }); // The trap was sprung by the backup's own connection.
  await expect(restore(folder)).rejects.toThrow(what);
  expect(existsSync(trace())).toBe(false);
});

test('a folder that others can write is refused, or named by --trust', async () => {
  const folder = await backUp();
  const { backup } = await newest(folder);
  chmodSync(join(folder, backup, 'data'), 0o666);
  await expect(planRestore(folder, undefined, undefined)).rejects.toThrow(/other users can write .*data\. .*--trust/);
  expect((await planRestore(folder, undefined, undefined, true)).mustBeOurs).toBe(false);
});
