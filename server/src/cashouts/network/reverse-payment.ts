import type { Acted } from '../../kit/changes/act.ts';
import { statement, type Db } from '../../kit/db.ts';
import type { Change } from '../../kit/changes/engine.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import { changedRows } from '../../kit/changes/table.ts';
import { withinLedger } from '../../ledger/index.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import type { CashoutRow } from '../cashout-rows.ts';
import type { CashoutKey } from '../cashout.ts';
import { cashoutRows, lockCashouts, saveCashouts } from '../change-cashouts.ts';
import { decideReverse, type DecidedPayment, type Collection, type ReversePayment, type ReverseRefusal } from './collection.ts';
import { readCollections } from './payment-rows.ts';

const MARK = statement(
  'cashouts.mark_reversed',
  'update cashout_payments set reversed_at = $3 where network_id = $1 and transaction_id = $2',
);

type Command = ReversePayment & CashoutKey & { readonly timeZone: string };
type World = { readonly row: CashoutRow | undefined; readonly payment: Collection | undefined };

/**
 * Reverses a payment: the cashout is nullified and everything goes back to the merchant's fund.
 * Shape: ReversePayment → the payment and its cashout, reversed now or before.
 * Refuses: transaction_unknown, not_reversible — the first that applies.
 * Effects: locks the cashout until commit, and reads its payment after that; moves money and counts, records cashout.payment_reversed.
 * No notice is sent.
 * Source: contract §4.3, §4.6.
 */
export function createReverse({
  db,
  engine,
  merchants,
}: Pick<CashoutDeps, 'engine' | 'merchants'> & { readonly db: Pick<Db, 'query'> }): (
  command: ReversePayment & Acted,
) => Promise<DecidedPayment | Refusal<ReverseRefusal>> {
  const reverse = engine.alone(reversal);
  return async (command) => {
    // Which cashout a payment is of never changes; everything else is read under the lock.
    const [payment] = await readCollections(db, [command]);
    // One that another cell has claimed names no merchant.
    const merchant = payment && payment.merchantId !== '' ? await merchants.find(payment.merchantId) : undefined;
    if (payment === undefined || merchant === undefined) return refuse('transaction_unknown', { field: 'transaction' });
    const { merchantId, operationId } = payment;
    return withinLedger(reverse({ ...command, merchantId, operationId, timeZone: merchant.country.timeZone }));
  };
}

const reversal: Change<Command, World, DecidedPayment, Refusal<ReverseRefusal>> = {
  keysOf: cashoutRows,
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands, hold) => {
    const [[row], [payment]] = await Promise.all([lockCashouts(tx, commands, hold), readCollections(tx, commands)]);
    return { row, payment };
  },
  decide: ({ row, payment }, command, { now }) => {
    const stored = row && payment && { payment, cashout: row.after, timeZone: command.timeZone };
    return decideReverse(stored, command, now);
  },
  note: ({ row }, { outcome }) => {
    (row as CashoutRow).after = outcome.cashout;
  },
  save: (tx, { row }, changes) => {
    saveCashouts(
      tx,
      changedRows([row]),
      changes.map(({ outcome }) => outcome.event),
    );
    for (const { outcome } of changes) tx.send(MARK, [outcome.payment.netname, outcome.payment.transactionId, outcome.payment.reversedAt]);
  },
};
