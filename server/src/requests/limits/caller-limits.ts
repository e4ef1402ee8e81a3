import type { HttpReply } from '../../kit/http.ts';
import { takeToken, tokensLeft, type Bucket } from '../../kit/limits/token-buckets.ts';
import { DEFAULT_LIMITS, shareOf, type RequestLimits } from '../../kit/limits/request-limits.ts';
import { limitHeaders, refuseConcurrent, refuseRate } from './limit-headers.wire.ts';
import type { Tally } from './tally.ts';

/** A proved caller as its limits see it. `running`: its requests that are being carried out. `share`: what this process admits. */
export type Admitted = Bucket & { running: number; limits: RequestLimits | null; share: RequestLimits };

/** Merchants and networks, and actors of the management API. */
type LimitedKind = 'merchant' | 'network' | 'actor';

export type CallerLimits = {
  /**
   * Admits a request whose caller is proved. Once less than half of its quota is left, the answer shows it.
   * Throws: TooManyRequests where the caller's rate is used up, or too many of its requests are being carried out.
   */
  admit(kind: LimitedKind, id: string, limits: RequestLimits | null, reply: HttpReply): Admitted;
  /** Ends a request that was admitted. */
  leave(admitted: Admitted): void;
};

/**
 * Opens the limits of proved callers: requests a second, and requests at the same time.
 * Each of several processes admits its share. A request costs one look-up in a map that has an entry for each proved caller.
 */
export function openCallerLimits(processes: number, tally: Tally): CallerLimits {
  const callers = { merchant: new Map<string, Admitted>(), network: new Map<string, Admitted>(), actor: new Map<string, Admitted>() };
  const usual = shareOf(DEFAULT_LIMITS, processes);
  return {
    admit: (kind, id, limits, reply) => {
      let caller = callers[kind].get(id);
      if (caller === undefined) callers[kind].set(id, (caller = { fullAtMs: 0, running: 0, limits: null, share: usual }));
      // An operator's change gives another object.
      if (caller.limits !== limits) Object.assign(caller, { limits, share: limits === null ? usual : shareOf(limits, processes) });
      const { share } = caller;
      const nowMs = performance.now();
      const isBusy = caller.running >= share.concurrent;
      const waitMs = isBusy ? 0 : takeToken(caller, share, nowMs);
      if (isBusy || waitMs > 0) {
        tally('limit', kind === 'actor' ? undefined : { kind, id }, reply.request.ip);
        throw isBusy ? refuseConcurrent(share.concurrent) : refuseRate(kind, share, caller, nowMs, waitMs);
      }
      if (tokensLeft(caller, share, nowMs) < share.burst / 2) void reply.headers(limitHeaders(kind, share, caller, nowMs));
      caller.running++;
      return caller;
    },
    leave: (caller) => void caller.running--,
  };
}
