import { mkdir, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandRefused } from '../../kit/command-line.ts';
import { logOf, placeOf, readBackups, writeLogEnd, writePacked, type BackupKey, type LogEnd, type Manifest } from './backup-folder.ts';
import { openOwned } from './make-backup.ts';
import { endSegment, isSegment, nextSegment, readNow, readValue, segmentsBetween, withCluster, type Cluster } from './walk-log.ts';

/** The database keeps for it what is not copied yet. */
const SLOT = 'caudal_backup_log';

export type KeepLog = { readonly ownerUrl: string; readonly folder: string; readonly key: BackupKey };

/**
 * Copies the write-ahead log since the last call, or since the newest backup, into the folder.
 * Shape: → until when the kept log goes, and how many segments were copied.
 * Refuses: a folder without a backup of this database; a log of which a part is gone.
 */
export function keepLog({ ownerUrl, folder, key }: KeepLog): Promise<LogEnd & { readonly copied: number }> {
  return withCluster(ownerUrl, 'log', async (cluster) => {
    const { client, systemIdentifier, timeline, segmentBytes } = cluster;
    const newest = (await readBackups(folder, key)).at(-1);
    if (newest?.systemIdentifier !== systemIdentifier || newest.timeline !== timeline)
      throw new CommandRefused(`${folder} has no backup of this database since it was made or restored: make one first.`);
    await mkdir(logOf(folder), { recursive: true, mode: 0o700 });
    for (const name of await readdir(logOf(folder))) if (name.endsWith('.part')) await rm(join(logOf(folder), name));
    if (!(await readValue<boolean>(client, `exists (select from pg_replication_slots where slot_name = '${SLOT}')`)))
      await client.query(`select pg_create_physical_replication_slot('${SLOT}', true)`);
    const through = await readNow(client);
    const lastSegment = await endSegment(client);
    const missing = segmentsBetween(await firstMissing(folder, newest), lastSegment, segmentBytes);
    for (const name of missing) await copySegment(cluster, { folder, key, name });
    const end = { systemIdentifier, timeline, through, lastSegment };
    await writeLogEnd(folder, end, key);
    await client.query(`select pg_replication_slot_advance('${SLOT}', least($1::pg_lsn, pg_current_wal_flush_lsn()))`, [
      endOf(lastSegment, segmentBytes),
    ]);
    return { ...end, copied: missing.length };
  });
}

/** Ends the keeping: the database keeps no log for it any more. */
export function stopKeepingLog(ownerUrl: string): Promise<void> {
  return withCluster(ownerUrl, 'log', async ({ client }) => {
    await client.query(`select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '${SLOT}'`);
  });
}

/** The log goes on where it ended, where it covers the end of the newest backup. Else it begins there. */
async function firstMissing(folder: string, { lastSegment, segmentBytes }: Manifest): Promise<string> {
  const there = new Set((await readdir(logOf(folder))).filter(isSegment));
  let name = nextSegment(lastSegment, segmentBytes);
  while (there.has(name)) name = nextSegment(name, segmentBytes);
  return name;
}

async function copySegment(cluster: Cluster, { folder, key, name }: Pick<KeepLog, 'folder' | 'key'> & { name: string }): Promise<void> {
  try {
    await writePacked(
      join(logOf(folder), name),
      readSegment(join(cluster.directory, 'pg_wal', name), cluster.owner),
      key,
      placeOf(cluster, name),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CommandRefused(`The segment ${name} of the log is gone from the database: make a backup, and keep the log from there.`);
  }
}

/** PostgreSQL gives a segment that nobody needs another name, and writes over it. Then this throws as where it is gone. */
async function* readSegment(path: string, owner: number): AsyncGenerator<Buffer> {
  const file = await openOwned(path, owner);
  const { ino } = await file.stat();
  yield* file.createReadStream() as AsyncIterable<Buffer>;
  if ((await lstat(path)).ino !== ino) throw Object.assign(new Error(`${path} is another file now`), { code: 'ENOENT' });
}

/** Where a segment ends, as PostgreSQL writes a place of its log. */
function endOf(name: string, segmentBytes: number): string {
  const next = nextSegment(name, segmentBytes);
  return `${next.slice(8, 16)}/${(Number.parseInt(next.slice(16), 16) * segmentBytes).toString(16)}`;
}
