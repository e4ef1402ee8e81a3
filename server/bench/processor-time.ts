import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time that a process used so far, in seconds, of all its threads. Only on Linux; else NaN.
 * The system is asked, and not the process: to answer costs a server more, the more streams it has.
 */
export function processorSecondsOf(pid: number): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    );
    return nanoseconds.reduce((total, one) => total + one, 0) / 1e9;
  } catch {
    return NaN;
  }
}
