import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { openDb, type Db } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import { masterKey } from '../../kit/secrets.ts';
import { createMerchant, readMerchants } from '../../merchants/index.ts';
import { runProgram, type Ran } from '../../testing/captured.ts';
import { makeDataDirectory, quickestFolder, removeDataDirectory } from '../../testing/data-directory.ts';
import { eventually } from '../../testing/deadlines.ts';
import { isLong } from '../../testing/lanes.ts';
import { seed, seededBytes, seededRandom } from '../../testing/seed.ts';
import { requireMode } from '../database-mode.ts';
import { examine } from '../doctor/examine.ts';
import { THIS_MACHINE, type Machine } from '../doctor/served.ts';
import { openMasterKeys, proveMasterKeys } from '../keys/master-keys.ts';
import { prepareSchema } from '../migrations.ts';
import { DATA, logOf, readBackups, type Manifest } from './backup-folder.ts';
import { keepLog } from './keep-log.ts';
import { makeBackup, openOwned } from './make-backup.ts';
import { requireKeysOf, restoreBackup } from './restore-backup.ts';
import { planRestore, unpackBackup } from './unpack-backup.ts';
import { readNow, withCluster } from './walk-log.ts';

/** How often a backup and a restore are killed in each stage. `CAUDAL_TEST_KILLS=30` makes a longer run. */
const KILLS = Number(process.env['CAUDAL_TEST_KILLS'] ?? 1);
const timesKills = (...stages: readonly string[]): readonly string[] => Array.from({ length: KILLS }, () => stages).flat();
/** Its contents are being written, or are whole since. */
const STAGES_OF_BACKUP = timesKills('*/data.*.part');
/** Before it nothing of another backup has changed. */
const MANIFEST_IS_NAMED = 4;
/** Files are being unpacked; PostgreSQL recovers until it takes writes. */
const STAGES_OF_RESTORE = timesKills('postgres.unfinished-*', 'postgres');
/** A look takes 5 ms and more. */
const LOOKS = 40;
/** A backup on a busy machine. */
const BACKUP_MS = 60_000;
/** A restore, an upgrade and all promises, on a busy machine. */
const REHEARSAL_MS = 100_000;
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const DIE_AT_STEP = fileURLToPath(new URL('../../testing/die-at-step.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));

const random = seededRandom(seed);
const key = seededBytes(32);
const keyOfService = seededBytes(32);
const keys = openMasterKeys({ masterKeys: [masterKey(keyOfService)], dataDir: '' });

let home: string;
let folder: string;
let postgres: EmbeddedPostgres;
let db: Db;
let settings: Record<string, string>;
/** After the first merchant was acknowledged, and before the second one was asked for. */
let between: Temporal.Instant;
let manifest: Manifest;

beforeAll(async () => {
  home = makeDataDirectory(undefined, quickestFolder());
  folder = join(home, 'backups');
  const dataDir = join(home, 'data');
  const { NODE_COMPILE_CACHE: compiled = '' } = process.env;
  settings = { CAUDAL_DATA_DIR: dataDir, CAUDAL_MASTER_KEY: keyOfService.toString('hex'), NODE_COMPILE_CACHE: compiled };
  writeFileSync(join(home, 'key'), key.toString('hex'));
  postgres = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'npm test', log: createLog('silent'), durable: false });
  await prepareSchema(postgres);
  db = open(postgres);
  await requireMode(db, 'sandbox');
  await make('zero');
  manifest = await backUp(folder, { key, keep: undefined });
  await make('first');
  between = Temporal.Instant.from(await withCluster(postgres.ownerUrl, 'log', ({ client }) => readNow(client)));
  await make('second');
  await keepLog({ ownerUrl: postgres.ownerUrl, folder, key });
});

afterAll(async () => {
  await db.close();
  await postgres.stop();
  removeDataDirectory(join(home, 'data'));
  rmSync(home, { recursive: true });
});

const open = ({ url }: EmbeddedPostgres): Db => openDb({ url, log: createLog('silent'), connections: 2, statementTimeoutMs: null });
const make = (merchantId: string) => createMerchant({ db, keys, clock: systemClock }, { merchantId, country: '343' });

