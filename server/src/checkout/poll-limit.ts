/** Polls of one order that may come at once, and how many a second after that: thirty phones may watch one order. */
const BURST = 60;
const PER_SECOND = 20;
const REFILL_MS = (BURST / PER_SECOND) * 1000;
/** Orders kept track of before those that have rested are forgotten. Only a good token gets an entry: nobody can make them up. */
const MANY_ORDERS = 10_000;

/**
 * Bounds how often one order is asked for by pages that update themselves.
 * Shape: by order and moment of a steady clock, in milliseconds → whether it may be asked now. An order at rest has its whole burst again.
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
