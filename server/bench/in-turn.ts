import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { DRAIN_SECONDS, runLoad, type LoadResult } from './load.ts';
import { describeRate, newRun, originsOf, type Bench } from './measurement.ts';
import { MANY } from './measure-updates.ts';
import { ask, readWork } from './postgres.ts';
import { processorSecondsOf } from './processor-time.ts';
import { prepare, requestMaker } from './requests.ts';
import type { Server } from './server.ts';
import { checkWrites } from './written.ts';

// What costs a few hundredths is less than two starts of a server differ by, and than an hour changes. So one process is compared with
// itself, in slices of some seconds. The sides are in turn: the one, the other, the other, the one. So each has a neighbour of the other.

/** A slice of updates, and what each cost. */
export type Slice = LoadResult & {
  readonly faults: number;
  readonly nodeUs: number;
  /** That of PostgreSQL. NaN: it does not say. */
  readonly databaseUs: number;
  /** The rate, with what the readers took of the processors given back: in life they have other machines. */
  readonly perSecondAlone: number;
  /** Processor time of the readers. */
  readonly readersUs: number;
};

type SliceOptions = {
  /** A process that reads what streams send, and shares the machine. */
  readonly readers?: number | undefined;
};

/** Far less is prepared than for a long run: it takes time, and 64 connections get no 20,000 answers. */
const PREPARED_PER_SECOND = 20_000;

/** The order of the sides of a pair, by its number from 1 on. */
export const orderOf = <Side>(sides: readonly Side[], pair: number): readonly Side[] => (pair % 2 === 1 ? sides : sides.toReversed());

/** Measures one slice of P1: updates over 64 connections. Nobody asks the servers for metrics meanwhile. */
export async function updateSlice(bench: Bench, { readers }: SliceOptions = {}): Promise<Slice> {
  const { database, servers } = bench;
  const read = async () => ({
    node: servers.reduce((total, { pid }) => total + processorSecondsOf(pid), 0),
    readers: readers === undefined ? 0 : processorSecondsOf(readers),
    database: (await readWork(database.url)).seconds,
  });
  const { load, ended } = await prepareUpdates(bench);
  const before = await read();
  const startedAt = performance.now();
  const result = await load();
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  const after = await read();
  const each = (pick: (at: typeof before) => number): number => ((pick(after) - pick(before)) * 1e6) / result.answered;
  const readersShare = (after.readers - before.readers) / (elapsedSeconds * availableParallelism());
  return {
    ...result,
    faults: await ended(result),
    nodeUs: each(({ node }) => node),
    databaseUs: each((at) => at.database),
    readersUs: each((at) => at.readers),
    perSecondAlone: result.perSecond / (1 - readersShare),
  };
}

/** Prepares updates over 64 connections. `ended` counts what failed, was lost or doubled. */
async function prepareUpdates(bench: Bench) {
  const { database, seconds } = bench;
  const run = newRun();
  const make = requestMaker(database, run);
  const requests = [...prepare(seconds, (number) => make.updateOrder(number, MANY.pickOrder(database.sizes.orders)), PREPARED_PER_SECOND)];
  await ask(database.url, 'checkpoint');
  return {
    load: () => runLoad({ origins: originsOf(bench), requests, connections: 64, seconds, mayRepeat: false }),
    ended: async ({ answered, failed }: LoadResult): Promise<number> => {
      const { lost, doubled } = await checkWrites(database.url, run, answered);
      return failed + lost + doubled;
    },
  };
}

/** A part of a run under load. */
export type Part = Pick<Slice, 'answered' | 'perSecond' | 'nodeUs'>;

const PART_MS = 2_000;
/** Pairs of one run: a run of twenty seconds. Its requests are prepared before it. */
const PAIRS_OF_RUN = 4;
/** A run is so much longer than its parts. */
const AROUND_SECONDS = 4;

/**
 * Measures parts of runs of P1. `turn` makes a server that of a side, under load, and is called for each part.
 * Each part has a neighbour of the other side within two seconds, so that both have the same machine.
 * What a part leaves for later is counted with the next one: of spans, those of its last second.
 */
export async function updateInTurn<Side extends string>(
  bench: Omit<Bench, 'servers' | 'seconds'> & { readonly server: Server },
  sides: readonly Side[],
  pairs: number,
  turn: (side: Side) => void,
): Promise<{ readonly parts: Readonly<Record<Side, readonly Part[]>>; readonly faults: number }> {
  const { server, say } = bench;
  const parts = Object.fromEntries(sides.map((side) => [side, [] as Part[]])) as Record<Side, Part[]>;
  let faults = 0;
  for (let first = 1; first <= pairs; first += PAIRS_OF_RUN) {
    const numbers = Array.from({ length: Math.min(PAIRS_OF_RUN, pairs - first + 1) }, (_, index) => first + index);
    const seconds = (numbers.length * sides.length * PART_MS) / 1_000 + AROUND_SECONDS;
    const { load, ended } = await prepareUpdates({ ...bench, servers: [server], seconds });
    const idle = await readMoment(server);
    const measured = async (): Promise<number> => {
      while ((await readMoment(server)).answered < idle.answered + UNDER_WAY) await delay(50);
      for (const number of numbers)
        for (const side of orderOf(sides, number)) {
          turn(side);
          const before = await readMoment(server);
          await delay(PART_MS);
          parts[side].push(partBetween(before, await readMoment(server)));
        }
      return performance.now();
    };
    const timed = async () => ({ result: await load(), endedMs: performance.now() });
    const [{ result, endedMs }, lastMs] = await Promise.all([timed(), measured()]);
    assert(lastMs < endedMs - DRAIN_SECONDS * 1_000, 'nothing more was sent before the last part ended');
    faults += await ended(result);
    const last = sides.map((side) => `${side} ${describePart(parts[side].at(-1) as Part)}`);
    say(`pair ${numbers.at(-1)} of ${pairs}: ${last.join('; ')}`);
  }
  return { parts, faults };
}

/** Requests after which all connections are under way. */
const UNDER_WAY = 5_000;

type Moment = { readonly answered: number; readonly atMs: number; readonly nodeSeconds: number };

async function readMoment(server: Server): Promise<Moment> {
  const { caudal_batch_requests_sum: answered } = await server.readMetrics();
  assert(answered !== undefined, 'the metrics do not say how many requests the batches had');
  return { answered, atMs: performance.now(), nodeSeconds: processorSecondsOf(server.pid) };
}

function partBetween(before: Moment, after: Moment): Part {
  const answered = after.answered - before.answered;
  return {
    answered,
    perSecond: (answered * 1_000) / (after.atMs - before.atMs),
    nodeUs: ((after.nodeSeconds - before.nodeSeconds) * 1e6) / answered,
  };
}

const describePart = ({ perSecond, nodeUs }: Part): string =>
  `${Math.round(perSecond)}/s, ${nodeUs.toFixed(1)} µs of Node's processor time`;

export const describeSlice = (slice: Slice): string =>
  `${describeRate(slice)}; ${slice.nodeUs.toFixed(1)} µs of Node's processor time each, ${slice.databaseUs.toFixed(1)} µs of PostgreSQL's, ` +
  `${slice.readersUs.toFixed(1)} µs of readers; ${slice.faults} faults`;

/** A figure of each pair: one side ÷ the other. */
export const ratiosOf = <Of>(ones: readonly Of[], others: readonly Of[], pick: (one: Of) => number): number[] =>
  ones.map((one, pair) => pick(one) / pick(others[pair] as Of));
