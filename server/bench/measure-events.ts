import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../src/kit/clock.ts';
import { openDb } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { isRefusal } from '../src/kit/outcome.ts';
import { makeToken } from '../src/users/access-tokens.ts';
import { MERCHANTS, type BenchDatabase, type Sizes } from './bench-data.ts';
import { describeSlice, orderOf, ratiosOf, updateSlice, type Slice } from './in-turn.ts';
import { MANY, update } from './measure-updates.ts';
import { WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import { openStreams, type OpenStreams } from './open-streams.ts';
import { ask } from './postgres.ts';
import type { Server } from './server.ts';
import { commandActor } from '../src/manage/run-here.ts';

/** V1 to V8 load little: each update is of one of so many orders, and only the changes are read. */
export const WATCHED: Sizes = { orders: 100_000, cashouts: 10_000, cashoutsOfOne: 1_000 };

const STREAMS = 1_000;
/** Until streams that were closed are gone, and memory is what it stays. */
const SETTLED_MS = 1_000;
/** The slowest reading is five seconds after the one before. */
const HEARD_MS = 8_000;

/** `strangers`: all streams are of merchants whose orders nobody updates. `untold`: the list of changes is not written. */
type Side = 'strangers' | 'without' | 'streams' | 'untold';
/** What is compared with is between the others: both are as near to it in time. */
const SIDES: readonly Side[] = ['strangers', 'without', 'streams'];
const TOLD_SIDES: readonly Side[] = ['without', 'untold'];
/** The list of changes has no target, so fewer pairs are enough. */
const TOLD_PAIRS = 1 / 4;

type Measured = { readonly slices: Record<Side, Slice[]>; readonly idleMegabytes: number[]; readonly megabytes: Record<Side, number[]> };

/** V1 to V8: what 1,000 open streams cost a process, and what the list of changes costs each update. One process is compared with itself. */
export async function measureEvents(bench: Bench, pairs: number): Promise<Figure[]> {
  const { say } = bench;
  say('warming up');
  await update({ ...bench, say: () => undefined }, MANY, 64, WARM_UP_SECONDS);
  const streams = await measureSides(bench, SIDES, pairs);
  const untold = await measureSides(bench, TOLD_SIDES, Math.ceil(pairs * TOLD_PAIRS));
  return toFigures(streams, untold);
}

/** Measures sides in turn. What a side needs stays from one slice to the next of the same side. */
async function measureSides(bench: Bench, sides: readonly Side[], pairs: number): Promise<Measured> {
  const { database, say } = bench;
  const [server] = bench.servers as readonly [Server];
  const tokens = { streams: await makeTokens(database, () => null), strangers: await makeTokens(database, strangerOf) };
  const measured: Measured = {
    slices: { strangers: [], without: [], streams: [], untold: [] },
    idleMegabytes: [],
    megabytes: { strangers: [], without: [], streams: [], untold: [] },
  };
  let at: Side = 'without';
  let open: OpenStreams | undefined;

  async function leave(): Promise<void> {
    if (at === 'untold') await setTelling(database, 'enable');
    if (open !== undefined) await checkHeard(open, at === 'streams');
    await open?.close();
    open = undefined;
    await delay(SETTLED_MS);
  }
  async function enter(side: Side): Promise<void> {
    at = side;
    if (side === 'untold') await setTelling(database, 'disable');
    if (side !== 'streams' && side !== 'strangers') return;
    const before = await megabytesOf(server);
    open = await openStreams(server.origin, tokens[side]);
    await delay(SETTLED_MS);
    measured.idleMegabytes.push((await megabytesOf(server)) - before);
  }

  for (let pair = 1; pair <= pairs; pair++)
    for (const side of orderOf(sides, pair)) {
      if (side !== at) {
        await leave();
        await enter(side);
      }
      const slice = await updateSlice(bench, { readers: open?.pid });
      measured.slices[side].push(slice);
      measured.megabytes[side].push(await megabytesOf(server));
      say(`${side}, ${pair} of ${pairs}: ${describeSlice(slice)}`);
    }
  await leave();
  return measured;
}

/** Streams that should hear of changes all do so in time, and others of none. */
async function checkHeard(open: OpenStreams, isHeard: boolean): Promise<void> {
  const until = performance.now() + (isHeard ? HEARD_MS : 0);
  let silent = await open.silent();
  while (silent > 0 && performance.now() < until) {
    await delay(SETTLED_MS);
    silent = await open.silent();
  }
  if (silent !== (isHeard ? 0 : STREAMS)) throw new Error(`${silent} of ${STREAMS} streams heard of no change`);
}

/** What our two processes work for one update. */
const work = ({ nodeUs, databaseUs }: Slice): number => nodeUs + databaseUs;

const most = (values: readonly number[]): number[] => [Math.max(...values)];

function toFigures({ slices, idleMegabytes, megabytes }: Measured, untold: Measured): Figure[] {
  const { without, strangers, streams } = slices;
  const all = [...Object.values(slices), ...Object.values(untold.slices)].flat();
  const shared = { unit: '', isOfSlices: true } as const;
  const costs = { ...shared, target: { atMost: 1.02 } };
  const told = ratiosOf(untold.slices.without, untold.slices.untold, work);
  return [
    {
      name: 'V1',
      what: `processor time of an update, ${STREAMS} streams hear it ÷ none open`,
      ours: ratiosOf(streams, without, work),
      ...costs,
    },
    { name: 'V2', what: `the same, ${STREAMS} streams hear nothing`, ours: ratiosOf(strangers, without, work), ...costs },
    {
      name: 'V3',
      what: `rate of updates, ${STREAMS} streams hear them ÷ none open, the readers’ share given back`,
      ours: ratiosOf(streams, without, ({ perSecondAlone }) => perSecondAlone),
      target: { atLeast: 0.98 },
      ...shared,
    },
    { name: '–', what: 'the rate as it is', ours: ratiosOf(streams, without, ({ perSecond }) => perSecond), ...shared },
    {
      name: '–',
      what: `as V3, ${STREAMS} streams hear nothing`,
      ours: ratiosOf(strangers, without, ({ perSecondAlone }) => perSecondAlone),
      ...shared,
    },
    { name: '–', what: 'processor time of an update, none open', unit: 'µs', ours: without.map(work) },
    { name: 'V4', what: 'processor time of the readers for an update in V3', unit: 'µs', ours: streams.map(({ readersUs }) => readersUs) },
    {
      name: 'V5',
      what: 'more memory of the process in V3',
      unit: 'MB',
      // A process keeps what it once took: the first slices count.
      ours: [(megabytes.streams[0] as number) - (megabytes.without[0] as number)],
      target: { atMost: 100 },
    },
    { name: 'V6', what: `more memory when ${STREAMS} streams are opened`, unit: 'MB', ours: most(idleMegabytes), target: { atMost: 100 } },
    { name: 'V7', what: 'processor time of an update, the list of changes records it ÷ it does not', ours: told, ...shared },
    {
      name: 'V8',
      what: 'errors, lost or doubled writes, per slice',
      unit: '',
      ours: most(all.map(({ faults }) => faults)),
      target: { atMost: 0 },
    },
  ];
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
        const made = makeToken(tx, commandActor('test'), { userId: null }, terms, systemClock.now());
        if (isRefusal(made)) throw new Error(`no token for a stream: ${made.refusal}`);
        return made.token;
      }),
    );
  } finally {
    await db.close();
  }
}
