import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresFailure, lastComplaint } from './failure.ts';
import { BELONGS_TO, type Places } from './places.ts';
import type { RunAs } from './run-as.ts';
import { spawnTied } from './tied-process.ts';

/** A killed start leaves one behind: its initdb may need a moment to notice, so each start takes a name of its own. */
const UNFINISHED = '.unfinished-';
const SETTINGS_FILE = 'caudal.conf';

const MEBIBYTE = 2 ** 20;
/**
 * What the database keeps of its tables in memory of its own: an eighth of what there is, for the service and others live beside it. With
 * less than the orders that change take, it reads and writes their pages over and over (a million orders: 256 MB, 108 µs an update; 1 GB, 51 µs).
 */
const SHARED_MEBIBYTES = { least: 128, most: 1024, share: 1 / 8 } as const;

function sharedMebibytes(): number {
  const { least, most, share } = SHARED_MEBIBYTES;
  // Without a limit it is 0 or beyond the machine's memory.
  const allowed = process.constrainedMemory();
  const bytes = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return Math.min(most, Math.max(least, Math.floor((bytes * share) / MEBIBYTE)));
}

/** Written at each start, so that an upgrade can change it; postgresql.auto.conf (ALTER SYSTEM) is read later and wins. */
const settings = (): string => `# Written by Caudal at each start. Use ALTER SYSTEM for settings of your own.
max_connections = 100
shared_buffers = ${sharedMebibytes()}MB
max_wal_size = 2GB
# Whole pages go into the log as they are: compressing each took longer than writing it (a batch of 32 updates: 3.1 ms, now 1.8).
wal_compression = off
jit = off # our statements are short: compiling them costs more than it saves
log_checkpoints = off
log_min_messages = warning
# A statement or a row in the log could hold a secret or a customer's data.
log_min_error_statement = panic
log_error_verbosity = terse
log_line_prefix = '%m [%p] '
log_timezone = 'UTC'
timezone = 'UTC'
`;

const NOT_DURABLE = `fsync = off
synchronous_commit = off
full_page_writes = off
`;

/**
 * Makes the cluster where there is none, and writes today's settings into it.
 * Shape: places, binaries, user; durable false leaves out every flush (tests).
 * Refuses: a cluster of another major version (EmbeddedPostgresFailure).
 * Effects: a new cluster appears under its name only when it is whole; in the root store a link in the data directory leads to it.
 */
export async function prepareCluster(places: Places, binaries: Binaries, runAs: RunAs, durable: boolean): Promise<void> {
  if (existsSync(join(places.cluster, 'PG_VERSION'))) refuseOtherVersion(places.cluster, binaries.major);
  else await createCluster(places, binaries, runAs, durable);
  const file = join(places.cluster, SETTINGS_FILE);
  writeFileSync(file, durable ? settings() : settings() + NOT_DURABLE, { mode: 0o600 });
  runAs.own(file);
}

function refuseOtherVersion(cluster: string, major: number): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === String(major)) return;
  throw new EmbeddedPostgresFailure(
    `${cluster} was written by PostgreSQL ${found} and this Caudal brings ${major}: dump it with pg_dump ${found} while the older Caudal runs, ` +
      `move the directory away, start this Caudal and restore the dump with psql.`,
  );
}

async function createCluster(places: Places, binaries: Binaries, runAs: RunAs, durable: boolean): Promise<void> {
  if (places.cluster !== places.entry) makeRootHome(places);
  removeUnfinished(places.cluster);
  const unfinished = `${places.cluster}${UNFINISHED}${process.pid}`;
  mkdirSync(unfinished, { mode: 0o700 });
  runAs.own(unfinished);
  try {
    await initdb(unfinished, binaries, runAs, durable);
    appendFileSync(join(unfinished, 'postgresql.conf'), `\ninclude '${SETTINGS_FILE}'\n`);
    renameSync(unfinished, places.cluster);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  if (places.cluster !== places.entry) symlinkSync(places.cluster, places.entry);
}

/** The mode is set, not asked for: root's umask must not close the way for `nobody`. */
function makeRootHome(places: Places): void {
  const home = dirname(places.cluster);
  mkdirSync(home, { recursive: true });
  chmodSync(dirname(home), 0o711);
  chmodSync(home, 0o711);
  writeFileSync(join(home, BELONGS_TO), `${places.dataDir}\n`);
}

async function initdb(directory: string, binaries: Binaries, runAs: RunAs, durable: boolean): Promise<void> {
  const options = ['-D', directory, '-U', 'caudal', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions'];
  const child = spawnTied([binaries.initdb, ...(durable ? options : [...options, '--no-sync'])], runAs, () => {});
  if ((await child.exited) === 0) return;
  const words = child.lastWords();
  const reason = lastComplaint(words) ?? words.trim().split('\n').at(-1);
  throw new EmbeddedPostgresFailure(`The embedded PostgreSQL cannot make its database in ${dirname(directory)}: ${reason}`);
}

function removeUnfinished(cluster: string): void {
  const home = dirname(cluster);
  for (const name of readdirSync(home).filter((entry) => entry.startsWith(`${basename(cluster)}${UNFINISHED}`))) {
    try {
      rmSync(join(home, name), { recursive: true, force: true });
    } catch (error) {
      // The initdb of a start that was killed this very moment still writes: the next start clears it away.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

/**
 * Finds the live postmaster of a cluster, ours or left by a killed owner.
 * Shape: cluster → process id, or undefined; a process that merely got the number of a dead one does not count.
 */
export function findPostmaster(cluster: string): number | undefined {
  const processId = recordedProcessId(cluster);
  return processId !== undefined && isPostmasterOf(processId, cluster) ? processId : undefined;
}

/**
 * Clears a postmaster.pid whose process is dead and whose number another process has got since (usual in containers, where numbers
 * are small): PostgreSQL would take that one for itself. It still refuses to start beside processes that share the old one's memory.
 * Effects: removes the file; call it only as the owner and with no postmaster alive.
 */
export function clearReusedProcessId(cluster: string): void {
  const processId = recordedProcessId(cluster);
  if (processId !== undefined && isAlive(processId)) rmSync(join(cluster, 'postmaster.pid'));
}

function recordedProcessId(cluster: string): number | undefined {
  try {
    const processId = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
    return Number.isNaN(processId) ? undefined : processId;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isPostmasterOf(processId: number, cluster: string): boolean {
  if (!isAlive(processId)) return false;
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(processId)], { encoding: 'utf8' }).stdout.includes(`-D ${cluster} `);
  }
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'utf8').includes(`\0-D\0${cluster}\0`);
  } catch {
    return false; // It ended in between.
  }
}
