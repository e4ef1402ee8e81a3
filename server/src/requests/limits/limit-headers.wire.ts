import { TooManyRequests } from '../../kit/http.ts';
import { tokensLeft, type Bucket, type Rate } from '../../kit/limits/token-buckets.ts';

/** The names of limits in the headers `RateLimit` and `RateLimit-Policy`. */
type LimitName = 'merchant' | 'reads' | 'network' | 'actor' | 'address' | 'writes' | 'keys';

const seconds = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1000)));

/**
 * Makes the headers that show a client its limit. They have the quota, what is left, and when it will be whole.
 * They have the form of the IETF's draft "RateLimit header fields for HTTP", version 10.
 * Source: contract §2.6.
 */
export function limitHeaders(name: LimitName, rate: Rate, bucket: Bucket, nowMs: number): Readonly<Record<string, string>> {
  return {
    'ratelimit-policy': `"${name}";q=${Math.floor(rate.burst)};w=${seconds((rate.burst / rate.perSecond) * 1000)}`,
    ratelimit: `"${name}";r=${tokensLeft(bucket, rate, nowMs)};t=${seconds(bucket.fullAtMs - nowMs)}`,
  };
}

/** Refuses a request because its sender's quota is used up. `afterMs`: how long the answer is held back. */
export const refuseRate = (name: LimitName, rate: Rate, bucket: Bucket, nowMs: number, waitMs: number, afterMs = 0): TooManyRequests =>
  new TooManyRequests({ ...limitHeaders(name, rate, bucket, nowMs), 'retry-after': seconds(waitMs) }, afterMs);

/** Refuses a request because too many of its caller are being carried out. */
export const refuseConcurrent = (most: number): TooManyRequests =>
  new TooManyRequests({ 'ratelimit-policy': `"concurrent";q=${most};qu="concurrent-requests"`, 'retry-after': '1' });
