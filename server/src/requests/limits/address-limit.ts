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

/**
 * Opens the limit for requests that prove nobody: wrong checksums, wrong links, malformed fields.
 * A proved request is never refused for its address, because an attacker may share it.
 */
export function openAddressLimit(unprovedPerSecond: number, processes: number, tally: Tally): AddressLimit {
  const perSecond = unprovedPerSecond / processes;
  const rate = { perSecond, burst: perSecond * BURST_SECONDS };
  const take = createBuckets(rate);
  return (request) => {
    const nowMs = performance.now();
    const waitMs = take(networkOfAddress(request.ip), nowMs);
    if (waitMs === 0) return;
    tally('limit', undefined, request.ip);
    const fullAtMs = nowMs + waitMs + (BURST_SECONDS - 1 / perSecond) * 1000;
    throw refuseRate('address', rate, { fullAtMs }, nowMs, waitMs);
  };
}
