import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeSlice, orderOf, ratiosOf, updateSlice, type Slice } from './in-turn.ts';
import { MANY, update } from './measure-updates.ts';
import { median, WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import type { Server } from './server.ts';

/** Spans wait five seconds at most for others. After that none of a slice is left, and all that it cost is counted. */
const SENT_MS = 5_500;
/** For T3 and T4: how often both servers start, and how long the engine compiles. */
const STARTS = 1 / 2;
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
    const drawn = await measureDrawn(bench, pairs, await start(receiver.url));
    const spans = receiver.bytes();
    const started = await measureStarted(bench, Math.max(1, Math.round(pairs * STARTS)), start, receiver.url);
    const updates = drawn.traced.reduce((sum, { answered }) => sum + answered, 0);
    const shared = { unit: '', isOfSlices: true } as const;
    const faults = [...Object.values(drawn), ...Object.values(started)].flat().map((slice) => slice.faults);
    const isRate = { ...shared, target: { atLeast: 0.97 } };
    const isCost = { ...shared, target: { atMost: 1.03 } };
    return [
      { name: 'T1', what: 'rate of updates, one in a hundred traced ÷ none', ours: ratiosOf(drawn.traced, drawn.without, rate), ...isRate },
      { name: 'T2', what: 'Node’s processor time of an update, the same', ours: ratiosOf(drawn.traced, drawn.without, node), ...isCost },
      { name: 'T3', what: 'as T1, ÷ a server without a tracer', ours: ratiosOf(started.traced, started.without, rate), ...isRate },
      { name: 'T4', what: 'as T2, ÷ a server without a tracer', ours: ratiosOf(started.traced, started.without, node), ...isCost },
      { name: '–', what: 'Node’s processor time of an update that is not traced', unit: 'µs', ours: drawn.without.map(node) },
      { name: '–', what: 'bytes of spans for each update in T1', unit: '', ours: [spans / updates] },
      { name: 'T5', what: 'errors, lost or doubled writes, per slice', unit: '', ours: [Math.max(...faults)], target: { atMost: 0 } },
    ];
  } finally {
    receiver.close();
  }
}

const rate = ({ perSecond }: Slice): number => perSecond;
const node = ({ nodeUs }: Slice): number => nodeUs;

type Sides = { readonly traced: Slice[]; readonly without: Slice[] };
const SIDES = ['traced', 'without'] as const;

/** Measures one process in turn, which draws or does not. */
async function measureDrawn({ say, ...bench }: Omit<Bench, 'servers'>, pairs: number, server: Server): Promise<Sides> {
  const slices: Sides = { traced: [], without: [] };
  let at: keyof Sides = 'traced';
  try {
    say('warming up');
    await update({ ...bench, say: () => undefined, servers: [server], seconds: WARM_UP_SECONDS }, MANY, 64);
    for (let pair = 1; pair <= pairs; pair++)
      for (const side of orderOf(SIDES, pair)) {
        if (side !== at) server.signal('SIGUSR2');
        at = side;
        const slice = await updateSlice({ ...bench, say, servers: [server] }, { tailMs: SENT_MS });
        slices[side].push(slice);
        say(`${side}, ${pair} of ${pairs}: ${describeSlice(slice)}`);
      }
    return slices;
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
    const servers = new Map<keyof Sides, Server>();
    const slices: Sides = { traced: [], without: [] };
    try {
      for (const side of order) servers.set(side, await start(side === 'traced' ? url : undefined));
      const benchOf = (side: keyof Sides): Bench => ({ ...bench, say: () => undefined, servers: [servers.get(side) as Server] });
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
