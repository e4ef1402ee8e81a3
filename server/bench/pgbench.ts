import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { correctsLatencies } from './load.ts';

export type ReferenceResult = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number };

export type Pgbench = {
  readonly version: string;
  /** Runs a script of reference/: one transaction after the other on each connection. */
  run(options: {
    readonly script: string;
    readonly clients: number;
    readonly seconds: number;
    readonly variables?: Record<string, string>;
  }): Promise<ReferenceResult>;
};

export const PGBENCH_MISSING = `pgbench, PostgreSQL's own load tool, is not installed: the reference cannot be measured.
  Debian, Ubuntu: apt-get install postgresql-contrib    Fedora: dnf install postgresql-contrib
  macOS: brew install postgresql@18                     Windows: the installer of postgresql.org`;

const REFERENCE = join(import.meta.dirname, 'reference');
const run = promisify(execFile);

/** Finds pgbench on the PATH or where PostgreSQL is usually installed, newest first. Undefined: not installed. */
export function findPgbench(databaseUrl: string): Pgbench | undefined {
  for (const program of ['pgbench', ...usualPlaces()]) {
    const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim();
    if (version) return { version, run: (options) => runScript(program, databaseUrl, options) };
  }
  return undefined;
}

function usualPlaces(): string[] {
  const program = process.platform === 'win32' ? 'pgbench.exe' : 'pgbench';
  const roots = ['/usr/lib/postgresql', '/usr/local/opt', '/opt/homebrew/opt', 'C:\\Program Files\\PostgreSQL'];
  return roots
    .filter((root) => existsSync(root))
    .flatMap((root) => readdirSync(root).map((name) => join(root, name, 'bin', program)))
    .filter((path) => existsSync(path))
    .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
}

async function runScript(
  program: string,
  databaseUrl: string,
  { script, clients, seconds, variables = {} }: Parameters<Pgbench['run']>[0],
): Promise<ReferenceResult> {
  const directory = mkdtempSync(join(tmpdir(), 'caudal-bench-pgbench-'));
  try {
    const threads = Math.min(clients, availableParallelism());
    const definitions = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
    const options = `-M prepared -n -T ${seconds} -c ${clients} -j ${threads} -l`.split(' ');
    const files = ['-f', join(REFERENCE, script), '--log-prefix', join(directory, 'log')];
    const { stdout } = await run(program, [...options, ...files, ...definitions, databaseUrl]);
    const measured = readdirSync(directory).flatMap((name) => readLatencies(join(directory, name)));
    const expected = (seconds * 1e6 * clients) / measured.length;
    const latencies = Float64Array.from(correctsLatencies ? correct(measured, expected) : measured).sort();
    const at = (share: number): number => (latencies[Math.floor(latencies.length * share)] ?? NaN) / 1000;
    return { perSecond: Number(/^tps = ([0-9.]+)/m.exec(stdout)?.[1]), p50Ms: at(0.5), p99Ms: at(0.99) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Corrects for coordinated omission as wrk does on our side, so that both latencies mean the same.
 * A client that waited much longer than the usual interval would have sent more requests in that time.
 * Each of them would have waited too, one interval less than the one before.
 */
function correct(measured: readonly number[], expected: number): number[] {
  const all = [...measured];
  for (const latency of measured) {
    if (latency < 2 * expected) continue;
    for (let missed = latency - expected; missed > expected; missed -= expected) all.push(missed);
  }
  return all;
}

/** Reads a log with a line per transaction: client, number, microseconds, … */
function readLatencies(path: string): number[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split(' ')[2]));
}
