import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandRefused } from '../../kit/command-line.ts';
import {
  DATA,
  flushDirectory,
  keyName,
  logOf,
  placeOf,
  readBackups,
  removeUnfinished,
  writeManifest,
  writePacked,
  type BackedUpFile,
  type BackupKey,
  type Manifest,
} from './backup-folder.ts';
import { isOfBackup } from './unpack-backup.ts';
import { isSegment, readNow, readValue, segmentsBetween, withCluster, endSegment, type Cluster } from './walk-log.ts';

export type MakeBackup = {
  readonly ownerUrl: string;
  readonly folder: string;
  readonly key: BackupKey;
  readonly caudal: string;
  /** How many whole backups stay, this one included. Undefined: all. */
  readonly keep: number | undefined;
  /** Opens secrets of the database, and gives the fingerprints of the master keys. Throws where one does not open. */
  readonly proveMasterKeys: () => Promise<readonly string[]>;
};

/** Directories whose files PostgreSQL makes at its start. The log comes by its own way. */
const EMPTIED = new Set(['pg_wal', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans']);
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label.*|tablespace_map.*|current_logfiles.*)$/;
const CONTROL_FILE = join('global', 'pg_control');

/**
 * Makes a backup of an embedded database while servers run.
 * Shape: → its manifest. Refuses: a folder with backups of another database; master keys that open nothing.
 * Effects: a new folder in the folder. It counts as a backup when its manifest is there, which comes last.
 */
export async function makeBackup(given: MakeBackup): Promise<Manifest> {
  const { folder, key } = given;
  await given.proveMasterKeys();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return withCluster(given.ownerUrl, 'backup', async (cluster) => {
    const earlier = await readBackups(folder, key);
    if (earlier.some(({ systemIdentifier }) => systemIdentifier !== cluster.systemIdentifier))
      throw new CommandRefused(`${folder} has backups of another database: take a folder for each database.`);
    await removeUnfinished(folder);
    const startedAt = await readNow(cluster.client);
    const backup = `${startedAt.replaceAll(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;
    const directory = join(folder, backup);
    await mkdir(directory, { mode: 0o700 });
    const manifest = await copy(cluster, { ...given, directory, backup, startedAt });
    await writeManifest(folder, manifest, key);
    await flushDirectory(folder);
    await prune(folder, [...earlier, manifest], given.keep);
    return manifest;
  });
}

type Copying = MakeBackup & { readonly directory: string; readonly backup: string; readonly startedAt: string };

async function copy(cluster: Cluster, copying: Copying): Promise<Manifest> {
  const { client, segmentBytes } = cluster;
  const { backup, directory, key, startedAt } = copying;
  // The slot goes with the connection. While it lives, the log of this backup stays.
  await client.query(`select pg_create_physical_replication_slot($1, true, true)`, [`caudal_${backup.toLowerCase().replaceAll('-', '_')}`]);
  const startLsn = await readValue<string>(client, `pg_backup_start('${backup}', fast => true)`);
  const { files: paths, directories } = await listCluster(cluster.directory);
  const files: BackedUpFile[] = [];
  let stopped = { stopLsn: '', finishedAt: '', segments: [] as readonly string[] };
  async function* contents(): AsyncGenerator<Buffer> {
    for (const path of paths) yield* readFiles(cluster, path, files);
    const { rows } = await client.query<{ lsn: string; label: string; map: string }>(
      'select lsn, labelfile as label, spcmapfile as map from pg_backup_stop(false)',
    );
    const { lsn, label, map } = rows[0]!;
    if (map !== '') throw new CommandRefused('This database has tablespaces: take pg_basebackup.');
    const finishedAt = await readNow(client);
    const last = await endSegment(client);
    const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? '';
    stopped = { stopLsn: lsn, finishedAt, segments: segmentsBetween(first, last, segmentBytes) };
    for (const name of stopped.segments) yield* readFiles(cluster, join('pg_wal', name), files);
    const text = Buffer.from(label);
    files.push({ path: 'backup_label', bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') });
    yield text;
  }
  await writePacked(join(directory, DATA), contents(), key, placeOf(cluster, backup));
  const { stopLsn, finishedAt, segments } = stopped;
  return {
    format: 1,
    backup,
    systemIdentifier: cluster.systemIdentifier,
    timeline: cluster.timeline,
    startedAt,
    finishedAt,
    startLsn,
    stopLsn,
    firstSegment: segments[0]!,
    lastSegment: segments.at(-1)!,
    segmentBytes,
    caudal: copying.caudal,
    schema: await readValue<number>(client, '(select max(version) from schema_migrations)'),
    postgres: cluster.postgres,
    masterKeys: await copying.proveMasterKeys(),
    sealedUnder: keyName(key),
    directories,
    files,
  };
}

async function listCluster(cluster: string): Promise<{ files: readonly string[]; directories: readonly string[] }> {
  const files: string[] = [];
  const directories: string[] = [];
  const walk = async (inside: string): Promise<void> => {
    for (const entry of await readdir(join(cluster, inside), { withFileTypes: true })) {
      const path = join(inside, entry.name);
      if (LEFT_OUT.test(entry.name) || !isOfBackup(path)) continue;
      if (entry.isDirectory()) {
        directories.push(path);
        if (!EMPTIED.has(path)) await walk(path);
      } else if (entry.isFile() && path !== CONTROL_FILE) files.push(path);
    }
  };
  await walk('');
  directories.push(join('pg_wal', 'archive_status'), join('pg_wal', 'summaries'));
  // The last: it says where the log was.
  return { files: [...files, CONTROL_FILE], directories };
}

/**
 * Opens a plain file of PostgreSQL's user. Since it was listed, that user may have put a link in its place, or in that of its directory.
 * Refuses: a file of somebody else, a link, a pipe.
 */
export async function openOwned(path: string, owner: number): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: unknown) => {
    throw isPlanted(error) ? plantedAt(path) : error;
  });
  const stat = await file.stat();
  if (stat.isFile() && stat.uid === owner) return file;
  await file.close();
  throw plantedAt(path);
}

const isPlanted = (error: unknown): boolean => ['ELOOP', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '');

const plantedAt = (path: string): CommandRefused =>
  new CommandRefused(`${path} is not a plain file of the database. PostgreSQL makes no such file: find out who put it there.`);

/** Reads a file to its end while PostgreSQL writes it: the log repairs what tears. A file that is gone since is not part of the backup. */
async function* readFiles({ directory, owner }: Cluster, path: string, done: BackedUpFile[]): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  let file: FileHandle;
  try {
    file = await openOwned(join(directory, path), owner);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isSegment(basename(path))) throw error;
    return;
  }
  try {
    for await (const part of readParts(file)) {
      hash.update(part);
      bytes += part.length;
      yield part;
    }
  } finally {
    await file.close();
  }
  done.push({ path, bytes, sha256: hash.digest('hex') });
}

const PART_BYTES = 2 ** 20;

/**
 * Reads a file in parts that nobody else uses. Most files of a cluster are small, and their buffers are too. With a whole part for each,
 * collecting garbage took two thirds of a backup's processor time. The end is looked for in what is left of a buffer.
 */
async function* readParts(file: FileHandle): AsyncGenerator<Buffer> {
  let left = Buffer.alloc(0);
  for (let { size } = await file.stat(); ; size = PART_BYTES) {
    if (left.length === 0) left = Buffer.allocUnsafe(Math.min(size + 1, PART_BYTES));
    const { bytesRead } = await file.read(left);
    if (bytesRead === 0) return;
    yield left.subarray(0, bytesRead);
    left = left.subarray(bytesRead);
  }
}

/**
 * Removes the oldest backups, and the log from before the oldest that stays. Only after the manifest of the new one is on the disk.
 * A manifest goes first: the rest is not a backup then, also after a loss of power.
 */
async function prune(folder: string, backups: readonly Manifest[], keep: number | undefined): Promise<void> {
  if (keep === undefined) return;
  for (const { backup } of backups.slice(0, -keep)) {
    await rm(join(folder, backup, 'manifest.json'));
    await flushDirectory(join(folder, backup));
    await rm(join(folder, backup), { recursive: true });
  }
  const needed = backups.slice(-keep).map(({ firstSegment }) => firstSegment.slice(8));
  const oldest = needed.toSorted()[0]!;
  for (const name of await readdir(logOf(folder)).catch(() => []))
    if (isSegment(name) && name.slice(8) < oldest) await rm(join(logOf(folder), name));
}

/** The version of this program, as its package says it. */
export async function readVersion(): Promise<string> {
  return (JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}
