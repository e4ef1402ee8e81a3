import type { HttpRequest } from '../../kit/http.ts';
import { networkOfAddress } from '../../kit/limits/network-of-address.ts';
import { createBuckets } from '../../kit/limits/token-buckets.ts';
import { refuseRate } from './limit-headers.wire.ts';
import type { Tally } from './tally.ts';

/**
 * Counts a request that proves nobody, by the address that it came from.
 * Throws: TooManyRequests where the address has sent too many of them.
 */
export type AddressLimit = (request: HttpRequest) => void;

const BURST_SECONDS = 10;
/** A flood on open connections goes on as fast as it is answered. So its refusals are held back: each address gets so many a second. */
const REFUSALS_PER_SECOND = 100;
/** A connection that is held for longer costs more than its requests. */
const MOST_HELD_MS = 1_000;
/** From this many addresses on, all are forgotten. Strangers cannot make memory grow beyond that. */
const MOST_ADDRESSES = 50_000;

/**
 * Opens the limit for requests that prove nobody: wrong checksums, wrong links, malformed fields.
 * A proved request is never refused for its address, because an attacker may share it.
 */
export function openAddressLimit(unprovedPerSecond: number, processes: number, tally: Tally): AddressLimit {
  const perSecond = unprovedPerSecond / processes;
  const rate = { perSecond, burst: perSecond * BURST_SECONDS };
  const take = createBuckets(rate);
  const hold = openHolds();
  return (request) => {
    const nowMs = performance.now();
    const waitMs = take(networkOfAddress(request.ip), nowMs);
    if (waitMs === 0) return;
    tally('limit', undefined, request.ip);
    const fullAtMs = nowMs + waitMs + (BURST_SECONDS - 1 / perSecond) * 1000;
    throw refuseRate('address', rate, { fullAtMs }, nowMs, waitMs, hold(networkOfAddress(request.ip), nowMs));
  };
}

/** Says how long to hold the refusal of an address back: it waits for those before it. The first one is answered at once. */
function openHolds(): (address: string, nowMs: number) => number {
  const turns = new Map<string, number>();
  return (address, nowMs) => {
    if (turns.size >= MOST_ADDRESSES) turns.clear();
    const turnMs = Math.min(Math.max(turns.get(address) ?? 0, nowMs), nowMs + MOST_HELD_MS);
    turns.set(address, turnMs + 1_000 / REFUSALS_PER_SECOND);
    return turnMs - nowMs;
  };
}
