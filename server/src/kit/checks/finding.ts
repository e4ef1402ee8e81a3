import type { Statement, Value } from '../db.ts';
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

/** A check whose statements find what differs, one after the other: the first row of one of them. `values`: of all of them. */
export const firstFinding =
  (queries: Statement | readonly Statement[], values: (now: Temporal.Instant) => readonly Value[] = () => []): Check['run'] =>
  async (snapshot, now) => {
    for (const query of [queries].flat()) for await (const finding of snapshot.rows<Finding>(query, values(now))) return { finding };
    return {};
  };
