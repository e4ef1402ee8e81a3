import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { prepareCluster } from './cluster.ts';
import { EmbeddedPostgresFailure, explainFileFault } from './failure.ts';
import { openLogFile } from './log-file.ts';
import { type Owner, type Ownership, readOwner, takeOwnership } from './ownership.ts';
import { findPlaces, makeDataDirectory, makeSocketDirectory, removeSocketDirectory } from './places.ts';
import { beginRestore, endRestore, refuseUnfinishedRestore } from './restore-mark.ts';
import { chooseRunAs } from './run-as.ts';
import { databaseUrl, type Log, serviceUser, supervise } from './supervisor.ts';

export { BinariesUnavailable } from './binaries.ts';
export { EmbeddedPostgresFailure } from './failure.ts';
export { servedAt } from './ownership.ts';
export { type Log, ONLY_OURS } from './supervisor.ts';

/** How to start an embedded PostgreSQL. */
export type EmbeddedPostgresOptions = {
  /**
   * Name of your program: lower-case letters, digits and `_`. The database and its owner have this name. So do the directories that
   * this package needs outside the data directory: `/var/lib/<name>` and `/tmp/<name>-…`. Keep it the same for a data directory.
   */
  name: string;
  dataDir: string;
  /** What this process runs, as a person would type it. Another process that finds the directory in use shows it. */
  command: string;
  log: Log;
  /** False turns off every flush to disk: for tests only. */
  durable?: boolean;
  /**
   * Fills a new cluster with the files of a backup, in place of initdb. Until `restored()` no other start uses the data directory.
   * It must hold no database.
   */
  restore?: (cluster: string) => Promise<void>;
};

/** A PostgreSQL that lives and dies with this process. */
export type EmbeddedPostgres = {
  /** Connection string for serving. Its user owns nothing: the owner grants it what it may do. */
  url: string;
  /** Connection string of the owner, who is the superuser: for migrations and administration. */
  ownerUrl: string;
  /** Publishes where this process serves. Another process that finds the directory in use shows it. */
  announce(address: string): void;
  /** Says that a restore is whole. Others may start the data directory from now on. */
  restored(): void;
  stop(): Promise<void>;
};

/** `isShared`: the database is a running owner's. */
type OpenedPostgres = Omit<EmbeddedPostgres, 'announce' | 'restored'> & { readonly isShared?: boolean };

/** A data directory has one owner at a time. The message names the owner in one line. */
export class DataDirectoryInUse extends EmbeddedPostgresFailure {
  override name = 'DataDirectoryInUse';

  constructor(dataDir: string, owner: Owner | undefined) {
    const where = owner?.address === undefined ? '' : ` at ${owner.address}`;
    const who = owner === undefined ? 'another process' : `process ${owner.processId} (${owner.command}${where})`;
    super(`The data directory ${dataDir} is in use by ${who}.`);
  }
}

/** The name becomes part of SQL statements, of settings and of paths. PostgreSQL keeps names beginning with `pg_` for itself. */
const NAME = /^(?!pg_)[a-z][a-z0-9_]{0,30}$/;
/** How long a command waits for the database of a starting owner. A first start or a recovery may take this long. */
const OWNER_START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/**
 * Takes a data directory and runs PostgreSQL on it until stop(), or until this process ends for any reason.
 * Shape: EmbeddedPostgresOptions → EmbeddedPostgres, accepting connections.
 * Refuses: DataDirectoryInUse; EmbeddedPostgresFailure for what a person can fix (disk, permissions, versions), in one line.
 * Effects: a new directory gets a cluster and a database; PostgreSQL's log goes to `<dataDir>/postgres.log`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (!NAME.test(options.name)) throw new TypeError(`The name of an embedded PostgreSQL must match ${NAME.source}: ${options.name}`);
  try {
    const dataDir = makeDataDirectory(options.dataDir);
    const ownership = takeOwnership(dataDir, options.command);
    if (ownership === undefined) throw new DataDirectoryInUse(dataDir, await readOwner(dataDir));
    return await runOwned(dataDir, ownership, options);
  } catch (error) {
    throw explainFileFault(error, options.dataDir);
  }
}

/**
 * Opens the database of a data directory for a command: the running owner's, else one that runs until stop().
 * Shape: EmbeddedPostgresOptions → the connection strings, whose it is, and stop(), which leaves another owner's database running.
 * Refuses: as startEmbeddedPostgres; DataDirectoryInUse only when the owner's database does not start in time.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<OpenedPostgres> {
  const deadline = performance.now() + OWNER_START_TIMEOUT_MS;
  while (true) {
    try {
      return await startEmbeddedPostgres(options);
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse)) throw error;
      const { databaseUrl: url, ownerUrl } = (await readOwner(options.dataDir)) ?? {};
      if (url !== undefined && ownerUrl !== undefined) return { url, ownerUrl, isShared: true, stop: async () => {} };
      if (performance.now() > deadline) throw error;
    }
    await delay(POLL_MS);
  }
}

async function runOwned(dataDir: string, ownership: Ownership, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { name, log, durable = true, restore } = options;
  const logFile = openLogFile(join(dataDir, 'postgres.log'));
  const release = () => {
    logFile.close();
    ownership.release();
  };
  try {
    if (restore === undefined) refuseUnfinishedRestore(dataDir);
    else beginRestore(dataDir);
    const runAs = chooseRunAs(name);
    const places = findPlaces(name, dataDir, runAs);
    const binaries = await findBinaries(runAs, places.copiesDirectory);
    await prepareCluster({ name, places, binaries, runAs, durable, restore });
    makeSocketDirectory(places.socketDir, runAs);
    const supervisor = await supervise({ name, places, binaries, runAs, log, logFile });
    const url = databaseUrl(places.socketDir, serviceUser(name), name);
    const ownerUrl = databaseUrl(places.socketDir, name, name);
    ownership.describe({ databaseUrl: url, ownerUrl });
    const stop = async () => {
      try {
        await supervisor.stop();
        removeSocketDirectory(places.socketDir);
      } finally {
        release();
      }
    };
    let stopped: Promise<void> | undefined;
    return {
      url,
      ownerUrl,
      announce: (address) => ownership.describe({ address }),
      restored: () => endRestore(dataDir),
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    release();
    throw error;
  }
}
