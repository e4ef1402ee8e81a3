import { Unavailable } from '../db.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Check } from './finding.ts';

/**
 * Runs one check. A row that no service would write, with a null or NaN, may be more than the check can read: that is a
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
