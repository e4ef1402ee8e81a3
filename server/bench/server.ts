import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import serverPackage from '../package.json' with { type: 'json' };
import type { BenchDatabase } from './bench-data.ts';

/** A server process as users run it: in production mode with default settings. */
export type Server = {
  readonly origin: string;
  /** Reads the metrics without labels: memory, processor time, event-loop delay. */
  readMetrics(): Promise<Readonly<Record<string, number>>>;
  /** Warnings and errors of its log. */
  readonly complaints: readonly string[];
  stop(): Promise<void>;
};

const MAIN = join(import.meta.dirname, '..', 'src', 'main');

/** The environment of a server on this database, and of a command beside it. */
function serverEnvironment(database: BenchDatabase): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // As `npm start` sets it.
    NODE_OPTIONS: serverPackage.config.serverNodeOptions,
    DATABASE_URL: database.url,
    CAUDAL_MODE: 'production',
    CAUDAL_MASTER_KEY: database.masterKeyHex,
    CAUDAL_CHECKOUT_URL: 'https://pay.example/checkout',
    CAUDAL_PORT: '0',
    CAUDAL_METRICS_ADDRESS: '127.0.0.1:0',
    CAUDAL_DATA_DIR: join(tmpdir(), 'caudal-bench-no-data'),
  };
}

/**
 * Starts a server and waits until it serves. `before`: a file of this folder that it loads first.
 * Effects: passes on the options of this Node process (--cpu-prof, for example). The server ends when this process ends.
 */
export async function startServer(database: BenchDatabase, before?: string): Promise<Server> {
  const imports = before === undefined ? [] : ['--import', join(import.meta.dirname, before)];
  const child = spawn(process.execPath, [...process.execArgv, ...imports, join(MAIN, 'serve.ts')], {
    env: serverEnvironment(database),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const complaints: string[] = [];
  const exited = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${complaints.join(' ')}`))),
  );
  exited.catch(() => {}); // Matters only while it starts.
  const metricsOrigin = readLog(child, complaints);
  const origin = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const [, address] = /^Caudal serves .* on (\S+)$/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
  const [serves, measures] = await Promise.race([Promise.all([origin, metricsOrigin]), exited]);
  return { origin: serves, complaints, readMetrics: () => readMetrics(measures), stop: () => stop(child) };
}

function readLog(child: ChildProcess, complaints: string[]): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      const entry = line.startsWith('{') ? (JSON.parse(line) as { level: string; msg: string; address?: string }) : undefined;
      if (entry?.msg === 'metrics are served at /metrics') resolve(entry.address as string);
      else if (entry?.level !== 'info') complaints.push(line);
    });
  });
}

async function readMetrics(origin: string): Promise<Record<string, number>> {
  // A kept connection may be closed by the server just as it is used again.
  const text = await (await fetch(`${origin}/metrics`, { headers: { connection: 'close' } })).text();
  return Object.fromEntries([...text.matchAll(/^(\w+) ([0-9.e+-]+)$/gm)].map(([, name, value]) => [name as string, Number(value)]));
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** Runs `caudal verify` and prints the result. */
export function verify(database: BenchDatabase): void {
  const { status } = spawnSync(process.execPath, [join(MAIN, 'cli.ts'), 'verify'], { env: serverEnvironment(database), stdio: 'inherit' });
  console.log(`caudal verify: ${status === 0 ? 'nothing differs' : `ended with ${status}`}`);
}
