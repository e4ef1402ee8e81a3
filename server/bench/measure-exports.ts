import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sizes } from './bench-data.ts';
import { MANY, update, type Updated } from './measure-updates.ts';
import { WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import { runCommand, type RanCommand } from './server.ts';

/** X1 to X6 export every order. */
export const EXPORTED: Sizes = { orders: 1_000_000, cashouts: 10_000, cashoutsOfOne: 1_000 };

const CONNECTIONS = 64;
const MOST_SECONDS = 30;
/** How often the help is printed: most of that is the start of the process. */
const HELPS = 5;

/** X1 to X7: whole exports in each format, what they take, and what they cost updates; the start of a command. The sides are measured in turn. */
export async function measureExports(bench: Bench, pairs: number): Promise<Figure[]> {
  const { database, say } = bench;
  const directory = mkdtempSync(join(tmpdir(), 'caudal-bench-exports-'));
  const run = (list: string, format: string): Promise<RanCommand> =>
    runCommand(database, ['export', list, '--format', format, '--output', join(directory, `${list}.${format}`)]);
  try {
    const helps: number[] = [];
    for (let count = 0; count < HELPS; count++) helps.push(printHelp());
    say('a short list, and every order in two formats');
    const short = await run('cashouts', 'csv');
    const csv = await run('orders', 'csv');
    const ndjson = await run('orders', 'ndjson');
    say('warming up');
    await update({ ...bench, say: () => undefined }, MANY, CONNECTIONS, WARM_UP_SECONDS / 2);
    const quiet: Updated[] = [];
    const busy: Updated[] = [];
    const meanwhile: RanCommand[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const measureQuiet = async (): Promise<unknown> => quiet.push(await update(bench, MANY, CONNECTIONS));
      if (pair % 2 === 0) await measureQuiet();
      say(`with exports, ${pair + 1} of ${pairs}`);
      busy.push(
        await withExports(
          () => run('orders', pair % 2 === 0 ? 'csv' : 'ndjson'),
          meanwhile,
          () => update(bench, MANY, CONNECTIONS),
        ),
      );
      if (pair % 2 === 1) await measureQuiet();
    }
    return toFigures({ helps, short, csv, ndjson, quiet, busy, meanwhile });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Prints the help as users do. Gives the seconds from start to end. */
function printHelp(): number {
  const startedAt = performance.now();
  const { status } = spawnSync(join(import.meta.dirname, '..', '..', 'caudal'), ['--help'], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`the help ended with ${status}`);
  return (performance.now() - startedAt) / 1_000;
}

/** Runs a load while one export follows the other. Waits for the last one. */
async function withExports<Run>(run: () => Promise<RanCommand>, ran: RanCommand[], load: () => Promise<Run>): Promise<Run> {
  const over = new AbortController();
  const exporting = (async () => {
    while (!over.signal.aborted) ran.push(await run());
  })();
  try {
    return await load();
  } finally {
    over.abort();
    await exporting;
  }
}

type Measurements = {
  readonly helps: readonly number[];
  readonly short: RanCommand;
  readonly csv: RanCommand;
  readonly ndjson: RanCommand;
  readonly quiet: readonly Updated[];
  readonly busy: readonly Updated[];
  readonly meanwhile: readonly RanCommand[];
};

const rates = (runs: readonly Updated[]): number[] => runs.map(({ perSecond }) => perSecond);

function toFigures({ helps, short, csv, ndjson, quiet, busy, meanwhile }: Measurements): Figure[] {
  const target = { atMost: MOST_SECONDS };
  return [
    { name: 'X1', what: 'export of every order, CSV', unit: 's', ours: [csv.seconds], target },
    { name: 'X2', what: 'export of every order, NDJSON', unit: 's', ours: [ndjson.seconds], target },
    { name: 'X3', what: 'the slowest while orders are updated', unit: 's', ours: [Math.max(...meanwhile.map(({ seconds }) => seconds))] },
    {
      name: 'X4',
      what: 'peak memory of the process of X1 and X2',
      unit: 'MB',
      ours: [Math.max(csv.megabytes, ndjson.megabytes)],
      against: { what: 'of a short list', values: [short.megabytes] },
      target: { atMost: 1.25 },
    },
    {
      name: 'X5',
      what: `updates, ${CONNECTIONS} connections, while exports run`,
      unit: '/s',
      ours: rates(busy),
      against: { what: 'without exports', values: rates(quiet) },
      target: { atLeast: 0.95 },
    },
    {
      name: 'X6',
      what: 'errors, lost or doubled writes, per run',
      unit: '',
      ours: [Math.max(...[...quiet, ...busy].map(({ faults }) => faults))],
      target: { atMost: 0 },
    },
    { name: 'X7', what: '`./caudal --help`, from start to end', unit: 's', ours: helps, target: { atMost: 0.4 } },
  ];
}
