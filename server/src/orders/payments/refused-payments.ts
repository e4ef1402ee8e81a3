import { statement, type Db, type Tx } from '../../kit/db.ts';
import { latestFirst, byText } from '../../kit/lists/merges.ts';
import { addSame } from '../../kit/lists/sums.ts';
import type { RefusedCommand } from '../../kit/changes/engine.ts';
import { ORDERS } from '../order-rows.ts';
import { stateAt, type OrderKey, type OrderState } from '../order.ts';
import { transactionText } from './payment-rows.ts';
import type { PaymentSource, PayOrder, PayOrderRefusal, RefusedWithOrder } from './payment.ts';

/** A payment that somebody wanted to make of an order and that was refused. */
export type RefusedPayment = OrderKey & {
  readonly source: PaymentSource;
  readonly transactionId: string;
  readonly refusal: PayOrderRefusal;
  /** The order's state then. */
  readonly orderState: OrderState;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly tries: number;
  readonly firstAt: Temporal.Instant;
  readonly lastAt: Temporal.Instant;
  /** Null: it is open. */
  readonly resolvedAt: Temporal.Instant | null;
  readonly resolvedBy: string | null;
  readonly note: string | null;
};

/** So many new ones of a network are kept in a day (UTC). Beyond, they are counted: no honest network comes near. */
const MOST_OF_NETWORK = 1_000;

const KEY_COLUMNS = ['merchant_id', 'order_id', 'source', 'transaction_id'];
const KEY = KEY_COLUMNS.join(', ');
const keyOf = (alias: string): string => KEY_COLUMNS.map((column) => `${alias}.${column}`).join(', ');
const RECORD = statement(
  'orders.record_refused_payments',
  `with asked as (
     select k.* from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])
       as k (merchant_id, order_id, source, transaction_id, refusal, order_state, amount_minor, currency)
   ), fresh as (
     select asked.*, row_number() over (partition by source) as place from asked
      where source like 'network:%' and not exists (select from refused_payments r where (${keyOf('r')}) = (${keyOf('asked')}))
   ), today as (
     select source, (select count(*) from (
         select from refused_payments r where r.source = s.source and r.first_at >= date_trunc('day', $9::timestamptz, 'UTC') limit ${MOST_OF_NETWORK}) r) as rows
       from (select distinct source from fresh) s
   ), beyond as (
     select fresh.* from fresh join today using (source) where today.rows + fresh.place > ${MOST_OF_NETWORK}
   )
   insert into refused_payments as kept (${KEY}, refusal, order_state, amount_minor, currency, tries, first_at, last_at)
   select ${KEY}, refusal, order_state, amount_minor, currency, 1, $9, $9 from asked
    where (${KEY}) not in (select ${KEY} from beyond)
    order by ${KEY}
       on conflict (${KEY})
       do update set refusal = excluded.refusal, order_state = excluded.order_state, amount_minor = excluded.amount_minor,
                     currency = excluded.currency, tries = kept.tries + 1, last_at = excluded.last_at,
                     resolved_at = null, resolved_by = null, note = null`,
);
/** What RECORD has left out. By itself: one statement that writes two tables needs every node of a Citus cluster. */
const COUNT_BEYOND = statement(
  'orders.count_refused_beyond',
  `insert into refused_payments_beyond as so_far (source, day, currency, tries, amount_minor, last_at)
   select k.source, ($7::timestamptz at time zone 'UTC')::date, k.currency, count(*), sum(k.amount_minor), $7
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])
       as k (merchant_id, order_id, source, transaction_id, amount_minor, currency)
    where k.source like 'network:%' and not exists (select from refused_payments r where (${keyOf('r')}) = (${keyOf('k')}))
    group by k.source, k.currency order by k.source, k.currency
       on conflict (source, day, currency)
       do update set tries = so_far.tries + excluded.tries, amount_minor = so_far.amount_minor + excluded.amount_minor, last_at = excluded.last_at`,
);
const REFUSED_COLUMNS = `merchant_id as "merchantId", order_id as "orderId", source, transaction_id as "transactionId", refusal, order_state as "orderState",
  amount_minor as "amountMinor", currency, tries, first_at as "firstAt", last_at as "lastAt", resolved_at as "resolvedAt", resolved_by as "resolvedBy", note`;

