import type { Tx } from '../../kit/db.ts';
import { changedRows } from '../../kit/changes/table.ts';
import {
  OPERATOR_HOLDS,
  orderPaid,
  orderPaymentReversed,
  postTransactions,
  refundOwed,
  refundPaid,
  refundReleased,
  type LedgerTransaction,
} from '../../ledger/index.ts';
import { REFUND_STEPS, writeNotices, type NewNotice } from '../../notices/index.ts';
import { openReferenceBook } from '../references/open-references.ts';
import type { Refund } from '../refunds/refund-columns.ts';
import { saveRefunds, type RefundRow } from '../refunds/refund-rows.ts';
import { movesTo, type RefundMove } from '../refunds/refund.ts';
import { insertEvents, ORDERS, type OrderRow } from '../order-rows.ts';
import type { Payment, PaymentSource, Settled } from './payment.ts';
import { insertPayments, paymentText, saveGivenBack } from './payment-rows.ts';

/** A decision that changes something, and whether the merchant gets a notice. */
export type SettledChange = Required<Settled> & {
  readonly refund?: Refund;
  readonly moves?: readonly RefundMove[];
  readonly isTold: boolean;
  /** The merchant hears of what its operator does about its refunds. */
  readonly isReported?: boolean | undefined;
};

/**
 * Writes what was decided about payments: states, histories, payments, refunds, ledger entries, notices, references that rest from now on.
 * Effects: all of it together with the commit. The orders are locked.
 * Source: contract §3.5, §3.8.
 */
export async function saveSettled(
  tx: Tx,
  rows: readonly (OrderRow | undefined)[],
  settlements: readonly SettledChange[],
  refunds: readonly RefundRow[] = [],
): Promise<void> {
  const changed = changedRows(rows);
  ORDERS.save(tx, changed);
  insertEvents(
    tx,
    settlements.map(({ event }) => event),
  );
  const [paid, given] = [settlements.filter(isPaid), settlements.filter((one) => !isPaid(one))].map((some) =>
    some.map(({ payment }) => payment),
  );
  insertPayments(tx, paid as Payment[]);
  // Several refunds of one payment may have been decided: the last decision has all of them.
  saveGivenBack(tx, [...new Map((given as Payment[]).map((payment) => [paymentText(payment), payment])).values()]);
  saveRefunds(tx, refunds);
  (await openReferenceBook(tx, [])).save(tx, changed);
  postTransactions(tx, settlements.flatMap(postingsOfSettled));
  writeNotices(tx, settlements.flatMap(noticesOf));
}

const isPaid = ({ event }: SettledChange): boolean => event.event === 'order.paid';

function postingsOfSettled({ payment, refund, moves = [] }: SettledChange): readonly LedgerTransaction[] {
  if (refund !== undefined) return moves.map((move) => postingOfRefund(refund, payment.source, move));
  return [payment.givenBackAt === null ? paidPosting(payment) : reversedPosting(payment, payment.givenBackAt)];
}

/** The postings of a payment and its refunds, of all states that they have been in. */
export function postingsOf(payment: Payment, refunds: readonly Refund[]): readonly LedgerTransaction[] {
  const ofRefunds = refunds.flatMap((refund) => movesTo(refund, false).map((move) => postingOfRefund(refund, payment.source, move)));
  const isReversed = payment.state === 'reversed' && payment.givenBackAt !== null;
  return [paidPosting(payment), ...(isReversed ? [reversedPosting(payment, payment.givenBackAt)] : []), ...ofRefunds];
}

const paidPosting = (payment: Payment): LedgerTransaction => orderPaid({ ...payment, netname: holderOf(payment.source) }, payment.paidAt);
const reversedPosting = (payment: Payment, at: Temporal.Instant): LedgerTransaction =>
  orderPaymentReversed({ ...payment, netname: holderOf(payment.source) }, at);

/** The posting of one step of a refund. It is promised when it is asked for, and the other steps end it. */
function postingOfRefund(refund: Refund, source: PaymentSource, move: RefundMove): LedgerTransaction {
  const { requestedAt, endedAt, refundedBy } = refund;
  if (move === 'owed') return refundOwed(refund, requestedAt);
  if (endedAt === null) throw new Error(`refund ${refund.refundId} of ${refund.merchantId} has not ended`);
  if (move === 'released') return refundReleased(refund, endedAt);
  if (refundedBy === 'cashout') throw new Error(`refund ${refund.refundId} of ${refund.merchantId} was paid with its cashout`);
  return refundPaid(refund, refundedBy, holderOf(source), endedAt);
}

/** Whose ledger account owes us the money. */
export function holderOf(source: PaymentSource): string {
  if (source === 'operator') return OPERATOR_HOLDS;
  return source.startsWith('network:') ? nameOf(source) : source;
}

/** The network or the method by its own name. */
export const nameOf = (source: PaymentSource): string => source.slice(source.indexOf(':') + 1);

function noticesOf(settlement: SettledChange): readonly NewNotice[] {
  const { refund, event, isTold, isReported = false } = settlement;
  const told = isTold ? [noticeOf(settlement)] : [];
  const step = REFUND_STEPS.find((one) => one === refund?.state);
  // What the merchant has done itself it knows.
  if (!isReported || refund === undefined || step === undefined || /^merchant(:|$)/.test(event.actor)) return told;
  const { refundId, amountMinor, currency, updatedAt: at } = refund;
  return [...told, { ...noticeOf(settlement), status: `refund_${step}`, refundId, amountMinor, currency, at } as NewNotice];
}

function noticeOf({ order, payment }: SettledChange): NewNotice {
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
