import { bigint, instantColumn, int, nullable, textColumn, type RowOf } from '../../kit/changes/columns.ts';
import type { PaymentSource } from '../order-history.ts';

/** `reversed`: the network took the payment back. `voided`: its payer has all of it back. */
export const PAYMENT_STATES = ['paid', 'reversed', 'voided'] as const;

/** The fields of a payment of an order, each with its column. */
export const PAYMENT_COLUMNS = {
  merchantId: textColumn(),
  orderId: textColumn(),
  /** From 1 in each order. */
  paymentNumber: int(),
  source: textColumn<PaymentSource>(),
  /** The source's own id of it: names one payment in the whole service. */
  transactionId: textColumn(),
  /** The order's id in this payment's notices: each payment of a recurrent order has one of its own (contract §3.5). */
  poId: textColumn(),
  state: textColumn<(typeof PAYMENT_STATES)[number]>(),
  amountMinor: bigint(),
  currency: textColumn(),
  feeMinor: bigint(),
  taxMinor: bigint(),
  paidAt: instantColumn(),
  givenBackAt: nullable(instantColumn()),
  /** What refunds have promised of it to its payer, or paid. */
  refundedMinor: bigint(),
};
export type Payment = RowOf<typeof PAYMENT_COLUMNS>;
