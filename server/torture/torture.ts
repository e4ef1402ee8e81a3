// npm run torture -- --rounds N: faults under load, and a check of all that was acknowledged (README.md).
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CELL_FAULTS, type Cells } from './cells/faults.ts';
import { CITUS_FAULTS } from './cells/citus-faults.ts';
import { startCitusCells, type CitusCells } from './cells/citus.ts';
import { startCells } from './cells/start-cells.ts';
import { startTorturedDatabase, type StagedDatabase } from './database.ts';
import { FAIL_OVERS } from './failover/faults.ts';
import { openManaged } from './failover/managed.ts';
import { startPair, type Pair } from './failover/pair.ts';
import { FAULTS, NEEDS_VOLUMES, type Inject } from './faults.ts';
import { torture, TortureFailure, type Tally, type TortureOptions } from './run.ts';
import { canMakeVolumes } from './volume.ts';

const FAULT_NAMES = Object.keys(FAULTS);
const FAIL_OVER_NAMES = Object.keys(FAIL_OVERS);
const CELL_FAULT_NAMES = Object.keys(CELL_FAULTS);
const CITUS_FAULT_NAMES = Object.keys(CITUS_FAULTS);
const USAGE = `npm run torture -- [failover | cells] [options]
  --rounds N         rounds to play, 100 by default
  --seconds N        begins no round after this time
  --seed N           what happens in each round, 1 by default
  --faults A,B       only these: ${FAULT_NAMES.join(', ')};
                     with failover: ${FAIL_OVER_NAMES.join(', ')};
                     with cells: ${CELL_FAULT_NAMES.join(', ')};
                     with cells --citus: ${CITUS_FAULT_NAMES.join(', ')}
  --database URL     with failover: an empty database of a cluster that is there, instead of a pair of our own
  --citus URL        with cells: the coordinator of a Citus cluster that is there, which is to hold the cells
  --manager COMMAND  what harms and repairs the cluster (server/torture/README.md)
  --record FILE      adds a line with what the run did, such as server/torture/record.jsonl
SIGTERM ends the run after its round, with all checks.
With failover the database is a primary and its synchronous standby. With cells there are three, each of which holds
merchants. Else it is one embedded server. As root on Linux that is on small file systems in memory; else no disk runs full.`;

type Run = {
  readonly options: Omit<TortureOptions<StagedDatabase>, 'faults' | 'startDatabase'>;
  readonly names: readonly string[];
  readonly notPlayed: readonly string[];
  readonly record: string | undefined;
  torture(): Promise<Tally>;
};

const say = (line: string): void => console.error(line);

function readArguments(): Run {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      faults: { type: 'string' },
      database: { type: 'string' },
      citus: { type: 'string' },
      manager: { type: 'string' },
      record: { type: 'string' },
    },
  });
  const numbers = { rounds: Number(values.rounds), seconds: Number(values.seconds), seed: Number(values.seed) };
  const [kind] = positionals;
  const cluster = { failover: values.database, cells: values.citus }[`${kind}`];
  const all = kind === 'failover' ? FAIL_OVER_NAMES : kind !== 'cells' ? FAULT_NAMES : values.citus ? CITUS_FAULT_NAMES : CELL_FAULT_NAMES;
  const wanted = values.faults?.split(',') ?? all;
  const isWrong =
    positionals.length > (all === FAULT_NAMES ? 0 : 1) ||
    (values.database ?? values.citus) !== cluster ||
    (cluster === undefined) !== (values.manager === undefined) ||
    wanted.some((name) => !all.includes(name));
  if (isWrong || Object.values(numbers).some((number) => !Number.isSafeInteger(number) || number < 1)) throw new Error(USAGE);
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const common = { ...numbers, stopping: stop.signal, verifyEvery: 10, say };
  const run =
    kind === 'failover'
      ? failOverRun(common, wanted, values)
      : kind === 'cells'
        ? cellsRun(common, wanted, values)
        : faultRun(common, wanted);
  return { ...run, notPlayed: all.filter((name) => !run.names.includes(name)), record: values.record };
}

