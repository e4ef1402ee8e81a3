import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { importFrom } from './compare.ts';
import { orderOf } from './in-turn.ts';
import { quartiles, type Figure } from './measurement.ts';
import { processorSecondsOf } from './processor-time.ts';

type Engine = Pick<typeof import('../src/kit/changes/batch.ts'), 'createBatch'> &
  Pick<typeof import('../src/kit/db/transaction.ts'), 'runTransaction'>;

/** Commands that come together, as from 32 connections. */
const TOGETHER = 32;
/** Batches of a slice: some tens of milliseconds. */
const BATCHES = 1_000;
const WARM_UP_BATCHES = 3_000;
const SIDES = ['ours', 'theirs'] as const;
const STATEMENT = { name: 'bench.nothing', text: 'select' };

/**
 * G1: the processor time of a command on its way through a batch and a transaction. This checkout and another one are in one process.
 * Nothing is asked of a database: what answers is this process. So it shows some nanoseconds, which a server's work would hide.
 */
export async function compareBatches(directory: string, pairs: number): Promise<Figure[]> {
  const runs = {
    ours: commandsOf(await load(join(import.meta.dirname, '..', '..'))),
    theirs: commandsOf(await load(directory)),
  };
  for (const side of [...SIDES, ...SIDES.toReversed()]) await runs[side](WARM_UP_BATCHES);
  const nanoseconds: Record<(typeof SIDES)[number], number[]> = { ours: [], theirs: [] };
  for (let pair = 1; pair <= pairs; pair++)
    for (const side of orderOf(SIDES, pair)) {
      const before = processorSecondsOf(process.pid);
      await runs[side](BATCHES);
      nanoseconds[side].push(((processorSecondsOf(process.pid) - before) * 1e9) / (BATCHES * TOGETHER));
    }
  const apart = nanoseconds.ours.map((one, pair) => one - (nanoseconds.theirs[pair] as number));
  console.log(
    `Ours − theirs, in ns of a command: quartiles of ${pairs} pairs ${quartiles(apart)
      .map((ns) => ns.toFixed(1))
      .join(', ')}`,
  );
  return [
    {
      name: 'G1',
      what: 'processor time of a command in a batch, in ns',
      unit: '',
      ours: nanoseconds.ours,
      against: { what: 'the other', values: nanoseconds.theirs },
    },
  ];
}

/** The engine of a checkout. */
const load = async (directory: string): Promise<Engine> =>
  ({
    ...(await importFrom(directory, 'src', 'kit', 'changes', 'batch.ts')),
    ...(await importFrom(directory, 'src', 'kit', 'db', 'transaction.ts')),
  }) as Engine;

/** Answers each pipeline in the next turn. */
const client = {
  query: (pipeline: { callback(): void }) => void setImmediate(() => pipeline.callback()),
  release: () => undefined,
} as unknown as PoolClient;

/** Shape: → runs that many batches, one after the other. */
function commandsOf({ createBatch, runTransaction }: Engine): (batches: number) => Promise<void> {
  const command = createBatch<string, string>({
    run: (items) =>
      runTransaction(
        client,
        async () => undefined,
        async (tx) => {
          tx.send(STATEMENT, []);
          return [...items];
        },
      ),
    keysOf: (key) => [key],
  });
  return async (batches) => {
    for (let batch = 0; batch < batches; batch++)
      await Promise.all(Array.from({ length: TOGETHER }, (_, index) => command(`${batch}:${index}`)));
  };
}
