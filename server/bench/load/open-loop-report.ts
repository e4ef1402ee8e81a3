import type { BenchDatabase } from '../bench-data.ts';
import type { Kind } from '../requests.ts';

export type OpenLoopSettings = {
  readonly database: BenchDatabase;
  readonly origins: readonly string[];
  /** Prefix of all request ids. */
  readonly run: string;
  readonly perSecond: number;
  readonly minutes: number;
  readonly connections: number;
};

export type OpenLoopReport = {
  readonly kinds: readonly {
    readonly kind: Kind;
    readonly count: number;
    readonly p50Ms: number;
    readonly p95Ms: number;
    readonly p99Ms: number;
    readonly maxMs: number;
  }[];
  /** Broken connections, other statuses than 200, and other codes than success. */
  readonly failed: number;
  /** Answers that took longer than a second. */
  readonly slow: number;
  /** Writes that were answered with success. */
  readonly writesAnswered: number;
  /** The first failure; empty if there was none. */
  readonly complaint: string;
};
