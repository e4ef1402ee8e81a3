// npm run bench [-- WHAT]: the measurements of docs/performance.md. A wrong WHAT shows all of them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareBatches } from './compare-batches.ts';
import { COMPARED_DATABASES, compareWith, printComparison } from './compare.ts';
import { loadDue } from './load-due.ts';
import { loadTool } from './load.ts';
import { buildConsole } from '../../scripts/build-console.mjs';
import { LOOKED_AT, measureConsole } from './measure-console.ts';
import { measureCells } from './measure-cells.ts';
import { measureEvents, WATCHED } from './measure-events.ts';
import { EXPORTED, measureExports } from './measure-exports.ts';
import { measureExpiry } from './measure-expiry.ts';
import { ISOLATED, measureIsolation } from './measure-isolation.ts';
import { measureLimits, measureShedding } from './measure-limits.ts';
import { measureLists } from './measure-lists.ts';
import { firstNewMigration, measureMigrations } from './measure-migrations.ts';
import { measureProcesses } from './measure-processes.ts';
import { measureStatements, STATED } from './measure-statements.ts';
import { measureSettlements, SETTLED } from './measure-settlements.ts';
import { measureSearch } from './measure-search.ts';
import { measureTraces } from './measure-traces.ts';
import { measureUpdates } from './measure-updates.ts';
import type { Bench, Figure } from './measurement.ts';
import { findPgbench, PGBENCH_MISSING } from './pgbench.ts';
import { openPostgres, readSettings, type Postgres } from './postgres.ts';
import { describeMachine, printTable } from './report.ts';
import { startServer, type Server } from './server.ts';
import { type Sizes } from './bench-data.ts';
import { dropBenchDatabase, openBenchDatabase } from './setup.ts';
import { soak } from './soak.ts';

const USAGE = `npm run bench [-- update | list | soak | expiry | isolation | limits | shedding | search | events | exports | statement | settlements | console | traces | migrations | cells [1,2,4] | compare --with DIR | batches --with DIR] [options]
  --small          a tenth of the data, a third of the time
  --rounds N       rounds of all measurements, 3 by default; the table shows medians
  --processes N    processes of the service, 1 by default; with 1,2 both are measured in turn, M1 to M5
  --minutes N      how long a soak takes, 20 by default
  --from N         migrations: the first of them; by default those since the release that the newest one names
  --with DIR       compare, batches: another checkout of this project, with its packages installed
  --only NAMES     compare, isolation: only what has these figures, such as P1,P5; in compare each pair has servers of its own all the same
  --sealed         compare: our side reads personal columns that are sealed (decision 0025)
  --pairs N        compare, batches, isolation, events, exports, traces: how often each side is measured, in turn, 7 by default (exports: 2, events: 15, traces: 100)
  --seconds N      how long one run takes, 15 by default (search: 60, isolation: 30, events, traces and settlements: 3)
  --keep DIR       keep the embedded database in DIR, or the databases caudal_bench… of DATABASE_URL, and use their data again
  --json FILE      write all figures of all rounds`;

const WHATS = new Set([
  'all',
  'update',
  'list',
  'soak',
  'expiry',
  'isolation',
  'limits',
  'shedding',
  'search',
  'events',
  'exports',
  'statement',
  'settlements',
  'console',
  'traces',
  'migrations',
  'compare',
  'batches',
  'processes',
  'cells',
]);

const WHOLE: Sizes = { orders: 1_000_000, cashouts: 10_000_000, cashoutsOfOne: 1_000_000 };
/** P7 compares with a first page among few rows. */
const LITTLE: Sizes = { orders: 0, cashouts: 10_000, cashoutsOfOne: 1_000 };
/** E1 to E6: what is not due. Ten times as many orders are due, and DUE_CASHOUTS. */
const NOT_DUE: Sizes = { orders: 100_000, cashouts: 10_000, cashoutsOfOne: 1_000 };
const DUE_CASHOUTS = 200_000;
/** Migrations of orders matter most. */
const MIGRATED: Sizes = { orders: 1_000_000, cashouts: 1_000_000, cashoutsOfOne: 100_000 };
/** Less data than WHOLE leaves time for more pairs. The one merchant has as many cashouts as in WHOLE, so page 9,999 exists. */
const COMPARED: Sizes = { orders: 200_000, cashouts: 2_000_000, cashoutsOfOne: 1_000_000 };

const DATABASES = {
  many: 'caudal_bench',
  little: 'caudal_bench_little',
  expiry: 'caudal_bench_expiry',
  isolation: 'caudal_bench_isolation',
  events: 'caudal_bench_events',
  exports: 'caudal_bench_exports',
  statement: 'caudal_bench_statement',
  settlements: 'caudal_bench_settlements',
  console: 'caudal_bench_console',
  migrations: 'caudal_bench_migrations',
  ...COMPARED_DATABASES,
} as const;