const READ = statement(
  'orders.read_refused_payments',
  `select * from (
     select ${REFUSED_COLUMNS}
       from refused_payments where merchant_id = $1 and order_id = $2
      order by resolved_at is null desc, last_at desc, source, transaction_id limit $3) as newest
    order by "lastAt", source, "transactionId"`,
);

/**
 * Left out: `amount_changed`, where the same transaction then paid the new amount. No money is left over.
 * Each kind of list goes along an index of its own.
 */
const listOf = (kind: string, where: string) =>
  statement(
    `orders.list_refused_payments_${kind}`,
    `select ${REFUSED_COLUMNS}
       from refused_payments r
      where ${where} and r.last_at >= coalesce($2::timestamptz, '-infinity') and r.last_at <= coalesce($5::timestamptz, 'infinity')
        and ($4::boolean or r.resolved_at is null)
        and not (r.refusal = 'amount_changed' and exists (
              select from order_payments p
               where p.merchant_id = r.merchant_id and p.order_id = r.order_id and p.source = r.source and p.transaction_id = r.transaction_id))
        and ($5::timestamptz is null or r.last_at < $5 or (${keyOf('r')}) > ($6, $7, $8, $9))
      order by r.last_at desc, ${keyOf('r')} limit $3`,
  );
const LIST_OF_ALL = listOf('of_all', '$1::text is null');
const LIST_OF_MERCHANT = listOf('of_merchant', 'r.merchant_id = $1::text');
/** Days of networks that are listed. */
const MOST_BEYOND = 100;
const BEYOND = statement(
  'orders.list_refused_beyond',
  `select source, day, currency, tries, amount_minor::text as "amountMinor", last_at as "lastAt" from refused_payments_beyond
    where day >= coalesce(($1::timestamptz at time zone 'UTC')::date, '-infinity') order by day desc, source collate "C", currency limit ${MOST_BEYOND}`,
);

const RESOLVE = statement(
  'orders.resolve_refused_payments',
  `update refused_payments set resolved_at = $4, resolved_by = $5, note = $6
    where merchant_id = $1 and order_id = $2 and ($3::text is null or transaction_id = $3) and resolved_at is null
   returning ${REFUSED_COLUMNS}`,
);

type Refused = RefusedCommand<PayOrder, RefusedWithOrder<PayOrderRefusal>>;

/**
 * Records payments that were refused, each transaction of an order once. A later try counts, and its reason replaces the earlier one.
 * Where there is no order, nothing is recorded. What a network was refused beyond its share of a day is only counted.
 * What an operator records counts as any other: a transfer of another amount lies at the bank.
 * Effects: two statements, together with the commit.
 * Source: contract §3.8.
 */
export function recordRefused(tx: Tx, refusals: readonly Refused[], now: Temporal.Instant): void {
  const ofOrders = refusals.flatMap(({ command, refused: { refusal, order } }) =>
    order === undefined ? [] : [{ command, refusal, order }],
  );
  // A statement can write each row once: of equal transactions in one batch the last is recorded.
  const last = [...new Map(ofOrders.map((one) => [`${ORDERS.keyText(one.order)} ${transactionText(one.command)}`, one])).values()];
  if (last.length === 0) return;
  const key = [
    last.map(({ order }) => order.merchantId),
    last.map(({ order }) => order.orderId),
    last.map(({ command }) => command.source),
    last.map(({ command }) => command.transactionId),
  ];
  const amount = [last.map(({ command }) => command.shown.amountMinor), last.map(({ command }) => command.shown.currency)];
  tx.send(RECORD, [...key, last.map(({ refusal }) => refusal), last.map(({ order }) => stateAt(order, now)), ...amount, now]);
  tx.send(COUNT_BEYOND, [...key, ...amount, now]);
}

