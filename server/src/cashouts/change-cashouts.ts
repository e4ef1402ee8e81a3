import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import type { Refusal } from '../kit/outcome.ts';
import { cashoutPaid, cashoutPaymentReversed, cashoutReleased, postTransactions, type LedgerTransaction } from '../ledger/index.ts';
import { writeNotices, type NewNotice } from '../notices/index.ts';
import type { CashoutEvent, Decided } from './cashout-changes.ts';
import { changeValues, RECORD_CHANGES } from './cashout-history.ts';
import { CASHOUT_COLUMNS, COUNT_CHANGES, countChangeValues, countMove } from './cashout-rows.ts';
import { keyText, type Cashout, type CashoutKey } from './cashout.ts';

/** Sorted before they are locked: every batch locks in one order, so that two batches never wait for each other. */
const LOCK = statement(
  'cashouts.lock',
  `select ${CASHOUT_COLUMNS} from cashouts
    where (merchant_id, operation_id) in (select merchant_id, operation_id from unnest($1::text[], $2::text[]) as wanted (merchant_id, operation_id))
    order by merchant_id, operation_id for update`,
);

const SAVE = statement(
  'cashouts.save_changes',
  `update cashouts set state = changed.state, version = changed.version, updated_at = changed.updated_at, updated_on = changed.updated_on,
          otp_resends = changed.otp_resends, otp_wrong_tries = changed.otp_wrong_tries
     from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::timestamptz[], $6::date[], $7::smallint[], $8::smallint[])
       as changed (merchant_id, operation_id, state, version, updated_at, updated_on, otp_resends, otp_wrong_tries)
    where cashouts.merchant_id = changed.merchant_id and cashouts.operation_id = changed.operation_id`,
);

/** A cashout before and after a transaction. */
export type Move = { readonly before: Cashout; readonly after: Cashout };

/** Reads and locks cashouts until the end of the transaction; those that do not exist are left out. */
export function lockCashouts(tx: Tx, keys: readonly CashoutKey[]): Promise<Cashout[]> {
  return tx.query<Cashout>(LOCK, [keys.map(({ merchantId }) => merchantId), keys.map(({ operationId }) => operationId)]);
}

/**
 * Changes many cashouts in one transaction of two round trips: load and lock all, decide each, save all.
 * Shape: one decision for each command, in their order. Commands for one cashout are decided one after the other.
 * Effects: as saveCashouts. What changes nothing writes nothing.
 */
export function changeCashouts<Command extends CashoutKey, Name extends string>(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  commands: readonly Command[],
  decide: (stored: Cashout | undefined, command: Command, now: Temporal.Instant) => Decided | Refusal<Name>,
): Promise<readonly (Decided | Refusal<Name>)[]> {
  return db.transaction(async (tx) => {
    const rows = new Map((await lockCashouts(tx, commands)).map((cashout) => [keyText(cashout), { before: cashout, after: cashout }]));
    // Asked after the locks are held: a batch that had to wait for one decides as of now, not as of before.
    const now = clock.now();
    const events: CashoutEvent[] = [];
    const decisions = commands.map((command) => {
      const row = rows.get(keyText(command));
      const decision = decide(row?.after, command, now);
      if (row !== undefined && 'cashout' in decision && decision.event !== undefined) {
        row.after = decision.cashout;
        events.push(decision.event);
      }
      return decision;
    });
    saveCashouts(
      tx,
      [...rows.values()].filter(({ before, after }) => before !== after),
      events,
    );
    return decisions;
  });
}

/**
 * Saves changed cashouts with all that follows from it: history, money, notices, counts.
 * Shape: each cashout once, its state changed at most once; the events in their order. None writes nothing.
 * Effects: sent together with the commit. Whoever calls holds the cashouts locked. Money goes before the counts, as in a registration:
 * two transactions then never wait for each other in a circle.
 * Source: contract §4.5, §4.6.
 */
export function saveCashouts(tx: Tx, moves: readonly Move[], events: readonly CashoutEvent[]): void {
  if (moves.length === 0) return;
  const changed = moves.map(({ after }) => after);
  tx.send(SAVE, [
    changed.map(({ merchantId }) => merchantId),
    changed.map(({ operationId }) => operationId),
    changed.map(({ state }) => state),
    changed.map(({ version }) => version),
    changed.map(({ updatedAt }) => updatedAt),
    changed.map(({ updatedOn }) => updatedOn),
    changed.map(({ otpResends }) => otpResends),
    changed.map(({ otpWrongTries }) => otpWrongTries),
  ]);
  tx.send(RECORD_CHANGES, changeValues(events));
  postTransactions(tx, moves.flatMap(moneyOf));
  writeNotices(tx, moves.flatMap(noticesOf));
  tx.send(COUNT_CHANGES, countChangeValues(moves.flatMap(({ before, after }) => countMove(before, after))));
}

/** What a change moves in the ledger. Of an imported cashout nothing was taken, so nothing goes back. */
function moneyOf({ before, after }: Move): readonly LedgerTransaction[] {
  if (after.state === before.state || after.reservedMinor === 0n) return [];
  const at = after.updatedAt;
  if (after.state === 'approved') return [cashoutPaid(after, payerOf(after), at)];
  return [before.state === 'approved' ? cashoutPaymentReversed(after, payerOf(after), at) : cashoutReleased(after, at)];
}

/** The network that has paid: only the one that holds a cashout can, and the name stays. */
export function payerOf({ lockedBy, merchantId, operationId }: Cashout): string {
  if (lockedBy === null) throw new Error(`cashout ${operationId} of ${merchantId} was paid by no network`);
  return lockedBy;
}

/** What the merchant hears of a change: that it was collected, or that it was not in time (contract §4.5). */
function noticesOf({ before, after }: Move): readonly NewNotice[] {
  const { state: status, merchantId, operationId, document, amountMinor, currency, updatedAt: at } = after;
  if (status === before.state || (status !== 'approved' && status !== 'expired')) return [];
  return [{ kind: 'cashout', merchantId, operationId, document, amountMinor, currency, status, at }];
}
