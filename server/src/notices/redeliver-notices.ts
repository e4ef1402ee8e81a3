import type { Clock } from '../kit/clock.ts';
import { columnsOf, statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { showMerchant } from '../merchants/index.ts';
import { isPausedByOperator, probeNow } from './endpoints.ts';
import { KEEP_ATTEMPTS } from './notice-attempts.ts';
import { GIVE_UP_AFTER_HOURS } from './notice.ts';
import { showNotice } from './notice-rows.ts';

type RedeliverFilter = {
  readonly since: Temporal.Instant;
  readonly merchantId?: string | undefined;
  /** True: only those that were given up. */
  readonly onlyFailed: boolean;
  /** Goes on after this notice. */
  readonly after?: bigint | undefined;
};

const AGAIN = `update notices set state = 'waiting', due_at = $1, give_up_at = $2, leased_until = null where state <> 'waiting'`;
const REDELIVER_ONE = statement(
  'notices.redeliver_one',
  `${AGAIN} and notice_id = $3 returning merchant_id as "merchantId", notice_id as "noticeId"`,
);
/** Looks at the next notices after one, of all merchants or of one, each by its own index. */
const portion = (name: string, whose: string) =>
  statement(
    name,
    `with seen as materialized (
       select merchant_id, notice_id, written_at from notices where notice_id > $3 and ${whose} order by notice_id limit $6),
     again as (
       update notices set state = 'waiting', due_at = $1, give_up_at = $2, leased_until = null from seen
        where notices.merchant_id = seen.merchant_id and notices.notice_id = seen.notice_id and state <> 'waiting'
          and seen.written_at >= $4 and (not $5 or state = 'given_up') returning notices.merchant_id, notices.notice_id)
     select (select array_agg(merchant_id order by notice_id) from again) as "merchantIds",
            (select array_agg(notice_id order by notice_id) from again) as "noticeIds", (select count(*) from seen) as looked, (select max(notice_id) from seen) as last`,
  );
const REDELIVER_PORTION = portion('notices.redeliver_portion', 'true');
const REDELIVER_PORTION_OF = portion('notices.redeliver_portion_of_merchant', 'merchant_id = $7');
const BOUNDS = statement('notices.bounds', 'select min(notice_id) as first, max(notice_id) as last from notices');
const WRITTEN = statement(
  'notices.written_after',
  'select notice_id as "noticeId", written_at as "writtenAt" from notices where notice_id > $1 order by notice_id limit 1',
);
const STATE_OF = statement('notices.state', 'select state from notices where notice_id = $1');

type Deps = { readonly db: Db; readonly clock: Clock };

/**
 * Sends one notice again, under the same id. It has seven days again.
 * Refuses: notice_unknown; notice_waiting, because it will be sent anyway.
 */
export async function redeliverNotice(
  { db, clock }: Deps,
  noticeId: bigint,
): Promise<undefined | Refusal<'notice_unknown' | 'notice_waiting'>> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const [changed, [found]] = await Promise.all([
      tx.query<{ merchantId: string; noticeId: bigint }>(REDELIVER_ONE, [now, inSevenDays(now), noticeId]),
      tx.query<{ state: string }>(STATE_OF, [noticeId]),
    ]);
    if (changed.length > 0) {
      tx.send(KEEP_ATTEMPTS, columnsOf(changed, 'merchantId', 'noticeId'));
      return undefined;
    }
    return refuse(found === undefined ? 'notice_unknown' : 'notice_waiting');
  });
}

/**
 * The notice and the earlier ones of its subject that wait: these go first, so they are due too. All go before what else waits for the
 * merchant, because an endpoint that is paused takes one notice as its probe. A test keeps its minute.
 */
const DUE_NOW = statement(
  'notices.due_before_others',
  `with wanted as (select merchant_id, kind, subject_id, notice_id from notices where notice_id = $1 and state = 'waiting'),
   first as (
     select least($2, min(n.due_at) - interval '1 millisecond') as due_at from wanted w join notices n using (merchant_id) where n.state = 'waiting'),
   line as materialized (
     select n.merchant_id, n.notice_id from wanted w join notices n using (merchant_id, kind, subject_id)
      where n.notice_id <= w.notice_id and n.state = 'waiting' order by n.notice_id for update of n)
   update notices n
      set due_at = first.due_at, give_up_at = case when n.status = 'test' then n.give_up_at else greatest(n.give_up_at, $3) end
     from line, first
    where n.merchant_id = line.merchant_id and n.notice_id = line.notice_id and n.state = 'waiting'
      and (n.leased_until is null or n.leased_until <= $2)
   returning n.notice_id as "noticeId"`,
);
const LEASE_OF = statement(
  'notices.state_and_lease',
  `select state, coalesce(leased_until > $2, false) as "isLeased" from notices where notice_id = $1`,
);

type SendRefusal = 'notice_unknown' | 'notice_ended' | 'notice_under_way' | 'notice_url_missing' | 'endpoint_paused';

