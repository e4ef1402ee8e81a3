import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkDeepestPage, listDeepestPage, listFirstPage, listWhileChanging } from './measure-lists.ts';
import { MANY, ONE, update } from './measure-updates.ts';
import { median, WARM_UP_SECONDS, type Bench, type Measured } from './measurement.ts';
import { ask } from './postgres.ts';
import { print, printRows } from './report.ts';
import { startServer, type Server } from './server.ts';
import type { BenchDatabase, Sizes } from './bench-data.ts';
import { sealColumns } from './sealed-columns.ts';
import { dropBenchDatabase } from './setup.ts';

/** What the other checkout loads, and a copy of it for each side. */
export const COMPARED_DATABASES = { loaded: 'caudal_bench_loaded', old: 'caudal_bench_old', new: 'caudal_bench_new' } as const;

/**
 * Both sides of a pair must meet the same conditions, and a shared machine changes from second to second.
 * So a side of a pair is measured in short slices, in turn with the other. Its figure is the median of these.
 */
const SLICES = 4;
const SLICE_SECONDS = 2;

type Kind = {
  readonly name: string;
  readonly what: string;
  readonly unit: '/s' | 'ms' | 'µs';
  readonly pick: (measured: Measured) => number;
};
type Run = { readonly measure: (bench: Bench) => Promise<Measured>; readonly figures: readonly Kind[] };

const rate = (name: string, what: string): Kind => ({ name, what, unit: '/s', pick: ({ perSecond }) => perSecond });
const p50 = (name: string, what: string): Kind => ({ name, what, unit: 'ms', pick: ({ p50Ms }) => p50Ms });
const p99 = (name: string, what: string): Kind => ({ name, what, unit: 'ms', pick: ({ p99Ms }) => p99Ms });
const processor = (name: string, what: string): Kind => ({ name, what, unit: 'µs', pick: ({ processorUs }) => processorUs });

const RUNS: readonly Run[] = [
  {
    measure: (bench) => update(bench, MANY, 64),
    figures: [rate('P1', 'updates, 64 connections'), p99('P3', 'p99 of P1'), processor('C1', 'Node’s processor time of P1')],
  },
  { measure: (bench) => update(bench, MANY, 256), figures: [rate('P2', 'updates, 256 connections')] },
  { measure: (bench) => update(bench, ONE, 64), figures: [rate('P4', 'updates of one order, 64 connections')] },
  {
    measure: (bench) => listFirstPage(bench, 16),
    figures: [rate('P5', 'first page of 23, 16 connections'), processor('C5', 'Node’s processor time of P5')],
  },
  { measure: listDeepestPage, figures: [p50('P6', 'deepest page × 100 by number, p50')] },
  { measure: (bench) => listFirstPage(bench, 1), figures: [p50('P7', 'first page, 1 connection, p50')] },
  { measure: listWhileChanging, figures: [p50('P8', 'P5 while 16 more connections change cashouts, p50')] },
];

const runsOf = (names: readonly string[]): readonly Run[] => RUNS.filter(({ figures }) => figures.some(({ name }) => names.includes(name)));

/** What is measured with sealed columns. P8 would register cashouts that are not sealed, and P5 would show these. */
const SEALED = ['P1', 'P5', 'P6'];

type Side = 'new' | 'old';
type Sides = Readonly<Record<Side, Bench>>;
/** The slices of both sides. */
type Pair = Readonly<Record<Side, readonly Measured[]>>;

type Compared = {
  readonly name: string;
  readonly what: string;
  readonly unit: '/s' | 'ms' | 'µs';
  readonly new: readonly number[];
  readonly old: readonly number[];
  /** How much faster the new side is in each pair: new / old for rates, old / new for latencies. */
  readonly ratios: readonly number[];
};

type Comparison = { readonly figures: readonly Compared[]; readonly faults: Readonly<Record<Side, number>> };

type CompareOptions = {
  readonly url: string;
  readonly sizes: Sizes;
  readonly pairs: number;
  /** Our side reads personal columns that are sealed. */
  readonly isSealed: boolean;
  /** Only what has these figures. Undefined: all. */
  readonly only: readonly string[] | undefined;
  readonly say: (line: string) => void;
};

/**
 * Measures this checkout against another one, P1 to P8, in turn: new old, old new, new old, …
 * Each pair has servers of its own, because the engine compiles the same code otherwise in each process.
 * Shape: directory of the other checkout, with its packages installed → the figures of each pair.
 * Effects: the other checkout's code loads the data. Each side gets a copy, because files that were copied are read otherwise than files
 * that grew. Our server migrates its copy as in an upgrade.
 */
