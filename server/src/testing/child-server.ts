import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runWords } from '../main/program.ts';
import { captureOutput, captureProcess, runProgram, type Ended, type Printed, type Ran } from './captured.ts';
import { within } from './deadlines.ts';
import { addToRunLog } from './log-canary.ts';

const SERVE = fileURLToPath(new URL('../main/serve.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../main/cli.ts', import.meta.url));

/** A server as users run it: a process of its own, known by what it prints. */
export type ChildServer = Printed & {
  readonly child: ChildProcess;
  /** Where it serves; rejects when it ends before it does, or past the deadline. */
  readonly origin: Promise<string>;
  /** Waits until the process has ended and everything that it printed has arrived. */
  exited(): Promise<Ended>;
  /** Ends it by a signal, SIGTERM unless another is given, and waits. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
};

/** A first start makes a database cluster and the demo; on a very busy machine that was seen to take half a minute. */
const START_TIMEOUT_MS = 60_000;
/** A server gives its requests ten seconds (main/serve.ts) and then stops its database. */
const STOP_TIMEOUT_MS = 60_000;

/**
 * Starts `serve.ts` on any free port, or what `words` say. It logs everything to the log of the run.
 * It gets these settings and, of our own environment, only what a process needs.
 * Effects: the caller ends it.
 */
export function startChildServer(environment: Readonly<Record<string, string>>, words: readonly string[] = [SERVE]): ChildServer {
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited(), CAUDAL_PORT: '0', CAUDAL_METRICS_ADDRESS: 'off', CAUDAL_LOG_LEVEL: 'debug', ...environment },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { stdout, stderr, ended } = captureProcess(child, (name, text) => {
    if (name === 'stderr') addToRunLog(text);
    const [, address] = /^Caudal serves .* on (http:\S+)$/m.exec(stdout()) ?? [];
    if (address !== undefined) resolve(address);
  });
  void ended.then(({ code, signal }) => reject(new Error(`the server ended with ${code ?? signal}: ${stderr()}`)));
  const origin = within(START_TIMEOUT_MS, 'the server serves', promise);
  origin.catch(() => undefined); // A test that expects no start does not wait for it.
  const exited = (): Promise<Ended> => within(STOP_TIMEOUT_MS, 'the end of the server', ended);
  return {
    child,
    origin,
    exited,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited();
    },
    stdout,
    stderr,
  };
}

/** Starts a server for one test, and stops it at the end of the test. */
export function serveForTest(environment: Readonly<Record<string, string>>, words?: readonly string[]): ChildServer {
  const server = startChildServer(environment, words);
  onTestFinished(async () => void (await server.stop()));
  return server;
}

/**
 * Runs `caudal …` to its end, with these settings and nothing else of our environment.
 * Without the first line of standard error, which names the database.
 */
export async function runCaudal(settings: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran> {
  const ran = await runWholeCaudal(settings, ...words);
  return { ...ran, stderr: ran.stderr.replace(/^Database: .*\n/, '') };
}

/** Does the same in this process, without the start of another one: for what is not of the process itself. */
export async function runCaudalHere(settings: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran> {
  const { env } = process;
  process.env = { ...inherited(), ...settings };
  try {
    const { stdout, stderr } = await captureOutput(() => runWords(words));
    return { stdout, stderr: stderr.replace(/^Database: .*\n/, ''), exitCode: Number(process.exitCode ?? 0) };
  } finally {
    process.env = env;
    process.exitCode = undefined;
  }
}

/** Runs `caudal …` and gives all that it printed. */
export const runWholeCaudal = (settings: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran> =>
  runProgram(process.execPath, [CLI, ...words], { ...inherited(), ...settings });

/** The variables that a process needs, and where Node keeps what it has compiled. */
function inherited(): Record<string, string> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
