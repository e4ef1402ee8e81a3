import { statement } from '../../kit/db.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import { readTimeZones } from '../../merchants/index.ts';
import type { Cashout } from '../cashout.ts';
import { lockCashouts, saveCashouts } from '../change-cashouts.ts';
import type { CashoutDeps } from '../index.ts';
import { decideReverse, type DecidedPayment, type Payment, type ReversePayment, type ReverseRefusal } from './collection.ts';
import { PAYMENT_COLUMNS } from './payment-rows.ts';

/** Locked, so that two reversals of one payment come one after the other. Nothing else locks a payment. */
const LOCK = statement(
  'cashouts.lock_payment',
  `select ${PAYMENT_COLUMNS} from cashout_payments p where network_id = $1 and transaction_id = $2 for update`,
);

const MARK = statement(
  'cashouts.mark_reversed',
  'update cashout_payments set reversed_at = $3 where network_id = $1 and transaction_id = $2',
);

/**
 * Reverses a payment: the cashout is nullified and everything goes back to the merchant's fund.
 * Shape: ReversePayment → the payment and its cashout, reversed now or before.
 * Refuses: transaction_unknown, not_reversible — the first that applies.
 * Effects: locks the payment, then its cashout; moves money and counts, records cashout.payment_reversed. No notice is sent.
 * Source: contract §4.3, §4.6.
 */
export function reversePayment(
  { db, clock }: Pick<CashoutDeps, 'db' | 'clock'>,
  command: ReversePayment,
): Promise<DecidedPayment | Refusal<ReverseRefusal>> {
  const { netname, transactionId } = command;
  return db.transaction(async (tx) => {
    const [payment] = await tx.query<Payment>(LOCK, [netname, transactionId]);
    if (payment === undefined) return decideReverse(undefined, command, clock.now());
    const [cashouts, zoneOf] = await Promise.all([lockCashouts(tx, [payment]), readTimeZones(tx, [payment.merchantId])]);
    const cashout = cashouts[0] as Cashout;
    const decision = decideReverse({ payment, cashout, timeZone: zoneOf(payment.merchantId) }, command, clock.now());
    if (!isRefusal(decision) && decision.event !== undefined) {
      saveCashouts(tx, [{ before: cashout, after: decision.cashout }], [decision.event]);
      tx.send(MARK, [netname, transactionId, decision.payment.reversedAt]);
    }
    return decision;
  });
}
