import { statement } from '../kit/db.ts';
import type { FigureRow, FigureSource } from '../events/index.ts';

const count = (event: string, rows: string): string => `
  select n.merchant_id as "merchantId", date_trunc('hour', n.closed_at, 'UTC') as hour, ${event} as event, '' as currency, '' as source,
         0 as step, count(*) as count, '0' as "amountMinor", '0' as seconds
    from ${rows} group by 1, 2, 3, 4, 5, 6`;

const COUNT_SOME = statement(
  'notices.count_figures',
  count(
    'k.event',
    `unnest($1::text[], $2::bigint[], $3::text[]) as k (merchant_id, notice_id, event)
     join notices n on n.merchant_id = k.merchant_id and n.notice_id = k.notice_id`,
  ),
);
/** A notice that was sent again no longer shows how it ended the first time. */
const COUNT_ALL = statement(
  'notices.count_all_figures',
  `${count(`case when n.delivered_at is null then 'notice.given_up' else 'notice.delivered' end`, 'notices n where n.closed_at >= $1')}
   order by 1`,
);

/** The oldest are being deleted, so their hour is no longer whole. */
const OLDEST = statement(
  'notices.oldest_countable_hour',
  `select date_trunc('hour', min(closed_at), 'UTC') + interval '1 hour' as hour from notices where state <> 'waiting'`,
);

/** How notices ended, each at its first end. Rows go after some months, so older figures cannot be counted again. */
export const noticeFigures: FigureSource = {
  events: ['notice.delivered', 'notice.given_up'],
  count: (tx, events) =>
    tx.query<FigureRow>(COUNT_SOME, [
      events.map(({ merchantId }) => merchantId),
      events.map(({ id }) => id),
      events.map(({ event }) => event),
    ]),
  countAll: COUNT_ALL,
  countableSince: async (db) => (await db.query<{ hour: Temporal.Instant | null }>(OLDEST, []))[0]?.hour ?? undefined,
};
