/** How many tokens a bucket gets each second, and the most that it holds. */
export type Rate = { readonly perSecond: number; readonly burst: number };

/** When a bucket will be full again, in milliseconds of a monotonic clock. The tokens that are left follow from it. */
export type Bucket = { fullAtMs: number };

/** A clock has fractions, whose sums are rounded. A token that is there is never refused for that. */
const ROUNDING_MS = 0.001;

/**
 * Takes one token.
 * Shape: bucket, its rate, the time of a monotonic clock → 0; or how many milliseconds later there will be a token.
 */
export function takeToken(bucket: Bucket, { perSecond, burst }: Rate, nowMs: number): number {
  const tokenMs = 1000 / perSecond;
  const untilFullMs = Math.max(bucket.fullAtMs - nowMs, 0);
  const waitMs = untilFullMs - (burst - 1) * tokenMs;
  if (waitMs > ROUNDING_MS) return waitMs;
  bucket.fullAtMs = nowMs + untilFullMs + tokenMs;
  return 0;
}

/** The whole tokens that are left. */
export const tokensLeft = ({ fullAtMs }: Bucket, { perSecond, burst }: Rate, nowMs: number): number =>
  Math.floor(burst - (Math.max(fullAtMs - nowMs - ROUNDING_MS, 0) * perSecond) / 1000);

/** From this many buckets on, those that were not used lately are forgotten. Strangers cannot make memory grow beyond twice as many. */
const MOST_BUCKETS = 50_000;

/**
 * Keeps one bucket for each key.
 * Shape: key, milliseconds of a monotonic clock → as `takeToken`.
 * A bucket that is not used for the time of a refill is full again. So it can be forgotten.
 */
export function createBuckets(rate: Rate, mostBuckets = MOST_BUCKETS): (key: string, nowMs: number) => number {
  const refillMs = (rate.burst / rate.perSecond) * 1000;
  let recent = new Map<string, Bucket>();
  let earlier = recent;
  let sinceMs = Number.NEGATIVE_INFINITY;
  return (key, nowMs) => {
    if (nowMs - sinceMs >= refillMs || recent.size >= mostBuckets) {
      earlier = recent;
      recent = new Map();
      sinceMs = nowMs;
    }
    let bucket = recent.get(key);
    if (bucket === undefined) recent.set(key, (bucket = earlier.get(key) ?? { fullAtMs: 0 }));
    return takeToken(bucket, rate, nowMs);
  };
}
