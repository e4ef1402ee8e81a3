import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { addToRunLog } from './log-canary.ts';

const SERVE = fileURLToPath(new URL('../main/serve.ts', import.meta.url));

/** A server as users run it: a process of its own, known by what it prints. */
export type ChildServer = {
  readonly child: ChildProcess;
  /** Where it serves; rejects when it ends before it does. */
  readonly origin: Promise<string>;
  stdout(): string;
  stderr(): string;
  /** Resolves when the process has ended and everything it printed has arrived. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

/**
 * Starts `serve.ts` on any free port, logging everything to the log of the run, with nothing of our own environment but what a process needs.
 * Effects: the caller ends it.
 */
export function startChildServer(environment: Readonly<Record<string, string>>): ChildServer {
  const { PATH, HOME, TMPDIR } = process.env;
  const kept = Object.entries({ PATH, HOME, TMPDIR }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const child = spawn(process.execPath, [SERVE], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(kept), CAUDAL_PORT: '0', CAUDAL_METRICS_ADDRESS: 'off', CAUDAL_LOG_LEVEL: 'debug', ...environment },
  });
  let stdout = '';
  let stderr = '';
  const { promise: origin, resolve, reject } = Promise.withResolvers<string>();
  origin.catch(() => undefined); // Whoever waits for it hears of it.
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const [, address] = /^Caudal serves .* on (http:\S+)$/m.exec(stdout) ?? [];
    if (address !== undefined) resolve(address);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    addToRunLog(text);
  });
  const exited = once(child, 'close').then(([code, signal]) => {
    reject(new Error(`the server ended with ${code ?? signal}: ${stderr}`));
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  return { child, origin, exited, stdout: () => stdout, stderr: () => stderr };
}
