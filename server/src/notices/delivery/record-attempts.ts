import { columnsOf, statement, type Tx } from '../../kit/db.ts';
import { KEEP_ATTEMPTS } from '../notice-attempts.ts';
import { decideEndpoint, decideNotice, type Attempt, type EndpointRecord } from '../notice.ts';

/** An attempt that has ended. `status` and `answer` null: the receiver did not answer. */
export type EndedAttempt = Attempt & {
  readonly merchantId: string;
  readonly status: number | null;
  readonly answer: string | null;
};

/** An endpoint that was paused, or that takes notices again. */
export type EndpointChange = { readonly merchantId: string; readonly endpoint: EndpointRecord | undefined };

/**
 * When a notice was claimed again after the lease, only the later attempt counts. A recorded attempt has no lease any more. One
 * whose commit was not heard of comes again, and changes nothing.
 */
const RECORD = statement(
  'notices.record',
  `update notices n set state = k.state, due_at = k.due_at, leased_until = null, answer_status = k.status, answer = k.answer, problem = k.problem,
          delivered_at = case when k.state = 'delivered' then $9 else n.delivered_at end,
          closed_at = case when k.state = 'waiting' then n.closed_at else coalesce(n.closed_at, $9) end
     from unnest($1::text[], $2::bigint[], $3::integer[], $4::text[], $5::timestamptz[], $6::integer[], $7::text[], $8::text[])
       as k (merchant_id, notice_id, attempts, state, due_at, status, answer, problem)
    where n.merchant_id = k.merchant_id and n.notice_id = k.notice_id and n.attempts = k.attempts and n.state = 'waiting' and n.leased_until is not null
   returning n.merchant_id as "merchantId", n.notice_id as "noticeId", n.state <> 'delivered' or n.attempts > 1 as "isKept"`,
);

const LOCK_ENDPOINTS = statement(
  'notices.lock_endpoints',
  `select merchant_id as "merchantId", failing_since as "failingSince", failures, last_failed_id as "lastFailedId", problem,
          paused_at as "pausedAt", paused_by as "pausedBy", probe_at as "probeAt", probes
     from notice_endpoints where merchant_id = any($1::text[]) order by merchant_id for update`,
);
// A pause by an operator is kept, also when it came after the record was read.
const SAVE_ENDPOINTS = statement(
  'notices.save_endpoints',
  `insert into notice_endpoints (merchant_id, failing_since, failures, last_failed_id, problem, paused_at, paused_by, probe_at, probes)
   select * from unnest($1::text[], $2::timestamptz[], $3::integer[], $4::bigint[], $5::text[], $6::timestamptz[], $7::text[], $8::timestamptz[], $9::integer[])
       as k (merchant_id, failing_since, failures, last_failed_id, problem, paused_at, paused_by, probe_at, probes) order by merchant_id
   on conflict (merchant_id) do update set (failing_since, failures, last_failed_id, problem, paused_at, paused_by, probe_at, probes) =
     (excluded.failing_since, excluded.failures, excluded.last_failed_id, excluded.problem, excluded.paused_at, excluded.paused_by,
      excluded.probe_at, excluded.probes)
   where notice_endpoints.paused_by is distinct from 'operator' or excluded.paused_by = 'operator'`,
);
const FORGET_ENDPOINTS = statement('notices.forget_endpoints', `delete from notice_endpoints where merchant_id = any($1::text[])`);
/** Notices that failed before do not wait for their own pauses any more. */
const HASTEN = statement(
  'notices.hasten',
  `update notices set due_at = $2 where merchant_id = any($1::text[]) and state = 'waiting' and due_at > $2 and leased_until is null`,
);

/**
 * Records the results of attempts: for the notices and for their endpoints.
 * Shape: any number, those of one merchant in the order of their ends → the endpoints that were paused or are back.
 * Effects: an attempt that a later one has overtaken changes nothing.
 * When an endpoint is back from a pause, all its notices are due at once.
 */
export async function recordNoticeAttempts(
  tx: Tx,
  ended: readonly EndedAttempt[],
  now: Temporal.Instant,
  chance: () => number,
): Promise<readonly EndpointChange[]> {
  const decided = ended.map((attempt) => ({ ...attempt, ...decideNotice(attempt, now, chance()) }));
  const [recorded, locked] = await Promise.all([
    tx.query<{ merchantId: string; noticeId: bigint; isKept: boolean }>(RECORD, [
      ...columnsOf(decided, 'merchantId', 'noticeId', 'attempts', 'state', 'dueAt', 'status', 'answer', 'problem'),
      now,
    ]),
    tx.query<EndpointRecord & { merchantId: string }>(LOCK_ENDPOINTS, [[...new Set(ended.map(({ merchantId }) => merchantId))]]),
  ]);
  const kept = recorded.filter(({ isKept }) => isKept);
  if (kept.length > 0) tx.send(KEEP_ATTEMPTS, columnsOf(kept, 'merchantId', 'noticeId'));
  const counting = new Set(recorded.map(({ noticeId }) => noticeId));
  const endpoints = new Map(locked.map(({ merchantId, ...endpoint }) => [merchantId, endpoint]));
  const byMerchant = Map.groupBy(
    ended.filter(({ noticeId }) => counting.has(noticeId)),
    ({ merchantId }) => merchantId,
  );
  const changes = [...byMerchant].map(([merchantId, attempts]) => {
    const before = endpoints.get(merchantId);
    return { merchantId, before, endpoint: decideEndpoint(before, attempts, now, chance()) };
  });
  saveEndpoints(tx, changes, now);
  return changes.filter(({ before, endpoint }) => (before?.pausedBy === 'service') !== (endpoint?.pausedBy === 'service'));
}

function saveEndpoints(
  tx: Tx,
  changes: readonly (EndpointChange & { readonly before: EndpointRecord | undefined })[],
  now: Temporal.Instant,
): void {
  const kept = changes.flatMap(({ merchantId, endpoint }) => (endpoint === undefined ? [] : [{ merchantId, ...endpoint }]));
  const healthy = changes.filter(({ before, endpoint }) => before !== undefined && endpoint === undefined);
  if (kept.length > 0)
    tx.send(
      SAVE_ENDPOINTS,
      columnsOf(kept, 'merchantId', 'failingSince', 'failures', 'lastFailedId', 'problem', 'pausedAt', 'pausedBy', 'probeAt', 'probes'),
    );
  if (healthy.length > 0) tx.send(FORGET_ENDPOINTS, [healthy.map(({ merchantId }) => merchantId)]);
  // Only after a pause: one notice that fails among many that succeed keeps its own growing pauses.
  const back = healthy.filter(({ before }) => before?.pausedBy === 'service');
  if (back.length > 0) tx.send(HASTEN, [back.map(({ merchantId }) => merchantId), now]);
}
