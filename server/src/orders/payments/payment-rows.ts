import { fieldsOf, insertTextOf, selectListOf } from '../../kit/changes/columns.ts';
import { columnsOf, statement, type Tx } from '../../kit/db.ts';
import { ORDERS } from '../order-rows.ts';
import type { OrderKey } from '../order.ts';
import { PAYMENT_COLUMNS, type Payment } from './payment-columns.ts';

/** A row under these names, of a table called p, is a Payment. */
export const SELECT_PAYMENT = selectListOf(PAYMENT_COLUMNS, 'p');

/** Names a payment as its source does. */
export type TransactionKey = Pick<Payment, 'source' | 'transactionId'>;
/** Names a payment by its number; null: the last one of the order. */
export type PaymentKey = OrderKey & { readonly paymentNumber: number | null };

const READ_BY_TRANSACTION = statement(
  'orders.read_payments_by_transaction',
  `select ${SELECT_PAYMENT}, k.source as "ofSource", k.transaction_id as "ofTransaction"
     from unnest($1::text[], $2::text[]) as k (source, transaction_id)
     join order_transactions t on t.source = k.source and t.transaction_id = k.transaction_id
     left join order_payments p on p.merchant_id = t.merchant_id and p.order_id = t.order_id and p.payment_number = t.payment_number`,
);
const READ_BY_NUMBER = statement(
  'orders.read_payments_by_number',
  `select p.*
     from unnest($1::text[], $2::text[], $3::int[]) as k (merchant_id, order_id, payment_number)
    cross join lateral (
       select ${SELECT_PAYMENT} from order_payments p
        where p.merchant_id = k.merchant_id and p.order_id = k.order_id and p.payment_number = coalesce(k.payment_number, p.payment_number)
        order by p.payment_number desc limit 1) as p`,
);

const READ_OF_ORDER = statement(
  'orders.read_payments',
  `select * from (
     select ${SELECT_PAYMENT} from order_payments p where p.merchant_id = $1 and p.order_id = $2
      order by p.payment_number desc limit $3) as newest
    order by "paymentNumber"`,
);

const INSERT_PAYMENTS = statement('orders.insert_payments', insertTextOf('order_payments', PAYMENT_COLUMNS));
/** A plain insert, sorted: who lost a race for a transaction fails here, runs again, and then sees whose it is. */
const INSERT_TRANSACTIONS = statement(
  'orders.insert_transactions',
  `insert into order_transactions (source, transaction_id, merchant_id, order_id, payment_number)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) as k (source, transaction_id, merchant_id, order_id, payment_number)
    order by source, transaction_id`,
);
const GIVE_BACK = statement(
  'orders.give_back_payments',
  `update order_payments p set state = k.state, given_back_at = k.given_back_at, refunded_minor = k.refunded_minor
     from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[], $6::bigint[])
       as k (merchant_id, order_id, payment_number, state, given_back_at, refunded_minor)
    where p.merchant_id = k.merchant_id and p.order_id = k.order_id and p.payment_number = k.payment_number`,
);
/** One text per transaction, for maps. A source has no space. */
export const transactionText = ({ source, transactionId }: TransactionKey): string => `${source} ${transactionId}`;

/** One text per payment, for maps. */
export const paymentText = (payment: OrderKey & Pick<Payment, 'paymentNumber'>): string =>
  `${ORDERS.keyText(payment)}/${payment.paymentNumber}`;

/** All null, where another cell has claimed the transaction. */
type OfTransaction = { readonly ofSource: Payment['source']; readonly ofTransaction: string } & (Payment | { readonly orderId: null });

/**
 * Reads what these transactions are, as of the moment at which the transaction's locks are held.
 * Shape: by transactionText; `elsewhere` for one that another cell has claimed.
 */
export async function readByTransaction(
  tx: Pick<Tx, 'query'>,
  keys: readonly TransactionKey[],
): Promise<Map<string, Payment | 'elsewhere'>> {
  const rows = await tx.query<OfTransaction>(READ_BY_TRANSACTION, columnsOf(keys, 'source', 'transactionId'));
  return new Map(
    rows.map(({ ofSource: source, ofTransaction: transactionId, ...payment }) => [
      transactionText({ source, transactionId }),
      payment.orderId === null ? 'elsewhere' : (payment as Payment),
    ]),
  );
}

/** Reads payments by their numbers; those that do not exist are left out. */
export function readPaymentsByNumber(tx: Pick<Tx, 'query'>, keys: readonly PaymentKey[]): Promise<Payment[]> {
  return tx.query<Payment>(READ_BY_NUMBER, columnsOf(keys, 'merchantId', 'orderId', 'paymentNumber'));
}

/** Reads the last payments of an order, oldest first. */
export function readPayments(db: Pick<Tx, 'query'>, { merchantId, orderId }: OrderKey, limit: number): Promise<Payment[]> {
  return db.query<Payment>(READ_OF_ORDER, [merchantId, orderId, limit]);
}

/** Writes new payments, each with the transaction that it is. */
export function insertPayments(tx: Tx, payments: readonly Payment[]): void {
  if (payments.length === 0) return;
  tx.send(INSERT_TRANSACTIONS, columnsOf(payments, 'source', 'transactionId', 'merchantId', 'orderId', 'paymentNumber'));
  tx.send(INSERT_PAYMENTS, columnsOf(payments, ...fieldsOf(PAYMENT_COLUMNS)));
}

/** Writes that payments were given back, or promised in part. */
export function saveGivenBack(tx: Tx, payments: readonly Payment[]): void {
  if (payments.length === 0) return;
  tx.send(GIVE_BACK, columnsOf(payments, 'merchantId', 'orderId', 'paymentNumber', 'state', 'givenBackAt', 'refundedMinor'));
}
