import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Job } from '../../kit/jobs.ts';
import type { Log } from '../../kit/log.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import type { Tracer } from '../../kit/traces/tracer.ts';
import { readNoticeEndpoints, type NoticeEndpoint } from '../../merchants/index.ts';
import { claimNotices, giveUpUnaddressed, type ClaimedNotice } from './claim-notices.ts';
import { NOTICE_PROBLEMS } from '../notice-problems.ts';
import { makeRequest } from '../notice-request.ts';
import { isOfRefund, type ReportedUpdate } from '../notice.ts';
import { readReported, type ReadUpdates } from '../read-reported.ts';
import { recordNoticeAttempts, type EndedAttempt, type EndpointChange } from './record-attempts.ts';
import { problemOf, type Sender } from './send-notice.ts';
import type { Dialect } from '../../requests/index.ts';

export type DeliveryDeps = {
  readonly db: Db;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  /** The real time, also where the service's clock is set by hand. Receivers compare the time of a signature with it. */
  readonly wallClock: Clock;
  readonly log: Log;
  readonly sender: Sender;
  readonly dialect: Dialect;
  readonly readUpdates: ReadUpdates;
  /** In [0, 1). Spreads retries. */
  readonly chance: () => number;
  readonly tracer?: Tracer | undefined;
};

type DeliveryJob = Job & {
  /** Waits for the calls under way and records them. What cannot be recorded is sent again after its lease. */
  close(): Promise<void>;
};

/** Calls of this server at the same time. A call costs us a few milliseconds; the rest of it is waiting. */
const IN_FLIGHT = 256;
/** Calls for one merchant at the same time. A slow receiver holds no more than these. */
const IN_FLIGHT_PER_ENDPOINT = 4;
/** From this many on a merchant has one call at a time: many slow receivers leave room for the others. */
const CROWDED = IN_FLIGHT / 2;
/** The longest wait for calls under way, before the job looks for notices that fell due meanwhile. */
const LOOK_AGAIN_MS = 200;

/**
 * Makes the job that sends notices.
 * A step records the calls that have ended, claims notices that are due, and starts to send them.
 * Calls go on between steps, so that a slow receiver does not delay others.
 * Claim and record are a transaction each. The call is between them.
 */
export function deliverNotices(deps: DeliveryDeps): DeliveryJob {
  const { db, clock, log, chance, readUpdates } = deps;
  const inFlight = new Map<ClaimedNotice, Promise<void>>();
  let ended: EndedAttempt[] = [];
  let after = '';

  /** Ended attempts are kept until they are recorded: no answer is lost while the database is away. */
  async function record(): Promise<void> {
    const recording = [...ended];
    if (recording.length === 0) return;
    const changes = await db.transaction((tx) => recordNoticeAttempts(tx, recording, clock.now(), chance));
    ended = ended.slice(recording.length);
    for (const change of changes) report(log, change);
  }

  /**
   * Claims for merchants in turns: one with thousands of notices gets no more turns than the others.
   * Resolves to false at the end of a round.
   */
  async function claim(): Promise<boolean> {
    const most = IN_FLIGHT - inFlight.size;
    const now = clock.now();
    const claimed = await claimNotices(db, {
      now,
      after,
      most,
      mostPerEndpoint: inFlight.size < CROWDED ? IN_FLIGHT_PER_ENDPOINT : 1,
      inFlight: countByMerchant(),
    });
    const isRoundOver = claimed.length < most;
    after = isRoundOver ? '' : claimed.reduce((last, { notice }) => (notice.merchantId > last ? notice.merchantId : last), '');
    if (claimed.length > 0) {
      const merchantIds = [...new Set(claimed.map(({ notice }) => notice.merchantId))];
      const endpoints = await readNoticeEndpoints(deps.db, deps.keys, merchantIds, now);
      const reported = await readReported(
        claimed.map(({ notice }) => notice),
        readUpdates,
      );
      const unaddressed = merchantIds.filter((merchantId) => !endpoints.has(merchantId));
      if (unaddressed.length > 0) await giveUpUnaddressed(db, unaddressed, now);
      for (const one of claimed) inFlight.set(one, send(one, endpoints.get(one.notice.merchantId), reported.get(one.notice.noticeId)));
    }
    return !isRoundOver;
  }

  async function send(
    claimed: ClaimedNotice,
    endpoint: NoticeEndpoint | Error | undefined,
    reported: ReportedUpdate | undefined,
  ): Promise<void> {
    const attempt = await attemptNotice(deps, claimed, endpoint, reported);
    inFlight.delete(claimed);
    ended.push(attempt);
    const { merchantId, noticeId, attempts, result, problem } = attempt;
    log.debug({ merchantId, noticeId: String(noticeId), attempts, result, problem }, 'a notice was tried');
  }

  const countByMerchant = (): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { notice } of inFlight.keys()) counts.set(notice.merchantId, (counts.get(notice.merchantId) ?? 0) + 1);
    return counts;
  };

  return {
    name: 'notices.deliver',
    step: async () => {
      await record();
      const wasMidRound = after !== '';
      const isMore = inFlight.size < IN_FLIGHT && (await claim());
      if (inFlight.size > 0) await withinMs(LOOK_AGAIN_MS, Promise.race(inFlight.values()));
      return isMore || wasMidRound || inFlight.size > 0 || ended.length > 0;
    },
    close: async () => {
      await Promise.all(inFlight.values());
      await record().catch((error: unknown) => log.warn({ error }, 'the last notices could not be recorded'));
    },
  };
}

