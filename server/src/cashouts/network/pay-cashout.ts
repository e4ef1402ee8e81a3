import { createBatch } from '../../kit/batch.ts';
import { statement, type Tx } from '../../kit/db.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import { withinLedger } from '../../ledger/index.ts';
import { readTimeZones } from '../../merchants/index.ts';
import type { CashoutEvent } from '../cashout-changes.ts';
import { CASHOUT_COLUMNS } from '../cashout-rows.ts';
import type { Cashout } from '../cashout.ts';
import { saveCashouts, type Move } from '../change-cashouts.ts';
import type { CashoutDeps } from '../index.ts';
import { decidePay, type DecidedPayment, type PayCashout, type Payment, type PayRefusal } from './collection.ts';
import { insertPayments, paymentName, readPayments } from './payment-rows.ts';

const LOCK = statement(
  'cashouts.lock_found',
  `select ${CASHOUT_COLUMNS} from cashouts where cashout_id = any ($1::bigint[]) and locked_by is not null
    order by merchant_id, operation_id for update`,
);

/**
 * Pays a cashout out: the network that has found it hands out the money.
 * Shape: PayCashout → the payment and its cashout, paid now or before: idempotent per (network, transaction).
 * Refuses: transaction_repeated, cashout_not_registered, cashout_locked, cashout_not_pending, lock_over — the first that applies.
 * Effects: locks the cashouts of a batch in the order of their key until commit. What was reserved goes to the network, fee and tax to the
 * service; counts, cashout.paid and the notice are written. The same transaction on two servers at once meets at its primary key: the one
 * that loses is run again and then sees it.
 * Throws: Unavailable where the ledger cannot hold the sum.
 * Source: contract §4.3.
 */
export function createPay({
  db,
  clock,
}: Pick<CashoutDeps, 'db' | 'clock'>): (command: PayCashout) => Promise<DecidedPayment | Refusal<PayRefusal>> {
  const pay = createBatch({ run: (commands: readonly PayCashout[]) => db.transaction((tx) => payMany(tx, clock, commands)) });
  return (command) => withinLedger(pay(command));
}

async function payMany(
  tx: Tx,
  clock: CashoutDeps['clock'],
  commands: readonly PayCashout[],
): Promise<readonly (DecidedPayment | Refusal<PayRefusal>)[]> {
  const [cashouts, payments] = await Promise.all([
    tx.query<Cashout>(LOCK, [commands.map(({ cashoutId }) => cashoutId)]),
    readPayments(tx, commands),
  ]);
  const rows = new Map(cashouts.map((cashout) => [cashout.cashoutId, { before: cashout, after: cashout }]));
  const paid = new Map<string, Payment>(payments.map((payment) => [paymentName(payment), payment]));
  const zoneOf = await readTimeZones(
    tx,
    cashouts.map(({ merchantId }) => merchantId),
  );
  const now = clock.now();
  const events: CashoutEvent[] = [];
  const made: Payment[] = [];
  const decisions = commands.map((command) => {
    const row = rows.get(command.cashoutId);
    const timeZone = row && zoneOf(row.after.merchantId);
    const decision = decidePay({ payment: paid.get(paymentName(command)), cashout: row?.after, timeZone }, command, now);
    if (row !== undefined && !isRefusal(decision) && decision.event !== undefined) {
      row.after = decision.cashout;
      events.push(decision.event);
      made.push(decision.payment);
      paid.set(paymentName(command), decision.payment);
    }
    return decision;
  });
  const moves: Move[] = [...rows.values()].filter(({ before, after }) => before !== after);
  saveCashouts(tx, moves, events);
  insertPayments(tx, made);
  return decisions;
}
