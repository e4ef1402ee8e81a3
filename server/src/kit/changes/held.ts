import { Unavailable } from '../db.ts';

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
