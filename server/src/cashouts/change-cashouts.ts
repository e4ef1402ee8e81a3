import type { Tx } from '../kit/db.ts';
import type { Change, Hold } from '../kit/changes/engine.ts';
import type { Refusal } from '../kit/outcome.ts';
import { changedRows } from '../kit/changes/table.ts';
import {
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutReleased,
  fundsName,
  lockFreeFundsOf,
  postTransactions,
  type LedgerTransaction,
} from '../ledger/index.ts';
import { writeNotices, type NewNotice } from '../notices/index.ts';
import type { CashoutEvent, DecidedCashout } from './cashout-changes.ts';
import { changeValues, RECORD_CHANGES } from './cashout-history.ts';
import { CASHOUTS, COUNT_CHANGES, countChangeValues, countMove, type CashoutRow } from './cashout-rows.ts';
import type { Cashout, CashoutKey } from './cashout.ts';

/** Names the rows that a change of a cashout concerns, for the engine: its own, and the merchant's funds. */
export const cashoutRows = (key: CashoutKey): readonly string[] => [CASHOUTS.rowName(key), fundsName(key.merchantId)];

/** Locks cashouts, and what they move in the ledger. It never waits: what another transaction holds goes to `hold`. */
export async function lockCashouts(tx: Tx, keys: readonly CashoutKey[], hold: Hold): Promise<readonly (CashoutRow | undefined)[]> {
  const merchantIds = keys.map(({ merchantId }) => merchantId);
  const [rows] = await Promise.all([CASHOUTS.lock(tx, keys, hold), lockFreeFundsOf(tx, merchantIds, hold)]);
  return rows;
}

/**
 * A change of stored cashouts that a decision alone makes.
 * Effects: locks the cashouts of a batch until commit, and waits for none of them; as saveCashouts. What changes nothing writes nothing.
 */
export const changeOfCashouts = <Command extends CashoutKey, Name extends string>(
  decide: (stored: Cashout | undefined, command: Command, now: Temporal.Instant) => DecidedCashout | Refusal<Name>,
): Change<Command, readonly (CashoutRow | undefined)[], DecidedCashout, Refusal<Name>> => ({
  keysOf: cashoutRows,
  ownerOf: ({ merchantId }) => merchantId,
  load: lockCashouts,
  decide: (rows, command, { now, index }) => decide(rows[index]?.after, command, now),
  note: (rows, { outcome }, { index }) => {
    (rows[index] as CashoutRow).after = outcome.cashout;
  },
  save: (tx, rows, changes) =>
    saveCashouts(
      tx,
      changedRows(rows),
      changes.map(({ outcome }) => outcome.event),
    ),
});

/**
 * Saves changed cashouts with all that follows from it: history, money, notices, counts.
 * Shape: each cashout once, its state changed at most once; the events in their order.
 * Effects: sent together with the commit. The caller holds the cashouts locked. Money goes before the counts, as in a registration:
 * two transactions then never wait for each other in a circle.
 * Source: contract §4.5, §4.6.
 */
export function saveCashouts(tx: Tx, moves: readonly CashoutRow[], events: readonly CashoutEvent[]): void {
  CASHOUTS.save(tx, moves);
  tx.send(RECORD_CHANGES, changeValues(events));
  postTransactions(tx, moves.flatMap(moneyOf));
  writeNotices(tx, moves.flatMap(noticesOf));
  tx.send(COUNT_CHANGES, countChangeValues(moves.flatMap(({ before, after }) => countMove(before, after))));
}

/** What a change moves in the ledger. Of an imported cashout nothing was taken, so nothing goes back. */
function moneyOf({ before, after }: CashoutRow): readonly LedgerTransaction[] {
  if (after.state === before.state || after.reservedMinor === 0n) return [];
  const at = after.updatedAt;
  if (after.state === 'approved') return [cashoutPaid(after, payerOf(after), at)];
  return [before.state === 'approved' ? cashoutPaymentReversed(after, payerOf(after), at) : cashoutReleased(after, at)];
}

/** The network that has paid: only the one that holds a cashout can, and the name stays. */
function payerOf({ lockedBy, merchantId, operationId }: Cashout): string {
  if (lockedBy === null) throw new Error(`cashout ${operationId} of ${merchantId} was paid by no network`);
  return lockedBy;
}

/** What the merchant hears of a change: that it was collected, or that it was not in time (contract §4.5). */
function noticesOf({ before, after }: CashoutRow): readonly NewNotice[] {
  const { state: status, merchantId, operationId, document, amountMinor, currency, updatedAt: at } = after;
  if (status === before.state || (status !== 'approved' && status !== 'expired')) return [];
  return [{ kind: 'cashout', merchantId, operationId, document, amountMinor, currency, status, at }];
}
