import { setTimeout as delay } from 'node:timers/promises';
import { vi } from 'vitest';

/** For what takes milliseconds on an idle machine and has no promised time. A busy machine must not fail the test. */
export const SOON_MS = 20_000;
/** For the start or the end of a process. */
export const PROCESS_MS = 60_000;

/** Between two tries of a check: short beside what is waited for, long beside a query. */
const INTERVAL_MS = 5;

/** Tries a check until it holds and gives its value. Throws its last failure past the deadline. */
export function eventually<T>(timeoutMs: number, check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: timeoutMs, interval: INTERVAL_MS });
}

/**
 * Tries a check that is promised to hold within some seconds. They are counted by the tries.
 * A machine that is too busy to try in time is too busy to keep the promise too. It gets longer.
 */
export async function withinSeconds<T>(seconds: number, check: () => T | Promise<T>): Promise<T> {
  for (let left = (1_000 * seconds) / INTERVAL_MS; ; left--) {
    try {
      return await check();
    } catch (error) {
      if (left <= 0) throw error;
    }
    await delay(INTERVAL_MS);
  }
}

/** Waits for a promise. Throws what it waited for past the deadline. */
export async function within<T>(timeoutMs: number, what: string, work: Promise<T>): Promise<T> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not within ${timeoutMs} ms: ${what}`)), timeoutMs);
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
