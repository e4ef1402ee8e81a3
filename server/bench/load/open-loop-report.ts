import type { BenchDatabase } from '../setup.ts';
import type { Kind } from '../requests.ts';

export type OpenLoopSettings = {
  readonly database: BenchDatabase;
  readonly origins: readonly string[];
  /** Begins the ids of all requests. */
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
  /** Changes that were answered with success. */
  readonly writesAnswered: number;
  /** The first thing that failed; empty where nothing did. */
  readonly complaint: string;
};
