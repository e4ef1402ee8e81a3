import type { Clock } from '../../kit/clock.ts';
import type { Db, Tx } from '../../kit/db.ts';
import type { Keyed, RunAloneOnce, SettledAnswer } from '../../kit/once.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import { holdPlaced, holdReleased, lockCollected, postTransactions, withinLedger } from '../../ledger/index.ts';
import { showMerchant } from '../../merchants/index.ts';
import { drawHoldId, insertHold, lockHold, saveReleased } from './hold-rows.ts';
import type { HeldMoney, HoldKey } from './hold.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

type PlaceHold = Pick<HeldMoney, 'merchantId' | 'currency' | 'amountMinor' | 'reason' | 'releaseOn'>;
type PlaceRefusal = 'merchant_unknown' | 'currency_not_allowed' | 'collected_too_small';

/** `isRepeated`: it was so before, and nothing was written. */
export type ChangedHold = { readonly hold: HeldMoney; readonly isRepeated: boolean };

type Placed = ChangedHold | Refusal<PlaceRefusal>;

/**
 * Holds back what a merchant has collected.
 * Shape: amounts in minor units → the hold.
 * Refuses: merchant_unknown, currency_not_allowed, collected_too_small.
 * Effects: one transaction, with what is collected locked. With an Idempotency-Key it is placed once.
 */
export async function placeHold(
  { db, clock, runOnce }: Deps & { readonly runOnce: RunAloneOnce },
  { once, ...command }: PlaceHold & Keyed<Placed>,
): Promise<Placed | SettledAnswer | Refusal<'key_reused'>> {
  const now = clock.now();
  const merchant = await showMerchant({ db }, command.merchantId, now);
  if (merchant === undefined) return refuse('merchant_unknown');
  if (!merchant.currencies.includes(command.currency)) return refuse('currency_not_allowed');
  return withinLedger(runOnce(db, once, (tx) => place(tx, command, now)));
}

async function place(tx: Tx, command: PlaceHold, now: Temporal.Instant): Promise<Placed> {
  const collected = await lockCollected(tx, command);
  if (!collected.take(command, command.amountMinor)) return refuse('collected_too_small');
  const hold: HeldMoney = { ...command, holdId: await drawHoldId(tx), settlementId: null, heldAt: now, releasedAt: null };
  insertHold(tx, hold);
  postTransactions(tx, [holdPlaced(hold, now)]);
  tx.note?.({ hold: [null, String(hold.holdId)] });
  return { hold, isRepeated: false };
}

/**
 * Gives a merchant what was held back: the next settlement has it.
 * Refuses: hold_not_found. One that is released already is a success.
 * Effects: one transaction, with the hold locked.
 */
export const releaseHold = ({ db, clock }: Pick<Deps, 'clock'> & { readonly db: Pick<Db, 'transaction'> }, key: HoldKey) =>
  withinLedger(db.transaction((tx) => release(tx, key, clock.now())));

async function release(tx: Tx, key: HoldKey, now: Temporal.Instant): Promise<ChangedHold | Refusal<'hold_not_found'>> {
  const hold = await lockHold(tx, key);
  if (hold === undefined) return refuse('hold_not_found');
  if (hold.releasedAt !== null) return { hold, isRepeated: true };
  saveReleased(tx, key, now);
  postTransactions(tx, [holdReleased(hold, now)]);
  tx.note?.({ releasedAt: [null, now.toString()] });
  return { hold: { ...hold, releasedAt: now }, isRepeated: false };
}
