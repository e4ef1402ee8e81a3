import type { HttpReply } from '../../kit/http.ts';
import { takeToken, tokensLeft, type Bucket, type Rate } from '../../kit/limits/token-buckets.ts';
import { limitHeaders, refuseConcurrent, refuseRate } from './limit-headers.wire.ts';
import type { Tally } from './tally.ts';

/** A proved caller as its limits see it: its bucket, and how many of its requests are being carried out. */
export type Admitted = Bucket & { running: number };

export type CallerLimits = {
  /**
   * Admits a request whose caller is proved. Once less than half of its quota is left, the answer shows it.
   * Throws: TooManyRequests where the caller's rate is used up, or too many of its requests are being carried out.
   */
  admit(kind: 'merchant' | 'network', id: string, reply: HttpReply): Admitted;
  /** Ends a request that was admitted. */
  leave(admitted: Admitted): void;
};

/** More than one process can answer. Only a lower setting slows a caller down. */
const PER_SECOND = 20_000;
const BURST_SECONDS = 2;
/** At 1,000 updates a second, the last of so many has waited a second. */
const CONCURRENT = 1_000;

/**
 * Opens the limits of proved callers: requests a second, and requests at the same time.
 * Each of several processes admits its share. A request costs one look-up in a map that has an entry for each proved caller.
 */
export function openCallerLimits(processes: number, tally: Tally): CallerLimits {
  const callers = { merchant: new Map<string, Admitted>(), network: new Map<string, Admitted>() };
  const perSecond = PER_SECOND / processes;
  const rate: Rate = { perSecond, burst: perSecond * BURST_SECONDS };
  const concurrent = Math.ceil(CONCURRENT / processes);
  return {
    admit: (kind, id, reply) => {
      let caller = callers[kind].get(id);
      if (caller === undefined) callers[kind].set(id, (caller = { fullAtMs: 0, running: 0 }));
      const nowMs = performance.now();
      const isBusy = caller.running >= concurrent;
      const waitMs = isBusy ? 0 : takeToken(caller, rate, nowMs);
      if (isBusy || waitMs > 0) {
        tally('limit', { kind, id }, reply.request.ip);
        throw isBusy ? refuseConcurrent(concurrent) : refuseRate(kind, rate, caller, nowMs, waitMs);
      }
      if (tokensLeft(caller, rate, nowMs) < rate.burst / 2) void reply.headers(limitHeaders(kind, rate, caller, nowMs));
      caller.running++;
      return caller;
    },
    leave: (caller) => void caller.running--,
  };
}
