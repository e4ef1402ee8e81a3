import { statement, type Db } from '../kit/db.ts';
import { SELECT_ORDER } from './order-rows.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { Order, OrderKey } from './order.ts';
import type { Payment } from './payments/payment.ts';

const FIND = statement('orders.find', `select ${SELECT_ORDER} from orders o where o.merchant_id = $1 and o.order_id = $2`);
/** Payments are numbered as they are counted. Read in one statement: an order that is voided between two would be shown approved, with its payment given back. */
const SELECT_WITH_PAYMENT = `select ${SELECT_ORDER}, p.payment_number as "paymentNumber", p.source, p.transaction_id as "transactionId", p.amount_minor as "paidMinor",
          p.currency as "paidCurrency", p.paid_at as "paidAt", p.state as "paymentState", p.given_back_at as "givenBackAt"
     from orders o
     left join order_payments p on p.merchant_id = o.merchant_id and p.order_id = o.order_id and p.payment_number = o.payments`;
const FIND_WITH_PAYMENT = statement('orders.find_with_payment', `${SELECT_WITH_PAYMENT} where o.merchant_id = $1 and o.order_id = $2`);
/** The open order comes first. It may be the older one: an update can give it a reference that a newer order had. */
const FIND_WITH_PAYMENT_BY_REFERENCE = statement(
  'orders.find_with_payment_by_reference',
  `${SELECT_WITH_PAYMENT}
    where o.merchant_id = $1 and o.order_id = coalesce(
      (select r.order_id from open_references r
        where r.reference = $2 and r.merchant_id = $1 and not r.ended and (r.expires_at is null or r.expires_at > $3)),
      (select n.order_id from orders n where n.merchant_id = $1 and n.reference = $2 order by n.service_order_id desc limit 1))`,
);
const FIND_BY_SERVICE_ID = statement('orders.find_by_service_id', `select ${SELECT_ORDER} from orders o where o.service_order_id = $1`);

/**
 * Reads one order as it is stored; stateAt gives its state.
 * Refuses: order_not_found.
 * Source: contract §3.3.
 */
export async function queryOrder(db: Pick<Db, 'query'>, { merchantId, orderId }: OrderKey): Promise<Order | Refusal<'order_not_found'>> {
  const [order] = await db.query<Order>(FIND, [merchantId, orderId]);
  return order ?? refuse('order_not_found', { field: 'order' });
}

/** What a query shows of a payment. */
export type ShownPayment = Pick<
  Payment,
  'paymentNumber' | 'source' | 'transactionId' | 'amountMinor' | 'currency' | 'paidAt' | 'state' | 'givenBackAt'
>;
type PaymentOfRow = Omit<ShownPayment, 'amountMinor' | 'currency' | 'state'> & {
  readonly paidMinor: bigint;
  readonly paidCurrency: string;
  readonly paymentState: Payment['state'];
};
type Row = Order & (PaymentOfRow | { readonly paymentNumber: null });

/** An order with its last payment, both as of one instant. */
export type OrderWithPayment = { readonly order: Order; readonly payment: ShownPayment | undefined };

/**
 * Reads one order with its last payment.
 * Refuses: order_not_found.
 * Source: contract §3.3.
 */
export async function queryOrderWithPayment(
  db: Db,
  { merchantId, orderId }: OrderKey,
): Promise<OrderWithPayment | Refusal<'order_not_found'>> {
  const [row] = await db.query<Row>(FIND_WITH_PAYMENT, [merchantId, orderId]);
  return row === undefined ? refuse('order_not_found', { field: 'order' }) : splitRow(row);
}

/**
 * Reads the merchant's order that has a reference, with its last payment. It is the open one, else the newest that ended.
 * Refuses: order_not_found.
 * Source: contract §3.3.
 */
export async function queryOrderByReference(
  db: Db,
  { merchantId, reference }: Pick<Order, 'merchantId' | 'reference'>,
  now: Temporal.Instant,
): Promise<OrderWithPayment | Refusal<'order_not_found'>> {
  const [row] = await db.query<Row>(FIND_WITH_PAYMENT_BY_REFERENCE, [merchantId, reference, now]);
  return row === undefined ? refuse('order_not_found', { field: 'reference' }) : splitRow(row);
}

function splitRow(row: Row): OrderWithPayment {
  if (row.paymentNumber === null) return { order: row, payment: undefined };
  const { paymentNumber, source, transactionId, paidMinor, paidCurrency, paidAt, paymentState, givenBackAt, ...order } = row;
  return {
    order,
    payment: {
      paymentNumber,
      source,
      transactionId,
      amountMinor: paidMinor,
      currency: paidCurrency,
      paidAt,
      state: paymentState,
      givenBackAt,
    },
  };
}

/** Reads the order that a checkout token names, by our own id. Source: contract §5. */
export async function readOrderForCheckout(db: Db, serviceOrderId: bigint): Promise<Order | undefined> {
  const [order] = await db.query<Order>(FIND_BY_SERVICE_ID, [serviceOrderId]);
  return order;
}
