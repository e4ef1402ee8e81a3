import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../src/kit/clock.ts';
import { openDb } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { isRefusal } from '../src/kit/outcome.ts';
import { makeToken } from '../src/users/access-tokens.ts';
import { MERCHANTS, type BenchDatabase, type Sizes } from './bench-data.ts';
import { MANY, update, type Updated } from './measure-updates.ts';
import { WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import { openStreams } from './open-streams.ts';
import { ask } from './postgres.ts';
import type { Server } from './server.ts';

/** V1 to V8 load little: each update is of one of so many orders, and only the changes are read. */
export const WATCHED: Sizes = { orders: 100_000, cashouts: 10_000, cashoutsOfOne: 1_000 };

const STREAMS = 1_000;
const CONNECTIONS = 64;
/** Until streams that were closed are gone, and memory is what it stays. */
const SETTLED_MS = 2_000;

type Side = 'without' | 'strangers' | 'streams' | 'untold';
const TURNS: readonly (readonly Side[])[] = [
  ['without', 'strangers', 'streams', 'untold'],
  ['streams', 'untold', 'without', 'strangers'],
  ['untold', 'without', 'strangers', 'streams'],
];

/** V1 to V8: what 1,000 open streams cost a process, and what the list of changes costs each update. The sides are measured in turn. */
export async function measureEvents(bench: Bench, pairs: number): Promise<Figure[]> {
  const { database, say } = bench;
  const [server] = bench.servers as readonly [Server];
  const tokens = { streams: await makeTokens(database, () => null), strangers: await makeTokens(database, strangerOf) };
  const load = () => update(bench, MANY, CONNECTIONS);
  say('warming up');
  await update({ ...bench, say: () => undefined }, MANY, CONNECTIONS, WARM_UP_SECONDS);
  const runs: Record<Side, Updated[]> = { without: [], strangers: [], streams: [], untold: [] };
  const idleMegabytes: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    for (const side of TURNS[pair % TURNS.length] as readonly Side[]) {
      say(`${side}, ${pair + 1} of ${pairs}`);
      if (side === 'untold') await setTelling(database, 'disable');
      if (side === 'streams' || side === 'strangers') {
        const { run, megabytes } = await withStreams(server, tokens[side], load, side === 'streams');
        idleMegabytes.push(megabytes);
        runs[side].push(run);
      } else runs[side].push(await load());
      if (side === 'untold') await setTelling(database, 'enable');
    }
  }
  return toFigures(runs, idleMegabytes);
}

/** What our two processes work for one update. The rate also has what the readers of the streams take of the same machine. */
const work = (runs: readonly Updated[]): number[] => runs.map(({ processorUs, databaseUs }) => processorUs + databaseUs);
const rates = (runs: readonly Updated[]): number[] => runs.map(({ perSecond }) => perSecond);

const most = (values: readonly number[]): number[] => [Math.max(...values)];

function toFigures(runs: Record<Side, Updated[]>, idleMegabytes: readonly number[]): Figure[] {
  const { without, strangers, streams, untold } = runs;
  const faults = Object.values(runs).flatMap((of) => of.map((run) => run.faults));
  const updates = `updates, ${CONNECTIONS} connections`;
  const against = { what: 'without streams', values: work(without) };
  const target = { atMost: 1.02 };
  return [
    { name: 'V1', what: `processor time of an update, ${STREAMS} streams hear it`, unit: 'µs', ours: work(streams), against, target },
    { name: 'V2', what: `the same, ${STREAMS} streams hear nothing`, unit: 'µs', ours: work(strangers), against, target },
    {
      name: 'V3',
      what: `${updates}, ${STREAMS} streams that hear them`,
      unit: '/s',
      ours: rates(streams),
      against: { what: 'without streams', values: rates(without) },
      target: { atLeast: 0.98 },
    },
    { name: 'V4', what: `processor time of the readers for an update in V3`, unit: 'µs', ours: streams.map(({ readersUs }) => readersUs) },
    {
      name: 'V5',
      what: `more memory of the process in V3`,
      unit: 'MB',
      // A process keeps what it once took: the first runs count.
      ours: [(streams[0] as Updated).peakMegabytes - (without[0] as Updated).peakMegabytes],
      target: { atMost: 100 },
    },
    { name: 'V6', what: `more memory when ${STREAMS} streams are opened`, unit: 'MB', ours: most(idleMegabytes), target: { atMost: 100 } },
    {
      name: 'V7',
      what: 'processor time of an update that the list of changes records',
      unit: 'µs',
      ours: work(without),
      against: { what: 'without the trigger', values: work(untold) },
    },
    { name: 'V8', what: 'errors, lost or doubled writes, per run', unit: '', ours: most(faults), target: { atMost: 0 } },
  ];
}

/** Runs a load while streams are open. Shape: → its result, and the memory that the process took for the streams. */
async function withStreams<Run>(
  server: Server,
  tokens: readonly string[],
  load: () => Promise<Run>,
  isHeard: boolean,
): Promise<{ readonly run: Run; readonly megabytes: number }> {
  const before = await megabytesOf(server);
  const streams = await openStreams(server.origin, tokens);
  await delay(SETTLED_MS);
  const megabytes = (await megabytesOf(server)) - before;
  const run = await load();
  // The slowest reading is five seconds after the one before.
  if (isHeard) for (let waited = 0; streams.silent() > 0 && waited < 4; waited++) await delay(SETTLED_MS);
  if (isHeard !== (streams.silent() === 0)) throw new Error(`${streams.silent()} of ${STREAMS} streams heard of no change`);
  streams.close();
  await delay(SETTLED_MS);
  return { run, megabytes };
}

const megabytesOf = async (server: Server): Promise<number> => ((await server.readMetrics())['process_resident_memory_bytes'] ?? NaN) / 1e6;

const setTelling = (database: BenchDatabase, how: 'disable' | 'enable'): Promise<unknown> =>
  ask(database.url, `alter table order_history ${how} trigger order_history_is_told`);

/** A merchant whose orders nobody changes. One merchant may not open all streams. */
const strangerOf = (index: number): string => `${MERCHANTS.others}${index % MERCHANTS.otherCount}`;

/** Each stream has a token of its own, as each person has a session. */
async function makeTokens({ url }: BenchDatabase, merchantOf: (index: number) => string | null): Promise<string[]> {
  const db = openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  try {
    return await db.transaction(async (tx) =>
      Array.from({ length: STREAMS }, (_, index) => {
        const terms = { name: `bench ${index}`, permissions: ['orders:read'], merchantId: merchantOf(index), days: 1 } as const;
        const made = makeToken(tx, 'operator', { userId: null }, terms, systemClock.now());
        if (isRefusal(made)) throw new Error(`no token for a stream: ${made.refusal}`);
        return made.token;
      }),
    );
  } finally {
    await db.close();
  }
}
