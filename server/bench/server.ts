import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { serverEnvironment } from '../../scripts/pinned-node.mjs';
import type { BenchDatabase } from './bench-data.ts';

/** A server process as users run it: in production mode with default settings. */
export type Server = {
  readonly origin: string;
  /** Of several processes that of the first, which serves nothing. */
  readonly pid: number;
  /** Reads the metrics without labels: memory, processor time, event-loop delay. */
  readMetrics(): Promise<Readonly<Record<string, number>>>;
  /** Warnings and errors of its log. */
  readonly complaints: readonly string[];
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
};

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'server', 'src', 'main');

/** The environment of a server on this database, and of a command beside it. */
function environmentOf(database: BenchDatabase): NodeJS.ProcessEnv {
  return {
    // As `npm start` sets it.
    ...serverEnvironment(ROOT),
    DATABASE_URL: database.url,
    CAUDAL_MODE: 'production',
    CAUDAL_MASTER_KEY: database.masterKeyHex,
    CAUDAL_CHECKOUT_URL: 'https://pay.example/checkout',
    CAUDAL_PORT: '0',
    CAUDAL_METRICS_ADDRESS: '127.0.0.1:0',
    CAUDAL_DATA_DIR: join(tmpdir(), 'caudal-bench-no-data'),
  };
}

type StartOptions = {
  /** A file of this folder that it loads first. */
  readonly before?: string | undefined;
  /** Processes that serve. */
  readonly processes?: number | undefined;
  /** A receiver of traces. It gets one request in a hundred. */
  readonly traces?: string | undefined;
};

/**
 * Starts a server and waits until it serves.
 * Effects: passes on the options of this Node process (--cpu-prof, for example). The server ends when this process ends.
 */
export async function startServer(database: BenchDatabase, { before, processes = 1, traces }: StartOptions = {}): Promise<Server> {
  const imports = before === undefined ? [] : ['--import', join(import.meta.dirname, before)];
  const child = spawn(process.execPath, [...process.execArgv, ...imports, join(MAIN, 'serve.ts')], {
    env: {
      ...environmentOf(database),
      ...(processes === 1 ? {} : { CAUDAL_PROCESSES: String(processes) }),
      ...(traces === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: traces }),
    },
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
  return {
    origin: serves,
    pid: child.pid as number,
    complaints,
    readMetrics: () => readMetrics(measures),
    signal: (name) => void child.kill(name),
    stop: () => stop(child),
  };
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

/** How a command ran: how long, what its process took of processors, and the most memory that it had. */
export type RanCommand = { readonly seconds: number; readonly processorSeconds: number; readonly megabytes: number };

/** Runs a command beside the servers to its end. Throws where it fails. */
export async function runCommand(database: BenchDatabase, words: readonly string[]): Promise<RanCommand> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', join(import.meta.dirname, 'say-memory.ts'), join(MAIN, 'cli.ts'), ...words], {
    env: environmentOf(database),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const megabytes = Number(/^peak memory: ([0-9.]+) MB$/m.exec(complaint)?.[1]);
  if (code !== 0) throw new Error(`caudal ${words.join(' ')} ended with ${code}: ${complaint.trim()}`);
  const processorSeconds = Number(/^processors: ([0-9.]+) s$/m.exec(complaint)?.[1]);
  return { seconds: (performance.now() - startedAt) / 1_000, processorSeconds, megabytes };
}

/** Runs `caudal verify` and prints the result. */
export function verify(database: BenchDatabase): void {
  const { status } = spawnSync(process.execPath, [join(MAIN, 'cli.ts'), 'verify'], { env: environmentOf(database), stdio: 'inherit' });
  console.log(`caudal verify: ${status === 0 ? 'nothing differs' : `ended with ${status}`}`);
}
