import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './embedded-postgres/binaries.ts';
import { prepareCluster } from './embedded-postgres/cluster.ts';
import { EmbeddedPostgresFailure, explainFileFault } from './embedded-postgres/failure.ts';
import { openLogFile } from './embedded-postgres/log-file.ts';
import { type Owner, type Ownership, readOwner, takeOwnership } from './embedded-postgres/ownership.ts';
import { findPlaces, makeDataDirectory, makeSocketDirectory, removeSocketDirectory } from './embedded-postgres/places.ts';
import { chooseRunAs } from './embedded-postgres/run-as.ts';
import { databaseUrl, type Log, supervise } from './embedded-postgres/supervisor.ts';

export { EmbeddedPostgresFailure } from './embedded-postgres/failure.ts';

/** How to start an embedded PostgreSQL. */
export type EmbeddedPostgresOptions = {
  dataDir: string;
  /** What this process runs, as a person would type it: told to whoever finds the directory in use. */
  command: string;
  log: Log;
  /** False leaves out every flush to disk: for tests only. */
  durable?: boolean;
};

/** A PostgreSQL that lives and dies with this process. */
export type EmbeddedPostgres = {
  /** Connection string of the database `caudal`. */
  url: string;
  /** Tells whoever finds the directory in use where this process serves. */
  announce(address: string): void;
  stop(): Promise<void>;
};

/** A data directory has one owner at a time: its message names the other one in one line. */
export class DataDirectoryInUse extends EmbeddedPostgresFailure {
  override name = 'DataDirectoryInUse';

  constructor(dataDir: string, owner: Owner | undefined) {
    const where = owner?.address === undefined ? '' : ` at ${owner.address}`;
    const who = owner === undefined ? 'another process' : `process ${owner.processId} (${owner.command}${where})`;
    super(`The data directory ${dataDir} is in use by ${who}.`);
  }
}

/** A command waits this long for the database of a server that is just starting: a first start or a recovery. */
const BESIDE_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/**
 * Becomes the owner of a data directory and runs PostgreSQL on it until stop(), or until this process ends however it ends.
 * Shape: EmbeddedPostgresOptions → EmbeddedPostgres, accepting connections.
 * Refuses: DataDirectoryInUse; EmbeddedPostgresFailure for what the person can mend (disk, permissions, versions), in one line.
 * Effects: a new directory gets a cluster and the database `caudal`; PostgreSQL's log goes to `<dataDir>/postgres.log`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
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
 * Reaches the database of a data directory from a command: that of the running owner, else one started for the command's own time.
 * Shape: EmbeddedPostgresOptions → the connection string, and stop(), which leaves another owner's database alone.
 * Refuses: as startEmbeddedPostgres; DataDirectoryInUse only when the owner's database does not come up in time.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<Pick<EmbeddedPostgres, 'url' | 'stop'>> {
  const deadline = performance.now() + BESIDE_TIMEOUT_MS;
  while (true) {
    try {
      return await startEmbeddedPostgres(options);
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse)) throw error;
      const url = (await readOwner(options.dataDir))?.databaseUrl;
      if (url !== undefined) return { url, stop: async () => {} };
      if (performance.now() > deadline) throw error;
    }
    await delay(POLL_MS);
  }
}

async function runOwned(dataDir: string, ownership: Ownership, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const logFile = openLogFile(join(dataDir, 'postgres.log'));
  const release = () => {
    logFile.close();
    ownership.release();
  };
  try {
    const runAs = chooseRunAs();
    const places = findPlaces(dataDir, runAs);
    const binaries = await findBinaries(runAs, places.copiesDirectory);
    await prepareCluster(places, binaries, runAs, options.durable ?? true);
    makeSocketDirectory(places.socketDir, runAs);
    const supervisor = await supervise({ places, binaries, runAs, log: options.log, logFile });
    const url = databaseUrl(places.socketDir, 'caudal');
    ownership.describe({ databaseUrl: url });
    const stop = async () => {
      try {
        await supervisor.stop();
        removeSocketDirectory(places.socketDir);
      } finally {
        release();
      }
    };
    let stopped: Promise<void> | undefined;
    return { url, announce: (address) => ownership.describe({ address }), stop: () => (stopped ??= stop()) };
  } catch (error) {
    release();
    throw error;
  }
}
