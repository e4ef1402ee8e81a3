import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { systemClock, type Clock } from '../kit/clock.ts';
import { classify, Unavailable } from '../kit/db.ts';
import { runJobs } from '../kit/jobs.ts';
import { createLog, type Log } from '../kit/log.ts';
import { prepareCell } from './cells/prepare-cell.ts';
import { readConfig, type Address, type Config } from './config.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import type { Tracer } from '../kit/traces/tracer.ts';
import { requireMode } from './database-mode.ts';
import { fillDemo, showDemo } from './demo/demo.ts';
import { CannotListen, explainFault, isWrongTls } from './explain-fault.ts';
import { openMasterKeys, requireMasterKeys } from './keys/master-keys.ts';
import { externalUrls, prepareSchema, type DatabaseUrls } from './migrations.ts';
import { NOTICE_GAUGES, readNoticeGauges } from '../notices/index.ts';
import { createMetrics, serveLentMetrics, type Metrics } from './metrics.ts';
import { findFreePort, isOneOfSeveral, isSpeaker, ProcessEnded, runProcesses, saySo, sharedPort } from './processes.ts';
import { openCaudal, type Caudal, type CaudalOptions } from './rooms.ts';

/**
 * How much of what lives may be added before the whole heap is collected, in percent. Left to itself V8 collects a bounded heap each second
 * while many orders change. Each pause holds up all requests under way (decision 0009). NODE_OPTIONS cannot hold it, so it is not with the
 * other options of a server in `package.json`.
 */
setFlagsFromString('--heap-growing-percent=75');

/** Connections that may wait to be accepted. The system drops what is beyond, and such a client waits for seconds. Linux allows 4,096. */
const BACKLOG = 4_096;

/** Where `scripts/run.mjs` puts the build of the console. */
const CONSOLE_FOLDER = join(import.meta.dirname, '..', '..', '..', 'console', 'dist');

/** How long running requests may take after the signal to stop. */
const DRAIN_MS = 10_000;
/** How long open connections are still answered after that signal. A busy one has its next request well within. */
const ANNOUNCE_MS = 300;
const DATABASE_RETRY_MS = 1_000;

/** What was opened so far, closed in reverse order. */
type Closers = (() => Promise<unknown>)[];
/** `embedded`: the database that this process runs. */
type OpenDatabase = { readonly url: string; readonly embedded: EmbeddedPostgres | undefined };

async function serve(config: Config, log: Log, closers: Closers, stopping: AbortSignal): Promise<void> {
  const { url, embedded } = await openDatabase(config, log, closers, stopping);
  if (config.processes > 1 && !isOneOfSeveral()) return serveWithSeveral(config, log, closers, { url, embedded });
  const keys = openMasterKeys(config);
  const metrics = createMetrics();
  const tracer = await openTraces(config, log, metrics, closers);

  let origin = '';
  const service = await openCaudal({
    config,
    url,
    keys,
    clock: systemClock,
    chance: Math.random,
    consoleFolder: CONSOLE_FOLDER,
    guardsClock: config.mode === 'production',
    prepareCell: prepareCells(config, log),
    announceMs: ANNOUNCE_MS,
    log,
    origin: () => origin,
    onAnswer: metrics.observe,
    onRefused: metrics.refused,
    onRefusal: metrics.refusal,
    onBatch: metrics.batch,
    onOverLimit: metrics.overLimit,
    tracer,
  });
  closers.push(() => service.close());
  const cells = service.cells.all.map(([cell, { name, db }]) => ({ cell, name, db }));
  metrics.watch(
    DATABASE_GAUGES,
    cells.map(({ name, db }) => [name, () => readDatabaseGauges(db)]),
  );
  metrics.watchProcess(cells.map(({ cell, name }) => [name, () => service.load(cell)]));
  await requireMode(service.db, config.mode);
  await requireMasterKeys(service.db, keys);
  if (config.mode === 'sandbox' && isSpeaker()) {
    const openAsOf = (clock: Clock): Promise<Caudal> =>
      openCaudal({ config, url, keys, clock, chance: Math.random, log, origin: () => origin, prepareCell: prepareCells(config, log) });
    await whenReachable(() => fillDemo({ service, openAsOf, keys }), log, stopping);
  }
  closers.push(runJobs(service.jobs, log, undefined, metrics.portion));
  await service.app.listen({ ...config.address, ...sharedPort(), backlog: BACKLOG }).catch(async (error: Error) => {
    throw new CannotListen(`Cannot listen: ${error.message}${await freePortBeside(config.address, error)}`, { cause: error });
  });
  origin = originOf(config.address.host, (service.app.server.address() as AddressInfo).port);
  embedded?.announce(origin);

  if (isOneOfSeveral()) {
    metrics.lend();
    saySo();
  } else {
    await serveMetrics((address) => metrics.listen(address), config, log, closers);
  }
  const speaking = { config, keys, origin, log };
  if (isSpeaker()) await whenReachable(() => speak(service, speaking), log, stopping);
  if (!isOneOfSeveral()) sayServing(config, origin);
}