const backUp = (to: string, options: { readonly key: Buffer | undefined; readonly keep: number | undefined }): Promise<Manifest> =>
  makeBackup({
    ownerUrl: postgres.ownerUrl,
    folder: to,
    ...options,
    caudal: '1',
    proveMasterKeys: () => proveMasterKeys(db, keys),
  });

async function merchantsOf(restored: EmbeddedPostgres): Promise<readonly string[]> {
  const restoredDb = open(restored);
  try {
    await proveMasterKeys(restoredDb, keys);
    return (await readMerchants({ db: restoredDb })).map(({ merchant }) => merchant).toSorted();
  } finally {
    await restoredDb.close();
  }
}

/** A directory for one restore, gone at the end of the test. */
function target(): string {
  const directory = makeDataDirectory(undefined, quickestFolder());
  onTestFinished(() => removeDataDirectory(directory));
  return directory;
}

test('a time between two acknowledged writes restores exactly the first', async () => {
  const plan = await planRestore(folder, key, between);
  const restored = await restoreBackup(plan, target());
  try {
    expect(await merchantsOf(restored)).toEqual(['first', 'zero']);
  } finally {
    await restored.stop();
  }
});

/** What the doctor says of the folder. */
const seeBackups = async (keyFile: string | undefined, machine: Machine) =>
  (await Array.fromAsync(examine(settings, { machine, backups: { dir: folder, keyFile } }))).find(({ check }) => check === 'backups');

test('the doctor knows how old the newest backup is, under its key alone', async () => {
  const inThreeDays: Machine = { ...THIS_MACHINE, nowMs: () => Date.now() + 3 * 86_400_000 };
  expect(await seeBackups(join(home, 'key'), THIS_MACHINE)).toEqual({ check: 'backups', found: [] });
  expect((await seeBackups(join(home, 'key'), inThreeDays))?.found).toMatchObject([
    { level: 'warning', says: expect.stringMatching(/3\.0 days old$/) },
  ]);
  expect((await seeBackups(undefined, THIS_MACHINE))?.problem).toMatch(/sealed under another key/);
});

/** The schema of this release. */
const OWN_SCHEMA = readdirSync(join(ROOT, 'server', 'migrations')).length;

/** What of the server the program of a release needs. */
const OF_A_RELEASE = ['migrations', 'package.json', 'src'].map((name) => join('server', name));

/** A release that has one migration more than this one. It is made once, so that Node compiles it once. */
function laterRelease(migration: string): string {
  const root = join(home, 'later');
  if (!existsSync(root)) {
    for (const path of OF_A_RELEASE)
      cpSync(join(ROOT, path), join(root, path), { recursive: true, filter: (from) => !from.endsWith('.test.ts') });
    for (const link of ['node_modules', join('server', 'node_modules'), 'package.json'])
      if (existsSync(join(ROOT, link))) symlinkSync(join(ROOT, link), join(root, link));
  }
  writeFileSync(join(root, 'server', 'migrations', `${String(OWN_SCHEMA + 1).padStart(4, '0')}-later.sql`), migration);
  return root;
}

/** That release rehearses the upgrade to itself. This one is the earlier. */
async function rehearseBy(later: string, scratch: string): Promise<Ran> {
  const options = ['--key-file', join(home, 'key'), '--scratch', scratch, '--older', ROOT, '--json'];
  const { stderr, ...ran } = await runProgram(
    process.execPath,
    [join(later, 'server', 'src', 'main', 'cli.ts'), 'upgrade', 'rehearse', folder, ...options],
    { ...settings, PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(home, 'compiled') },
    REHEARSAL_MS,
  );
  return { ...ran, stderr: stderr.replace(/^Database: .*\n/, '') };
}

test.each([
  ['adds something', '-- Releases from OWN on work with it.\nalter table merchants add column later int;', 'it works.'],
  [
    'takes something away',
    'alter table merchants rename column return_url to landing_url;',
    `it refuses: This database has schema version ${OWN_SCHEMA + 1}; this Caudal knows up to ${OWN_SCHEMA}. Start a newer Caudal.`,
  ],
])(
  'a rehearsed upgrade that %s is proved, says whether one step back is possible, and leaves nothing',
  { timeout: 180_000 },
  async (_what, migration, older) => {
    const scratch = target();
    const later = laterRelease(migration.replace('OWN', String(OWN_SCHEMA).padStart(4, '0')));
    const { stdout, stderr, exitCode } = await rehearseBy(later, scratch);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({
      backup: manifest.backup,
      applied: [{ version: OWN_SCHEMA + 1, title: 'later', milliseconds: expect.any(Number) as number, blocked: ['merchants'] }],
      older,
      promises: expect.toSatisfy((count) => count > 10) as number,
    });
    expect(readdirSync(scratch)).toEqual([]);
  },
);

