import { statement, type Db } from '../../kit/db.ts';
import type { Notice } from '../notice.ts';
import { NOTICE_COLUMNS, toNotice, type NoticeRow } from '../notice-rows.ts';
import { NOTICE_PROBLEMS } from '../notice-problems.ts';

/** A notice that this server sends now, and records before the lease ends. */
export type ClaimedNotice = { readonly notice: Notice; readonly attempts: number; readonly giveUpAt: Temporal.Instant };

type ClaimRequest = {
  readonly now: Temporal.Instant;
  /** Merchants come in the order of their ids, from the one after this. */
  readonly after: string;
  readonly most: number;
  readonly mostPerEndpoint: number;
  /** How many notices this server is sending to each merchant already. */
  readonly inFlight: ReadonlyMap<string, number>;
};

/** How long a claimed notice belongs to its server: several times the longest call. */
const LEASE_SECONDS = 60;

/** True when a notice may be sent or given up. It is due, no server has it, and no earlier one of its subject waits. */
const mayGo = (notice: string, now: string): string =>
  `${notice}.state = 'waiting' and ${notice}.due_at <= ${now} and (${notice}.leased_until is null or ${notice}.leased_until <= ${now})
           and not exists (select from notices earlier
                            where earlier.merchant_id = ${notice}.merchant_id and earlier.kind = ${notice}.kind and earlier.subject_id = ${notice}.subject_id
                              and earlier.notice_id < ${notice}.notice_id and earlier.state = 'waiting')`;

/**
 * Finds merchants with waiting notices by one index look-up each, whatever the length of their backlogs. A paused endpoint costs no more.
 * An endpoint that is due for a probe gives one notice. A notice waits for the earlier ones of its subject.
 */
const CLAIM = statement(
  'notices.claim',
  `with recursive merchant (merchant_id) as (
     (select merchant_id from notices where state = 'waiting' and merchant_id > $2 order by merchant_id limit 1)
     union all
     select next.merchant_id from merchant m cross join lateral (
       select merchant_id from notices where state = 'waiting' and merchant_id > m.merchant_id order by merchant_id limit 1) next
   ), due as materialized (
     select d.merchant_id, d.notice_id
       from merchant m
       left join notice_endpoints e on e.merchant_id = m.merchant_id
       left join unnest($5::text[], $6::integer[]) as busy (merchant_id, notices) on busy.merchant_id = m.merchant_id
      cross join lateral (
        select n.merchant_id, n.notice_id from notices n
         where n.merchant_id = m.merchant_id and ${mayGo('n', '$1')}
         order by n.due_at, n.notice_id
         limit greatest(0, case when e.merchant_id is null then $4::integer else 1 end - coalesce(busy.notices, 0))
         for update skip locked) d
      where e.paused_at is null or e.probe_at <= $1
      limit $3
   )
   update notices n set attempts = n.attempts + 1, attempted_at = $1, leased_until = $7
     from due where n.merchant_id = due.merchant_id and n.notice_id = due.notice_id
   returning ${NOTICE_COLUMNS}, n.attempts, n.give_up_at as "giveUpAt"`,
);

/**
 * Claims notices that are due: a few per endpoint, and only the earliest of each subject.
 * Shape: → at most `most` of them; fewer when no merchant after `after` has more.
 * Effects: one transaction. Each notice is leased to this server.
 * When a server crashes, its notices fall due again after the lease. So delivery is at least once.
 */
export async function claimNotices(
  db: Pick<Db, 'query'>,
  { now, after, most, mostPerEndpoint, inFlight }: ClaimRequest,
): Promise<readonly ClaimedNotice[]> {
  const rows = await db.query<NoticeRow & { attempts: number; giveUpAt: Temporal.Instant }>(CLAIM, [
    now,
    after,
    most,
    mostPerEndpoint,
    [...inFlight.keys()],
    [...inFlight.values()],
    now.add({ seconds: LEASE_SECONDS }),
  ]);
  return rows.map((row) => ({ notice: toNotice(row), attempts: row.attempts, giveUpAt: row.giveUpAt }));
}

const GIVE_UP_UNADDRESSED = statement(
  'notices.give_up_unaddressed',
  `update notices n set state = 'given_up', closed_at = coalesce(n.closed_at, $2), problem = $3
     from unnest($1::text[]) as m (merchant_id) cross join lateral (
       select merchant_id, notice_id from notices w
        where w.merchant_id = m.merchant_id and ${mayGo('w', '$2')}
        order by w.due_at, w.notice_id limit 1000 for update skip locked) vain
    where n.merchant_id = vain.merchant_id and n.notice_id = vain.notice_id`,
);

/**
 * Gives up the other due notices of merchants without a notice URL, a thousand of each at a time.
 * One by one they would delay the notices of others. Here too a notice waits for the earlier ones of its subject.
 * Shape: `now` is an instant before the URL was found missing. What was written since then is not given up.
 */
export async function giveUpUnaddressed(db: Pick<Db, 'query'>, merchantIds: readonly string[], now: Temporal.Instant): Promise<void> {
  await db.query(GIVE_UP_UNADDRESSED, [merchantIds, now, NOTICE_PROBLEMS.unaddressed]);
}
