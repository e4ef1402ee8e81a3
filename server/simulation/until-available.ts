import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../src/kit/db.ts';

/** How often something is tried while the database or a server is away. */
export const MOST_TRIES = 50;

export async function untilAvailable<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Unavailable) || tries === MOST_TRIES) throw error;
      await delay(2);
    }
  }
}
