import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Binaries } from './binaries.ts';
import { clearReusedProcessId, findPostmaster } from './cluster.ts';
import { EmbeddedPostgresFailure, lastComplaint } from './failure.ts';
import type { LogFile } from './log-file.ts';
import type { Places } from './places.ts';
import type { RunAs } from './run-as.ts';
import { spawnTied, type TiedProcess } from './tied-process.ts';

/** The part of a structured log that is used here. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

const POLL_MS = 20;
/** Recovery after a crash reads at most a few gigabytes (max_wal_size). */
const START_TIMEOUT_MS = 300_000;
/** The shell of a killed owner asks PostgreSQL to stop at once: after this long nobody has, and we do (a second request does no harm). */
const WRAPPER_GRACE_MS = 2_000;
/** A fast shutdown writes what memory holds; on a slow disk that takes a while. After it: an immediate one, recovered at the next start. */
const STOP_TIMEOUT_MS = 60_000;
const BACKOFF_MS = { first: 200, most: 30_000 };
/** TiedProcess this long counts as healthy: the next unexpected exit starts at the first backoff again. */
const HEALTHY_MS = 60_000;
/** Processes of a killed postmaster may live for a moment and keep its memory. */
const STILL_IN_USE_MS = 10_000;
const STILL_IN_USE = /still in use|lock file/;

/**
 * The address of a database of an embedded PostgreSQL, as the driver takes it.
 * Shape: socket directory, database name → connection string.
 */
export function databaseUrl(socketDir: string, database: string): string {
  return `postgres://caudal@/${database}?host=${encodeURIComponent(socketDir)}`;
}

/** What a supervisor needs to run one cluster. */
export type Supervision = { places: Places; binaries: Binaries; runAs: RunAs; log: Log; logFile: LogFile };

/** A PostgreSQL that is started again whenever it dies, until stop(). */
export type Supervisor = { stop(): Promise<void> };

/**
 * Starts PostgreSQL on a prepared cluster and keeps it running.
 * Refuses: a first start that fails (EmbeddedPostgresFailure with PostgreSQL's own reason).
 * Effects: shuts down what a killed owner left; after an unexpected exit starts again with growing pauses, and says so in the log.
 */
export async function supervise(supervision: Supervision): Promise<Supervisor> {
  const stopping = new AbortController();
  const done = keepRunning(await start(supervision, stopping.signal), supervision, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await Promise.race([done, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      await stopPostmaster(supervision.places.cluster);
    },
  };
}

async function keepRunning(first: TiedProcess, supervision: Supervision, stopping: AbortSignal): Promise<void> {
  let running: TiedProcess | undefined = first;
  let backoffMs = BACKOFF_MS.first;
  while (true) {
    const startedAt = performance.now();
    await running?.exited;
    if (stopping.aborted) return;
    supervision.log.error({ reason: reasonOf(running) }, 'the embedded PostgreSQL is not running; starting it again');
    if (performance.now() - startedAt > HEALTHY_MS) backoffMs = BACKOFF_MS.first;
    await delay(backoffMs, undefined, { signal: stopping }).catch(() => {});
    backoffMs = Math.min(backoffMs * 2, BACKOFF_MS.most);
    if (stopping.aborted) return;
    try {
      running = await start(supervision, stopping);
      supervision.log.info({}, 'the embedded PostgreSQL runs again');
    } catch (error) {
      running = undefined;
      if (!stopping.aborted) supervision.log.error({ error }, 'the embedded PostgreSQL does not start');
    }
  }
}

function reasonOf(ended: TiedProcess | undefined): string {
  return lastComplaint(ended?.lastWords() ?? '') ?? 'it gave no reason';
}

async function start(supervision: Supervision, stopping: AbortSignal): Promise<TiedProcess> {
  const { places, log, logFile } = supervision;
  const deadline = performance.now() + STILL_IN_USE_MS;
  while (true) {
    await clearTheWay(places.cluster, log);
    const running = launch(supervision);
    stopping.addEventListener('abort', running.stop);
    const forget = () => stopping.removeEventListener('abort', running.stop);
    running.exited.then(forget, forget);
    if (stopping.aborted) running.stop();
    if (await acceptsConnections(running, places.socketDir)) return running;
    const complaint = reasonOf(running);
    if (stopping.aborted || !STILL_IN_USE.test(complaint) || performance.now() > deadline) {
      throw new EmbeddedPostgresFailure(
        `The embedded PostgreSQL in ${places.cluster} does not start: ${complaint} (more in ${logFile.path}).`,
      );
    }
    await delay(POLL_MS);
  }
}

function launch({ places, binaries, runAs, logFile }: Supervision): TiedProcess {
  const options = ['-D', places.cluster, '-k', places.socketDir, '-c', 'unix_socket_permissions=0700', '-c', 'listen_addresses='];
  return spawnTied([binaries.postgres, ...options], runAs, logFile.write);
}

/** Waits until PostgreSQL answers, and makes our database where it is missing. Says false when it ended instead. */
async function acceptsConnections(running: TiedProcess, socketDir: string): Promise<boolean> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!running.hasExited()) {
    if (performance.now() > deadline) {
      running.stop();
      await running.exited;
      return false;
    }
    if (await makeDatabase(socketDir)) return true;
    await Promise.race([running.exited, delay(POLL_MS)]);
  }
  return false;
}

async function makeDatabase(socketDir: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl(socketDir, 'postgres'), connectionTimeoutMillis: 5000 });
  client.on('error', () => {}); // A connection that breaks later also fails its query.
  try {
    await client.connect();
    const { rowCount } = await client.query(`select 1 from pg_database where datname = 'caudal'`);
    if (rowCount === 0) await client.query('create database caudal');
    return true;
  } catch (error) {
    // PostgreSQL answers "too many connections" when ours are back before us: then it does accept them.
    return (error as { code?: string }).code === '53300';
  } finally {
    await client.end().catch(() => {});
  }
}

/** Never start a second postmaster: the one of a killed owner is given time for its shutdown, and helped when it takes none. */
async function clearTheWay(cluster: string, log: Log): Promise<void> {
  if (findPostmaster(cluster) !== undefined && !(await hasGone(cluster, WRAPPER_GRACE_MS))) {
    log.warn({}, 'a PostgreSQL without an owner runs on this data directory; stopping it');
    await stopPostmaster(cluster);
  }
  clearReusedProcessId(cluster);
}

async function stopPostmaster(cluster: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const processId = findPostmaster(cluster);
    if (processId === undefined) return;
    process.kill(processId, signal);
    if (await hasGone(cluster, STOP_TIMEOUT_MS)) return;
  }
  throw new EmbeddedPostgresFailure(`PostgreSQL (process ${findPostmaster(cluster)}) runs on ${cluster} and does not stop.`);
}

async function hasGone(cluster: string, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (findPostmaster(cluster) !== undefined) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
