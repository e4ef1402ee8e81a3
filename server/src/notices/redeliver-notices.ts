import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { GIVE_UP_AFTER_HOURS } from './notice.ts';

type RedeliverFilter = {
  readonly since: Temporal.Instant;
  readonly merchantId?: string | undefined;
  /** True: only those that were given up. */
  readonly onlyFailed: boolean;
};

const AGAIN = `update notices set state = 'waiting', due_at = $1, give_up_at = $2, leased_until = null where state <> 'waiting'`;
const REDELIVER_ONE = statement('notices.redeliver_one', `${AGAIN} and notice_id = $3 returning notice_id`);
const REDELIVER_SINCE = statement(
  'notices.redeliver_since',
  `with again as (${AGAIN} and written_at >= $3 and ($4::text is null or merchant_id = $4) and (not $5 or state = 'given_up') returning 1)
   select count(*) as notices from again`,
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
      tx.query(REDELIVER_ONE, [now, inSevenDays(now), noticeId]),
      tx.query<{ state: string }>(STATE_OF, [noticeId]),
    ]);
    if (changed.length > 0) return undefined;
    return refuse(found === undefined ? 'notice_unknown' : 'notice_waiting');
  });
}

/**
 * Sends again what was written since a time, of one merchant or of all. Each keeps its id, and those of one subject keep their order.
 * Shape: → how many.
 * Effects: notices that wait already are not changed.
 */
export async function redeliverSince({ db, clock }: Deps, { since, merchantId, onlyFailed }: RedeliverFilter): Promise<bigint> {
  const now = clock.now();
  const [row] = await db.query<{ notices: bigint }>(REDELIVER_SINCE, [now, inSevenDays(now), since, merchantId ?? null, onlyFailed]);
  return (row as { notices: bigint }).notices;
}

const inSevenDays = (now: Temporal.Instant): Temporal.Instant => now.add({ hours: GIVE_UP_AFTER_HOURS });
