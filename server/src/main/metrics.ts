import type { Server } from 'node:http';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Connections } from '../kit/db.ts';
import type { OnPortion } from '../kit/jobs.ts';
import type { Channel } from '../messages/index.ts';
import { REASONS, type Reason } from '../requests/index.ts';
import type { Address } from './config.ts';

// An import of node:http reads its WebSocket, which loads an HTTP client of 15 MB.
const { createServer } = process.getBuiltinModule('node:http');

export type Metrics = {
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
  /** Counts a refused request by its reason. */
  readonly refused: (reason: Reason) => void;
  /** Counts a refusal of an operation. */
  readonly refusal: (operation: string, code: string, refusal: string) => void;
  /** Counts a batch: its requests, and how long its transaction took. */
  readonly batch: (requests: number, seconds: number) => void;
  /** Notes when a job did its last portion, or counts that it failed. */
  readonly portion: OnPortion;
  /** Counts a message that is not sent because its recipient had too many. */
  readonly overLimit: (channel: Channel) => void;
  /** Counts spans that the receiver of traces did not get. */
  readonly spansDropped: (count: number) => void;
  /**
   * Adds numbers of each database, read at each scrape: name → help text. A number that cannot be read is NaN. Where there are several
   * databases, the label `cell` names each.
   */
  watch(gauges: Readonly<Record<string, string>>, read: OfEach<() => Promise<Readonly<Record<string, number>>>>): void;
  /** Adds numbers of this process, read at each scrape. Those of several processes are added up. */
  watchProcess(load: OfEach<() => Load>): void;
  /** Serves GET /metrics on its own address, which need not be public. */
  listen(address: Address): Promise<Server>;
  /** Gives them to the process that has started this one, which adds up those of all. */
  lend(): void;
};

/** One of each database, by the names of their cells. */
type OfEach<Part> = readonly (readonly [cell: string, part: Part])[];

/** A service of one database has no label for it. */
const labelsOf = (each: OfEach<unknown>) => ({
  labelNames: each.length > 1 ? ['cell'] : [],
  labelled: (cell: string): Record<string, string> => (each.length > 1 ? { cell } : {}),
});

/** What a process has in hand: requests, and connections to the database. */
export type Load = {
  readonly requests: { readonly waiting: number; readonly written: number };
  readonly connections: Connections;
};

/** Buckets from a fast update to the longest time of a request. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Requests of a batch. */
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128];

