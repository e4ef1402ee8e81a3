import { openTable } from '../../kit/changes/table.ts';
import { columnsOf, statement, type Tx } from '../../kit/db.ts';
import type { OrderKey } from '../order.ts';
import type { PaymentKey } from '../payments/payment-rows.ts';
import { isOpenRefund, REFUND_COLUMNS, type Refund, type RefundKey, type RefundState } from './refund-columns.ts';

/** Declares `order_refunds.lock`, `order_refunds.save` and `order_refunds.insert`. */
export const REFUNDS = openTable('order_refunds', REFUND_COLUMNS);
/** A row under these names, of a table called r, is a Refund. */
export const SELECT_REFUND = REFUNDS.selectList('r');

/** The order's lock keeps its refunds, too: each change of one changes the order. */
const READ_FOR_CHANGE = statement(
  'orders.read_refunds_for_change',
  `select ${SELECT_REFUND}
     from unnest($1::text[], $2::text[], $3::int[]) as k (merchant_id, order_id, payment_number)
     join orders o on o.merchant_id = k.merchant_id and o.order_id = k.order_id
     join order_refunds r on r.merchant_id = k.merchant_id and r.order_id = k.order_id
      and r.payment_number = coalesce(k.payment_number, o.payments)
    union all
   select ${SELECT_REFUND}
     from unnest($4::text[], $5::text[]) as k (merchant_id, refund_id)
     join order_refunds r on r.merchant_id = k.merchant_id and r.refund_id = k.refund_id`,
);
const READ = statement('orders.read_refund', `select ${SELECT_REFUND} from order_refunds r where r.merchant_id = $1 and r.refund_id = $2`);
const READ_OF_ORDER = statement(
  'orders.read_refunds',
  `select * from (
     select ${SELECT_REFUND} from order_refunds r where r.merchant_id = $1 and r.order_id = $2
      order by r.requested_at desc, r.refund_id limit $3) as newest
    order by "requestedAt", "refundId"`,
);

/** Reads all refunds of some payments, and those that have one of these ids. */
export function readRefundsForChange(
  tx: Pick<Tx, 'query'>,
  payments: readonly PaymentKey[],
  ids: readonly RefundKey[],
): Promise<readonly Refund[]> {
  return tx.query<Refund>(READ_FOR_CHANGE, [
    ...columnsOf(payments, 'merchantId', 'orderId', 'paymentNumber'),
    ...columnsOf(ids, 'merchantId', 'refundId'),
  ]);
}

export async function readRefund(db: Pick<Tx, 'query'>, { merchantId, refundId }: RefundKey): Promise<Refund | undefined> {
  return (await db.query<Refund>(READ, [merchantId, refundId]))[0];
}

/** Reads the newest refunds of an order, oldest first. */
export function readRefunds(db: Pick<Tx, 'query'>, { merchantId, orderId }: OrderKey, limit: number): Promise<readonly Refund[]> {
  return db.query<Refund>(READ_OF_ORDER, [merchantId, orderId, limit]);
}

/** Where a page of the list ends. */
export type RefundPlace = Pick<Refund, 'requestedAt' | 'merchantId' | 'refundId'>;

/** Each kind of list goes along an index of its own. Those that are open are few among many that have ended. */
const listOf = (kind: string, where: string) =>
  statement(
    `orders.list_refunds_${kind}`,
    `select ${SELECT_REFUND} from order_refunds r
      where ${where} and ($2::text[] is null or r.state = any ($2))
        and ($3::timestamptz is null or (r.requested_at, r.merchant_id, r.refund_id) < ($3, $4, $5))
      order by r.requested_at desc, r.merchant_id desc, r.refund_id desc limit $6`,
  );
const [OF_ALL, OF_MERCHANT, IS_OPEN] = ['$1::text is null', 'r.merchant_id = $1', 'r.ended_at is null'];
const LISTS = {
  any: { all: listOf('of_all', OF_ALL), one: listOf('of_merchant', OF_MERCHANT) },
  open: { all: listOf('open_of_all', `${OF_ALL} and ${IS_OPEN}`), one: listOf('open_of_merchant', `${OF_MERCHANT} and ${IS_OPEN}`) },
};

/** Lists refunds, the newest first. Absent: any. */
export function listRefunds(
  db: Pick<Tx, 'query'>,
  asked: {
    readonly merchantId: string | undefined;
    readonly states: readonly RefundState[] | undefined;
    readonly after: RefundPlace | undefined;
    readonly limit: number;
  },
): Promise<readonly Refund[]> {
  const { merchantId, states, after, limit } = asked;
  const lists = states?.every((state) => isOpenRefund({ state })) === true ? LISTS.open : LISTS.any;
  return db.query<Refund>(merchantId === undefined ? lists.all : lists.one, [
    merchantId ?? null,
    states ?? null,
    ...[after?.requestedAt, after?.merchantId, after?.refundId].map((one) => one ?? null),
    limit,
  ]);
}

/** A refund before the decisions of a batch, and as they leave it. Without `before` it is new. */
export type RefundRow = { readonly before: Refund | undefined; after: Refund };

/** Writes new refunds, and those that changed. */
export function saveRefunds(tx: Tx, rows: readonly RefundRow[]): void {
  const added = rows.filter(({ before }) => before === undefined).map(({ after }) => after);
  const changed = rows.flatMap(({ before, after }) => (before === undefined || before === after ? [] : [{ before, after }]));
  if (added.length > 0) REFUNDS.insert(tx, added);
  if (changed.length > 0) REFUNDS.save(tx, changed);
}
