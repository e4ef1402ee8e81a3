import { setTimeout as pause } from 'node:timers/promises';
import { LockTimeout } from '../db.ts';
import { Held, HOLD_MS, heldTooLong, nextPause } from './held.ts';

/**
 * Runs one unit of work, again while another transaction holds a row that it needs. It holds no connection between two tries.
 * Shape: `work` does its whole transaction in each call.
 * Throws: Unavailable where the row is not free in time; whatever else `work` throws, at once.
 */
export async function untilFree<Result>(work: () => Promise<Result | Held>): Promise<Result> {
  const giveUpAt = performance.now() + HOLD_MS;
  for (let pauseMs = nextPause(); ; pauseMs = nextPause(pauseMs)) {
    const result = await work().catch((error: unknown) => {
      if (error instanceof LockTimeout) return new Held('');
      throw error;
    });
    if (!(result instanceof Held)) return result;
    if (performance.now() >= giveUpAt) throw heldTooLong();
    await pause(pauseMs);
  }
}
