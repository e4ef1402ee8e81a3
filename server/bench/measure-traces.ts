import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeSlice, orderOf, ratiosOf, updateInTurn, updateSlice, type Part, type Slice } from './in-turn.ts';
import { MANY, update } from './measure-updates.ts';
import { median, WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import type { Server } from './server.ts';

/** For T3 and T4: how often both servers start for each pair of T1, and how long the engine compiles. */
const STARTS = 1 / 8;
const SHORT_WARM_UP_SECONDS = 8;

/** Starts a server. `receiver`: the address of a receiver of traces; without it the service has no tracer. */
type StartServer = (receiver?: string) => Promise<Server>;

/**
 * T1 and T2: updates of a server that traces one request in a hundred. In turn the same process traces none, at a signal.
 * T3 and T4: that server, and one without a tracer. They are two processes, and the engine compiles the same code otherwise in each. So they
 * start afresh for each pair, and one pair says little.
 */
export async function measureTraces(bench: Omit<Bench, 'servers'>, pairs: number, start: StartServer): Promise<Figure[]> {
  const receiver = await openReceiver();
  try {
    const drawn = await measureDrawn(bench, pairs, await start(receiver.url), receiver.bytes);
    const started = await measureStarted(bench, Math.max(1, Math.round(pairs * STARTS)), start, receiver.url);
    const updates = drawn.parts.traced.reduce((sum, { answered }) => sum + answered, 0);
    const faults = [drawn.faults, ...[...started.traced, ...started.without].map((slice) => slice.faults)];
    const shared = { unit: '', isOfSlices: true } as const;
    const isRate = { ...shared, target: { atLeast: 0.97 } };
    const isCost = { ...shared, target: { atMost: 1.03 } };
    const { traced, without } = drawn.parts;
    return [
      { name: 'T1', what: 'rate of updates, one in a hundred traced ÷ none', ours: ratiosOf(traced, without, rate), ...isRate },
      { name: 'T2', what: 'Node’s processor time of an update, the same', ours: ratiosOf(traced, without, node), ...isCost },
      { name: 'T3', what: 'as T1, ÷ a server without a tracer', ours: ratiosOf(started.traced, started.without, rate), ...isRate },
      { name: 'T4', what: 'as T2, ÷ a server without a tracer', ours: ratiosOf(started.traced, started.without, node), ...isCost },
      { name: '–', what: 'Node’s processor time of an update that is not traced', unit: 'µs', ours: without.map(node) },
      { name: '–', what: 'bytes of spans for each update of T1', unit: '', ours: [drawn.spanBytes / updates] },
      { name: 'T5', what: 'errors, lost or doubled writes, per run', unit: '', ours: [Math.max(...faults)], target: { atMost: 0 } },
    ];
  } finally {
    receiver.close();
  }
}

const rate = ({ perSecond }: Part): number => perSecond;
const node = ({ nodeUs }: Part): number => nodeUs;

const SIDES = ['traced', 'without'] as const;
type Side = (typeof SIDES)[number];
type Sides = Readonly<Record<Side, Slice[]>>;

/** Measures one process in turn, which draws or does not. */
async function measureDrawn({ say, ...bench }: Omit<Bench, 'servers'>, pairs: number, server: Server, spanBytes: () => number) {
  let at: Side = 'traced';
  const turn = (side: Side): void => {
    if (side !== at) server.signal('SIGUSR2');
    at = side;
  };
  try {
    say('warming up');
    await update({ ...bench, say: () => undefined, servers: [server], seconds: WARM_UP_SECONDS }, MANY, 64);
    const before = spanBytes();
    const measured = await updateInTurn({ ...bench, say, server }, SIDES, pairs, turn);
    return { ...measured, spanBytes: spanBytes() - before };
  } finally {
    await server.stop();
  }
}

/** Slices of each side of a pair of servers. */
const SLICES = 3;

/** Measures two servers in turn, and starts both again for each pair. The figure of a pair is the median of its slices. */
async function measureStarted({ say, ...bench }: Omit<Bench, 'servers'>, pairs: number, start: StartServer, url: string): Promise<Sides> {
  const medians: Sides = { traced: [], without: [] };
  for (let pair = 1; pair <= pairs; pair++) {
    const order = orderOf(SIDES, pair);
    const servers = new Map<Side, Server>();
    const slices: Sides = { traced: [], without: [] };
    try {
      for (const side of order) servers.set(side, await start(side === 'traced' ? url : undefined));
      const benchOf = (side: Side): Bench => ({ ...bench, say: () => undefined, servers: [servers.get(side) as Server] });
      for (const side of order) await update({ ...benchOf(side), seconds: SHORT_WARM_UP_SECONDS }, MANY, 64);
      for (let slice = 1; slice <= SLICES; slice++)
        for (const side of orderOf(order, slice)) slices[side].push(await updateSlice(benchOf(side)));
    } finally {
      await Promise.all([...servers.values()].map((server) => server.stop()));
    }
    for (const side of SIDES) {
      medians[side].push(medianOf(slices[side]));
      say(`${side}, start ${pair} of ${pairs}: ${describeSlice(medianOf(slices[side]))}`);
    }
  }
  return medians;
}

const medianOf = (slices: readonly Slice[]): Slice => ({
  ...(slices[0] as Slice),
  faults: Math.max(...slices.map(({ faults }) => faults)),
  perSecond: median(slices.map(({ perSecond }) => perSecond)),
  nodeUs: median(slices.map(({ nodeUs }) => nodeUs)),
  databaseUs: median(slices.map(({ databaseUs }) => databaseUs)),
});

/** It counts what it is sent, and nothing more: here it shares the machine. */
async function openReceiver(): Promise<{ readonly url: string; bytes(): number; close(): void }> {
  let bytes = 0;
  const receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length)).once('end', () => response.end('{}'));
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    bytes: () => bytes,
    close: () => {
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}
