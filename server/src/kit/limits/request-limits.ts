/** How many requests of one caller are served: a second, at once after a pause, and at the same time. */
export type RequestLimits = { readonly perSecond: number; readonly burst: number; readonly concurrent: number };

/**
 * What a caller has without limits of its own. One process can answer fewer requests a second: only lower limits slow a caller down.
 * At 1,000 updates a second, the last of 1,000 concurrent ones has waited a second.
 */
export const DEFAULT_LIMITS: RequestLimits = { perSecond: 20_000, burst: 40_000, concurrent: 1_000 };

/** The largest number of a limit. */
export const MAX_LIMIT = 1_000_000;

/** The share of one process of several. It admits one request at least. */
export const shareOf = ({ perSecond, burst, concurrent }: RequestLimits, processes: number): RequestLimits => ({
  perSecond: perSecond / processes,
  burst: Math.max(1, burst / processes),
  concurrent: Math.ceil(concurrent / processes),
});
