import { statement, type Db } from '../kit/db.ts';
import { SELECT_ORDER } from './order-rows.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { Order, OrderKey } from './order.ts';
import type { Payment } from './payments/payment.ts';

const FIND = statement('orders.find', `select ${SELECT_ORDER} from orders o where o.merchant_id = $1 and o.order_id = $2`);
/** Payments are numbered as they are counted. Read in one statement: an order that is voided between two would be shown approved, with its payment given back. */
const FIND_WITH_PAYMENT = statement(
  'orders.find_with_payment',
  `select ${SELECT_ORDER}, p.payment_number as "paymentNumber", p.source, p.transaction_id as "transactionId", p.amount_minor as "paidMinor",
          p.currency as "paidCurrency", p.paid_at as "paidAt", p.state as "paymentState", p.given_back_at as "givenBackAt"
     from orders o
     left join order_payments p on p.merchant_id = o.merchant_id and p.order_id = o.order_id and p.payment_number = o.payments
    where o.merchant_id = $1 and o.order_id = $2`,
);
const FIND_BY_SERVICE_ID = statement('orders.find_by_service_id', `select ${SELECT_ORDER} from orders o where o.service_order_id = $1`);

/**
 * Reads one order as it is stored; stateAt gives its state.
 * Refuses: order_not_found.
 * Source: contract §3.3.
 */
export async function queryOrder(db: Db, { merchantId, orderId }: OrderKey): Promise<Order | Refusal<'order_not_found'>> {
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

/**
 * Reads one order with its last payment, both as of one instant.
 * Refuses: order_not_found.
 * Source: contract §3.3.
 */
export async function queryOrderWithPayment(
  db: Db,
  { merchantId, orderId }: OrderKey,
): Promise<{ readonly order: Order; readonly payment: ShownPayment | undefined } | Refusal<'order_not_found'>> {
  const [row] = await db.query<Row>(FIND_WITH_PAYMENT, [merchantId, orderId]);
  if (row === undefined) return refuse('order_not_found', { field: 'order' });
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
