import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { runLoad, type LoadResult } from './load.ts';
import { describeRate, newRun, originsOf, type Bench } from './measurement.ts';
import { MANY } from './measure-updates.ts';
import { ask, readWork } from './postgres.ts';
import { processorSecondsOf } from './processor-time.ts';
import { prepare, requestMaker } from './requests.ts';
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
  /** What the server does within this time after its last answer counts too. */
  readonly tailMs?: number | undefined;
};

/** Far less is prepared than for a long run: it takes time, and 64 connections get no 20,000 answers. */
const PREPARED_PER_SECOND = 20_000;

/** The order of the sides of a pair, by its number from 1 on. */
export const orderOf = <Side>(sides: readonly Side[], pair: number): readonly Side[] => (pair % 2 === 1 ? sides : sides.toReversed());

/** Measures one slice of P1: updates over 64 connections. Nobody asks the servers for metrics meanwhile. */
export async function updateSlice(bench: Bench, { readers, tailMs = 0 }: SliceOptions = {}): Promise<Slice> {
  const { database, seconds, servers } = bench;
  const run = newRun();
  const make = requestMaker(database, run);
  const requests = [...prepare(seconds, (number) => make.updateOrder(number, MANY.pickOrder(database.sizes.orders)), PREPARED_PER_SECOND)];
  await ask(database.url, 'checkpoint');
  const read = async () => ({
    node: servers.reduce((total, { pid }) => total + processorSecondsOf(pid), 0),
    readers: readers === undefined ? 0 : processorSecondsOf(readers),
    database: (await readWork(database.url)).seconds,
  });
  const before = await read();
  const startedAt = performance.now();
  const result = await runLoad({ origins: originsOf(bench), requests, connections: 64, seconds, mayRepeat: false });
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  await delay(tailMs);
  const after = await read();
  const { lost, doubled } = await checkWrites(database.url, run, result.answered);
  const each = (pick: (at: typeof before) => number): number => ((pick(after) - pick(before)) * 1e6) / result.answered;
  const readersShare = (after.readers - before.readers) / (elapsedSeconds * availableParallelism());
  return {
    ...result,
    faults: result.failed + lost + doubled,
    nodeUs: each(({ node }) => node),
    databaseUs: each((at) => at.database),
    readersUs: each((at) => at.readers),
    perSecondAlone: result.perSecond / (1 - readersShare),
  };
}

export const describeSlice = (slice: Slice): string =>
  `${describeRate(slice)}; ${slice.nodeUs.toFixed(1)} µs of Node's processor time each, ${slice.databaseUs.toFixed(1)} µs of PostgreSQL's, ` +
  `${slice.readersUs.toFixed(1)} µs of readers; ${slice.faults} faults`;

/** A figure of each pair: one side ÷ the other. */
export const ratiosOf = (ones: readonly Slice[], others: readonly Slice[], pick: (slice: Slice) => number): number[] =>
  ones.map((one, pair) => pick(one) / pick(others[pair] as Slice));
