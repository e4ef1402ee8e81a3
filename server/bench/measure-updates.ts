import { randomInt } from 'node:crypto';
import { setInterval as every } from 'node:timers/promises';
import { runLoad } from './load.ts';
import { describeRate, newRun, originsOf, WARM_UP_SECONDS, withCosts, type Bench, type Figure, type Measured } from './measurement.ts';
import type { ReferenceResult } from './pgbench.ts';
import { ask } from './postgres.ts';
import { prepare, requestMaker } from './requests.ts';
import { checkWrites } from './written.ts';

type Side = { readonly script: string; readonly pickOrder: (orders: number) => number };
export const MANY: Side = { script: 'update-order.sql', pickOrder: (orders) => 1 + randomInt(orders) };
export const ONE: Side = { script: 'update-one-order.sql', pickOrder: () => 1 };

export type Updated = Measured & { readonly peakMegabytes: number };
const NOT_MEASURED: ReferenceResult = { perSecond: NaN, p50Ms: NaN, p99Ms: NaN };

/** P1 to P4, P9 and P10: updates through HTTP and, in turn, pgbench doing the same work row by row. */
export async function measureUpdates(bench: Bench, rounds: number): Promise<Figure[]> {
  const { say } = bench;
  say('warming up');
  await update(bench, MANY, 64, WARM_UP_SECONDS);
  await printCeiling(bench);
  const results: { many: Updated; crowd: Updated; one: Updated }[] = [];
  const references: { many: ReferenceResult; crowd: ReferenceResult; one: ReferenceResult }[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    const many = await update(bench, MANY, 64);
    const manyReference = await reference(bench, MANY, 64);
    const crowd = await update(bench, MANY, 256);
    const crowdReference = await reference(bench, MANY, 256);
    const one = await update(bench, ONE, 64);
    const oneReference = await reference(bench, ONE, 64);
    results.push({ many, crowd, one });
    references.push({ many: manyReference, crowd: crowdReference, one: oneReference });
  }
  const against = (what: string, pick: (of: (typeof references)[number]) => number) => ({ what, values: references.map(pick) });
  const faults = results.map(({ many, crowd, one }) => many.faults + crowd.faults + one.faults);
  return [
    {
      name: 'P1',
      what: 'updates, 64 connections',
      unit: '/s',
      ours: results.map(({ many }) => many.perSecond),
      against: against('pgbench, 64 clients', ({ many }) => many.perSecond),
      target: { atLeast: 2 },
    },
    {
      name: 'P2',
      what: 'updates, 256 connections',
      unit: '/s',
      ours: results.map(({ crowd }) => crowd.perSecond),
      against: against('pgbench, 256 clients', ({ crowd }) => crowd.perSecond),
      target: { atLeast: 2.5 },
    },
    {
      name: 'P3',
      what: 'p99 of P1',
      unit: 'ms',
      ours: results.map(({ many }) => many.p99Ms),
      against: against('p99 of that pgbench', ({ many }) => many.p99Ms),
      target: { atMost: 1 },
    },
    {
      name: 'P4',
      what: 'updates of one order, 64 connections',
      unit: '/s',
      ours: results.map(({ one }) => one.perSecond),
      against: against('pgbench doing so', ({ one }) => one.perSecond),
      target: { atLeast: 5 },
    },
    {
      name: 'P9',
      what: 'peak memory of a server process in P2',
      unit: 'MB',
      ours: results.map(({ crowd }) => crowd.peakMegabytes),
      target: { atMost: 200 },
    },
    { name: 'P10', what: 'errors, lost or doubled writes, P1 to P4, per round', unit: '', ours: faults, target: { atMost: 0 } },
  ];
}

export async function update(bench: Bench, { pickOrder }: Side, connections: number, seconds = bench.seconds): Promise<Updated> {
  const { database, say } = bench;
  const run = newRun();
  const make = requestMaker(database, run);
  const requests = prepare(seconds, (number) => make.updateOrder(number, pickOrder(database.sizes.orders)));
  await ask(database.url, 'checkpoint'); // No run pays for pages that the run before it left to be written.
  const memory = watchMemory(bench);
  const result = await withCosts(bench, () => runLoad({ origins: originsOf(bench), requests, connections, seconds, mayRepeat: false }));
  const peakMegabytes = await memory.stop();
  const { lost, doubled } = await checkWrites(database.url, run, result.answered);
  say(
    `ours, ${connections}: ${describeRate(result)}; ${result.processorUs.toFixed(0)} µs of Node's processor time each, ` +
      `${result.databaseUs.toFixed(0)} µs of PostgreSQL's, ${result.logBytes.toFixed(0)} bytes of log; ` +
      `${result.answered} answered, ${result.failed} failed, ${lost} lost, ${doubled} doubled; ${peakMegabytes.toFixed(0)} MB`,
  );
  return { ...result, faults: result.failed + lost + doubled, peakMegabytes };
}

async function reference({ database, pgbench, seconds, say }: Bench, { script }: Side, clients: number): Promise<ReferenceResult> {
  if (pgbench === undefined) return NOT_MEASURED;
  await ask(database.url, 'checkpoint');
  const result = await pgbench.run({ script, clients, seconds, variables: { orders: String(database.sizes.orders) } });
  say(`pgbench, ${clients}: ${describeRate(result)}`);
  return result;
}

/** Prints the rate of the load generator and the HTTP stack without any work behind them. */
async function printCeiling(bench: Bench): Promise<void> {
  const requests = [{ kind: 'list cashouts', method: 'GET', path: '/healthz', id: '', body: '' }] as const;
  const result = await runLoad({ origins: originsOf(bench), requests, connections: 64, seconds: 3, mayRepeat: true });
  bench.say(`the ceiling, GET /healthz, 64: ${describeRate(result)}`);
}

const WATCH_MS = 500;

/** Watches the memory of the server processes. stop() returns the highest of any one. */
function watchMemory({ servers }: Bench): { stop(): Promise<number> } {
  const stopping = new AbortController();
  let peakBytes = 0;
  const watching = (async () => {
    try {
      for await (const _ of every(WATCH_MS, undefined, { signal: stopping.signal })) await look();
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
  })();
  async function look(): Promise<void> {
    for (const metrics of await Promise.all(servers.map((server) => server.readMetrics())))
      peakBytes = Math.max(peakBytes, metrics['process_resident_memory_bytes'] ?? NaN);
  }
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      await look();
      return peakBytes / 1e6;
    },
  };
}
