import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { RunAs } from './run-as.ts';

/**
 * Runs a program and sends it SIGINT when our end of the input closes, however that happens: the system closes the pipe of a killed
 * Node. For PostgreSQL that is a fast shutdown; initdb removes what it made. `read` is part of the shell: nothing else stays behind.
 */
const WRAPPER = `
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
trap 'kill -INT $program' TERM INT HUP
( read -r line <&3; kill -INT $program ) >/dev/null 2>&1 &
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
  /** The last of what it wrote to its standard error. */
  lastWords(): string;
  /** Asks it to end, once or often. */
  stop(): void;
};

const LAST_WORDS_CHARACTERS = 4096;

/**
 * Starts a program that ends when we end.
 * Shape: program and arguments, user, taker of its standard error → TiedProcess.
 * Effects: it has a session of its own: Ctrl-C in the terminal is for us alone, who still have requests to answer before it stops.
 */
export function spawnTied(command: readonly string[], runAs: RunAs, onError: (text: string) => void): TiedProcess {
  const child: ChildProcessByStdio<Writable, null, Readable> = spawn('/bin/sh', ['-c', WRAPPER, 'sh', ...command], {
    ...runAs.spawn,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let hasExited = false;
  let words = '';
  const stop = () => void child.stdin.destroy();
  child.stdin.on('error', () => {}); // It may be gone before us.
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    onError(text);
    words = (words + text).slice(-LAST_WORDS_CHARACTERS);
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('exit', (status) => {
      hasExited = true;
      // Where the shell itself was killed, its reader is left and stops the program now.
      stop();
      resolve(status);
    });
  });
  return { exited, hasExited: () => hasExited, lastWords: () => words, stop };
}