test('the rehearsal of an upgrade that the data refuse says which migration it was, and leaves nothing', async () => {
  const scratch = target();
  const { stdout, stderr, exitCode } = await rehearseBy(laterRelease(`alter table merchants add check (merchant_id <> 'first');`), scratch);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(/^Migration \d+ \(later\) failed and was rolled back: check constraint [^\n]*\n$/);
  expect(readdirSync(scratch)).toEqual([]);
});

test('a backup that was altered anywhere, lacks a part or is opened by another key is refused', async () => {
  const segment = readdirSync(logOf(folder)).find((name) => /^[0-9A-F]{24}$/.test(name))!;
  const paths = [
    join(folder, manifest.backup, DATA),
    join(folder, manifest.backup, 'manifest.json'),
    join(logOf(folder), segment),
    join(logOf(folder), 'end.json'),
  ];
  for (const path of paths) {
    const whole = readFileSync(path);
    const bytes = Buffer.from(whole);
    const place = random.below(bytes.length - 100) + 50;
    bytes[place] = bytes[place]! ^ 1;
    try {
      writeFileSync(path, random.oneIn(2) ? bytes : whole.subarray(0, place));
      await expect(unpack(folder, key), path).rejects.toThrow(/altered|damaged/);
    } finally {
      writeFileSync(path, whole);
    }
  }
  renameSync(join(logOf(folder), segment), join(home, segment));
  await expect(unpack(folder, key)).rejects.toThrow('has a gap');
  renameSync(join(home, segment), join(logOf(folder), segment));
  await expect(unpack(folder, seededBytes(32))).rejects.toThrow('another key');
});

/** Unpacks all of a backup, as a restore does before PostgreSQL starts. */
async function unpack(from: string, sealing: Buffer | undefined): Promise<void> {
  const cluster = mkdtempSync(join(home, 'unpacked-'));
  try {
    await unpackBackup(await planRestore(from, sealing, undefined), cluster);
  } finally {
    rmSync(cluster, { recursive: true });
  }
}

test('a backup holds no master key, and without it nothing is written', async () => {
  const plan = await planRestore(folder, key, undefined);
  expect(() => requireKeysOf(plan, openMasterKeys({ masterKeys: [masterKey(seededBytes(32))], dataDir: '' }))).toThrow(
    'which is not held here',
  );
  expect(JSON.stringify(plan.manifest)).not.toContain(keyOfService.toString('hex'));
});

