import type { HttpReply } from '../../kit/http.ts';
import { takeToken, tokensLeft, type Bucket, type Rate } from '../../kit/limits/token-buckets.ts';
import { DEFAULT_LIMITS, shareOf, type RequestLimits } from '../../kit/limits/request-limits.ts';
import { limitHeaders, refuseConcurrent, refuseRate } from './limit-headers.wire.ts';
import type { Tally } from './tally.ts';

/** A proved caller as its limits see it. `running`: its requests that are being carried out. `share`: what this process admits. */
export type Admitted = Bucket & {
  running: number;
  limits: RequestLimits | null;
  share: RequestLimits;
  /** What it has left in the database lately. */
  readonly left: Readonly<Record<Left, Bucket>>;
};

/** What requests leave in the database: rows of what they change, and answers under Idempotency-Keys. */
type Left = keyof typeof A_DAY;

/** Merchants and networks, actors of the management API, and what those of a merchant read there. */
type LimitedKind = 'merchant' | 'reads' | 'network' | 'actor';

export type CallerLimits = {
  /**
   * Admits a request whose caller is proved. Once less than half of its quota is left, the answer shows it.
   * Throws: TooManyRequests where the caller's rate is used up, or too many of its requests are being carried out. Or it has left as much
   * in the database as it may in a day.
   */
  admit(kind: LimitedKind, id: string, limits: RequestLimits | null, reply: HttpReply, leaves?: readonly Left[]): Admitted;
  /** Ends a request that was admitted. */
  leave(admitted: Admitted): void;
};

/** What one merchant may leave at once, and again in each day. So what it fills a disk with has a bound. No honest client comes near. */
const A_DAY = { writes: 20_000_000, keys: 5_000_000 };
const DAY_SECONDS = 86_400;

/** What a request leaves: what only reads nothing, and what is kept under a key also its answer. */
export const leavesOf = (isWrite: boolean, isKept: boolean): readonly Left[] => {
  if (isKept) return ['keys', 'writes'];
  return isWrite ? ['writes'] : [];
};

/**
 * Opens the limits of proved callers: requests a second, requests at the same time. Merchants have limits of a day too.
 * Each of several processes admits its share. A request costs one look-up in a map that has an entry for each proved caller.
 */
export function openCallerLimits(processes: number, tally: Tally): CallerLimits {
  const callers: Readonly<Record<LimitedKind, Map<string, Admitted>>> = {
    merchant: new Map(),
    reads: new Map(),
    network: new Map(),
    actor: new Map(),
  };
  const usual = shareOf(DEFAULT_LIMITS, processes);
  const daily = (most: number): Rate => ({ perSecond: most / DAY_SECONDS / processes, burst: most / processes });
  const rates = { writes: daily(A_DAY.writes), keys: daily(A_DAY.keys) };
  const count = (kind: LimitedKind, id: string, { request }: HttpReply): void =>
    tally('limit', kind === 'actor' ? undefined : { kind: kind === 'reads' ? 'merchant' : kind, id }, request.ip);
  return {
    admit: (kind, id, limits, reply, leaves = []) => {
      let caller = callers[kind].get(id);
      if (caller === undefined) {
        const left = { writes: { fullAtMs: 0 }, keys: { fullAtMs: 0 } };
        callers[kind].set(id, (caller = { fullAtMs: 0, running: 0, limits: null, share: usual, left }));
      }
      // An operator's change gives another object.
      if (caller.limits !== limits) Object.assign(caller, { limits, share: limits === null ? usual : shareOf(limits, processes) });
      const { share } = caller;
      const nowMs = performance.now();
      const isBusy = caller.running >= share.concurrent;
      const waitMs = isBusy ? 0 : takeToken(caller, share, nowMs);
      if (isBusy || waitMs > 0) {
        count(kind, id, reply);
        throw isBusy ? refuseConcurrent(share.concurrent) : refuseRate(kind, share, caller, nowMs, waitMs);
      }
      for (const left of leaves) {
        const untilMs = takeToken(caller.left[left], rates[left], nowMs);
        if (untilMs === 0) continue;
        count(kind, id, reply);
        throw refuseRate(left, rates[left], caller.left[left], nowMs, untilMs);
      }
      if (tokensLeft(caller, share, nowMs) < share.burst / 2) void reply.headers(limitHeaders(kind, share, caller, nowMs));
      caller.running++;
      return caller;
    },
    leave: (caller) => void caller.running--,
  };
}
