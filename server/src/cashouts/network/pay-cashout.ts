import type { Acted } from '../../kit/changes/act.ts';
import { statement } from '../../kit/db.ts';
import type { Change } from '../../kit/changes/engine.ts';
import type { Refusal } from '../../kit/outcome.ts';
import { changedRows } from '../../kit/changes/table.ts';
import { withinLedger } from '../../ledger/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import { besideOfPayment } from '../cashout-history.ts';
import type { CashoutRow } from '../cashout-rows.ts';
import type { CashoutKey } from '../cashout.ts';
import { cashoutRows, lockCashouts, saveCashouts } from '../change-cashouts.ts';
import { decideCollect, type DecidedPayment, type PayCashout, type Collection, type CollectRefusal } from './collection.ts';
import { insertCollections, paymentName, readCollections } from './payment-rows.ts';

/** Only a cashout that a network has found can be paid. */
const FIND = statement(
  'cashouts.find_found',
  `select merchant_id as "merchantId", operation_id as "operationId" from cashouts where cashout_id = $1 and locked_by is not null`,
);

type Command = PayCashout & CashoutKey & { readonly merchant: Pick<Merchant, 'country' | 'isFrozen'> };

/**
 * Pays a cashout out: the network that has found it hands out the money.
 * Shape: PayCashout → the payment and its cashout, paid now or before: idempotent per (network, transaction).
 * Refuses: transaction_repeated, cashout_not_registered, cashout_locked, cashout_not_pending, lock_over, cashout_not_served — the first that applies.
 * Effects: locks the cashouts of a batch until commit. What was reserved goes to the network, fee and tax to the
 * service; counts, cashout.paid and the notice are written. The same transaction on two servers at once meets at its primary key. The loser
 * runs again and then sees it.
 * Throws: Unavailable where the ledger cannot hold the sum.
 * Source: contract §4.3.
 */
export function createPay({
  db,
  clock,
  engine,
  merchants,
}: Pick<CashoutDeps, 'db' | 'clock' | 'engine' | 'merchants'>): (
  command: PayCashout & Acted,
) => Promise<DecidedPayment | Refusal<CollectRefusal>> {
  const pay = engine.batched(payment);
  return async (command) => {
    // The key of a cashout never changes; everything else is read under its lock.
    const [found] = await db.query<CashoutKey>(FIND, [command.cashoutId]);
    const merchant = found && (await merchants.find(found.merchantId));
    if (found !== undefined && merchant !== undefined) return withinLedger(pay({ ...command, ...found, merchant }));
    const [stored] = await readCollections(db, [command]);
    return decideCollect({ payment: stored, cashout: undefined, merchant: undefined }, command, clock.now());
  };
}

type World = {
  readonly rows: readonly (CashoutRow | undefined)[];
  /** By paymentName. */
  readonly paid: Map<string, Collection>;
};

const payment: Change<Command, World, DecidedPayment, Refusal<CollectRefusal>> = {
  keysOf: cashoutRows,
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands, hold) => {
    const [rows, payments] = await Promise.all([lockCashouts(tx, commands, hold), readCollections(tx, commands)]);
    return { rows, paid: new Map(payments.map((one) => [paymentName(one), one])) };
  },
  decide: ({ rows, paid }, command, { now, index }) => {
    const stored = { payment: paid.get(paymentName(command)), cashout: rows[index]?.after, merchant: command.merchant };
    return decideCollect(stored, command, now);
  },
  note: ({ rows, paid }, { command, outcome }, { index }) => {
    (rows[index] as CashoutRow).after = outcome.cashout;
    paid.set(paymentName(command), outcome.payment);
  },
  save: (tx, { rows }, changes) => {
    saveCashouts(
      tx,
      changedRows(rows),
      changes.map(({ outcome: { event, payment } }) => ({ ...event, beside: besideOfPayment(payment) })),
    );
    insertCollections(
      tx,
      changes.map(({ outcome }) => outcome.payment),
    );
  },
};
