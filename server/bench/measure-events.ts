import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../src/kit/clock.ts';
import { openDb } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { isRefusal } from '../src/kit/outcome.ts';
import { makeToken } from '../src/users/access-tokens.ts';
import type { BenchDatabase, Sizes } from './bench-data.ts';
import { MANY, update, type Updated } from './measure-updates.ts';
import { WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import { openStreams } from './open-streams.ts';
import { ask } from './postgres.ts';
import type { Server } from './server.ts';

/** V1 to V5 load little: each update is of one of so many orders, and only the changes are read. */
export const WATCHED: Sizes = { orders: 100_000, cashouts: 10_000, cashoutsOfOne: 1_000 };

const STREAMS = 1_000;
/** An actor has 20 streams at most. */
const STREAMS_OF_TOKEN = 20;
const CONNECTIONS = 64;
/** Until streams that were closed are gone, and memory is what it stays. */
const SETTLED_MS = 2_000;

type Side = 'without' | 'streams' | 'untold';
const TURNS: readonly (readonly Side[])[] = [
  ['without', 'streams', 'untold'],
  ['streams', 'untold', 'without'],
  ['untold', 'without', 'streams'],
];

/** V1 to V5: what 1,000 open streams cost a process, and what the list of changes costs each update. The sides are measured in turn. */
export async function measureEvents(bench: Bench, pairs: number): Promise<Figure[]> {
  const { database, say } = bench;
  // A process keeps memory that it took once, so the streams have a process of their own.
  const [quiet, watched] = bench.servers as readonly [Server, Server];
  const tokens = await makeTokens(database);
  say('warming up');
  for (const server of [quiet, watched])
    await update({ ...bench, servers: [server], say: () => undefined }, MANY, CONNECTIONS, WARM_UP_SECONDS / 2);
  const runs: Record<Side, Updated[]> = { without: [], streams: [], untold: [] };
  const idleMegabytes: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    for (const side of TURNS[pair % TURNS.length] as readonly Side[]) {
      say(`${side}, ${pair + 1} of ${pairs}`);
      if (side === 'streams') {
        const { run, megabytes } = await withStreams(watched, tokens, () => update({ ...bench, servers: [watched] }, MANY, CONNECTIONS));
        idleMegabytes.push(megabytes);
        runs.streams.push(run);
      } else {
        if (side === 'untold') await setTelling(database, 'disable');
        runs[side].push(await update({ ...bench, servers: [quiet] }, MANY, CONNECTIONS));
        if (side === 'untold') await setTelling(database, 'enable');
      }
    }
  }
  return toFigures(runs, idleMegabytes);
}

const rates = (runs: readonly Updated[]): number[] => runs.map(({ perSecond }) => perSecond);

function toFigures({ without, streams, untold }: Record<Side, Updated[]>, idleMegabytes: readonly number[]): Figure[] {
  const faults = [...without, ...streams, ...untold].map((run) => run.faults);
  return [
    {
      name: 'V1',
      what: `updates, ${CONNECTIONS} connections, ${STREAMS} open streams`,
      unit: '/s',
      ours: rates(streams),
      against: { what: 'without streams', values: rates(without) },
      target: { atLeast: 0.98 },
    },
    {
      name: 'V2',
      what: `more memory of the process in V1`,
      unit: 'MB',
      ours: streams.map(({ peakMegabytes }, pair) => peakMegabytes - (without[pair] as Updated).peakMegabytes),
      target: { atMost: 100 },
    },
    // The first streams take what the process then keeps.
    {
      name: 'V3',
      what: `more memory when ${STREAMS} streams are opened`,
      unit: 'MB',
      ours: [Math.max(...idleMegabytes)],
      target: { atMost: 100 },
    },
    {
      name: 'V4',
      what: 'updates, told to the list of changes',
      unit: '/s',
      ours: rates(without),
      against: { what: 'without the trigger', values: rates(untold) },
    },
    { name: 'V5', what: 'errors, lost or doubled writes, per run', unit: '', ours: [Math.max(...faults)], target: { atMost: 0 } },
  ];
}

/** Runs a load while streams are open. Shape: → its result, and how much memory the process took when they were opened. */
async function withStreams<Run>(
  server: Server,
  tokens: readonly string[],
  load: () => Promise<Run>,
): Promise<{ readonly run: Run; readonly megabytes: number }> {
  const before = await megabytesOf(server);
  const streams = await openStreams(server.origin, tokens, STREAMS_OF_TOKEN);
  await delay(SETTLED_MS);
  const megabytes = (await megabytesOf(server)) - before;
  const run = await load();
  // The slowest reading is five seconds after the one before.
  for (let waited = 0; streams.silent() > 0 && waited < 4; waited++) await delay(SETTLED_MS);
  if (streams.silent() > 0) throw new Error(`${streams.silent()} of ${STREAMS} streams heard of no change`);
  streams.close();
  await delay(SETTLED_MS);
  return { run, megabytes };
}

const megabytesOf = async (server: Server): Promise<number> => ((await server.readMetrics())['process_resident_memory_bytes'] ?? NaN) / 1e6;

const setTelling = (database: BenchDatabase, how: 'disable' | 'enable'): Promise<unknown> =>
  ask(database.url, `alter table order_history ${how} trigger order_history_is_told`);

async function makeTokens({ url }: BenchDatabase): Promise<string[]> {
  const db = openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  try {
    return await db.transaction(async (tx) =>
      Array.from({ length: STREAMS / STREAMS_OF_TOKEN }, (_, index) => {
        const terms = { name: `bench ${index}`, permissions: ['orders:read'], merchantId: null, days: 1 } as const;
        const made = makeToken(tx, 'operator', { userId: null }, terms, systemClock.now());
        if (isRefusal(made)) throw new Error(`no token for a stream: ${made.refusal}`);
        return made.token;
      }),
    );
  } finally {
    await db.close();
  }
}
