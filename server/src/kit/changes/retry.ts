import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable, LockTimeout, Unavailable } from '../db.ts';

/** The answer to a command that needs a row of which another transaction holds the lock. It is to be tried again. */
export class Held {
  readonly key: string;
  constructor(key: string) {
    this.key = key;
  }
}

/** Notes that another transaction holds a row of a command. `index`: its place among the commands. `key`: the name of the row. */
export type Hold = (index: number, key: string) => void;

/** How long a command tries to get a row that another transaction holds, in milliseconds. */
export const HOLD_MS = 2_000;
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 64;

/** The pause before the next try. Most rows are free again after two milliseconds; one that is not may be held for long. */
export const nextPause = (lastMs?: number): number => (lastMs === undefined ? FIRST_PAUSE_MS : Math.min(2 * lastMs, LONGEST_PAUSE_MS));

/** The refusal of a command whose row was never free. */
export const heldTooLong = (): Unavailable => new Unavailable('another transaction holds a row that the request needs');

/** Tries of one unit of work. Each lost race means that another transaction has won, so four in a row are rare. */
const TRIES = 4;

/** Every try lost a race in the database. The database itself works: other work may go on. */
export class LostEveryRace extends Unavailable {}

/**
 * Runs one unit of work, again where it lost a race in the database. Such a race is a unique key, a deadlock or a serialization failure.
 * Shape: `work` does its whole transaction in each call.
 * Throws: LostEveryRace after four tries; whatever else `work` throws, at once.
 */
export async function retryOnRace<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (tries === TRIES) throw new LostEveryRace('lost every race for the same rows', { cause: error });
    }
  }
}

/** What a command is about to use is not claimed in another database, or not any more. Only another claim helps: withClaim. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/**
 * Runs a command with what it has claimed in another database, and claims again where that was lost in between.
 * Throws: LostEveryRace, where it is lost again and again.
 */
export async function withClaim<Claim, Answer>(claim: () => Promise<Claim>, run: (claim: Claim) => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const claimed = await claim();
    try {
      return await run(claimed);
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
      if (tries === TRIES) throw new LostEveryRace('lost what it had claimed again and again', { cause: error });
    }
  }
}

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
