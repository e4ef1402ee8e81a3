import { createHash } from 'node:crypto';
import { lstat, mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { CommandRefused } from '../../kit/command-line.ts';
import {
  DATA,
  keyName,
  logOf,
  placeOf,
  readBackups,
  readLogEnd,
  readPacked,
  type BackedUpFile,
  type BackupKey,
  type Manifest,
} from './backup-folder.ts';
import { nextSegment, segmentsBetween } from './walk-log.ts';

/** What a restore begins with, and how far it goes. */
export type Plan = {
  readonly folder: string;
  readonly key: BackupKey;
  readonly manifest: Manifest;
  /** Of the kept log, from the end of the backup on. */
  readonly segments: readonly string[];
  /** Undefined: to the end of what is there. */
  readonly toTime: Temporal.Instant | undefined;
  /** No seal proves who made it, and nobody vouches for it. */
  readonly mustBeOurs: boolean;
};

/**
 * Chooses the newest backup that serves, and the log after it.
 * Refuses: a folder without one; a time that it does not reach; a log with a gap.
 */
export async function planRestore(folder: string, key: BackupKey, toTime: Temporal.Instant | undefined, isTrusted = false): Promise<Plan> {
  const mustBeOurs = key === undefined && !isTrusted;
  if (mustBeOurs) await refuseWritableByOthers(folder);
  const backups = await readBackups(folder, key);
  const [first] = backups;
  if (first === undefined) throw new CommandRefused(`${folder} has no whole backup.`);
  const manifest = backups.findLast(
    ({ finishedAt }) => toTime === undefined || Temporal.Instant.compare(Temporal.Instant.from(finishedAt), toTime) <= 0,
  );
  if (manifest === undefined) throw new CommandRefused(`The first time that ${folder} can restore is ${first.finishedAt}.`);
  if (manifest.sealedUnder !== keyName(key)) throw new CommandRefused('This backup has another key: give it with --key-file.');
  const segments = await readSegments(folder, key, manifest, toTime);
  return { folder, key, manifest, segments, toTime, mustBeOurs };
}

/** What others can write may be theirs by now: without a key, the seal finds accidents only. */
async function refuseWritableByOthers(folder: string): Promise<void> {
  const inside = await readdir(folder, { recursive: true }).catch(() => []);
  for (const path of [folder, ...inside.map((name) => join(folder, name))]) {
    const { uid, mode } = await lstat(path).catch(() => ({ uid: 0, mode: 0 }));
    if ((uid === 0 || uid === process.getuid?.()) && (mode & 0o022) === 0) continue;
    throw new CommandRefused(
      `Nobody sealed this backup, and other users can write ${path}. Take the right away (chmod -R go-w ${folder}), or name it yours by --trust.`,
    );
  }
}

async function readSegments(
  folder: string,
  key: BackupKey,
  { systemIdentifier, timeline, lastSegment, segmentBytes, finishedAt }: Manifest,
  toTime: Temporal.Instant | undefined,
): Promise<readonly string[]> {
  const there = new Set(await readdir(logOf(folder)).catch(() => []));
  const end = await readLogEnd(folder, key);
  const next = nextSegment(lastSegment, segmentBytes);
  if (end === undefined || end.systemIdentifier !== systemIdentifier || end.timeline !== timeline) {
    // The log of a database that was restored since. PostgreSQL itself refuses a time that it does not reach.
    const names: string[] = [];
    for (let name = next; there.has(name); name = nextSegment(name, segmentBytes)) names.push(name);
    if (toTime !== undefined && names.length === 0) throw new CommandRefused(`Without a log, ${folder} ends at ${finishedAt}.`);
    return names;
  }
  if (toTime !== undefined && Temporal.Instant.compare(toTime, Temporal.Instant.from(end.through)) >= 0)
    throw new CommandRefused(`The log in ${folder} goes until ${end.through}: take an earlier time, or none for all of it.`);
  const needed = segmentsBetween(next, end.lastSegment, segmentBytes);
  const gap = needed.find((name) => !there.has(name));
  if (gap !== undefined) throw new CommandRefused(`The log in ${folder} has a gap: ${gap} is missing.`);
  return needed;
}

/** Fills a cluster: the files of the backup, the log, and the order to recover. Refuses: a file that is not as the manifest says. */
export async function unpackBackup({ folder, key, manifest, segments, toTime }: Omit<Plan, 'mustBeOurs'>, cluster: string): Promise<void> {
  const { backup, directories, files, segmentBytes } = manifest;
  for (const path of directories)
    if (DATA_DIRECTORY.test(path) || EMPTY_DIRECTORY.test(path)) await mkdir(inside(cluster, path), { recursive: true, mode: 0o700 });
  let sizes: readonly string[] = [];
  const from = join(folder, backup, DATA);
  await readPacked(from, key, placeOf(manifest, backup), (bytes) =>
    writeFiles(bytes, files, cluster, from, (text) => void (sizes = [...sizes, ...(text.match(SIZES) ?? [])])),
  );
  for (const name of segments) {
    const segment = join(logOf(folder), name);
    const file = { path: join('pg_wal', name), bytes: segmentBytes, sha256: undefined };
    await readPacked(segment, key, placeOf(manifest, name), (bytes) => writeFiles(bytes, [file], cluster, segment));
  }
  // All of the log is in the cluster: a command that fetches more of it always fails. Nothing of the database runs by itself.
  const settings = [
    ...sizes,
    "restore_command = 'false'",
    "recovery_target_timeline = 'current'",
    'autovacuum = off',
    'max_logical_replication_workers = 0',
  ];
  if (toTime !== undefined)
    settings.push(
      `recovery_target_time = '${toTime.toString().replace('T', ' ').replace('Z', '+00')}'`,
      "recovery_target_action = 'promote'",
    );
  const anew = {
    [SYSTEM_SETTINGS]: `${settings.join('\n')}\n`,
    'postgresql.conf': "include_if_exists 'caudal.conf'\n", // For the release before, which has its settings there.
    'pg_hba.conf': 'local all all trust\n',
    'pg_ident.conf': '',
  };
  for (const [name, text] of Object.entries(anew)) await writeFile(join(cluster, name), text, { mode: 0o600, flag: 'wx' });
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
}

/** The settings of a recovery, for its end. */
export const RECOVERY_SETTINGS = [
  'restore_command',
  'recovery_target_timeline',
  'recovery_target_time',
  'recovery_target_action',
  'autovacuum',
  'max_logical_replication_workers',
] as const;

const SYSTEM_SETTINGS = 'postgresql.auto.conf';
const MOST_SETTINGS = 65_536;
/** The log can be replayed only with as much of these as it was written with. They are numbers, and can be nothing else. */
const SIZES =
  /^(?:max_connections|max_worker_processes|max_wal_senders|max_prepared_transactions|max_locks_per_transaction) = '\d{1,5}'$/gm;

/** What is data in a cluster. The rest says how PostgreSQL runs, or where else it has files: it is read over, or written anew. */
const DATA_DIRECTORY = /^(?:base|global|pg_(?:xact|multixact|commit_ts|logical|stat|twophase|wal))(?:\/[\w.-]+)*$/;
/** PostgreSQL expects them, and fills them itself. */
const EMPTY_DIRECTORY = /^pg_(?:dynshmem|notify|replslot|serial|snapshots|stat_tmp|subtrans|tblspc)$/;
const DATA_FILE = /^(?:PG_VERSION|backup_label)$/;

/** What a backup takes of a cluster: what a restore brings back, and the sizes. */
export const isOfBackup = (path: string): boolean =>
  path === SYSTEM_SETTINGS || DATA_FILE.test(path) || DATA_DIRECTORY.test(path) || EMPTY_DIRECTORY.test(path);

const isData = (path: string): boolean => DATA_FILE.test(path) || (path.includes('/') && DATA_DIRECTORY.test(path));

/** A manifest that somebody made must not write elsewhere. */
function inside(cluster: string, path: string): string {
  const target = resolve(cluster, path);
  if (!target.startsWith(cluster + sep)) throw new CommandRefused(`The backup names a file outside of the database: ${path}.`);
  return target;
}

type Expected = Pick<BackedUpFile, 'path' | 'bytes'> & { readonly sha256: string | undefined };

async function writeFiles(
  bytes: AsyncIterable<Buffer>,
  files: readonly Expected[],
  cluster: string,
  from: string,
  take: (settings: string) => void = () => undefined,
): Promise<void> {
  const damaged = (): CommandRefused => new CommandRefused(`${from} was altered or cut off.`);
  const parts = bytes[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  for (const { path, bytes: size, sha256 } of files) {
    const hash = createHash('sha256');
    const target = inside(cluster, path);
    const file = isData(path) ? await open(target, 'wx', 0o600) : undefined;
    let text = '';
    try {
      for (let left = size; left > 0;) {
        if (held.length === 0) held = ((await parts.next()).value as Buffer | undefined) ?? Buffer.alloc(0);
        if (held.length === 0) throw damaged();
        const part = held.subarray(0, left);
        held = held.subarray(part.length);
        left -= part.length;
        hash.update(part);
        if (file !== undefined) await file.writeFile(part);
        else if (path === SYSTEM_SETTINGS) text = (text + part.toString('utf8')).slice(0, MOST_SETTINGS);
      }
    } finally {
      await file?.close();
    }
    take(text);
    if (sha256 !== undefined && hash.digest('hex') !== sha256) throw damaged();
  }
  if (held.length > 0 || (await parts.next()).done !== true) throw damaged();
}
