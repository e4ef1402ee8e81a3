import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { EmbeddedPostgres } from '@caudal/embedded-postgres';
import { runCheck } from '../../kit/checks/run-check.ts';
import {
  CommandRefused,
  print,
  printJson,
  reachedCells,
  table,
  withConnection,
  type Connect,
  type Connection,
} from '../../kit/command-line.ts';
import { systemClock } from '../../kit/clock.ts';
import type { AppliedMigration } from '../../kit/migrate.ts';
import { HOME } from '../../kit/per-cell.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import { withSnapshot } from '../../kit/snapshot.ts';
import { readSandboxClock } from '../../sandbox/index.ts';
import { connectionFor } from '../commands/act-on-connection.ts';
import type { Doing } from '../commands/command-acts.ts';
import { openForCommand } from '../cells/open-cells.ts';
import { readConfig, type Config } from '../config.ts';
import { openChecks } from '../connect.ts';
import { requireMode } from '../database-mode.ts';
import { openMasterKeys, proveMasterKeys } from '../keys/master-keys.ts';
import { prepareSchema } from '../migrations.ts';
import { readBackups, readKeyFile, readLogEnd, type Manifest } from './backup-folder.ts';
import { keepLog, stopKeepingLog } from './keep-log.ts';
import { makeBackup, readVersion } from './make-backup.ts';
import { requireKeysOf, restoreBackup } from './restore-backup.ts';
import { planRestore, type Plan } from './unpack-backup.ts';

export type KeyOption = { readonly keyFile?: string };
export type TrustOption = { readonly trust?: boolean };
export type JsonOption = { readonly json?: true };

function ownerUrlOf({ embeddedOwnerUrl }: Connection): string {
  if (embeddedOwnerUrl !== undefined) return embeddedOwnerUrl;
  throw new CommandRefused(
    'This backs up the embedded database. Of your own PostgreSQL its tools know more: pgBackRest (docs/operations/backup.md), or once: ' +
      'pg_basebackup --dbname "$CAUDAL_MIGRATIONS_DATABASE_URL" --pgdata DIR --format tar --gzip --checkpoint fast',
  );
}

export async function runMake(connect: Connect, dir: string, options: KeyOption & JsonOption & { readonly keep?: number }): Promise<void> {
  const key = await readKeyFile(options.keyFile);
  await withConnection(connect, async (connection) => {
    const manifest = await makeBackup({
      ownerUrl: ownerUrlOf(connection),
      folder: resolve(dir),
      key,
      caudal: await readVersion(),
      keep: options.keep,
      proveMasterKeys: () => proveMasterKeys(connection.ownDb, connection.keys),
    });
    if (options.json) return printJson(describe(manifest));
    const { backup, masterKeys, sealedUnder } = manifest;
    print(
      `The backup ${backup} is whole: ${sizeOf(manifest)} of files, ${sealedUnder === null ? 'not sealed' : `sealed under ${sealedUnder}`}.\n`,
    );
    const others = [...reachedCells(connection).names].filter(([cell]) => cell !== HOME).map(([, name]) => name);
    if (others.length > 0) print(`It is home alone. Each cell has a backup of its own: ${others.join(', ')}.\n`);
    if (masterKeys.length > 0) print(`Its secrets need the master key ${masterKeys.join(', ')}, which is not in it.\n`);
  });
}

export async function runLog(connect: Connect, dir: string, options: KeyOption & JsonOption & { readonly stop?: true }): Promise<void> {
  const key = await readKeyFile(options.keyFile);
  await withConnection(connect, async (connection) => {
    const ownerUrl = ownerUrlOf(connection);
    if (options.stop) {
      await stopKeepingLog(ownerUrl);
      return print('The database keeps no log for backups any more.\n');
    }
    const { through, copied } = await keepLog({ ownerUrl, folder: resolve(dir), key });
    if (options.json) return printJson({ through, copied });
    print(`Every write before ${through} can be restored (${copied} segments were copied).\n`);
  });
}