/** Reads the newest refused payments of an order, oldest first. Where there are more than these, open ones come before resolved ones. */
export function readRefused(db: Pick<Db, 'query'>, { merchantId, orderId }: OrderKey, limit: number): Promise<readonly RefusedPayment[]> {
  return db.query<RefusedPayment>(READ, [merchantId, orderId, limit]);
}

/** Absent: any. */
export type RefusedFilter = {
  readonly merchantId?: string | undefined;
  readonly since?: Temporal.Instant | undefined;
  /** Those that an operator has resolved, too. */
  readonly isAll: boolean;
  /** The last one of the page before. */
  readonly after?: (Pick<RefusedPayment, 'lastAt' | 'merchantId' | 'orderId' | 'transactionId'> & { readonly source: string }) | undefined;
  readonly limit: number;
};

/**
 * Lists the refused payments that an operator has to look at, newest first. Those that the same transaction has settled since are left out.
 */
export function listRefused(
  db: Pick<Db, 'query'>,
  { merchantId, since, isAll, after, limit }: RefusedFilter,
): Promise<readonly RefusedPayment[]> {
  const place = [after?.lastAt, after?.merchantId, after?.orderId, after?.source, after?.transactionId].map((one) => one ?? null);
  return db.query<RefusedPayment>(merchantId === undefined ? LIST_OF_ALL : LIST_OF_MERCHANT, [
    merchantId ?? null,
    since ?? null,
    limit,
    isAll,
    ...place,
  ]);
}

/** What a network was refused in a day beyond what is kept of it. */
export type RefusedBeyond = {
  readonly source: PaymentSource;
  readonly day: Temporal.PlainDate;
  readonly currency: string;
  readonly tries: bigint;
  readonly amountMinor: bigint;
  readonly lastAt: Temporal.Instant;
};

/** Lists what networks were refused beyond what is kept of them, the newest day first: a hundred at most, from the day of `since` on. */
export async function listRefusedBeyond(
  db: Pick<Db, 'query'>,
  { since }: { readonly since?: Temporal.Instant | undefined },
): Promise<readonly RefusedBeyond[]> {
  const rows = await db.query<Omit<RefusedBeyond, 'amountMinor'> & { readonly amountMinor: string }>(BEYOND, [since ?? null]);
  // A sum may be larger than any amount: the database sends it as a text.
  return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));
}

/** Adds up what several cells list. Whatever is among the newest of all is among the newest of each cell that has it. */
export function addBeyond(days: readonly RefusedBeyond[]): readonly RefusedBeyond[] {
  const keyOf = ({ source, day, currency }: RefusedBeyond): string => `${source} ${day.toString()} ${currency}`;
  return addSame(days, keyOf, (sum, one) => ({
    ...sum,
    tries: sum.tries + one.tries,
    amountMinor: sum.amountMinor + one.amountMinor,
    lastAt: latestFirst(sum.lastAt, one.lastAt) <= 0 ? sum.lastAt : one.lastAt,
  }))
    .toSorted(
      (one, other) =>
        Temporal.PlainDate.compare(other.day, one.day) || byText(one.source, other.source) || byText(one.currency, other.currency),
    )
    .slice(0, MOST_BEYOND);
}

/** What an operator says of the refused payments of an order, or of one transaction of it. */
type Resolution = OrderKey & {
  readonly transactionId: string | undefined;
  readonly by: string;
  readonly note: string;
};

/** Resolves the open refused payments of an order. Shape: → those that were open. */
export function resolveRefused(
  db: Pick<Db, 'query'>,
  { merchantId, orderId, transactionId, by, note }: Resolution,
  now: Temporal.Instant,
): Promise<readonly RefusedPayment[]> {
  return db.query<RefusedPayment>(RESOLVE, [merchantId, orderId, transactionId ?? null, now, by, note]);
}
