/** What a merchant is told about one of its orders. Source: contract §3.5, §3.6. */
export type NewOrderNotice = {
  readonly kind: 'order';
  readonly merchantId: string;
  readonly orderId: string;
  /** The order's id as the notice tells it: that of a recurrent order carries a counter (contract §3.5). */
  readonly poId: string;
  readonly serviceOrderId: bigint;
  readonly status: 'approved' | 'cancelled';
  readonly amountMinor: bigint;
  readonly currency: string;
  /** How it was paid; empty where it was not. */
  readonly payment: string;
  /** When it is written: the present, not a past instant at which it fell due. The seven days of its delivery count from here. */
  readonly at: Temporal.Instant;
};

/** What a merchant is told about one of its cashouts. Source: contract §4.5. */
export type NewCashoutNotice = {
  readonly kind: 'cashout';
  readonly merchantId: string;
  readonly operationId: string;
  readonly document: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: 'approved' | 'expired';
  readonly at: Temporal.Instant;
};

export type NewNotice = NewOrderNotice | NewCashoutNotice;

export type NoticeState = 'waiting' | 'delivered' | 'given_up';

/** A notice of the outbox. */
export type Notice = NewNotice & { readonly noticeId: bigint };

/** A notice that was not delivered within this time of being written, or of its redelivery, is given up. */
export const GIVE_UP_AFTER_HOURS = 7 * 24;

/** First pause after a failure; each further one doubles it, up to the longest. */
const RETRY_SECONDS = 5;
const LONGEST_RETRY_SECONDS = 3_600;
/** First pause before a paused endpoint is probed. A receiver that is back is found out within the longest. */
const PROBE_SECONDS = 30;
const LONGEST_PROBE_SECONDS = 900;

/**
 * The pause after a number of failures, spread over its second half, so that what failed together is not tried together.
 * Shape: failures from 1; chance in [0, 1).
 */
const pauseAfter = (failures: number, firstSeconds: number, longestSeconds: number, chance: number): Temporal.Duration => {
  const seconds = Math.min(firstSeconds * 2 ** (failures - 1), longestSeconds);
  return Temporal.Duration.from({ milliseconds: Math.round(seconds * 1000 * (0.5 + chance / 2)) });
};

/** Taken: the receiver answered with a 2xx. Unaddressed: the merchant has no notice URL, and nothing was sent. */
export type AttemptResult = 'taken' | 'failed' | 'unaddressed';

export type Attempt = {
  readonly noticeId: bigint;
  /** Which attempt of this notice it was, from 1. */
  readonly attempts: number;
  readonly giveUpAt: Temporal.Instant;
  readonly result: AttemptResult;
  readonly problem: string | null;
};

/**
 * Decides what becomes of a notice after an attempt: delivered, due again later, or given up where that would be too late, or where
 * there is nowhere to send it.
 * Shape: chance in [0, 1).
 */
export function decideNotice(
  { attempts, giveUpAt, result }: Attempt,
  now: Temporal.Instant,
  chance: number,
): { readonly state: NoticeState; readonly dueAt: Temporal.Instant } {
  if (result !== 'failed') return { state: result === 'taken' ? 'delivered' : 'given_up', dueAt: now };
  const dueAt = now.add(pauseAfter(attempts, RETRY_SECONDS, LONGEST_RETRY_SECONDS, chance));
  return { state: Temporal.Instant.compare(dueAt, giveUpAt) < 0 ? 'waiting' : 'given_up', dueAt };
}

/** An endpoint that has failed since it last took a notice, or that an operator paused. A healthy one has no such record. */
export type TroubledEndpoint = {
  readonly failingSince: Temporal.Instant | null;
  /** Failures of one notice in a row count once: an order that the receiver never takes is no dead endpoint. */
  readonly failures: number;
  readonly lastFailedId: bigint | null;
  readonly problem: string | null;
  readonly pausedAt: Temporal.Instant | null;
  readonly pausedBy: 'service' | 'operator' | null;
  /** When a paused endpoint is next tried with one notice; null for one that an operator paused, which is not tried. */
  readonly probeAt: Temporal.Instant | null;
  readonly probes: number;
};

/** Different notices that fail one after another before the endpoint counts as dead. */
const FAILURES_UNTIL_PAUSE = 5;

const HEALTHY: TroubledEndpoint = {
  failingSince: null,
  failures: 0,
  lastFailedId: null,
  problem: null,
  pausedAt: null,
  pausedBy: null,
  probeAt: null,
  probes: 0,
};

/**
 * Decides what becomes of an endpoint after some attempts, in their order.
 * Shape: undefined stands for a healthy endpoint, before and after; chance in [0, 1).
 * One success ends all trouble; a pause by the operator is the operator's to end.
 */
export function decideEndpoint(
  before: TroubledEndpoint | undefined,
  attempts: readonly Attempt[],
  now: Temporal.Instant,
  chance: number,
): TroubledEndpoint | undefined {
  let endpoint = before ?? HEALTHY;
  for (const attempt of attempts) {
    const { pausedAt, pausedBy } = endpoint;
    if (attempt.result === 'unaddressed') continue;
    if (attempt.result === 'taken') endpoint = pausedBy === 'operator' ? { ...HEALTHY, pausedAt, pausedBy } : HEALTHY;
    else
      endpoint = {
        ...endpoint,
        failingSince: endpoint.failingSince ?? now,
        failures: endpoint.failures + (endpoint.lastFailedId === attempt.noticeId ? 0 : 1),
        lastFailedId: attempt.noticeId,
        problem: attempt.problem,
      };
  }
  endpoint = pauseWhereDead(endpoint, now, chance);
  return endpoint.failingSince === null && endpoint.pausedAt === null ? undefined : endpoint;
}

function pauseWhereDead(endpoint: TroubledEndpoint, now: Temporal.Instant, chance: number): TroubledEndpoint {
  const probes = endpoint.probes + 1;
  const probeAt = now.add(pauseAfter(probes, PROBE_SECONDS, LONGEST_PROBE_SECONDS, chance));
  if (endpoint.pausedBy === null && endpoint.failures >= FAILURES_UNTIL_PAUSE)
    return { ...endpoint, pausedAt: now, pausedBy: 'service', probeAt, probes };
  // What was in flight when the endpoint was paused fails before the probe is due, and is none.
  const isProbe = endpoint.probeAt !== null && Temporal.Instant.compare(endpoint.probeAt, now) <= 0;
  return isProbe ? { ...endpoint, probeAt, probes } : endpoint;
}
