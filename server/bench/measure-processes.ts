import { listFirstPage } from './measure-lists.ts';
import { MANY, update } from './measure-updates.ts';
import { WARM_UP_SECONDS, type Bench, type Figure, type Measured } from './measurement.ts';
import type { Server } from './server.ts';

type Run = { readonly many: Measured; readonly crowd: Measured; readonly list: Measured };
type Pick = (run: Run) => number;

const work = ({ processorUs, databaseUs }: Measured): number => processorUs + databaseUs;

const LINES: readonly (readonly [name: string, what: string, unit: Figure['unit'], pick: Pick])[] = [
  ['M1', 'updates, 64 connections', '/s', ({ many }) => many.perSecond],
  ['M2', 'updates, 256 connections', '/s', ({ crowd }) => crowd.perSecond],
  ['M3', 'p99 of M1', 'ms', ({ many }) => many.p99Ms],
  ['M4', 'processor time of an update in M1, with PostgreSQL’s', 'µs', ({ many }) => work(many)],
  ['M5', 'first page of 23, 16 connections', '/s', ({ list }) => list.perSecond],
];

/**
 * M1 to M5: the same service with several processes and with one, in turn on the same data.
 * Shape: starts a service with that many processes. The first of `counts` is the reference of the others.
 */
export async function measureProcesses(
  bench: Omit<Bench, 'servers'>,
  counts: readonly number[],
  rounds: number,
  start: (processes: number) => Promise<Server>,
): Promise<Figure[]> {
  const sides = await Promise.all(counts.map(async (count) => ({ count, server: await start(count), runs: [] as Run[] })));
  try {
    for (const { server } of sides) await measureOnce({ ...bench, servers: [server], seconds: WARM_UP_SECONDS });
    for (let round = 1; round <= rounds; round++)
      for (const { count, server, runs } of round % 2 === 1 ? sides : sides.toReversed()) {
        bench.say(`round ${round} of ${rounds}, ${count} of its processes`);
        runs.push(await measureOnce({ ...bench, servers: [server] }));
      }
  } finally {
    await Promise.all(sides.map(({ server }) => server.stop()));
  }
  const [first, ...others] = sides as [(typeof sides)[number], ...typeof sides];
  return others.flatMap(({ count, runs }) =>
    LINES.map(([name, what, unit, pick]) => ({
      name,
      what: `${what}, ${count} processes`,
      unit,
      ours: runs.map(pick),
      against: { what: `${first.count} of them`, values: first.runs.map(pick) },
    })),
  );
}

const measureOnce = async (bench: Bench): Promise<Run> => ({
  many: await update(bench, MANY, 64),
  crowd: await update(bench, MANY, 256),
  list: await listFirstPage(bench, 16),
});
