import type { Tx } from '../../kit/db.ts';
import { changedRows } from '../../kit/changes/table.ts';
import {
  OPERATOR_HOLDS,
  orderPaid,
  orderPaymentReversed,
  orderRefundOwed,
  orderRefundPaid,
  postTransactions,
  type LedgerTransaction,
} from '../../ledger/index.ts';
import { writeNotices, type NewNotice } from '../../notices/index.ts';
import { openReferenceBook } from '../references/open-references.ts';
import { insertEvents, ORDERS, type OrderRow } from '../order-rows.ts';
import type { Payment, PaymentSource, Settled } from './payment.ts';
import { insertPayments, saveGivenBack } from './payment-rows.ts';

/** A decision that changes something, and whether the merchant gets a notice. */
export type Settlement = Required<Settled> & { readonly isTold: boolean };

/**
 * Writes what was decided about payments: states, histories, payments, ledger entries, notices, references that rest from now on.
 * Effects: all of it together with the commit. The orders are locked.
 * Source: contract §3.5, §3.8.
 */
export async function saveSettled(tx: Tx, rows: readonly (OrderRow | undefined)[], settlements: readonly Settlement[]): Promise<void> {
  const changed = changedRows(rows);
  const payments = settlements.map(({ payment }) => payment);
  ORDERS.save(tx, changed);
  insertEvents(
    tx,
    settlements.map(({ event }) => event),
  );
  insertPayments(
    tx,
    payments.filter(({ state }) => state === 'paid'),
  );
  saveGivenBack(
    tx,
    payments.filter(({ state }) => state !== 'paid'),
  );
  (await openReferenceBook(tx, [])).save(tx, changed);
  postTransactions(tx, payments.flatMap(newPostingsOf));
  writeNotices(tx, settlements.filter(({ isTold }) => isTold).map(noticeOf));
}

/** The postings of a payment, of all states that it has been in. */
export function postingsOf(payment: Payment): readonly LedgerTransaction[] {
  const paid = orderPaid({ ...payment, netname: holderOf(payment.source) }, payment.paidAt);
  return payment.state === 'paid' ? [paid] : [paid, ...newPostingsOf(payment)];
}

/** The postings of what happened last to a payment. */
function newPostingsOf(payment: Payment): readonly LedgerTransaction[] {
  const { refundedBy, givenBackAt: at, paidAt } = payment;
  const money = { ...payment, netname: holderOf(payment.source) };
  if (at === null) return [orderPaid(money, paidAt)];
  return refundedBy === null ? [orderPaymentReversed(money, at)] : [orderRefundOwed(money, at), orderRefundPaid(money, refundedBy, at)];
}

/** Whose ledger account owes us the money. */
function holderOf(source: PaymentSource): string {
  if (source === 'operator') return OPERATOR_HOLDS;
  return source.startsWith('network:') ? nameOf(source) : source;
}

/** The network or the method by its own name. */
export const nameOf = (source: PaymentSource): string => source.slice(source.indexOf(':') + 1);

function noticeOf({ order, payment }: Settlement): NewNotice {
  const { merchantId, orderId, poId, amountMinor, currency, paidAt, givenBackAt } = payment;
  return {
    kind: 'order',
    merchantId,
    orderId,
    poId,
    serviceOrderId: order.serviceOrderId,
    status: givenBackAt === null ? 'approved' : 'cancelled',
    amountMinor,
    currency,
    payment: nameOf(payment.source),
    at: givenBackAt ?? paidAt,
  };
}
