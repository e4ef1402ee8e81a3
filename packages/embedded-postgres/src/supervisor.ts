import { setTimeout as delay } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresFailure, lastComplaint } from './failure.ts';
import type { LogFile } from './log-file.ts';
import type { Places } from './places.ts';
import { clearReusedProcessId, findPostmaster } from './postmaster.ts';
import type { RunAs } from './run-as.ts';
import { spawnTied, type TiedProcess } from './tied-process.ts';

/** The part of a structured log that this package uses. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

const POLL_MS = 20;
/** Recovery after a crash reads at most a few gigabytes (max_wal_size). */
const START_TIMEOUT_MS = 300_000;
/** A start that takes longer says what it waits for. */
const SAID_AFTER_MS = 3_000;
/** The shell of a killed owner stops PostgreSQL at once. After this long the shell must be dead too: we stop PostgreSQL ourselves. */
const WRAPPER_GRACE_MS = 2_000;
/** A fast shutdown writes all changed pages, which takes time on a slow disk. After this long we order an immediate shutdown. */
const STOP_TIMEOUT_MS = 60_000;
/** What needs the database fails in each pause. A start costs little beside that, so the pauses stay short. */
const PAUSE_MS = { first: 200, most: 2_000 };
/** After running this long the next unexpected exit gets the first pause again. */
const HEALTHY_MS = 10_000;
/** Processes of a killed postmaster may live for a moment and hold its memory. */
const STILL_IN_USE_MS = 10_000;
const STILL_IN_USE = /still in use|lock file/;

/** SQLSTATE too_many_connections and invalid_authorization_specification. */
const TOO_MANY_CONNECTIONS = '53300';
const NOT_ADMITTED = '28000';

/** All that the driver would take from variables such as PGPORT and PGSSLMODE, which a shell has for another database. */
const NOT_OF_THE_SHELL = 'port=5432&sslmode=disable&sslnegotiation=postgres&client_encoding=UTF8&replication=false';

/**
 * The address of a database of an embedded PostgreSQL, as the driver takes it.
 * Shape: socket directory, user, database → connection string.
 */
export function databaseUrl(socketDir: string, user: string, database: string): string {
  return `postgres://${user}@/${database}?host=${encodeURIComponent(socketDir)}&${NOT_OF_THE_SHELL}`;
}

/** The user that serves. A cluster without it gets it at the next start. */
export const serviceUser = (name: string): string => `${name}_service`;

/** What it takes to run one cluster; `name` is that of its superuser and of its database. */
export type Supervision = { name: string; places: Places; binaries: Binaries; runAs: RunAs; log: Log; logFile: LogFile };

/** A PostgreSQL that is started again after each unexpected exit, until stop(). */
export type Supervisor = { stop(): Promise<void> };

/**
 * Starts PostgreSQL on a prepared cluster and keeps it running.
 * Refuses: a first start that fails (EmbeddedPostgresFailure with PostgreSQL's own reason).
 * Effects: stops a PostgreSQL that a killed owner left. After an unexpected exit starts again, after two seconds at most, and logs it.
 */
export async function supervise(supervision: Supervision): Promise<Supervisor> {
  const stopping = new AbortController();
  await stopLeftPostmaster(supervision.places.cluster, supervision.log);
  supervision.runAs.ownAll(supervision.places.cluster);
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
  let pauseMs = PAUSE_MS.first;
  while (true) {
    const startedAt = performance.now();
    await running?.exited;
    if (stopping.aborted) return;
    if (performance.now() - startedAt > HEALTHY_MS) pauseMs = PAUSE_MS.first;
    supervision.log.error({ reason: reasonOf(running), pauseMs }, 'the embedded PostgreSQL is not running; starting it again');
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => {});
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most);
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
  return lastComplaint(ended?.lastOutput() ?? '') ?? 'it gave no reason';
}