export async function compareWith(directory: string, { url, sizes, pairs, isSealed, only, say }: CompareOptions): Promise<Comparison> {
  const other = await importCheckout(directory);
  const loaded = await other.openBenchDatabase(url, COMPARED_DATABASES.loaded, sizes, say);
  const copy = async (side: Side): Promise<BenchDatabase> => {
    await dropBenchDatabase(url, COMPARED_DATABASES[side]);
    await ask(url, `create database ${COMPARED_DATABASES[side]} template ${COMPARED_DATABASES.loaded} strategy file_copy`);
    return { ...loaded, url: loaded.url.replace(COMPARED_DATABASES.loaded, COMPARED_DATABASES[side]) };
  };
  const databases = { old: await copy('old'), new: await copy('new') };
  say('the data is copied');
  if (isSealed) {
    await sealColumns(databases.new.url);
    for (const { url: copied } of Object.values(databases)) await ask(copied, 'vacuum (full, analyze) orders, cashouts');
    say('the columns are sealed');
  }
  const names = only ?? (isSealed ? SEALED : undefined);
  const measured = new Map<Run, Pair[]>((names === undefined ? RUNS : runsOf(names)).map((run) => [run, []]));
  for (let pair = 1; pair <= pairs; pair++) {
    say(`pair ${pair} of ${pairs}`);
    const servers: Server[] = [];
    try {
      servers.push(
        await startServer(databases.new, { before: isSealed ? 'open-sealed.ts' : undefined }),
        await other.startServer(databases.old),
      );
      const [newServer, oldServer] = servers as [Server, Server];
      const sides: Sides = { new: sideOf('new', databases.new, newServer, say), old: sideOf('old', databases.old, oldServer, say) };
      await Promise.all(Object.values(sides).map(warmUp));
      for (const [run, results] of measured) results.push(await measurePair(run, sides, pair % 2 === 1 ? ['new', 'old'] : ['old', 'new']));
      for (const line of servers.flatMap(({ complaints }) => complaints)) console.log(`a server's log: ${line}`);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  }
  return summarize(measured);
}

const sideOf = (side: Side, database: BenchDatabase, server: Server, say: (line: string) => void): Bench => ({
  database,
  servers: [server],
  pgbench: undefined,
  seconds: SLICE_SECONDS,
  say: (line) => say(`${side}: ${line}`),
});

export type Checkout = Pick<typeof import('./setup.ts'), 'openBenchDatabase'> & Pick<typeof import('./server.ts'), 'startServer'>;

/** Loads a file of the server of a checkout. */
export const importFrom = (directory: string, ...path: readonly string[]): Promise<object> =>
  import(pathToFileURL(join(resolve(directory), 'server', ...path)).href);

/** The bench of another checkout, for what its release loads and starts. */
export const importCheckout = async (directory: string): Promise<Checkout> =>
  ({
    ...(await importFrom(directory, 'bench', 'setup.ts')),
    ...(await importFrom(directory, 'bench', 'server.ts')),
  }) as Checkout;

function summarize(measured: ReadonlyMap<Run, readonly Pair[]>): Comparison {
  const all = [...measured.values()].flat();
  const faultsOf = (side: Side): number => all.flatMap((pair) => pair[side]).reduce((total, { faults }) => total + faults, 0);
  return {
    figures: [...measured].flatMap(([{ figures }, results]) => figures.map((figure) => compare(figure, results))),
    faults: { new: faultsOf('new'), old: faultsOf('old') },
  };
}

async function warmUp(bench: Bench): Promise<void> {
  bench.say('warming up');
  await checkDeepestPage(bench);
  const long: Bench = { ...bench, seconds: WARM_UP_SECONDS };
  await Promise.all([update(long, MANY, 64), listFirstPage(long, 16)]);
}

async function measurePair({ measure }: Run, sides: Sides, order: readonly Side[]): Promise<Pair> {
  const slices = { new: [] as Measured[], old: [] as Measured[] };
  for (let slice = 0; slice < SLICES; slice++)
    for (const side of slice % 2 === 0 ? order : order.toReversed()) slices[side].push(await measure(sides[side]));
  return slices;
}

function compare({ name, what, unit, pick }: Kind, pairs: readonly Pair[]): Compared {
  const figuresOf = (side: Side): number[] => pairs.map((pair) => median(pair[side].map(pick)));
  const [ours, theirs] = [figuresOf('new'), figuresOf('old')];
  const ratioOf = (one: number, other: number): number => (unit === '/s' ? one / other : other / one);
  return { name, what, unit, new: ours, old: theirs, ratios: ours.map((one, index) => ratioOf(one, theirs[index] as number)) };
}

/** Prints the table: medians of both sides, and the median, the least and the greatest of the ratios. */
export function printComparison({ figures, faults }: Comparison): void {
  const rows = figures
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, what, unit, ratios, ...sides }) => [
      name,
      what,
      `${print(median(sides.new))} ${unit}`,
      `${print(median(sides.old))} ${unit}`,
      ...(ratios.every(Number.isFinite)
        ? [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(3))
        : ['–', '–', '–']),
    ]);
  const p10 = ['P10', 'errors, lost or doubled writes', String(faults.new), String(faults.old), '–', '–', '–'];
  printRows(['#', 'What', 'New', 'Old', 'Ratio', 'Least', 'Greatest'], [...rows, p10]);
  console.log('Ratio: the median over the pairs of new / old for rates, of old / new for times; above 1 the new side is faster.');
  if (figures.some(({ ratios }) => !ratios.every(Number.isFinite)))
    console.log('–: a side has 0 ms, because this load generator counts whole milliseconds. wrk counts smaller ones.');
}
