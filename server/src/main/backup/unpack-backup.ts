import { createHash } from 'node:crypto';
import { appendFile, mkdir, open, readdir, writeFile } from 'node:fs/promises';
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
};

/**
 * Chooses the newest backup that serves, and the log after it.
 * Refuses: a folder without one; a time that it does not reach; a log with a gap.
 */
export async function planRestore(folder: string, key: BackupKey, toTime: Temporal.Instant | undefined): Promise<Plan> {
  const backups = await readBackups(folder, key);
  const [first] = backups;
  if (first === undefined) throw new CommandRefused(`${folder} has no whole backup.`);
  const manifest = backups.findLast(
    ({ finishedAt }) => toTime === undefined || Temporal.Instant.compare(Temporal.Instant.from(finishedAt), toTime) <= 0,
  );
  if (manifest === undefined) throw new CommandRefused(`The first time that ${folder} can restore is ${first.finishedAt}.`);
  if (manifest.sealedUnder !== keyName(key)) throw new CommandRefused('This backup has another key: give it with --key-file.');
  const segments = await readSegments(folder, key, manifest, toTime);
  return { folder, key, manifest, segments, toTime };
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
export async function unpackBackup({ folder, key, manifest, segments, toTime }: Plan, cluster: string): Promise<void> {
  const { backup, directories, files, segmentBytes } = manifest;
  for (const path of directories) await mkdir(inside(cluster, path), { recursive: true, mode: 0o700 });
  const from = join(folder, backup, DATA);
  await readPacked(from, key, placeOf(manifest, backup), (bytes) => writeFiles(bytes, files, cluster, from));
  for (const name of segments) {
    const segment = join(logOf(folder), name);
    const file = { path: join('pg_wal', name), bytes: segmentBytes, sha256: undefined };
    await readPacked(segment, key, placeOf(manifest, name), (bytes) => writeFiles(bytes, [file], cluster, segment));
  }
  // All of the log is in the cluster: a command that fetches more of it always fails.
  const settings = ["restore_command = 'false'", "recovery_target_timeline = 'current'"];
  if (toTime !== undefined)
    settings.push(
      `recovery_target_time = '${toTime.toString().replace('T', ' ').replace('Z', '+00')}'`,
      "recovery_target_action = 'promote'",
    );
  await appendFile(join(cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`, { mode: 0o600 });
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
}

/** The settings of a recovery, for its end. */
export const RECOVERY_SETTINGS = ['restore_command', 'recovery_target_timeline', 'recovery_target_time', 'recovery_target_action'] as const;

/** A manifest that somebody made must not write elsewhere. */
function inside(cluster: string, path: string): string {
  const target = resolve(cluster, path);
  if (!target.startsWith(cluster + sep)) throw new CommandRefused(`The backup names a file outside of the database: ${path}.`);
  return target;
}

type Expected = Pick<BackedUpFile, 'path' | 'bytes'> & { readonly sha256: string | undefined };

async function writeFiles(bytes: AsyncIterable<Buffer>, files: readonly Expected[], cluster: string, from: string): Promise<void> {
  const damaged = (): CommandRefused => new CommandRefused(`${from} was altered or cut off.`);
  const parts = bytes[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  for (const { path, bytes: size, sha256 } of files) {
    const hash = createHash('sha256');
    const file = await open(inside(cluster, path), 'wx', 0o600);
    try {
      for (let left = size; left > 0;) {
        if (held.length === 0) held = ((await parts.next()).value as Buffer | undefined) ?? Buffer.alloc(0);
        if (held.length === 0) throw damaged();
        const part = held.subarray(0, left);
        held = held.subarray(part.length);
        left -= part.length;
        hash.update(part);
        await file.writeFile(part);
      }
    } finally {
      await file.close();
    }
    if (sha256 !== undefined && hash.digest('hex') !== sha256) throw damaged();
  }
  if (held.length > 0 || (await parts.next()).done !== true) throw damaged();
}
