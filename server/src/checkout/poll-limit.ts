/** Polls of one order: a burst, and a rate per second after it. Thirty phones may watch one order. */
const BURST = 60;
const PER_SECOND = 20;
const REFILL_MS = (BURST / PER_SECOND) * 1000;
/** From this many entries on, those with a full burst are removed. Only a valid token makes an entry, so nobody can flood the map. */
const MANY_ORDERS = 10_000;

/**
 * Limits how often pages that update themselves may poll one order.
 * Shape: order, milliseconds of a monotonic clock → whether it may be polled now. An order that is not polled regains its burst.
 */
export function pollLimit(): (serviceOrderId: bigint, nowMs: number) => boolean {
  const buckets = new Map<bigint, { left: number; atMs: number }>();
  return (serviceOrderId, nowMs) => {
    if (buckets.size >= MANY_ORDERS) for (const [id, { atMs }] of buckets) if (nowMs - atMs >= REFILL_MS) buckets.delete(id);
    const bucket = buckets.get(serviceOrderId) ?? { left: BURST, atMs: nowMs };
    const left = Math.min(BURST, bucket.left + ((nowMs - bucket.atMs) * PER_SECOND) / 1000);
    const mayAsk = left >= 1;
    buckets.set(serviceOrderId, { left: mayAsk ? left - 1 : left, atMs: nowMs });
    return mayAsk;
  };
}