type Common = Omit<TortureOptions<StagedDatabase>, 'faults' | 'startDatabase' | 'phaseMs' | 'longMs' | 'countsFault'>;

const chosen = <Fault>(all: Readonly<Record<string, Fault>>, wanted: readonly string[]): readonly (readonly [string, Fault])[] =>
  Object.entries(all).filter(([name]) => wanted.includes(name));

function faultRun(common: Common, wanted: readonly string[]): Omit<Run, 'record' | 'notPlayed'> {
  const isSmall = canMakeVolumes();
  if (!isSmall) say('No file systems can be made here: no disk runs full. Root on Linux can make them.');
  const faults = chosen(FAULTS, wanted).filter(([name]) => isSmall || !NEEDS_VOLUMES.some((one) => one === name));
  if (faults.length === 0) throw new Error(`No file systems can be made here: ${wanted.join(', ')}`);
  const options = { ...common, phaseMs: 500, longMs: 6_500, countsFault: false };
  const startDatabase = () => startTorturedDatabase(isSmall);
  return { options, names: faults.map(([name]) => name), torture: () => torture({ ...options, faults, startDatabase }) };
}

type Cluster = { readonly database?: string | undefined; readonly citus?: string | undefined; readonly manager?: string | undefined };

function cellsRun(common: Common, wanted: readonly string[], { citus, manager }: Cluster): Omit<Run, 'record' | 'notPlayed'> {
  const options = { ...common, phaseMs: 2_500, longMs: 8_000, countsFault: false };
  return {
    options,
    names: wanted,
    torture: () =>
      citus === undefined || manager === undefined
        ? torture<Cells>({ ...options, faults: chosen<Inject<Cells>>(CELL_FAULTS, wanted), startDatabase: startCells })
        : torture<CitusCells>({
            ...options,
            faults: chosen<Inject<CitusCells>>(CITUS_FAULTS, wanted),
            startDatabase: () => startCitusCells(citus, manager),
          }),
  };
}

function failOverRun(common: Common, wanted: readonly string[], { database, manager }: Cluster): Omit<Run, 'record' | 'notPlayed'> {
  const faults = chosen(FAIL_OVERS, wanted);
  const options = { ...common, phaseMs: 1_000, longMs: 3_000, countsFault: true };
  const startDatabase = async (): Promise<Pair> =>
    database === undefined || manager === undefined ? startPair('synchronous') : openManaged(database, manager);
  return { options, names: wanted, torture: () => torture({ ...options, faults, startDatabase }) };
}

/** One line of the record. */
function recordOf({ options: { seed }, notPlayed }: Run, tally: Tally, finding: string | undefined, startedAt: Date): string {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const minutes = Math.round((Date.now() - startedAt.getTime()) / 6_000) / 10;
  const machine = `${availableParallelism()} processors, load ${loadavg()[1]?.toFixed(1)}`;
  return JSON.stringify({
    date: startedAt.toISOString().slice(0, 16),
    commit,
    seed,
    minutes,
    machine,
    findings: finding === undefined ? [] : [finding],
    ...tally,
    notPlayed,
  });
}

async function main(): Promise<void> {
  const given = readArguments();
  const startedAt = new Date();
  const write = (tally: Tally, finding?: string): void => {
    const line = recordOf(given, tally, finding, startedAt);
    console.log(line);
    if (given.record !== undefined) appendFileSync(given.record, `${line}\n`);
  };
  try {
    write(await given.torture());
  } catch (error) {
    if (!(error instanceof TortureFailure)) throw error;
    write(error.tally, error.message);
    console.error(error.cause);
    process.exitCode = 1;
  }
}

// As the tests have it: servers start again and again.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'node-compile');
try {
  await main();
} catch (error) {
  console.error(error instanceof Error && error.message === USAGE ? error.message : error);
  process.exitCode = 1;
}