test.runIf(process.getuid?.() === 0)('a link or a pipe that PostgreSQL’s user plants is not read for it', async () => {
  const cluster = join(home, 'data', 'postgres');
  const victim = join(home, 'victim');
  writeFileSync(victim, 'of root');
  const { owner } = await withCluster(postgres.ownerUrl, 'backup', async (described) => described);
  await expect(openOwned(victim, owner)).rejects.toThrow(/not a plain file/);
  symlinkSync(victim, join(cluster, 'base', 'link'));
  await expect(openOwned(join(cluster, 'base', 'link'), owner)).rejects.toThrow(/not a plain file/);
  rmSync(join(cluster, 'base', 'link'));
  // A directory that became a link after it was listed.
  symlinkSync(home, join(cluster, 'base', 'link'));
  await expect(openOwned(join(cluster, 'base', 'link', 'victim'), owner)).rejects.toThrow(/not a plain file/);
  rmSync(join(cluster, 'base', 'link'));
  expect(spawnSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', join(cluster, 'pg_wal', 'pipe')]).status).toBe(0);
  await expect(openOwned(join(cluster, 'pg_wal', 'pipe'), owner)).rejects.toThrow(/not a plain file/);
  rmSync(join(cluster, 'pg_wal', 'pipe'));
});

test('a time that is not there, and a directory that is not empty, are refused', async () => {
  const later = systemClock.now().add({ hours: 1 });
  await expect(planRestore(folder, key, later)).rejects.toThrow(/goes until .*: take an earlier time/);
  await expect(planRestore(folder, key, between.subtract({ hours: 1 }))).rejects.toThrow('The first time that');
  const used = target();
  writeFileSync(join(used, 'note'), '');
  await expect(restoreBackup(await planRestore(folder, key, undefined), used)).rejects.toThrow('is not empty');
});

/**
 * Runs a command, and kills it up to some looks after it made an entry of that name. The entry shows a stage.
 * The time from its start would mostly meet the start of Node. False: it ended without that entry.
 */
async function killed(words: readonly string[], directory: string, stage: string): Promise<boolean> {
  const earlier = new Set(globSync(stage, { cwd: directory }));
  let reached = false;
  let looks = random.below(LOOKS);
  const child = spawn(process.execPath, [CLI, ...words], { env: { PATH: process.env['PATH'], ...settings }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    return await eventually(BACKUP_MS, () => {
      reached ||= globSync(stage, { cwd: directory }).some((name) => !earlier.has(name));
      if (child.exitCode === null) expect(reached && looks-- <= 0).toBe(true);
      return reached;
    });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

test('a backup that is killed at any moment is whole, or none; the next one succeeds', { timeout: 120_000 * KILLS }, async () => {
  const other = join(home, 'others');
  for (const stage of STAGES_OF_BACKUP) {
    // PostgreSQL notices the end of a killed command a moment later, and lets the next one in.
    while (!(await killed(['backup', other, '--keep', '1'], other, stage)));
    if ((await readBackups(other, undefined)).length > 0) await unpack(other, undefined);
  }
  const { backup } = await eventually(BACKUP_MS, () => backUp(other, { key: undefined, keep: 1 }));
  expect(readdirSync(other)).toEqual([backup]);
});

const killedAtEachStep = 'a backup that is killed before any of its steps leaves a whole one, also where it removes others';
test.runIf(isLong)(killedAtEachStep, async () => {
  const first = join(home, 'first');
  await backUp(first, { key: undefined, keep: undefined });
  await keepLog({ ownerUrl: postgres.ownerUrl, folder: first, key: undefined });
  const [{ backup: earlier }] = (await readBackups(first, undefined)) as [Manifest];
  const whole = new Set<string>();
  let step = MANIFEST_IS_NAMED;
  for (let isKilled = true; isKilled; step++) {
    const other = join(home, `step-${step}`);
    cpSync(first, other, { recursive: true });
    isKilled = (await backUpAndDie(other, step)) === 'SIGKILL';
    const names = (await readBackups(other, undefined)).map(({ backup }) => (backup === earlier ? 'earlier' : 'new'));
    expect(names, `killed before its step ${step}`).not.toEqual([]);
    await unpack(other, undefined);
    whole.add(names.join(' and '));
  }
  expect([...whole]).toEqual(['earlier', 'earlier and new', 'new']);
});

/** Makes a backup that replaces the others, and kills it before its step of that number. Gives null where it has fewer. */
function backUpAndDie(other: string, step: number): Promise<NodeJS.Signals | null> {
  const env = { ...settings, PATH: process.env['PATH'], CAUDAL_TEST_FOLDER: other, CAUDAL_TEST_STEP: String(step) };
  // Until PostgreSQL has noticed the end of the one before, it is refused.
  return eventually(BACKUP_MS, async () => {
    const child = spawn(process.execPath, ['--import', DIE_AT_STEP, CLI, 'backup', other, '--keep', '1'], { env, stdio: 'ignore' });
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    expect(code ?? 0).toBe(0);
    return signal;
  });
}

test('a restore that is killed at any moment is whole, or no server starts on it', { timeout: 120_000 * KILLS }, async () => {
  for (const stage of STAGES_OF_RESTORE) {
    const directory = target();
    expect(await killed(['restore', folder, '--key-file', join(home, 'key'), '--into', directory], directory, stage)).toBe(true);
    const start = startEmbeddedPostgres({ name: 'caudal', dataDir: directory, command: 'npm test', log: createLog('silent') });
    const started = await start.catch((error: unknown) => error as Error);
    if (started instanceof Error) {
      expect(started.message).toMatch(/did not come to its end|is in use by/);
      continue;
    }
    expect(await merchantsOf(started)).toEqual(['first', 'second', 'zero']);
    await started.stop();
  }
});
