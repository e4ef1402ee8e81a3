// npm run torture -- --rounds N: faults under load, and a check of all that was acknowledged (README.md).
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FAULT_NAMES, NEEDS_VOLUMES, type FaultName } from './faults.ts';
import { torture, TortureFailure, type Tally, type TortureOptions } from './run.ts';
import { canMakeVolumes } from './volume.ts';

const USAGE = `npm run torture -- [options]
  --rounds N         rounds to play, 100 by default
  --seconds N        begins no round after this time
  --seed N           what happens in each round, 1 by default
  --faults A,B       only these: ${FAULT_NAMES.join(', ')}
  --record FILE      adds a line with what the run did, such as server/torture/record.jsonl
SIGTERM ends the run after its round, with all checks.
The database is an embedded one. As root on Linux it is on small file systems in memory; else no disk runs full.`;

type Arguments = TortureOptions & { readonly record: string | undefined };

const say = (line: string): void => console.error(line);

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      faults: { type: 'string' },
      record: { type: 'string' },
    },
  });
  const numbers = { rounds: Number(values.rounds), seconds: Number(values.seconds), seed: Number(values.seed) };
  const wanted = values.faults?.split(',') ?? FAULT_NAMES;
  const unknown = wanted.filter((name) => !FAULT_NAMES.includes(name as FaultName));
  if (unknown.length > 0 || Object.values(numbers).some((number) => !Number.isSafeInteger(number) || number < 1)) throw new Error(USAGE);
  const isSmall = canMakeVolumes();
  const faults = (wanted as readonly FaultName[]).filter((name) => isSmall || !NEEDS_VOLUMES.includes(name));
  if (faults.length === 0) throw new Error(`No file systems can be made here: ${wanted.join(', ')}`);
  if (!isSmall) say('No file systems can be made here: no disk runs full. Root on Linux can make them.');
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  return { ...numbers, faults, stopping: stop.signal, isSmall, phaseMs: 500, longMs: 6_500, verifyEvery: 10, say, record: values.record };
}

/** One line of the record. */
function recordOf({ seed, faults }: Arguments, tally: Tally, finding: string | undefined, startedAt: Date): string {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const minutes = Math.round((Date.now() - startedAt.getTime()) / 6_000) / 10;
  const machine = `${availableParallelism()} processors, load ${loadavg()[1]?.toFixed(1)}`;
  const notPlayed = FAULT_NAMES.filter((name) => !faults.includes(name));
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
    write(await torture(given));
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
