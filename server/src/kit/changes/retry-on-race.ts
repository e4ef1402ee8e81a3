import { isRetryable, Unavailable } from '../db.ts';

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