async function start(supervision: Supervision, stopping: AbortSignal): Promise<TiedProcess> {
  const { places, log, logFile } = supervision;
  const deadline = performance.now() + STILL_IN_USE_MS;
  while (true) {
    await stopLeftPostmaster(places.cluster, log);
    const running = launch(supervision);
    stopping.addEventListener('abort', running.stop);
    const forget = () => stopping.removeEventListener('abort', running.stop);
    running.exited.then(forget, forget);
    if (stopping.aborted) running.stop();
    if (await acceptsConnections(running, supervision)) return running;
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
  const options = [
    '-D',
    places.cluster,
    '-c',
    `config_file=${places.settings.main}`,
    '-k',
    places.socketDir,
    '-c',
    'unix_socket_permissions=0700',
    '-c',
    'listen_addresses=',
  ];
  return spawnTied([binaries.postgres, ...options], runAs.spawn, logFile.write);
}

/** Waits until PostgreSQL answers, and makes what is missing: the database, the user that serves. Returns false when PostgreSQL ended instead. */
async function acceptsConnections(running: TiedProcess, supervision: Supervision): Promise<boolean> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  const { log, logFile, places } = supervision;
  const sayWait = () =>
    log.warn({ reason: reasonOf(running) }, `waiting for PostgreSQL in ${places.cluster}; it says why in ${logFile.path}`);
  const wait = setTimeout(sayWait, SAID_AFTER_MS);
  try {
    while (!running.hasExited() && performance.now() < deadline) {
      if (await makeDatabaseAndUser(supervision)) return true;
      await Promise.race([running.exited, delay(POLL_MS)]);
    }
  } catch (error) {
    await stopAndWait(running);
    throw error;
  } finally {
    clearTimeout(wait);
  }
  await stopAndWait(running);
  return false;
}

async function stopAndWait(running: TiedProcess): Promise<void> {
  running.stop();
  await running.exited;
}

/** A restored cluster may hold settings of users that run code at each connection. A connection's own options win over them. */
export const ONLY_OURS = '-c event_triggers=off -c session_preload_libraries= -c local_preload_libraries= -c search_path=pg_catalog';

/** Returns false where PostgreSQL does not accept connections yet. */
async function makeDatabaseAndUser({ name, places }: Supervision): Promise<boolean> {
  const client = new Client({
    connectionString: databaseUrl(places.socketDir, name, 'postgres'),
    connectionTimeoutMillis: 5000,
    options: ONLY_OURS,
  });
  client.on('error', () => {}); // A connection that breaks later also fails its query.
  try {
    await client.connect();
    const databases = await client.query('select from pg_database where datname = $1', [name]);
    if (databases.rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`);
    const users = await client.query('select from pg_roles where rolname = $1', [serviceUser(name)]);
    if (users.rowCount === 0) await client.query(`create role ${escapeIdentifier(serviceUser(name))} login`);
    return true;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // Waiting does not help: the cluster was made under another name, or somebody changed its users.
    if (code === NOT_ADMITTED)
      throw new EmbeddedPostgresFailure(`The database in ${places.cluster} cannot be used as ${name}: ${message}.`);
    // The connections of our program came back before this one: PostgreSQL does accept them.
    return code === TOO_MANY_CONNECTIONS;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Two postmasters must not run on one cluster. That of a killed owner gets time for its shutdown; then we stop it. */
async function stopLeftPostmaster(cluster: string, log: Log): Promise<void> {
  if (findPostmaster(cluster) !== undefined && !(await hasGone(cluster, WRAPPER_GRACE_MS))) {
    log.warn({}, 'a PostgreSQL without an owner runs on this data directory; stopping it');
    await stopPostmaster(cluster);
  }
  clearReusedProcessId(cluster);
}

/** SIGINT orders a fast shutdown. SIGQUIT orders an immediate one: the next start recovers. */
async function stopPostmaster(cluster: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const processId = findPostmaster(cluster);
    if (processId === undefined) return;
    try {
      process.kill(processId, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // It ended by itself since we found it.
    }
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
