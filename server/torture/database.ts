import { cpSync, mkdirSync, readdirSync, realpathSync, renameSync, statSync, symlinkSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { createLog } from '../src/kit/log.ts';
import { makeDataDirectory, removeDataDirectory } from '../src/testing/data-directory.ts';
import { processesOf } from '../src/testing/postgres-processes.ts';
import { openVolume, type Volume } from './volume.ts';

/** A database of a service: home, or a cell beside it. */
export type StagedCell = {
  /** Connects as its owner. */
  readonly url: string;
  /** Each of its servers. */
  readonly urls: readonly string[];
  /** Runs a statement without the triggers and references that guard the tables. */
  askUnguarded(text: string, values: readonly unknown[]): Promise<readonly unknown[]>;
  close(): Promise<void>;
};

/** What a stage needs of its database, which is home where there are cells. */
export type StagedDatabase = StagedCell & {
  readonly cells?: readonly StagedCell[];
  /** Waits until the next fault may come. */
  whole(): Promise<void>;
};

/** The database of a run, with its processes at hand. Something starts it again whenever it dies, as a machine's own manager does. */
export type TorturedDatabase = StagedDatabase & {
  /** The small file systems of its data and of its log, where this machine allows to make them. */
  readonly volumes: { readonly data: Volume; readonly log: Volume } | undefined;
  /** The postmaster, and then its children. Empty while it does not run. */
  processes(): readonly number[];
  ask(text: string): Promise<readonly unknown[]>;
};

const DATA_MEGABYTES = 4_096;
const LOG_MEGABYTES = 512;
const log = createLog('silent');
const start = (dataDir: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'npm run torture', log });

/**
 * Starts a database with durable settings in a directory of its own.
 * Effects: with `isSmall` it is on two small file systems in memory. Only root on Linux can make them.
 */
export async function startTorturedDatabase(isSmall: boolean): Promise<TorturedDatabase> {
  const dataDir = makeDataDirectory('caudal-torture-');
  const data = isSmall ? openVolume(dataDir, DATA_MEGABYTES) : undefined;
  let postgres = await start(dataDir);
  const cluster = realpathSync(join(dataDir, 'postgres'));
  let logVolume: Volume | undefined;
  if (isSmall) {
    // A log that does not use its old files again needs room for each new one.
    for (const setting of [`wal_recycle = off`, `max_wal_size = '128MB'`, `min_wal_size = '32MB'`])
      await askOnce(postgres.ownerUrl, `alter system set ${setting}`);
    await postgres.stop();
    logVolume = moveLog(cluster, join(dataDir, 'log'));
    postgres = await start(dataDir);
  }
  return {
    url: postgres.ownerUrl,
    urls: [postgres.ownerUrl],
    whole: async () => undefined,
    volumes: data === undefined || logVolume === undefined ? undefined : { data, log: logVolume },
    processes: () => processesOf(cluster),
    ask: (text) => askOnce(postgres.ownerUrl, text),
    askUnguarded: (text, values) => askUnguarded(postgres.ownerUrl, text, values),
    close: async () => {
      await postgres.stop();
      logVolume?.close();
      data?.close();
      removeDataDirectory(dataDir);
    },
  };
}

/** Moves the log of writes to a file system of its own. The database is stopped. */
function moveLog(cluster: string, directory: string): Volume {
  const from = join(cluster, 'pg_wal');
  mkdirSync(directory);
  const volume = openVolume(directory, LOG_MEGABYTES);
  const { uid, gid } = statSync(from);
  const to = join(directory, 'pg_wal');
  cpSync(from, to, { recursive: true });
  for (const name of ['', ...readdirSync(to, { recursive: true, encoding: 'utf8' })]) chownSync(join(to, name), uid, gid);
  renameSync(from, join(cluster, 'pg_wal.before'));
  symlinkSync(to, from);
  return volume;
}

export const askUnguarded = (url: string, text: string, values: readonly unknown[], options = ''): Promise<readonly unknown[]> =>
  askOnce(url, text, values, `-c session_replication_role=replica ${options}`);

export async function askOnce(url: string, text: string, values: readonly unknown[] = [], options = ''): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url, options });
  client.on('error', () => undefined); // A connection that breaks also fails its query.
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