/** Makes the metrics of this process: requests by route, method and status; memory and event-loop delay of Node. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'caudal_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const refused = new Counter({
    name: 'caudal_refused_total',
    help: 'Requests that were refused for a wrong checksum, signature, password, reference or checkout token, a limit, or too much load.',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of REASONS) refused.inc({ reason }, 0);
  const unsent = new Counter({
    name: 'caudal_messages_over_limit_total',
    help: 'Mails and SMS that were not sent, because their recipient had as many as an hour allows.',
    labelNames: ['channel'],
    registers: [registry],
  });
  for (const channel of ['mail', 'sms']) unsent.inc({ channel }, 0);
  const dropped = new Counter({
    name: 'caudal_spans_dropped_total',
    help: 'Spans that the receiver of traces did not get: it did not take them, or too many waited for it.',
    registers: [registry],
  });
  new Gauge({ name: 'caudal_processes', help: 'Processes that serve.', registers: [registry] }).set(1);
  return {
    ...engineMetrics(registry),
    refused: (reason) => refused.inc({ reason }),
    overLimit: (channel) => unsent.inc({ channel }),
    spansDropped: (count) => dropped.inc(count),
    observe: (route, method, status, seconds) => requests.observe({ route, method, status }, seconds),
    watch: (gauges, each) => {
      const { labelNames, labelled } = labelsOf(each);
      const readings = new Map<string, Promise<Readonly<Record<string, number>>>>();
      const readOnce = (cell: string, read: (typeof each)[number][1]): Promise<Readonly<Record<string, number>>> => {
        // One read for all gauges: a scrape collects them together.
        const reading = readings.get(cell) ?? read().finally(() => readings.delete(cell));
        readings.set(cell, reading);
        return reading.catch(() => ({}));
      };
      for (const [name, help] of Object.entries(gauges))
        registry.registerMetric(
          new Gauge({
            name,
            help,
            labelNames,
            registers: [],
            // All processes read the same databases.
            aggregator: 'first',
            async collect() {
              for (const [cell, read] of each) this.set(labelled(cell), (await readOnce(cell, read))[name] ?? Number.NaN);
            },
          }),
        );
    },
    listen: (address) => serveText(() => registry.metrics(), address),
    lend: () => {
      AggregatorRegistry.setRegistries([registry]);
      // oxlint-disable-next-line no-new -- it begins to hear the other process
      new AggregatorRegistry();
    },
  };
}

/** Of the engine, its jobs and its pool. */
function engineMetrics(registry: Registry): Pick<Metrics, 'refusal' | 'batch' | 'portion' | 'watchProcess'> {
  const registers = [registry];
  const labelNames = ['operation', 'code', 'refusal'];
  const refusals = new Counter({ name: 'caudal_refusals_total', help: 'Requests that were refused, by wire code.', labelNames, registers });
  const sizes = new Histogram({ name: 'caudal_batch_requests', help: 'Requests of one transaction.', buckets: SIZES, registers });
  const times = new Histogram({
    name: 'caudal_batch_duration_seconds',
    help: 'Time of the transaction of a batch, with its commit.',
    buckets: SECONDS,
    registers,
  });
  const done = new Gauge({
    name: 'caudal_job_done_timestamp_seconds',
    help: 'When a job did its last portion, or found that nothing was due.',
    labelNames: ['name'],
    registers,
    aggregator: 'max',
  });
  const failures = new Counter({
    name: 'caudal_job_failures_total',
    help: 'Portions of a job that failed. It is tried again.',
    labelNames: ['name'],
    registers,
  });
  return {
    refusal: (operation, code, refusal) => refusals.inc({ operation, code, refusal }),
    batch: (requests, seconds) => {
      sizes.observe(requests);
      times.observe(seconds);
    },
    // Prometheus calls its own targets jobs: it would rename a label of that name.
    portion: (name, isDone) => {
      if (isDone) done.set({ name }, Date.now() / 1_000);
      failures.inc({ name }, isDone ? 0 : 1);
    },
    watchProcess: (each) => {
      const { labelNames, labelled } = labelsOf(each);
      for (const [name, [help, pick]] of Object.entries(OF_PROCESS)) {
        const collect = (): void => {
          for (const [cell, read] of each) gauge.set(labelled(cell), pick(read()));
        };
        const gauge: Gauge = new Gauge({ name, help, labelNames, registers: [], collect });
        registry.registerMetric(gauge);
      }
    },
  };
}

const OF_PROCESS: Readonly<Record<string, readonly [help: string, pick: (load: Load) => number]>> = {
  caudal_requests_waiting: ['Requests that wait for a transaction.', ({ requests }) => requests.waiting],
  caudal_requests_written: ['Requests that transactions are writing.', ({ requests }) => requests.written],
  caudal_database_connections_used: ['Connections to the database that are in use.', ({ connections }) => connections.used],
  caudal_database_connections_idle: ['Connections to the database that are open and not in use.', ({ connections }) => connections.idle],
  caudal_database_connections_awaited: ['Work that waits for a connection to the database.', ({ connections }) => connections.awaited],
};

/** Serves GET /metrics with those of all processes that this one has started, added up. Its own are not among them. */
export function serveLentMetrics(address: Address): Promise<Server> {
  const lent = new AggregatorRegistry();
  return serveText(() => lent.clusterMetrics(), address);
}

async function serveText(read: () => Promise<string>, { host, port }: Address): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    read().then(
      (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(503, { 'retry-after': '1' }).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return server;
}
