import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Command } from 'commander';
import { beforeEach, vi } from 'vitest';
import type { Connect, Connection, OpenHere } from '../kit/command-line.ts';
import { CONTRACT_DIALECT } from '../requests/index.ts';
import { createLog, type Log, type LogLevel } from '../kit/log.ts';
import { within } from './deadlines.ts';
import { addToRunLog } from './log-canary.ts';

/** What was printed so far. */
export type Printed = { stdout(): string; stderr(): string };

/** How a process ended. */
export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** No command of a test takes a quarter of this on a busy machine. */
const PROGRAM_TIMEOUT_MS = 30_000;

/** Opens a log that keeps its lines. Each also goes to the log of the run, in which secrets are searched for. */
export function captureLog(
  level: LogLevel = 'debug',
  add: (line: string) => void = addToRunLog,
): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
    add(line);
  };
  return { log: createLog(level, { write }), lines };
}

export type PrintedHere = Printed & {
  /** Forgets what was printed so far. */
  clear(): void;
  /** What this work prints to standard output. */
  by(work: () => Promise<unknown>): Promise<string>;
};

/** Keeps what each test of a file prints, and shows none of it. */
export function capturePrinted(): PrintedHere {
  const printed = { stdout: '', stderr: '' };
  const clear = (): void => void Object.assign(printed, { stdout: '', stderr: '' });
  beforeEach(() => {
    clear();
    return keepIn(printed);
  });
  const by = async (work: () => Promise<unknown>): Promise<string> => {
    clear();
    await work();
    return printed.stdout;
  };
  return { stdout: () => printed.stdout, stderr: () => printed.stderr, clear, by };
}

/** Adds what this process prints to these texts, and shows none of it, until it is undone. */
function keepIn(printed: { stdout: string; stderr: string }): () => void {
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    }),
  );
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

/** What this work prints in this process. */
export async function captureOutput(work: () => Promise<unknown>): Promise<Pick<Ran, 'stdout' | 'stderr'>> {
  const printed = { stdout: '', stderr: '' };
  const undo = keepIn(printed);
  try {
    await work();
  } finally {
    undo();
  }
  return printed;
}

/** Keeps what a process prints to its pipes. `ended` resolves after the end, once everything that it printed has arrived. */
export function captureProcess(
  child: ChildProcess,
  onOutput: (name: 'stdout' | 'stderr', text: string) => void = () => undefined,
): Printed & { readonly ended: Promise<Ended> } {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      onOutput(name, text);
    });
  }
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code: code as number | null, signal: signal as Ended['signal'] }));
  return { stdout: () => printed.stdout, stderr: () => printed.stderr, ended };
}

/** Carries out operations of the management API as a command of a sandbox without channels does. */
const openHere: OpenHere = async (connection) => {
  const [{ openOperations }, { openSilentOutbox }] = await Promise.all([
    import('../main/commands/open-operations.ts'),
    import('./message-room.ts'),
  ]);
  const { db, clock, keys } = connection;
  const openOutbox = () => openSilentOutbox({ db, clock, log: createLog('silent'), keys });
  const settings = { dialect: CONTRACT_DIALECT, referenceRestDays: 90, shortPasswordDays: 1, checkoutUrl: 'https://pay.example/checkout' };
  const consoleUrl = 'http://localhost';
  return openOperations(connection, openOutbox, { ...settings, consoleUrl, machineClock: clock });
};

/** Runs a command of `caudal` in this process, on an open database, which it leaves open. */
export async function runCommand(
  { url, db, keys, clock, isSandbox = true }: Pick<Connection, 'url' | 'db' | 'keys' | 'clock'> & Partial<Pick<Connection, 'isSandbox'>>,
  register: (program: Command, connect: Connect) => void,
  ...words: string[]
): Promise<void> {
  const program = new Command().exitOverride();
  const connect = async (): Promise<Connection> => ({
    url,
    db,
    ownDb: db,
    actor: 'command:test',
    keys,
    clock,
    isSandbox,
    close: async () => undefined,
  });
  register(program, Object.assign(connect, { openHere }));
  await program.parseAsync(words, { from: 'user' });
}

/** What a program printed, and its exit code. */
export type Ran = { readonly stdout: string; readonly stderr: string; readonly exitCode: number | null };

/** Runs a program to its end, with these environment variables and no others. Kills it past the deadline, and throws. */
export async function runProgram(
  command: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  deadlineMs = PROGRAM_TIMEOUT_MS,
): Promise<Ran> {
  const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, stderr, ended } = captureProcess(child);
  try {
    const { code } = await within(deadlineMs, `the end of ${command} ${words.join(' ')}`, ended);
    return { stdout: stdout(), stderr: stderr(), exitCode: code };
  } finally {
    child.kill('SIGKILL');
  }
}
