import { networkOfAddress } from '../kit/limits/network-of-address.ts';
import { createBuckets } from '../kit/limits/token-buckets.ts';
import type { CheckedLink } from './find-order.ts';

/** Loads of one order's page: a burst, and a rate per second after it. Thirty phones may watch one order. */
const RATE = { perSecond: 20, burst: 60 };

/**
 * Limits how often the page of one order is loaded. All pages that update themselves share a limit. Others have one for each address.
 * So nobody who has a payer's link can keep the payer from opening it.
 * Shape: link, address, milliseconds of a monotonic clock → whether the page may be loaded now.
 */
export function pageLimit(): (link: CheckedLink, address: string, nowMs: number) => boolean {
  const take = createBuckets(RATE);
  return ({ serviceOrderId, seen }, address, nowMs) =>
    take(seen === undefined ? `${serviceOrderId} ${networkOfAddress(address)}` : String(serviceOrderId), nowMs) === 0;
}