export async function runList(dir: string, options: KeyOption & JsonOption): Promise<void> {
  const key = await readKeyFile(options.keyFile);
  const backups = await readBackups(resolve(dir), key);
  const end = await readLogEnd(resolve(dir), key);
  if (options.json) return printJson({ backups: backups.map(describe), logThrough: end?.through ?? null });
  const rows = backups.map((one) => [one.backup, one.finishedAt, sizeOf(one), one.caudal, one.schema, one.sealedUnder ?? ''] as const);
  print(
    rows.length === 0 ? 'There is no complete backup.\n' : table(['BACKUP', 'FINISHED', 'SIZE', 'CAUDAL', 'SCHEMA', 'SEALED UNDER'], rows),
  );
  if (end !== undefined) print(`The log goes until ${end.through}.\n`);
}

export type RestoreOptions = KeyOption & JsonOption & TrustOption & { readonly toTime?: Temporal.Instant; readonly into?: string };

export async function runRestore(doing: Doing, dir: string, options: RestoreOptions): Promise<void> {
  const config = readConfig(process.env);
  const dataDir = resolve(options.into ?? config.dataDir);
  const plan = await planRestore(resolve(dir), await readKeyFile(options.keyFile), options.toTime, options.trust);
  await withRestored(plan, { ...config, dataDir }, doing, async (connection, _seconds, database) => {
    await connection.close();
    database.restored();
  });
  const { backup } = plan.manifest;
  if (options.json) return printJson({ backup, into: dataDir, toTime: options.toTime?.toString() ?? null });
  print(`${backup} is restored into ${dataDir}, and its secrets open. Make a new backup of it, and keep its log from there.\n`);
}

export type RehearseOptions = KeyOption & JsonOption & TrustOption & { readonly toTime?: Temporal.Instant; readonly scratch?: string };

export async function runRehearse(doing: Doing, dir: string, options: RehearseOptions): Promise<void> {
  const { seconds, restoreSeconds, ...report } = await rehearse(doing, dir, options);
  if (options.json) return printJson({ ...report, seconds, restoreSeconds });
  print(
    `${report.backup} restores: ${report.promises} promises hold, and its secrets open. ` +
      `Restoring took ${minutes(restoreSeconds)}, all of it ${minutes(seconds)}.\n`,
  );
}

export type UpgradeOptions = RehearseOptions & { readonly older?: string };

export async function runRehearseUpgrade(doing: Doing, dir: string, options: UpgradeOptions): Promise<void> {
  const report = await rehearse(doing, dir, options);
  if (options.json) return printJson(report);
  const rows = report.applied.map(({ version, title, milliseconds, blocked }) => [
    version,
    title,
    Math.ceil(milliseconds),
    blocked.join(', '),
  ]);
  print(rows.length === 0 ? 'The backup has the schema of this release.\n' : table(['MIGRATION', 'TITLE', 'MS', 'WRITES WAIT FOR'], rows));
  if (report.older !== undefined) print(`The earlier release on the new schema: ${report.older}\n`);
  print(`After the upgrade ${report.promises} promises hold, and secrets open. It took ${minutes(report.seconds)} with the restore.\n`);
}

type Rehearsal = {
  readonly backup: string;
  readonly promises: number;
  readonly restoreSeconds: number;
  readonly seconds: number;
  readonly applied: readonly AppliedMigration[];
  readonly older: string | undefined;
};

