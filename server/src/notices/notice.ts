import { pauseAfter, type Pauses } from '../kit/backoff.ts';

/** What a merchant learns about one of its orders. Source: contract §3.5, §3.6. */
export type NewOrderNotice = {
  readonly kind: 'order';
  readonly merchantId: string;
  readonly orderId: string;
  /** The order's id as the notice has it. That of a recurrent order ends with a counter (contract §3.5). */
  readonly poId: string;
  readonly serviceOrderId: bigint;
  readonly status: 'approved' | 'cancelled';
  readonly amountMinor: bigint;
  readonly currency: string;
  /** How it was paid. Empty: it was not paid. */
  readonly payment: string;
  /** When it is written, not an earlier instant at which it fell due. The seven days of its delivery begin here. */
  readonly at: Temporal.Instant;
};

/** What a merchant learns of an update of one of its orders, where it asks for that. Source: contract §3.6. */
export type NewUpdateNotice = Omit<NewOrderNotice, 'status'> & {
  readonly status: 'updated';
  /** The version that the update made. What changed is read from the order's history, so that no second copy of it is kept. */
  readonly version: number;
};

/** What an operator may have done about a refund. */
export const REFUND_STEPS = ['approved', 'paid', 'failed', 'cancelled'] as const;
type RefundStep = (typeof REFUND_STEPS)[number];
/** What a merchant learns of a refund of one of its orders, where it asks for that. Source: contract §3.6. */
export type NewRefundNotice = Omit<NewOrderNotice, 'status'> & {
  readonly status: `refund_${RefundStep}`;
  readonly refundId: string;
};

/** What an update changed, as the notice shows it: fields under their names in requests. */
export type ReportedUpdate = {
  readonly requestId: string | null;
  readonly changes: Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>>;
};
/** What a merchant learns about one of its cashouts. Source: contract §4.5. */
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

/** What the bank may have done with a settlement. */
export const SETTLEMENT_STEPS = ['paid', 'returned'] as const;
/** What a merchant learns of a settlement, where it has update notices. Source: contract §3.6. */
export type NewSettlementNotice = {
  readonly kind: 'settlement';
  readonly merchantId: string;
  readonly settlementId: bigint;
  readonly status: (typeof SETTLEMENT_STEPS)[number];
  /** What the merchant gets, or has again. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** How the bank names the payment, or why it gave it back. */
  readonly bankText: string;
  readonly at: Temporal.Instant;
};

/** Sent at a person's wish, so that a developer sees whether the merchant's server takes notices. */
export type TestNotice = {
  readonly kind: 'test';
  readonly merchantId: string;
  readonly status: 'test';
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly at: Temporal.Instant;
};
/** What a test notice is about. No order can have this id. */
export const TEST_SUBJECT = '~test';
/** What a notice may be about. */
export const NOTICE_KINDS = ['order', 'cashout', 'settlement', 'test'] as const satisfies readonly Notice['kind'][];
/** The kind of a stored notice: tests are rows of the kind `order`. */
export const KIND = `case status when 'test' then 'test' else kind end`;

export type NewNotice = NewOrderNotice | NewUpdateNotice | NewRefundNotice | NewCashoutNotice | NewSettlementNotice;

/** True for a notice of a refund. */
export const isOfRefund = (notice: NewNotice | TestNotice): notice is NewRefundNotice => 'refundId' in notice;

export const NOTICE_STATES = ['waiting', 'delivered', 'given_up'] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** A notice of the outbox. */
export type Notice = (NewNotice | TestNotice) & { readonly noticeId: bigint };

/** The merchant's id of what a notice is about; of a settlement its number. */
export function subjectOfNotice(notice: NewNotice | TestNotice): string {
  switch (notice.kind) {
    case 'order':
      return notice.orderId;
    case 'cashout':
      return notice.operationId;
    case 'settlement':
      return String(notice.settlementId);
    case 'test':
      return TEST_SUBJECT;
  }
}

/** A notice is given up when it was not delivered within this time after its writing or redelivery. */
export const GIVE_UP_AFTER_HOURS = 7 * 24;

/** The pauses between attempts of a notice. */
const RETRIES: Pauses = { firstSeconds: 5, longestSeconds: 3_600 };
/** The pauses between probes of a paused endpoint. A receiver that is back is found within the longest. */
const PROBES: Pauses = { firstSeconds: 30, longestSeconds: 900 };

/** Taken: the receiver answered with 2xx. Unaddressed: the merchant has no notice URL, so nothing was sent. */
export type AttemptResult = 'taken' | 'failed' | 'unaddressed';

export type Attempt = {
  readonly noticeId: bigint;
  /** The number of this attempt of the notice, from 1. */
  readonly attempts: number;
  readonly giveUpAt: Temporal.Instant;
  readonly result: AttemptResult;
  readonly problem: string | null;
};

/**
 * Decides what becomes of a notice after an attempt: it is delivered, due again later, or given up.
 * It is given up when it has no address, or when the next attempt would be too late.
 * Shape: chance in [0, 1).
 */
export function decideNotice(
  { attempts, giveUpAt, result }: Attempt,
  now: Temporal.Instant,
  chance: number,
): { readonly state: NoticeState; readonly dueAt: Temporal.Instant } {
  if (result !== 'failed') return { state: result === 'taken' ? 'delivered' : 'given_up', dueAt: now };
  const dueAt = now.add(pauseAfter(attempts, RETRIES, chance));
  return { state: Temporal.Instant.compare(dueAt, giveUpAt) < 0 ? 'waiting' : 'given_up', dueAt };
}

/** An endpoint that has failed since it last took a notice, or that an operator paused. A healthy one has no record. */
export type EndpointRecord = {
  readonly failingSince: Temporal.Instant | null;
  /** Failures of one notice in a row count once: an endpoint that never takes one certain notice is not dead. */
  readonly failures: number;
  readonly lastFailedId: bigint | null;
  readonly problem: string | null;
  readonly pausedAt: Temporal.Instant | null;
  readonly pausedBy: 'service' | 'operator' | null;
  /** When a paused endpoint is next tried with one notice. Null: an operator paused it, so it is not tried. */
  readonly probeAt: Temporal.Instant | null;
  readonly probes: number;
};

/** Different notices that fail one after another before the endpoint counts as dead. */
const FAILURES_UNTIL_PAUSE = 5;

const HEALTHY: EndpointRecord = {
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
 * Shape: undefined is a healthy endpoint, before and after; chance in [0, 1).
 * One success makes it healthy. Only an operator ends a pause by an operator.
 */
export function decideEndpoint(
  before: EndpointRecord | undefined,
  attempts: readonly Attempt[],
  now: Temporal.Instant,
  chance: number,
): EndpointRecord | undefined {
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

function pauseWhereDead(endpoint: EndpointRecord, now: Temporal.Instant, chance: number): EndpointRecord {
  const probes = endpoint.probes + 1;
  const probeAt = now.add(pauseAfter(probes, PROBES, chance));
  if (endpoint.pausedBy === null && endpoint.failures >= FAILURES_UNTIL_PAUSE)
    return { ...endpoint, pausedAt: now, pausedBy: 'service', probeAt, probes };
  // A call that was in flight when the endpoint was paused fails before the probe is due. It is not a probe.
  const isProbe = endpoint.probeAt !== null && Temporal.Instant.compare(endpoint.probeAt, now) <= 0;
  return isProbe ? { ...endpoint, probeAt, probes } : endpoint;
}