async function attemptNotice(
  { log, sender, dialect, wallClock, tracer }: DeliveryDeps,
  { notice, attempts, giveUpAt }: ClaimedNotice,
  endpoint: NoticeEndpoint | Error | undefined,
  reported: ReportedUpdate | undefined,
): Promise<EndedAttempt> {
  const { merchantId, noticeId } = notice;
  const attempt = { merchantId, noticeId, attempts, giveUpAt, status: null, answer: null };
  if (endpoint === undefined) return { ...attempt, result: 'unaddressed', problem: NOTICE_PROBLEMS.unaddressed };
  if (endpoint instanceof Error) {
    log.error({ error: endpoint, merchantId }, 'the notice hash of a merchant cannot be read');
    return { ...attempt, result: 'failed', problem: NOTICE_PROBLEMS.hashUnreadable };
  }
  const isUpdate = notice.status === 'updated';
  if (isUpdate && reported === undefined) return { ...attempt, result: 'failed', problem: NOTICE_PROBLEMS.changesLost };
  const request = makeRequest(notice, { ...endpoint, dialect, reported, at: wallClock.now() });
  const span = tracer?.begin('client', () => ({ name: 'notice' }));
  span?.note({ 'caudal.notice.attempts': attempts });
  const outcome = await sender.send({ url: endpoint.url, ...request });
  if ('status' in outcome) span?.note({ 'http.response.status_code': outcome.status });
  span?.end('problem' in outcome || problemOf(outcome.status) !== null);
  if ('problem' in outcome) return { ...attempt, result: 'failed', problem: outcome.problem };
  const { status } = outcome;
  // A receiver may repeat what it was sent. Of an update that is the payer's data, which must be nowhere but in the order. The answer to the
  // notice of a refund is not kept either: an order shows that to the notice of its payment.
  const answer = isUpdate || isOfRefund(notice) ? null : outcome.answer;
  const problem = problemOf(status);
  return { ...attempt, status, answer, result: problem === null ? 'taken' : 'failed', problem };
}

/** Waits for a promise, but not longer than a time. */
async function withinMs(ms: number, promise: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const timer = delay(ms, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([promise, timer]);
  waiting.abort();
}

function report(log: Log, { merchantId, endpoint }: EndpointChange): void {
  if (endpoint?.pausedBy !== 'service') log.info({ merchantId }, 'a notice endpoint takes notices again');
  else log.warn({ merchantId, problem: endpoint.problem }, 'a notice endpoint takes no notices: it is paused and probed now and then');
}
