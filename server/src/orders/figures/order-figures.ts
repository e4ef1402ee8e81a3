import { columnsOf, statement } from '../../kit/db.ts';
import { CASHOUT_EVENTS, REFUND_EVENTS } from '../refunds/refund.ts';
import type { FigureRow, FigureSource } from '../../events/index.ts';

/** Counted under the names that histories have. */
const EVENTS = ['order.created', 'order.paid', 'order.cancelled', 'order.expired', 'order.reversed', 'order.voided'] as const;
/** What refunds move, as the ledger calls it. One event of a history may be two of these, and not each makes one. */
const MOVES = ['refund.owed', 'refund.released', 'refund.paid'] as const;

/** The ends of the steps of the time to pay, in seconds. What takes longer than the last is of one step more. */
export const PAY_STEPS: readonly number[] = [60, 300, 900, 3_600, 21_600, 86_400, 259_200, 604_800];

/**
 * Counts rows of histories, each with the money of its event.
 * A creation has its money in the history, a payment in its own row. An order that has ended keeps the money it had.
 * A payment that was given back has the instant of the event. Of several at one instant each event has another one.
 * An order that ends by its payment is timed. A recurrent one does not end by it.
 * Beside them, what each event moved of a refund. A void tells of none: its refund is called by the version that it made.
 * What a payer collects with a cashout is counted with that.
 */
const count = (rows: string): string => `
  select merchant_id as "merchantId", hour, event, currency, source, step,
         count(*) as count, sum(amount_minor)::text as "amountMinor", sum(seconds)::text as seconds
    from (
      select h.merchant_id, date_trunc('hour', h.changed_at, 'UTC') as hour, h.event,
             coalesce(split_part(created.money, ' ', 2), paid.currency, back.currency, ended.currency) as currency,
             coalesce(split_part(created.money, ' ', 1)::bigint, paid.amount_minor, back.amount_minor, ended.amount_minor) as amount_minor,
             coalesce(paid.source, back.source, '') as source,
             coalesce(taken.seconds, 0) as seconds,
             case when taken.seconds is null then 0 else width_bucket(taken.seconds, array[${PAY_STEPS.join()}]) + 1 end as step
        from ${rows}
        left join lateral (select h.changes #>> '{amount,1}' as money where h.event = 'order.created') as created on true
        left join order_payments paid
          on h.event = 'order.paid' and paid.merchant_id = h.merchant_id and paid.order_id = h.order_id
         and paid.payment_number = (h.changes #>> '{payments,1}')::integer
        left join orders ended
          on h.event in ('order.cancelled', 'order.expired') and ended.merchant_id = h.merchant_id and ended.order_id = h.order_id
        left join lateral (
          select currency, amount_minor, source from order_payments
           where h.event in ('order.reversed', 'order.voided') and merchant_id = h.merchant_id and order_id = h.order_id
             and 'order.' || state = h.event and given_back_at = h.changed_at
           order by payment_number limit 1
          offset (
            select count(*) from order_history earlier
             where earlier.merchant_id = h.merchant_id and earlier.order_id = h.order_id and earlier.version < h.version
               and earlier.event = h.event and earlier.changed_at = h.changed_at)) as back on true
        left join lateral (
          select greatest(0, floor(extract(epoch from h.changed_at - first.changed_at)))::integer as seconds from order_history first
           where h.event = 'order.paid' and h.changes ? 'state'
             and first.merchant_id = h.merchant_id and first.order_id = h.order_id and first.version = 1) as taken on true
       where h.event = any ('{${EVENTS.join()}}')
      union all
      select h.merchant_id, date_trunc('hour', h.changed_at, 'UTC'), moved.event, refund.currency, refund.amount_minor, payment.source, 0, 0
        from ${rows}
        join order_refunds refund
          on refund.merchant_id = h.merchant_id and refund.refund_id = coalesce(h.changes #>> '{refund,1}', h.order_id || '.' || h.version)
        join order_payments payment
          on payment.merchant_id = h.merchant_id and payment.order_id = h.order_id and payment.payment_number = refund.payment_number
        cross join lateral (values
          ('refund.owed', h.changes #>> '{refundState,0}' is null),
          ('refund.released', h.event in ('order.refund_failed', 'order.refund_cancelled')),
          ('refund.paid', h.event in ('order.refunded', 'order.voided') and refund.refunded_by <> 'cashout')) as moved (event, is_so)
       where (h.event like 'order.refund%' or h.event = 'order.voided') and moved.is_so) as counted
   group by 1, 2, 3, 4, 5, 6`;

const COUNT_SOME = statement(
  'orders.count_figures',
  count(`unnest($1::text[], $2::text[], $3::integer[]) as k (merchant_id, order_id, version)
        join order_history h on h.merchant_id = k.merchant_id and h.order_id = k.order_id and h.version = k.version`),
);
const COUNT_ALL = statement('orders.count_all_figures', `${count('(select * from order_history where changed_at >= $1) h')} order by 1`);

/** What happened to orders. */
export const orderFigures: FigureSource = {
  events: [...new Set([...EVENTS, ...Object.values(REFUND_EVENTS), ...Object.values(CASHOUT_EVENTS), ...MOVES])],
  count: (tx, events) => tx.query<FigureRow>(COUNT_SOME, columnsOf(events, 'merchantId', 'id', 'version')),
  countAll: COUNT_ALL,
};