/**
 * Sends a notice that waits now, as somebody has just repaired what stopped it. It has seven days again.
 * Shape: → how many earlier ones of its subject go before it.
 * Refuses, in this order: notice_unknown; notice_ended, which is for `redeliverNotice`; notice_url_missing; endpoint_paused, by an operator;
 * notice_under_way, where a server sends it at this moment.
 * Effects: what the service has paused is probed at once, with this notice or the first before it.
 */
export async function sendNoticeNow({ db, clock }: Deps, noticeId: bigint): Promise<{ readonly earlier: number } | Refusal<SendRefusal>> {
  const now = clock.now();
  const found = await showNotice(db, noticeId);
  if (found === undefined) return refuse('notice_unknown');
  const { merchantId } = found.notice;
  const merchant = await showMerchant({ db }, merchantId, now);
  if (found.delivery.state !== 'waiting') return refuse('notice_ended');
  if (merchant === undefined || merchant.noticeUrl === null) return refuse('notice_url_missing');
  return db.transaction(async (tx) => {
    if (await isPausedByOperator(tx, merchantId)) return refuse('endpoint_paused');
    const due = await tx.query<{ noticeId: bigint }>(DUE_NOW, [noticeId, now, inSevenDays(now)]);
    if (!due.some((one) => one.noticeId === noticeId)) {
      const [state] = await tx.query<{ state: string; isLeased: boolean }>(LEASE_OF, [noticeId, now]);
      return refuse(state?.isLeased === true && state.state === 'waiting' ? 'notice_under_way' : 'notice_ended');
    }
    await probeNow(tx, merchantId, now);
    return { earlier: due.length - 1 };
  });
}

/** Notices that one statement looks at. */
const PORTION = 2_000;
/** A transaction begins no further portion after this time: the rows that it has changed are locked until its end. */
const BUDGET_MS = 1_000;
/** Numbers are drawn shortly before or after the time is read. */
const SLACK_MINUTES = 1;

export type Redelivered = {
  readonly notices: bigint;
  /** The last notice that was looked at. Null: there are no more. */
  readonly next: bigint | null;
};

/**
 * Sends again what was written since a time, of one merchant or of all. Each keeps its id, and those of one subject keep their order.
 * Shape: → how many, and after which one to go on: a call takes about a second. A call with `after` goes on there.
 * Effects: notices that wait already are not changed.
 */
export async function redeliverSince(
  { db, clock }: Deps,
  { since, merchantId, onlyFailed, after }: RedeliverFilter,
  { portion: rows = PORTION, budgetMs = BUDGET_MS }: { readonly portion?: number; readonly budgetMs?: number } = {},
): Promise<Redelivered> {
  const now = clock.now();
  const begin = after ?? (await placeBefore(db, since.subtract({ minutes: SLACK_MINUTES }), rows));
  return db.transaction(async (tx) => {
    const startMs = performance.now();
    let notices = 0n;
    for (let place = begin; ;) {
      const values = [now, inSevenDays(now), place, since, onlyFailed, rows];
      const [one] = await (merchantId === undefined
        ? tx.query<Portion>(REDELIVER_PORTION, values)
        : tx.query<Portion>(REDELIVER_PORTION_OF, [...values, merchantId]));
      const { merchantIds, noticeIds, looked, last } = one as Portion;
      if (merchantIds !== null && noticeIds !== null) {
        notices += BigInt(noticeIds.length);
        tx.send(KEEP_ATTEMPTS, [merchantIds, noticeIds]);
      }
      if (last === null || looked < rows) return { notices, next: null };
      if (performance.now() - startMs >= budgetMs) return { notices, next: last };
      place = last;
    }
  });
}

/** What was changed, and null where nothing was. */
type Portion = {
  readonly merchantIds: readonly string[] | null;
  readonly noticeIds: readonly bigint[] | null;
  readonly looked: bigint;
  readonly last: bigint | null;
};

/** Finds a number before which all notices were written before a time. Numbers and times grow together, so it halves what is left. */
async function placeBefore(db: Pick<Db, 'query'>, at: Temporal.Instant, near: number): Promise<bigint> {
  const [bounds] = await db.query<{ first: bigint | null; last: bigint | null }>(BOUNDS, []);
  let [low, high] = [(bounds?.first ?? 1n) - 1n, bounds?.last ?? 0n];
  while (high - low > BigInt(near)) {
    const middle = (low + high) / 2n;
    const [next] = await db.query<{ noticeId: bigint; writtenAt: Temporal.Instant }>(WRITTEN, [middle]);
    if (next !== undefined && Temporal.Instant.compare(next.writtenAt, at) < 0) low = next.noticeId;
    else high = middle;
  }
  return low;
}

const inSevenDays = (now: Temporal.Instant): Temporal.Instant => now.add({ hours: GIVE_UP_AFTER_HOURS });
