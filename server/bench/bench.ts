// npm run bench [-- update | list | soak | expiry]: the measurements of docs/performance.md.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadDue } from './load-due.ts';
import { loadTool } from './load.ts';
import { measureExpiry } from './measure-expiry.ts';
import { measureLists } from './measure-lists.ts';
import { measureUpdates } from './measure-updates.ts';
import type { Bench, Figure } from './measurement.ts';
import { findPgbench, PGBENCH_MISSING } from './pgbench.ts';
import { openPostgres, readSettings, type Postgres } from './postgres.ts';
import { describeMachine, printTable } from './report.ts';
import { startServer, type Server } from './server.ts';
import { dropBenchDatabase, openBenchDatabase, type Sizes } from './setup.ts';
import { soak } from './soak.ts';

const USAGE = `npm run bench [-- update | list | soak | expiry] [options]
  --small          a tenth of the data, a third of the time
  --rounds N       rounds of all measurements, 3 by default; the table shows medians
  --processes N    server processes on the one database, 1 by default
  --minutes N      how long a soak takes, 20 by default
  --keep DIR       keep the embedded database in DIR, or the databases caudal_bench… of DATABASE_URL, and use their data again
  --json FILE      write all figures of all rounds`;

const WHOLE: Sizes = { orders: 1_000_000, cashouts: 10_000_000, cashoutsOfOne: 1_000_000 };
/** For P7: what a first page costs where there is little. */
const LITTLE: Sizes = { orders: 0, cashouts: 10_000, cashoutsOfOne: 1_000 };
/** For E1 to E6: what is not due. Ten times as many orders are, and so many cashouts. */
const NOT_DUE: Sizes = { orders: 100_000, cashouts: 10_000, cashoutsOfOne: 1_000 };
const DUE_CASHOUTS = 200_000;
const DATABASES = ['caudal_bench', 'caudal_bench_little', 'caudal_bench_expiry'] as const;

const say = (line: string): void => console.error(`  ${line}`);

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      small: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      processes: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '20' },
      keep: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const numbers = { rounds: Number(values.rounds), processes: Number(values.processes), minutes: Number(values.minutes) };
  const [what = 'all', ...more] = positionals;
  if (!['all', 'update', 'list', 'soak', 'expiry'].includes(what) || more.length > 0 || Object.values(numbers).some((n) => !(n > 0)))
    throw new Error(USAGE);
  return { ...values, ...numbers, what };
}

async function main(): Promise<void> {
  const options = readArguments();
  const whole = options.what === 'expiry' ? NOT_DUE : WHOLE;
  const sizes = options.small ? tenth(whole) : whole;
  const postgres = await openPostgres(options.keep);
  const servers: Server[] = [];
  try {
    const [manyName, littleName, expiryName] = DATABASES;
    const database = await openBenchDatabase(postgres.url, options.what === 'expiry' ? expiryName : manyName, sizes, say);
    const due = options.what === 'expiry' ? await loadDue(database, options.small ? DUE_CASHOUTS / 10 : DUE_CASHOUTS, say) : undefined;
    for (let count = 0; count < options.processes; count++) servers.push(await startServer(database));
    const bench: Bench = { database, servers: [...servers], pgbench: findPgbench(database.url), seconds: options.small ? 5 : 15, say };
    const about = {
      ...describeMachine(),
      load: loadTool,
      pgbench: bench.pgbench?.version ?? 'missing',
      processes: options.processes,
      rounds: options.rounds,
      sizes,
      settings: await readSettings(database.url),
    };
    console.log(about);
    if (options.what === 'soak') {
      const result = await soak(bench, options.minutes);
      if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ about, soak: result }, null, 2)}\n`);
      return;
    }
    if (bench.pgbench === undefined) console.log(PGBENCH_MISSING);
    const figures: Figure[] = [];
    if (due !== undefined) figures.push(...(await measureExpiry(bench, due)));
    if (['all', 'update'].includes(options.what)) figures.push(...(await measureUpdates(bench, options.rounds)));
    if (['all', 'list'].includes(options.what)) {
      const little = await openBenchDatabase(postgres.url, littleName, LITTLE, say);
      const littleServer = await startServer(little);
      servers.push(littleServer);
      figures.push(...(await measureLists(bench, { database: little, server: littleServer }, options.rounds)));
    }
    printTable(figures);
    for (const line of servers.flatMap(({ complaints }) => complaints)) console.log(`the server's log: ${line}`);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ about, figures }, null, 2)}\n`);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await close(postgres, options.keep);
  }
}

const tenth = ({ orders, cashouts, cashoutsOfOne }: Sizes): Sizes => ({
  orders: orders / 10,
  cashouts: cashouts / 10,
  cashoutsOfOne: cashoutsOfOne / 10,
});

async function close(postgres: Postgres, keep: string | undefined): Promise<void> {
  if (keep === undefined && !postgres.isEmbedded) for (const name of DATABASES) await dropBenchDatabase(postgres.url, name);
  await postgres.stop();
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error && error.message.includes('\n') ? error.message : error);
  process.exitCode = 1;
}
