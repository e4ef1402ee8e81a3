import type { Acted } from '../../kit/changes/act.ts';
import type { Change, Engine } from '../../kit/changes/engine.ts';
import { statement } from '../../kit/db.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import { CASHOUTS, type CashoutRow } from '../cashout-rows.ts';
import { isLocked, type Cashout, type CashoutKey } from '../cashout.ts';

/** The cashout as it is then. Without an event no network held it. */
type Unlocked = {
  readonly cashout: Cashout;
  readonly event?: { readonly changes: { readonly lockedUntil: readonly [before: string, after: string] } };
};

export type UnlockRefusal = 'cashout_not_registered' | 'cashout_not_pending';
type Unlock = (command: CashoutKey & Acted) => Promise<Unlocked | Refusal<UnlockRefusal>>;

const END_HOLD = statement('cashouts.end_hold', 'update cashouts set locked_until = $3 where merchant_id = $1 and operation_id = $2');

/**
 * Decides that no network holds a cashout any more. Its name stays: that network then hears that its hold is over.
 * Refuses, the first that applies: cashout_not_registered, cashout_not_pending.
 */
function decideUnlock(stored: Cashout | undefined, now: Temporal.Instant): Unlocked | Refusal<UnlockRefusal> {
  if (stored === undefined) return refuse('cashout_not_registered');
  if (stored.state !== 'pending') return refuse('cashout_not_pending');
  if (stored.lockedUntil === null || !isLocked(stored, now)) return { cashout: stored };
  return {
    cashout: { ...stored, lockedUntil: now },
    event: { changes: { lockedUntil: [stored.lockedUntil.toString(), now.toString()] } },
  };
}

/**
 * Ends the hold of a network on a pending cashout, at an operator's decision. One that nobody holds stays as it is.
 * Refuses: cashout_not_registered, cashout_not_pending – the first that applies.
 * Effects: locks the cashout until commit. A hold is not a change of a cashout: no version, no history. The act says who ended it.
 */
export const createUnlock = ({ engine }: { readonly engine: Engine }): Unlock => engine.alone(unlocking);

const unlocking: Change<CashoutKey, readonly (CashoutRow | undefined)[], Unlocked, Refusal<UnlockRefusal>> = {
  keysOf: (key) => [CASHOUTS.rowName(key)],
  ownerOf: ({ merchantId }) => merchantId,
  load: (tx, keys, hold) => CASHOUTS.lock(tx, keys, hold),
  decide: (rows, _key, { now, index }) => decideUnlock(rows[index]?.after, now),
  note: (rows, { outcome }, { index }) => {
    (rows[index] as CashoutRow).after = outcome.cashout;
  },
  save: (tx, _rows, changes) => {
    for (const { outcome } of changes)
      tx.send(END_HOLD, [outcome.cashout.merchantId, outcome.cashout.operationId, outcome.cashout.lockedUntil]);
  },
};
