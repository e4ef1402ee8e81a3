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
