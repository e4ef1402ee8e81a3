import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { GIVE_UP_AFTER_HOURS } from './notice.ts';

/** An endpoint with its backlog. One that has no backlog and does not fail is not listed. */
export type ListedEndpoint = {
  readonly merchantId: string;
  readonly waiting: bigint;
  readonly oldestAt: Temporal.Instant | null;
  readonly failingSince: Temporal.Instant | null;
  readonly problem: string | null;
  readonly pausedAt: Temporal.Instant | null;
  readonly pausedBy: 'service' | 'operator' | null;
  readonly probeAt: Temporal.Instant | null;
};

const LIST = statement(
  'notices.list_endpoints',
  `select merchant_id as "merchantId", coalesce(w.waiting, 0) as waiting, w.oldest_at as "oldestAt", e.failing_since as "failingSince", e.problem,
          e.paused_at as "pausedAt", e.paused_by as "pausedBy", e.probe_at as "probeAt"
     from (select merchant_id, count(*) as waiting, min(written_at) as oldest_at from notices where state = 'waiting' group by merchant_id) w
     full join notice_endpoints e using (merchant_id) order by merchant_id`,
);
/** The partial index of waiting notices counts them. */
const COUNT = statement(
  'notices.count',
  `select (select count(*)::integer from notices where state = 'waiting') as caudal_notices_waiting,
          (select count(*)::integer from notice_endpoints where paused_at is not null) as caudal_notice_endpoints_paused`,
);
const PAUSE = statement(
  'notices.pause',
  `insert into notice_endpoints (merchant_id, paused_at, paused_by) values ($1, $2, 'operator')
   on conflict (merchant_id) do update set paused_at = $2, paused_by = 'operator', probe_at = null, probes = 0`,
);
const RESUME = statement('notices.resume', `delete from notice_endpoints where merchant_id = $1 returning paused_by as "pausedBy"`);
const DUE_NOW = statement(
  'notices.due_now',
  `update notices set due_at = least(due_at, $2), give_up_at = greatest(give_up_at, $3) where merchant_id = $1 and state = 'waiting'`,
);

const PAUSED = statement(
  'notices.is_paused_by_operator',
  `select merchant_id from notice_endpoints where merchant_id = $1 and paused_by = 'operator'`,
);
const PROBE = statement(
  'notices.probe_now',
  `update notice_endpoints set probe_at = $2 where merchant_id = $1 and paused_by = 'service' and probe_at > $2`,
);

/** Whether an operator has paused the endpoint of a merchant: nothing is sent to it before it is resumed. */
export const isPausedByOperator = async (db: Pick<Db, 'query'>, merchantId: string): Promise<boolean> =>
  (await db.query(PAUSED, [merchantId])).length > 0;

/** Probes at once what the service has paused, with the notice that is due first. */
export const probeNow = async (db: Pick<Db, 'query'>, merchantId: string, now: Temporal.Instant): Promise<void> =>
  void (await db.query(PROBE, [merchantId, now]));

/** The measurements for operators, by name. */
export const NOTICE_GAUGES = {
  caudal_notices_waiting: 'Notices that are not delivered yet.',
  caudal_notice_endpoints_paused: 'Endpoints that take no notices, or that an operator paused.',
};

/** Reads the measurements. */
export async function readNoticeGauges(db: Pick<Db, 'query'>): Promise<Readonly<Record<keyof typeof NOTICE_GAUGES, number>>> {
  const [row] = await db.query<Record<keyof typeof NOTICE_GAUGES, number>>(COUNT, []);
  return row as Record<keyof typeof NOTICE_GAUGES, number>;
}

/** Lists the endpoints that have notices waiting, fail or are paused, by merchant. */
export function listEndpoints(db: Pick<Db, 'query'>): Promise<readonly ListedEndpoint[]> {
  return db.query<ListedEndpoint>(LIST, []);
}

/** Pauses the endpoint of a merchant that exists. Until it is resumed, nothing is sent and nothing is given up. */
export async function pauseEndpoint({ db, clock }: { readonly db: Db; readonly clock: Clock }, merchantId: string): Promise<void> {
  await db.query(PAUSE, [merchantId, clock.now()]);
}

/**
 * Resumes an endpoint that an operator or the service paused. All that waits is due at once and has seven days again.
 * Shape: → false when it was not paused; what waits is due at once then too.
 */
export async function resumeEndpoint({ db, clock }: { readonly db: Db; readonly clock: Clock }, merchantId: string): Promise<boolean> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const [endpoint] = await tx.query<{ pausedBy: string | null }>(RESUME, [merchantId]);
    tx.send(DUE_NOW, [merchantId, now, now.add({ hours: GIVE_UP_AFTER_HOURS })]);
    return endpoint !== undefined && endpoint.pausedBy !== null;
  });
}
