import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { RunAs } from './run-as.ts';

/**
 * Runs a program and sends it SIGINT when our end of its input closes. The system closes that end even when Node is killed. On SIGINT
 * PostgreSQL makes a fast shutdown, and initdb removes what it made. The shell repeats SIGINT each second until the program ends: a program
 * that has just started ignores it. `read` is a part of the shell: only the last `sleep` may stay for a second.
 */
const WRAPPER = `
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
trap 'kill -INT $program' TERM INT HUP
( read -r line <&3; while kill -INT $program; do sleep 1; done ) >/dev/null 2>&1 &
reader=$!
while kill -0 $program 2>/dev/null; do wait $program; status=$?; done
kill -KILL $reader 2>/dev/null
exit $status
`;

/** A program that does not outlive us. */
export type TiedProcess = {
  /** Its exit status, or null where a signal ended it. */
  exited: Promise<number | null>;
  hasExited(): boolean;
  /** The end of what it wrote to its standard error. */
  lastOutput(): string;
  /** Asks it to end. A second call does nothing. */
  stop(): void;
};

const LAST_OUTPUT_CHARACTERS = 4096;

/**
 * Starts a program that ends when we end.
 * Shape: program and arguments, user, receiver of its standard error → TiedProcess.
 * Effects: the program gets a session of its own. Ctrl-C in the terminal reaches only us: we can
 * finish our work before we stop it.
 */
export function spawnTied(command: readonly string[], spawnAs: RunAs['spawn'], onError: (text: string) => void): TiedProcess {
  const child: ChildProcessByStdio<Writable, null, Readable> = spawn('/bin/sh', ['-c', WRAPPER, 'sh', ...command], {
    ...spawnAs,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let hasExited = false;
  let output = '';
  const stop = () => void child.stdin.destroy();
  child.stdin.on('error', () => {}); // The program may end before us.
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    onError(text);
    output = (output + text).slice(-LAST_OUTPUT_CHARACTERS);
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('exit', (status) => {
      hasExited = true;
      // When somebody kills the shell alone, its reader is left and now stops the program.
      stop();
      resolve(status);
    });
  });
  return { exited, hasExited: () => hasExited, lastOutput: () => output, stop };
}
