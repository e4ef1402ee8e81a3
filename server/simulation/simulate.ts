// npm run simulate -- --seed N --steps M [--seeds K]: random histories against the real service (README.md).
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { createLog } from '../src/kit/log.ts';
import { connectionConfig } from '../src/kit/db.ts';
import { migrate } from '../src/kit/migrate.ts';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { makeDataDirectory, removeDataDirectory } from '../src/testing/data-directory.ts';
import { withDatabase } from '../src/testing/names.ts';
import { processesOf } from '../src/testing/postgres-processes.ts';
import { simulate, SimulationFailure } from './run.ts';
import type { Tally } from './simulation.ts';

const USAGE = `npm run simulate -- [options]
  --seed N     the history to play, 1 by default
  --steps N    at least this many commands, 10,000 by default
  --seeds N    number of seeds to play, from --seed on; each has its own database
  --cells N    databases beside the first one, 2 for every third seed by default
The server is that of DATABASE_URL, on which databases are created and dropped, or else an embedded one.`;
const SAY_EVERY_MS = 5_000;

type Arguments = { readonly seed: number; readonly steps: number; readonly seeds: number; readonly cells: number | undefined };

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      steps: { type: 'string', default: '10000' },
      seeds: { type: 'string', default: '1' },
      cells: { type: 'string' },
    },
  });
  const numbers = { seed: Number(values.seed), steps: Number(values.steps), seeds: Number(values.seeds) };
  if (Object.values(numbers).some((number) => !Number.isSafeInteger(number) || number < 1)) throw new Error(USAGE);
  const cells = values.cells === undefined ? undefined : Number(values.cells);
  if (cells !== undefined && (!Number.isSafeInteger(cells) || cells < 0)) throw new Error(USAGE);
  return { ...numbers, cells };
}

type Postgres = { readonly url: string; readonly kill: (() => void) | undefined; stop(): Promise<void> };

async function openPostgres(): Promise<Postgres> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, kill: undefined, stop: async () => undefined };
  const dataDir = makeDataDirectory('caudal-simulation-');
  const log = createLog('warn', process.stderr);
  const server = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'npm run simulate', log });
  // What a killed process wrote stays in the memory of the machine. So nothing need be flushed, and a commit must not be late.
  await administer(server.ownerUrl, 'alter system set fsync = off');
  await administer(server.ownerUrl, 'select pg_reload_conf()');
  const cluster = realpathSync(join(dataDir, 'postgres'));
  return {
    url: server.ownerUrl,
    kill: () => killAll(processesOf(cluster)),
    stop: async () => {
      await server.stop();
      removeDataDirectory(dataDir);
    },
  };
}

/** One may have ended since it was found. */
function killAll(processIds: readonly number[]): void {
  for (const processId of processIds) {
    try {
      process.kill(processId, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client(connectionConfig(url, null));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Seeds of several cells, where nothing else is asked for. */
const cellsOf = (seed: number): number => (seed % 3 === 0 ? 2 : 0);

async function playSeed({ url, kill }: Postgres, seed: number, steps: number, cells = cellsOf(seed)): Promise<Tally> {
  const names = Array.from({ length: cells + 1 }, (_, cell) => `caudal_simulation_${process.pid}_${seed}_${cell}`);
  for (const name of names) await administer(url, `create database ${name}`);
  try {
    const [own = '', ...cellUrls] = names.map((name) => withDatabase(url, name));
    for (const one of [own, ...cellUrls]) await migrate(one, MIGRATIONS);
    const startedAt = performance.now();
    let saidAt = startedAt;
    const onRound = (tally: Tally): void => {
      const now = performance.now();
      if (now - saidAt < SAY_EVERY_MS) return;
      saidAt = now;
      const seconds = (now - startedAt) / 1_000;
      console.error(`  seed ${seed}: ${tally.steps} steps, ${Math.round(tally.steps / seconds)} in a second`);
    };
    const tally = await simulate({ url: own, seed, steps, killDatabase: kill, cellUrls, onRound });
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const { answers: _, moneyRaces: __, simulatedMs, ...counts } = tally;
    console.log(JSON.stringify({ seed, cells, seconds, ...counts, simulatedDays: Math.round(simulatedMs / 86_400_000) }));
    return tally;
  } finally {
    for (const name of names) await administer(url, `drop database ${name} with (force)`);
  }
}

async function main(): Promise<void> {
  const { seed, steps, seeds, cells } = readArguments();
  const postgres = await openPostgres();
  const answers = new Map<string, number>();
  try {
    for (let count = 0; count < seeds; count++) {
      const tally = await playSeed(postgres, seed + count, steps, cells);
      for (const [name, times] of [...tally.answers, ...tally.moneyRaces]) answers.set(name, (answers.get(name) ?? 0) + times);
    }
  } finally {
    await postgres.stop();
  }
  for (const [name, times] of [...answers].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    console.log(`${times.toString().padStart(9)}  ${name}`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof SimulationFailure || (error instanceof Error && error.message === USAGE) ? error.message : error);
  process.exitCode = 1;
}
