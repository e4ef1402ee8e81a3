import type { LoadResult } from './load.ts';
import type { Pgbench } from './pgbench.ts';
import type { Server } from './server.ts';
import type { BenchDatabase } from './bench-data.ts';
import { readWork } from './postgres.ts';

/** Not measured: the engine still compiles hot code, and the data comes from disk. A service runs for days. */
export const WARM_UP_SECONDS = 20;

/** What every measurement works with. */
export type Bench = {
  readonly database: BenchDatabase;
  readonly servers: readonly Server[];
  readonly pgbench: Pgbench | undefined;
  /** Duration of one run. */
  readonly seconds: number;
  readonly say: (line: string) => void;
};

/** One run of a load. `faults` counts failed requests, lost writes and doubled writes. */
export type Measured = LoadResult & {
  readonly faults: number;
  /** Node's processor time of one answer. It depends less on the hour than a rate does. */
  readonly processorUs: number;
  /** That of PostgreSQL, and what its log grew by. NaN: it does not say. */
  readonly databaseUs: number;
  readonly logBytes: number;
};

/** One line of the table: our figure of each round, and its reference. The target is for their ratio, or for the figure itself. */
export type Figure = {
  readonly name: string;
  readonly what: string;
  readonly unit: '/s' | 'µs' | 'ms' | 's' | 'MB' | 'kB' | '%' | '';
  readonly ours: readonly number[];
  readonly against?: { readonly what: string; readonly values: readonly number[] };
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  /** Each of `ours` is of a pair of slices, which differ by more than what is looked for. So the table shows their quartiles. */
  readonly isOfSlices?: true;
};

export const originsOf = ({ servers }: Bench): string[] => servers.map(({ origin }) => origin);

/** A prefix for the request ids of one run. No two runs share one, also on a kept database. */
export const newRun = (): string => `b${Date.now().toString(36)}`;

/** The first quartile, the median and the third. */
export const quartiles = (values: readonly number[]): readonly [number, number, number] => {
  const sorted = values.toSorted((one, other) => one - other);
  const half = Math.ceil(sorted.length / 2);
  return [median(sorted.slice(0, half)), median(sorted), median(sorted.slice(-half))];
};

/** Bounds of the median: of the whole, and not of this sample, it is between them in 95 of 100 cases. */
export function boundsOfMedian(values: readonly number[]): readonly [number, number] {
  const sorted = values.toSorted((one, other) => one - other);
  const last = sorted.length - 1;
  const reach = Math.sqrt(sorted.length) * 0.98;
  return [sorted[Math.max(0, Math.floor(last / 2 - reach))] as number, sorted[Math.min(last, Math.ceil(last / 2 + reach))] as number];
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

export const describeRate = ({ perSecond, p50Ms, p99Ms }: Pick<LoadResult, 'perSecond' | 'p50Ms' | 'p99Ms'>): string =>
  `${Math.round(perSecond)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;

/** Runs a load and adds what each answer cost. */
export async function withCosts<Result extends LoadResult>(
  bench: Bench,
  run: () => Promise<Result>,
): Promise<Result & Omit<Measured, keyof LoadResult | 'faults'>> {
  const read = () => Promise.all([readProcessorSeconds(bench), readWork(bench.database.url)]);
  const [node, database] = await read();
  const result = await run();
  const [nodeAfter, databaseAfter] = await read();
  return {
    ...result,
    processorUs: ((nodeAfter - node) * 1e6) / result.answered,
    databaseUs: ((databaseAfter.seconds - database.seconds) * 1e6) / result.answered,
    logBytes: (databaseAfter.logBytes - database.logBytes) / result.answered,
  };
}

/** Processor time in seconds that all server processes have used so far. */
export async function readProcessorSeconds({ servers }: Pick<Bench, 'servers'>): Promise<number> {
  const all = await Promise.all(servers.map((server) => server.readMetrics()));
  return all.reduce((total, metrics) => total + (metrics['process_cpu_seconds_total'] ?? 0), 0);
}
