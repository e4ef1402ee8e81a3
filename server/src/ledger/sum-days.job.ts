import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import { SETTLED_HOURS } from './entry.ts';

const ROUND_SECONDS = 60;
const SLACK_MINUTES = 5;
/**
 * How much time one step sums, in milliseconds. A minute of a quiet night has no entry, one of a busy day a million. So a step that took
 * long is followed by one of less time, and the other way round: the time-out of statements is far away.
 */
const SPAN = { first: 60_000, least: 1_000, most: 3_600_000 };
const QUICK_MS = 50;
const LONG_MS = 250;

const PLACE = statement('ledger.summed_to', `select summed_to as "summedTo" from ledger_summed for update skip locked`);
/** The first entry that is in no sum. Each merchant is asked by its index. */
const NEXT = statement(
  'ledger.next_to_sum',
  `select min(next.posted_at) as "postedAt"
     from (select distinct merchant_id from ledger_balances) as merchant
    cross join lateral (
       select posted_at from ledger_entries e where e.merchant_id = merchant.merchant_id and posted_at >= $1 order by posted_at limit 1) as next`,
);
const SUM = statement(
  'ledger.sum_span',
  `insert into ledger_days as kept (merchant_id, day, account, currency, amount_minor)
   select merchant_id, $3::date, account, currency, sum(amount_minor) from ledger_entries where posted_at >= $1 and posted_at < $2
    group by merchant_id, account, currency
   on conflict (merchant_id, day, account, currency) do update set amount_minor = kept.amount_minor + excluded.amount_minor`,
);
/** A sum of zero is that of a day without entries. */
const EMPTY = statement(
  'ledger.empty_days',
  `update ledger_days d set amount_minor = 0 from (select distinct merchant_id from ledger_balances) as merchant
    where d.merchant_id = merchant.merchant_id and d.day >= $1::date`,
);
const MOVE = statement('ledger.move_summed', 'update ledger_summed set summed_to = $1');

/**
 * Makes the job that sums what accounts moved, a span of time after the other. Sums and place are one transaction, so each entry counts once.
 * After a clock was set back it sums the day of then again.
 * Its rounds go by the machine's clock. So a sandbox whose clock was just moved has written what began before.
 */
export function sumDays(db: Pick<Db, 'transaction'>, clock: Clock, wallClock: Clock, nowMs: () => number = () => performance.now()): Job {
  let spanMs = SPAN.first;
  return inRounds(wallClock, ROUND_SECONDS, {
    name: 'ledger.sum_days',
    patience: 'some',
    step: async () => {
      const startedMs = nowMs();
      try {
        return await db.transaction((tx) => sumNext(tx, clock.now(), spanMs));
      } finally {
        const tookMs = nowMs() - startedMs;
        if (tookMs > LONG_MS) spanMs = Math.max(SPAN.least, spanMs / 4);
        else if (tookMs < QUICK_MS) spanMs = Math.min(SPAN.most, spanMs * 2);
      }
    },
  });
}

/**
 * True where hours were summed that had not ended, or not for an hour: a clock was ahead, and was set back. What is posted now may lie in
 * them. Clocks of servers differ by seconds: that is not a reason.
 */
const isAhead = (summedTo: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(summedTo, now.subtract({ minutes: 60 * SETTLED_HOURS - SLACK_MINUTES })) > 0;

async function sumNext(tx: Tx, now: Temporal.Instant, spanMs: number): Promise<boolean> {
  const [place] = await tx.query<{ summedTo: Temporal.Instant }>(PLACE, []);
  if (place !== undefined && isAhead(place.summedTo, now)) {
    const day = now.subtract({ hours: SETTLED_HOURS }).toZonedDateTimeISO('UTC').startOfDay();
    tx.send(EMPTY, [day.toPlainDate().toString()]);
    tx.send(MOVE, [day.toInstant()]);
    return true;
  }
  const [next] = place === undefined ? [] : await tx.query<{ postedAt: Temporal.Instant | null }>(NEXT, [place.summedTo]);
  const from = next?.postedAt?.round({ smallestUnit: 'second', roundingMode: 'floor' });
  const to = from && endOfSpan(from, spanMs);
  if (from === undefined || to === undefined || Temporal.Instant.compare(to.add({ hours: SETTLED_HOURS }), now) > 0) {
    tx.wroteNothing();
    return false;
  }
  tx.send(SUM, [from, to, from.toZonedDateTimeISO('UTC').toPlainDate().toString()]);
  tx.send(MOVE, [to]);
  return true;
}

/** A sum is of one day. */
function endOfSpan(from: Temporal.Instant, spanMs: number): Temporal.Instant {
  const midnight = from.toZonedDateTimeISO('UTC').startOfDay().add({ days: 1 }).toInstant();
  const end = from.add({ milliseconds: Math.round(spanMs) });
  return Temporal.Instant.compare(end, midnight) < 0 ? end : midnight;
}
