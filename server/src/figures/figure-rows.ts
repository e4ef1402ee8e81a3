import { columnsOf, statement, type Tx, type Db } from '../kit/db.ts';
import type { FigureRow } from '../events/index.ts';

const ADD = statement(
  'figures.add',
  `insert into figures as kept (merchant_id, hour, event, currency, source, step, count, amount_minor, seconds)
   select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::bigint[], $8::numeric[], $9::numeric[])
       as k (merchant_id, hour, event, currency, source, step, count, amount_minor, seconds)
    order by 1, 2, 3, 4, 5, 6
   on conflict (merchant_id, hour, event, currency, source, step) do update
     set count = kept.count + excluded.count, amount_minor = kept.amount_minor + excluded.amount_minor, seconds = kept.seconds + excluded.seconds`,
);

/** Adds counts to those that are kept. */
export async function addFigures(tx: Pick<Tx, 'query'>, rows: readonly FigureRow[]): Promise<void> {
  if (rows.length > 0)
    await tx.query(ADD, columnsOf(rows, 'merchantId', 'hour', 'event', 'currency', 'source', 'step', 'count', 'amountMinor', 'seconds'));
}

const FORGET = statement('figures.forget', `delete from figures where event = any ($1::text[]) and hour >= $2`);

/** Deletes counts of these events, from an hour on. */
export const forgetFigures = async (tx: Tx, events: readonly string[], since: Temporal.Instant): Promise<void> =>
  void (await tx.query(FORGET, [events, since]));

/** Merchant by merchant. */
export const KEPT = statement(
  'figures.select_all',
  `select merchant_id as "merchantId", hour, event, currency, source, step, count, amount_minor::text as "amountMinor", seconds::text as seconds
     from figures where event = any ($1::text[]) and hour >= $2 order by merchant_id`,
);

const READ = statement(
  'figures.read',
  `select date_trunc($3, hour, $4) as start, event, currency, step, sum(count)::bigint as count, sum(amount_minor)::text as "amountMinor",
          sum(seconds)::text as seconds
     from figures
    where hour >= $1 and hour < $2 and ($5::text is null or merchant_id = $5) and ($6::text is null or source = $6)
    group by 1, 2, 3, 4 order by 1, event collate "C", currency collate "C", step`,
);

export type FigureFilter = {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  readonly by: 'hour' | 'day';
  /** Whose days. */
  readonly timeZone: string;
  /** Undefined: all. */
  readonly merchantId: string | undefined;
  readonly source: string | undefined;
};

/** Figures of one hour or day. */
export type SummedRow = Omit<FigureRow, 'merchantId' | 'hour' | 'source'> & { readonly start: Temporal.Instant };

/** Reads what is kept of the hours from one instant to another, summed by hour or day. */
export const readSums = (db: Pick<Db, 'query'>, { from, to, by, timeZone, merchantId, source }: FigureFilter): Promise<SummedRow[]> =>
  db.query<SummedRow>(READ, [from, to, by, timeZone, merchantId ?? null, source ?? null]);