/** Restores into a directory of its own, migrates, proves all that `verify` proves, and removes everything. */
async function rehearse(doing: Doing, dir: string, options: UpgradeOptions): Promise<Rehearsal> {
  const config = readConfig(process.env);
  const plan = await planRestore(resolve(dir), await readKeyFile(options.keyFile), options.toTime, options.trust);
  const keys = openMasterKeys(config);
  const startedAt = performance.now();
  const dataDir = mkdtempSync(join(options.scratch ?? tmpdir(), 'caudal-rehearse-'));
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
  try {
    const applied: AppliedMigration[] = [];
    const hooks = { keys, onApplied: (migration: AppliedMigration) => void applied.push(migration) };
    const proved = await withRestored(
      plan,
      { ...config, dataDir },
      doing,
      async (connection, restoreSeconds) => ({
        promises: await prove(connection),
        restoreSeconds,
        older: options.older === undefined ? undefined : tryOlder(options.older, dataDir),
      }),
      hooks,
    );
    return { backup: plan.manifest.backup, ...proved, applied, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    removeScratch(dataDir);
  }
}

/** Gives the number of promises. Refuses: a promise that does not hold. */
async function prove(connection: Connection): Promise<number> {
  const checks = await openChecks(connection);
  await withSnapshot(connection.url, async (snapshot) => {
    for (const check of checks) {
      const { finding } = await runCheck(check, snapshot, connection.clock.now());
      if (finding === undefined) continue;
      throw new CommandRefused(`Not true in the backup: ${check.promise}. ${finding.merchantId} ${finding.id} ${finding.problem}.`);
    }
  });
  return checks.length;
}

/** An earlier release must work on the new schema, or refuse it in one line. It runs a command that needs no master key. */
function tryOlder(folder: string, dataDir: string): string {
  const { DATABASE_URL: _other, ...environment } = process.env;
  const { status, stderr, error } = spawnSync(join(resolve(folder), 'caudal'), ['master-key', 'status'], {
    env: { ...environment, CAUDAL_DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  if (error !== undefined) throw new CommandRefused(`There is no Caudal in ${folder}: ${error.message}.`);
  const said = stderr.replace(/^Database: .*\n/, '').trim();
  if (status === 0) return 'it works.';
  if (status === 1 && /^This database has schema version [^\n]*$/.test(said)) return `it refuses: ${said}`;
  throw new CommandRefused(`The earlier release neither works nor refuses the new schema: ${said.split('\n')[0]}`);
}

type RestoreHooks = { readonly keys?: MasterKeys; readonly onApplied?: (migration: AppliedMigration) => void };

/** Restores, brings the schema up to date and proves the master keys. Then does the work, and stops the database. */
async function withRestored<T>(
  plan: Plan,
  config: Config,
  doing: Doing,
  work: (connection: Connection, restoreSeconds: number, database: EmbeddedPostgres) => Promise<T>,
  { keys = openMasterKeys(config), onApplied }: RestoreHooks = {},
): Promise<T> {
  requireKeysOf(plan, keys);
  const startedAt = performance.now();
  const database = await restoreBackup(plan, config.dataDir);
  const restoreSeconds = (performance.now() - startedAt) / 1000;
  const db = openForCommand(database.url);
  try {
    await prepareSchema(database, config.mode, onApplied === undefined ? {} : { onApplied });
    await requireMode(db, config.mode);
    await proveMasterKeys(db, keys);
    const clock = config.mode === 'sandbox' ? await readSandboxClock(db, systemClock) : systemClock;
    const own = { url: database.url, db, keys, clock, isSandbox: config.mode === 'sandbox', close: async () => undefined };
    return await work(connectionFor(own, doing), restoreSeconds, database);
  } finally {
    await db.close();
    await database.stop();
  }
}

/** Root's cluster may be elsewhere, behind a link. */
function removeScratch(dataDir: string): void {
  try {
    const cluster = realpathSync(join(dataDir, 'postgres'));
    if (dirname(cluster) !== realpathSync(dataDir)) rmSync(dirname(cluster), { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  rmSync(dataDir, { recursive: true, force: true });
}

function describe({ files, directories: _directories, ...rest }: Manifest): object {
  return { ...rest, files: files.length, bytes: bytesOf({ files }) };
}

const bytesOf = ({ files }: Pick<Manifest, 'files'>): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
const sizeOf = (manifest: Manifest): string => `${(bytesOf(manifest) / 2 ** 20).toFixed(0)} MiB`;
const minutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} minutes`;