/** What has data of its own. */
const OWN_DATA: Readonly<Record<string, { readonly name: string; readonly sizes: Sizes }>> = {
  expiry: { name: DATABASES.expiry, sizes: NOT_DUE },
  events: { name: DATABASES.events, sizes: WATCHED },
  traces: { name: DATABASES.events, sizes: WATCHED },
  exports: { name: DATABASES.exports, sizes: EXPORTED },
  statement: { name: DATABASES.statement, sizes: STATED },
  settlements: { name: DATABASES.settlements, sizes: SETTLED },
  console: { name: DATABASES.console, sizes: LOOKED_AT },
};

const say = (line: string): void => console.error(`  ${line}`);

/** Slices differ by more than what is looked for, so they need many pairs. */
const USUAL_PAIRS: Readonly<Record<string, number>> = { exports: 2, events: 15, traces: 100 };

type Options = ReturnType<typeof readArguments>;

/** Says how it is called, where an option is none of these. */
const parse: typeof parseArgs = (config) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
};

function readArguments() {
  const { values, positionals } = parse({
    allowPositionals: true,
    options: {
      small: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      processes: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '20' },
      from: { type: 'string' },
      with: { type: 'string' },
      sealed: { type: 'boolean', default: false },
      only: { type: 'string' },
      pairs: { type: 'string' },
      seconds: { type: 'string' },
      keep: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const { rounds, minutes, pairs, seconds } = values;
  const counts = values.processes.split(',').map(Number);
  const [what = counts.length > 1 ? 'processes' : 'all', ...rest] = positionals;
  const [cells = '1,2,4', ...more] = what === 'cells' ? rest : ['', ...rest];
  const isOfSlices = ['events', 'traces', 'settlements'].includes(what);
  const usual = what === 'search' ? 60 : what === 'isolation' ? 30 : isOfSlices ? 3 : values.small ? 5 : 15;
  const usualPairs = USUAL_PAIRS[what] ?? 7;
  const texts = {
    rounds,
    minutes,
    from: values.from ?? firstNewMigration(),
    pairs: pairs ?? usualPairs,
    seconds: seconds ?? usual,
  };
  const numbers = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)])) as Record<
    keyof typeof texts,
    number
  >;
  const isComparison = what === 'compare';
  const cellCounts = what === 'cells' ? cells.split(',').map(Number) : [];
  const wrong: Readonly<Record<string, boolean>> = {
    [`there is no benchmark "${what}"`]: !WHATS.has(what),
    [`one benchmark at a time: "${more.join(' ')}" is one more`]: more.length > 0,
    'compare and batches need --with DIR, and no other takes it': (isComparison || what === 'batches') !== (values.with !== undefined),
    'only compare takes --sealed': values.sealed && !isComparison,
    'only compare and isolation take --only': values.only !== undefined && !isComparison && what !== 'isolation',
    'several counts of --processes are a benchmark of their own': (what === 'processes') !== counts.length > 1,
    'numbers are above zero': [...counts, ...Object.values(numbers), ...cellCounts].some((n) => !(n > 0)),
  };
  const reason = Object.keys(wrong).find((one) => wrong[one]);
  if (reason !== undefined) throw new Error(`${reason}\n${USAGE}`);
  return { ...values, ...numbers, counts, cellCounts, what };
}

async function main(): Promise<void> {
  const options = readArguments();
  if (options.what === 'batches') return printTable(await compareBatches(options.with as string, options.pairs));
  const postgres = await openPostgres(options.keep);
  try {
    const about = { ...describeMachine(), load: loadTool, settings: await readSettings(postgres.url) };
    const run = { compare: compareCheckouts, migrations: migrateUnder, cells: measureCelled }[options.what] ?? measure;
    const result = await run(options, postgres, about);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await close(postgres, options.keep);
  }
}

async function compareCheckouts(
  { small, pairs, sealed, only, with: directory }: Options,
  { url }: Postgres,
  machine: object,
): Promise<object> {
  const sizes = small ? tenth(COMPARED) : COMPARED;
  const about = { ...machine, pairs, sizes, sealed, only };
  console.log(about);
  const comparison = await compareWith(directory as string, { url, sizes, pairs, isSealed: sealed, only: only?.split(','), say });
  printComparison(comparison);
  return { about, ...comparison };
}

async function migrateUnder({ small, seconds, from }: Options, { url }: Postgres, machine: object): Promise<object> {
  const sizes = small ? tenth(MIGRATED) : MIGRATED;
  const about = { ...machine, from, sizes };
  console.log(about);
  const figures = await measureMigrations({ url, name: DATABASES.migrations, sizes, from, seconds, say });
  printTable(figures);
  if (figures.some(({ ours, target }) => target !== undefined && 'atMost' in target && Math.max(...ours) > target.atMost))
    process.exitCode = 1;
  return { about, figures };
}

