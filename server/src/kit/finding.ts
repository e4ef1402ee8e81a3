import type { Snapshot } from './snapshot.ts';

/** A difference between two things of the database that must agree. */
export type Finding = { readonly merchantId: string; readonly id: string; readonly problem: string };

/** One promise about what is stored, checked against the rows that it follows from. */
export type Check = {
  /** The promise, as a person reads it. */
  readonly promise: string;
  /** Looks until the first difference. `checked`: how many rows were looked at one by one. */
  readonly run: (snapshot: Snapshot, now: Temporal.Instant) => Promise<{ readonly checked?: number; readonly finding?: Finding }>;
};
