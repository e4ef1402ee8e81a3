import { statement, type Db } from '../../kit/db.ts';
import type { FigureRow, FigureSource } from '../../events/index.ts';
import type { PayOrderRefusal } from '../payments/payment.ts';

/** Each payment that was refused counts once, at its first try. A later try may have other money, so none is summed. */
const count = (rows: string): string => `
  select r.merchant_id as "merchantId", date_trunc('hour', r.first_at, 'UTC') as hour, 'payment.refused' as event, '' as currency, r.source,
         0 as step, count(*) as count, '0' as "amountMinor", '0' as seconds
    from ${rows} group by 1, 2, 3, 4, 5, 6`;

const COUNT_SOME = statement(
  'orders.count_refused_figures',
  count(`unnest($1::text[], $2::text[]) as k (merchant_id, id)
         join refused_payments r
           on r.merchant_id = k.merchant_id and r.order_id = split_part(k.id, E'\\x1f', 1) and r.source = split_part(k.id, E'\\x1f', 2)
          and r.transaction_id = split_part(k.id, E'\\x1f', 3)`),
);
const COUNT_ALL = statement(
  'orders.count_all_refused_figures',
  `${count('(select * from refused_payments where first_at >= $1) r')} order by 1`,
);

/** Payments that were refused. */
export const refusedFigures: FigureSource = {
  events: ['payment.refused'],
  count: (tx, events) => tx.query<FigureRow>(COUNT_SOME, [events.map(({ merchantId }) => merchantId), events.map(({ id }) => id)]),
  countAll: COUNT_ALL,
};

const COUNT_REASONS = statement(
  'orders.count_refused_by_reason',
  `select refusal, count(*) as count
     from refused_payments
    where first_at >= $1 and first_at < $2 and ($3::text is null or merchant_id = $3) and ($4::text is null or source = $4)
    group by refusal order by count desc, refusal collate "C"`,
);

/** The payments whose first try was between two instants. Undefined: of all merchants, of all sources. */
export type RefusedSpan = {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  readonly merchantId: string | undefined;
  readonly source: string | undefined;
};

/** Counts refused payments by their newest reason, the most frequent one first. A later try may change the reason, so no counts are kept. */
export const countRefusedByReason = (
  db: Pick<Db, 'query'>,
  { from, to, merchantId, source }: RefusedSpan,
): Promise<readonly { readonly refusal: PayOrderRefusal; readonly count: bigint }[]> =>
  db.query(COUNT_REASONS, [from, to, merchantId ?? null, source ?? null]);