/** The numbers of a database, and whether it answers at all. */
const DATABASE_GAUGES = { ...NOTICE_GAUGES, caudal_database_reachable: '1: the database answers. 0: it is away.' };
const readDatabaseGauges = (db: Caudal['db']): Promise<Readonly<Record<string, number>>> =>
  readNoticeGauges(db).then(
    (notices) => ({ ...notices, caudal_database_reachable: 1 }),
    () => ({ caudal_database_reachable: 0 }),
  );

/** The cells beside home are migrated as home is. A process that serves beside others does it too: the first one does it for all. */
const prepareCells =
  ({ mode }: Config, log: Log): NonNullable<CaudalOptions['prepareCell']> =>
  async ({ cell, name, url, ownerUrl }, db) => {
    const applied = await prepareCell(cell, { url, ownerUrl }, mode);
    if (applied.length > 0) log.info({ cell: name, versions: applied }, 'the schema of a cell was brought up to date');
    await requireMode(db, mode);
  };

async function openTraces({ traces }: Config, log: Log, metrics: Metrics, closers: Closers): Promise<Tracer | undefined> {
  if (traces === undefined) return undefined;
  const { openTracer } = await import('./traces/open-tracer.ts');
  const tracer = openTracer({ settings: traces, log, chance: Math.random, onDropped: metrics.spansDropped });
  closers.push(() => tracer.close());
  return tracer;
}

type Speaking = { readonly config: Config; readonly keys: MasterKeys; readonly origin: string; readonly log: Log };

/** What the person who starts the service should know. */
async function speak(service: Caudal, { config, keys, origin, log }: Speaking): Promise<void> {
  if (config.mode === 'sandbox') {
    process.stdout.write(await showDemo({ service, keys, origin }));
  } else if (config.checkoutUrl === undefined) {
    log.warn({ origin }, 'CAUDAL_CHECKOUT_URL is not set: checkout links point to this address');
  }
  if (config.isSandboxPublic) process.stdout.write(`Everyone who reaches ${origin} sees the messages of this sandbox.\n`);
}

const sayServing = ({ mode }: Config, origin: string): void =>
  void process.stdout.write(`Caudal serves ${mode === 'sandbox' ? 'a sandbox' : 'production'} on ${origin}\n`);

/** Starts the embedded database where there is no other, and migrates. */
async function openDatabase(config: Config, log: Log, closers: Closers, stopping: AbortSignal): Promise<OpenDatabase> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ name: 'caudal', dataDir: config.dataDir, command: 'npm start', log })
      : undefined;
  if (embedded !== undefined) closers.push(() => embedded.stop());
  const urls = embedded ?? externalUrls(config);
  await migrateWhenReachable(urls, config.mode, log, stopping);
  return { url: urls.url, embedded };
}

/** Several processes on one port and one database. This one serves nothing but their metrics. */
async function serveWithSeveral(config: Config, log: Log, closers: Closers, { url, embedded }: OpenDatabase): Promise<void> {
  const { host, port: wanted } = config.address;
  const port = wanted === 0 ? await findFreePort(host) : wanted;
  // It is migrated. None of them needs its owner.
  const environment = { DATABASE_URL: url, CAUDAL_MIGRATIONS_DATABASE_URL: '', CAUDAL_EMBEDDED: '', CAUDAL_PORT: String(port) };
  const { stop } = await runProcesses({ count: config.processes, environment, log });
  closers.push(stop);
  const origin = originOf(host, port);
  embedded?.announce(origin);
  await serveMetrics(serveLentMetrics, config, log, closers);
  sayServing(config, origin);
}

