import { columnsOf, statement } from '../../kit/db.ts';
import type { FigureRow, FigureSource } from '../../events/index.ts';

const EVENTS = [
  'cashout.registered',
  'cashout.paid',
  'cashout.payment_reversed',
  'cashout.cancelled',
  'cashout.expired',
  'cashout.nullified',
] as const;

/** The amount of a cashout never changes. */
const count = (rows: string): string => `
  select h.merchant_id as "merchantId", date_trunc('hour', h.changed_at, 'UTC') as hour, h.event, c.currency,
         case when h.actor like 'network:%' then h.actor else '' end as source, 0 as step,
         count(*) as count, sum(c.amount_minor)::text as "amountMinor", '0' as seconds
    from ${rows}
    join cashouts c on c.merchant_id = h.merchant_id and c.operation_id = h.operation_id
   where h.event = any ('{${EVENTS.join()}}')
   group by 1, 2, 3, 4, 5, 6`;

const COUNT_SOME = statement(
  'cashouts.count_figures',
  count(`unnest($1::text[], $2::text[], $3::integer[]) as k (merchant_id, operation_id, version)
         join cashout_history h on h.merchant_id = k.merchant_id and h.operation_id = k.operation_id and h.version = k.version`),
);
const COUNT_ALL = statement(
  'cashouts.count_all_figures',
  `${count('(select * from cashout_history where changed_at >= $1) h')} order by 1`,
);

/** What happened to cashouts. One that was imported was registered elsewhere. */
export const cashoutFigures: FigureSource = {
  events: EVENTS,
  count: (tx, events) => tx.query<FigureRow>(COUNT_SOME, columnsOf(events, 'merchantId', 'id', 'version')),
  countAll: COUNT_ALL,
};
