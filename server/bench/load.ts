import { execFile, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Prepared } from './requests.ts';

export type LoadResult = {
  /** Requests that got any answer. */
  readonly answered: number;
  /** Broken connections, time-outs, and answers other than HTTP 200. */
  readonly failed: number;
  readonly perSecond: number;
  /** The worst of several processes. */
  readonly p50Ms: number;
  readonly p99Ms: number;
};

type Load = {
  readonly origins: readonly string[];
  readonly requests: Iterable<Prepared>;
  readonly connections: number;
  readonly seconds: number;
  /** True for reads, which may be sent repeatedly. A repeated write changes nothing, so it would not count. */
  readonly mayRepeat: boolean;
};

const REPLAY_WRK = join(import.meta.dirname, 'load', 'replay.lua');
const REPLAY_AUTOCANNON = join(import.meta.dirname, 'load', 'replay-autocannon.ts');
/** How long a run waits for its last answers. Nothing is sent meanwhile. */
export const DRAIN_SECONDS = 1;
const run = promisify(execFile);

const wrkVersion = /^(wrk \S+)/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[1];

/** The program that makes the load: wrk where it is installed. The report names it. */
export const loadTool = wrkVersion ?? 'autocannon (install wrk for a load generator that takes less of the processor)';

/** True for wrk: it adds the latencies of requests that a waiting connection could not send. autocannon does not. */
export const correctsLatencies = wrkVersion !== undefined;

/**
 * Sends prepared requests from a separate process over persistent connections. Each connection waits for its answer.
 * Shape: several origins share the connections and the requests.
 * Throws: when the requests run out before the time does, unless they may repeat.
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  const [result] = await runLoads([load]);
  return result as LoadResult;
}

/** Runs several loads at the same time. All of their requests are prepared before the first begins. */
export async function runLoads(loads: readonly Load[]): Promise<readonly LoadResult[]> {
  const directory = mkdtempSync(join(tmpdir(), 'caudal-bench-load-'));
  try {
    const prepared = loads.map((load, number) => {
      const files = load.origins.map((_, index) => join(directory, `${number}-${index}.tsv`));
      writeRequests(files, load.requests, load.mayRepeat);
      return { load, files };
    });
    return await Promise.all(prepared.map(({ load, files }) => replayAll(load, files)));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function replayAll({ origins, connections, seconds, mayRepeat }: Load, files: readonly string[]): Promise<LoadResult> {
  const each = Math.max(1, Math.round(connections / origins.length));
  const results = await Promise.all(origins.map((origin, index) => replay(origin, files[index] as string, seconds, each)));
  if (!mayRepeat && results.some(({ isRepeated }) => isRepeated))
    throw new Error('more was answered than was prepared (PREPARED_PER_SECOND): the run does not count');
  const sum = (pick: (result: Replayed) => number): number => results.reduce((total, result) => total + pick(result), 0);
  return {
    answered: sum(({ answered }) => answered),
    failed: sum(({ failed }) => failed),
    perSecond: sum(({ answered }) => answered) / seconds,
    p50Ms: Math.max(...results.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
  };
}

const LINES_AT_ONCE = 10_000;

/** Puts every read into each file, and each write into one file in turn. Streams them: a run may need half a million. */
function writeRequests(files: readonly string[], requests: Iterable<Prepared>, mayRepeat: boolean): void {
  const open = files.map((path) => openSync(path, 'w'));
  const lines: string[][] = files.map(() => []);
  const flush = (index: number): void => void writeSync(open[index] as number, (lines[index] as string[]).splice(0).join(''));
  let count = 0;
  for (const { method, path, id, body } of requests) {
    const line = `${method}\t${path}\t${id}\t${body}\n`;
    const takers = mayRepeat ? files.keys() : [count++ % files.length];
    for (const index of takers) if ((lines[index] as string[]).push(line) === LINES_AT_ONCE) flush(index);
  }
  for (const [index, file] of open.entries()) {
    flush(index);
    closeSync(file);
  }
}

type Replayed = Omit<LoadResult, 'perSecond'> & { readonly isRepeated: boolean };

async function replay(origin: string, file: string, seconds: number, connections: number): Promise<Replayed> {
  const wrk = [
    '-t1',
    `-c${connections}`,
    `-d${seconds + DRAIN_SECONDS}`,
    '--timeout',
    '10s',
    '-s',
    REPLAY_WRK,
    origin,
    file,
    String(seconds),
  ];
  const { stdout } = await (wrkVersion === undefined
    ? run(process.execPath, [REPLAY_AUTOCANNON, origin, file, String(seconds), String(connections)])
    : run('wrk', wrk));
  const json = stdout.split('\n').find((line) => line.startsWith('{'));
  if (json === undefined) throw new Error(`the load generator gave no result: ${stdout}`);
  return JSON.parse(json) as Replayed;
}
