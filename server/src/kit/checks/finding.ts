import { Unavailable } from '../db.ts';
import type { Snapshot } from '../snapshot.ts';

/** A difference between two parts of the database that must agree. */
export type Finding = { readonly merchantId: string; readonly id: string; readonly problem: string };

/** One promise about stored data, and the program that checks it. */
export type Check = {
  /** The promise, as a person reads it. */
  readonly promise: string;
  /** Stops at the first difference. `checked` is the number of rows that were compared one by one. */
  readonly run: (snapshot: Snapshot, now: Temporal.Instant) => Promise<{ readonly checked?: number; readonly finding?: Finding }>;
};

/**
 * Runs one check. A row that no service would write, with a null or a number that is none, may be more than the check can read: that is a
 * finding too, and the next check can run.
 * Throws: Unavailable, where the database cannot be reached.
 */
export async function runCheck({ run }: Check, snapshot: Snapshot, now: Temporal.Instant): ReturnType<Check['run']> {
  try {
    return await snapshot.attempt(() => run(snapshot, now));
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    const problem = `hold a row that the service would not write, so that this could not be checked: ${(error as Error).message}`;
    return { finding: { merchantId: 'all merchants:', id: 'the tables', problem } };
  }
}