async function measureCelled({ cellCounts, rounds, seconds }: Options, { url }: Postgres, machine: object): Promise<object> {
  const about = { ...machine, cells: cellCounts, rounds };
  console.log(about);
  const figures = await measureCells(url, cellCounts, rounds, seconds, say);
  printTable(figures);
  return { about, figures };
}

async function measure(options: Options, { url }: Postgres, machine: object): Promise<object> {
  const { what, small, rounds, counts, seconds } = options;
  const isShared = ['isolation', 'limits', 'shedding'].includes(what);
  const isExpiry = what === 'expiry';
  const isWatched = what === 'events';
  const own = OWN_DATA[what];
  const name = isShared ? DATABASES.isolation : (own?.name ?? DATABASES.many);
  const whole = own?.sizes ?? WHOLE;
  const sizes = isShared ? ISOLATED : small ? tenth(whole) : whole;
  const servers: Server[] = [];
  if (what === 'console') requireConsole();
  try {
    const database = await openBenchDatabase(url, name, sizes, say);
    const due = isExpiry ? await loadDue(database, small ? DUE_CASHOUTS / 10 : DUE_CASHOUTS, say) : undefined;
    const startsOwn = ['processes', 'traces'].includes(what);
    if (!startsOwn) servers.push(await startServer(database, { processes: counts[0] }));
    const bench: Bench = { database, servers: [...servers], pgbench: findPgbench(database.url), seconds, say };
    const about = { ...machine, pgbench: bench.pgbench?.version ?? 'missing', processes: counts, rounds, sizes };
    console.log(about);
    if (what === 'soak') return { about, soak: await soak(bench, options.minutes) };
    if (bench.pgbench === undefined && !isShared && !startsOwn) console.log(PGBENCH_MISSING);
    const figures: Figure[] = [];
    if (what === 'isolation') figures.push(...(await measureIsolation(bench, options.pairs, options.only?.split(','))));
    if (what === 'limits') figures.push(...(await measureLimits(bench, rounds)));
    if (what === 'shedding') figures.push(...(await measureShedding(bench, rounds)));
    if (what === 'processes')
      figures.push(...(await measureProcesses(bench, counts, rounds, (processes) => startServer(database, { processes }))));
    if (what === 'traces')
      figures.push(
        ...(await measureTraces(bench, options.pairs, (traces) =>
          startServer(database, traces === undefined ? {} : { traces, before: 'trace-in-turn.ts' }),
        )),
      );
    if (what === 'search') figures.push(...(await measureSearch(database, seconds, say)));
    if (what === 'exports') figures.push(...(await measureExports(bench, options.pairs)));
    if (what === 'statement') figures.push(...(await measureStatements(bench, rounds)));
    if (what === 'settlements') figures.push(...(await measureSettlements(bench, rounds, small)));
    if (what === 'console') figures.push(...(await measureConsole(bench, rounds)));
    if (isWatched) figures.push(...(await measureEvents(bench, options.pairs)));
    if (due !== undefined) figures.push(...(await measureExpiry(bench, due)));
    if (['all', 'update'].includes(what)) figures.push(...(await measureUpdates(bench, rounds)));
    if (['all', 'list'].includes(what)) {
      const little = await openBenchDatabase(url, DATABASES.little, LITTLE, say);
      const littleServer = await startServer(little);
      servers.push(littleServer);
      figures.push(...(await measureLists(bench, { database: little, server: littleServer }, rounds)));
    }
    printTable(figures);
    // With held rows and a crowd it complains, as it should.
    if (!isShared) for (const line of servers.flatMap(({ complaints }) => complaints)) console.log(`the server's log: ${line}`);
    return { about, figures };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** A server reads the console when it starts. */
function requireConsole(): void {
  const failure = buildConsole(join(import.meta.dirname, '..', '..'), process.execPath);
  if (failure !== undefined) throw new Error(`the console is not built: ${failure}`);
}

const tenth = ({ orders, cashouts, cashoutsOfOne }: Sizes): Sizes => ({
  orders: orders / 10,
  cashouts: cashouts / 10,
  cashoutsOfOne: cashoutsOfOne / 10,
});

async function close(postgres: Postgres, keep: string | undefined): Promise<void> {
  if (keep === undefined && !postgres.isEmbedded) for (const name of Object.values(DATABASES)) await dropBenchDatabase(postgres.url, name);
  await postgres.stop();
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error && error.message.includes('\n') ? error.message : error);
  process.exitCode = 1;
}