/** A server without metrics still serves: another one on this machine may use the default address. */
async function serveMetrics(
  listen: (address: Address) => Promise<Server>,
  { metricsAddress }: Config,
  log: Log,
  closers: Closers,
): Promise<void> {
  if (metricsAddress === undefined) return;
  try {
    const server = await listen(metricsAddress);
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    log.info({ address: originOf(metricsAddress.host, (server.address() as AddressInfo).port) }, 'metrics are served at /metrics');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return log.error({ error }, 'metrics are not served');
    const address = originOf(metricsAddress.host, metricsAddress.port);
    log.warn({ address }, 'metrics are not served: another program has this address; set CAUDAL_METRICS_ADDRESS to another one, or to off');
  }
}

const migrateWhenReachable = (urls: DatabaseUrls, mode: Config['mode'], log: Log, stopping: AbortSignal): Promise<void> =>
  whenReachable(
    async () => {
      const applied = await prepareSchema(urls, mode, {
        onHeld: ({ version, title }) => log.warn({ version, title }, 'a migration waits for other transactions to end'),
      });
      if (applied.length > 0) log.info({ versions: applied }, 'the database schema was brought up to date');
    },
    log,
    stopping,
  );

/** Tries again while the database is away: it may still be starting, or stall for a moment. Other faults end the start. */
async function whenReachable(work: () => Promise<void>, log: Log, stopping: AbortSignal): Promise<void> {
  let told: string | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const fault = classify(error);
      if (stopping.aborted || !(fault instanceof Unavailable) || isWrongTls(fault)) throw fault;
      if (told !== fault.message) log.warn({ reason: fault.message }, 'the database is not reachable yet; trying again');
      told = fault.message;
      await delay(DATABASE_RETRY_MS, undefined, { signal: stopping });
    }
  }
}

/** What helps where a port is taken: one that is free. */
async function freePortBeside({ host }: Address, error: NodeJS.ErrnoException): Promise<string> {
  if (error.code !== 'EADDRINUSE') return '';
  return `. Take another port, such as npm start -- --port ${await findFreePort(host)}`;
}

/** Takes `--port` of `npm start -- --port 3001`: as CAUDAL_PORT, and before it. */
function takeWords(words: readonly string[]): void {
  const given = words.slice(words.indexOf('serve') + 1);
  const [, port] = /^--port[= ](.+)$/.exec(given.join(' ')) ?? [];
  if (port !== undefined) process.env['CAUDAL_PORT'] = port;
  else if (given.length > 0)
    throw new CannotListen(
      `There is no option "${given.join(' ')}". The only one is --port NUMBER; settings are variables: docs/operations.md.`,
    );
}

function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function main(): Promise<void> {
  const closers: Closers = [];
  const stopping = new AbortController();
  let log: Log | undefined;
  const stop = async (exitCode: number): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    if (exitCode === 0) log?.info('shutting down');
    const forced = setTimeout(() => process.exit(exitCode === 0 ? 1 : exitCode), 2 * DRAIN_MS);
    for (const close of closers.reverse())
      await Promise.race([close(), delay(DRAIN_MS, undefined, { ref: false })]).catch((error: unknown) =>
        log?.error({ error }, 'closing failed'),
      );
    clearTimeout(forced);
    if (exitCode === 0) log?.info('shut down');
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
  // Without a terminal none can hang up: nohup started this, and its shell ended.
  process.on('SIGHUP', () => void ([process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY) && stop(0)));

  try {
    if (!isOneOfSeveral()) takeWords(process.argv.slice(2));
    const config = readConfig(process.env);
    log = createLog(config.logLevel, process.stderr);
    await serve(config, log, closers, stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) return;
    if (error instanceof ProcessEnded) return stop(1);
    const line = explainFault(error);
    if (line === undefined) log?.error({ error }, 'could not start');
    process.stderr.write(`${line ?? `Caudal could not start: ${(error as Error).message}`}\n`);
    await stop(1);
  }
}

await main();
