import type { Clock } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { freeEntries, lockCollected, postTransactions, withinLedger, type LedgerTransaction } from '../ledger/index.ts';
import { lockPaid, reportsUpdates } from '../merchants/index.ts';
import { writeNotices } from '../notices/index.ts';
import { insertReserves } from './holds/hold-rows.ts';
import { noticeOfSettlement } from './notice-of-settlement.ts';
import { lockSettlement, readSettlementLines, saveSettlement } from './settlement-rows.ts';
import { decideStep, postingOf, type SettlementStep, type StepRefusal } from './settlement.ts';
import type { Settlement, SettlementKey } from './settlement-columns.ts';

/** `isRepeated`: it was so before, and nothing was written. */
export type ChangedSettlement = { readonly settlement: Settlement; readonly isRepeated: boolean };

/** Why a draft is not approved that may be. */
export type ApprovalRefusal = 'merchant_frozen' | 'collected_too_small';

/** A settlement that this transaction has locked, and what is done with it. */
type StepOf = { readonly settlement: Settlement; readonly step: SettlementStep };
type StepRefused = StepRefusal | ApprovalRefusal;

/**
 * Carries out a step of each of some settlements in a transaction.
 * Shape: → the settlement after it, for each.
 * Refuses: as decideStep, then merchant_frozen: a merchant that is frozen or disabled is paid nothing. Then
 * collected_too_small: since the draft was made, refunds or holds have taken what it would pay out. It is to be cancelled, and made anew.
 * Where one is refused, the others are not.
 * Effects: locks, to approve one, its merchant and what that has collected. A reserve becomes a hold. All are posted at once:
 * their balances are locked in one order, whatever the order here is. A merchant that is sent notices of updates gets one of what the bank
 * did.
 */
export async function stepSettlements(
  tx: Tx,
  commands: readonly StepOf[],
  now: Temporal.Instant,
): Promise<readonly (ChangedSettlement | Refusal<StepRefused>)[]> {
  const postings: LedgerTransaction[] = [];
  const changed = await Promise.all(commands.map((command) => takeStep(tx, command, now, postings)));
  postTransactions(tx, postings);
  return changed;
}

async function takeStep(
  tx: Tx,
  { settlement: before, step }: StepOf,
  now: Temporal.Instant,
  postings: LedgerTransaction[],
): Promise<ChangedSettlement | Refusal<StepRefused>> {
  const settlement = decideStep(before, step, now);
  if (isRefusal(settlement)) return settlement;
  if (settlement === before) return { settlement, isRepeated: true };
  if (step.to === 'approved' && !(await lockPaid(tx, before.merchantId))) return refuse('merchant_frozen');
  const lines = takesLines(step) ? await readSettlementLines(tx, before) : [];
  if (step.to === 'approved') {
    const collected = await lockCollected(tx, settlement);
    if (!collected.take(settlement, settlement.grossMinor)) return refuse('collected_too_small');
    insertReserves(tx, settlement, lines, now);
  }
  saveSettlement(tx, settlement);
  const posting = postingOf(settlement, lines, settlement.state);
  if (posting !== undefined) postings.push(posting);
  const notice = noticeOfSettlement(settlement);
  if (notice !== undefined && (await reportsUpdates(tx, settlement.merchantId))) writeNotices(tx, [notice]);
  tx.note?.({ state: [before.state, settlement.state] });
  // After the settlement is cancelled: one that is not keeps its entries.
  if (step.to === 'cancelled') await freeEntries(tx, settlement);
  return { settlement, isRepeated: false };
}

/** What was taken off a settlement moves when it is approved, and perhaps back when it is returned. */
const takesLines = ({ to }: SettlementStep): boolean => to === 'approved' || to === 'returned';

/** Carries out one step of a settlement in a transaction of its own. Refuses: settlement_not_found, then as stepSettlements. */
export const changeSettlement = (
  { db, clock }: { readonly db: Pick<Db, 'transaction'>; readonly clock: Clock },
  { step, ...key }: SettlementKey & { readonly step: SettlementStep },
): Promise<ChangedSettlement | Refusal<StepRefused | 'settlement_not_found'>> =>
  withinLedger(
    db.transaction(async (tx) => {
      const settlement = await lockSettlement(tx, key);
      if (settlement === undefined) return refuse('settlement_not_found');
      const [changed] = await stepSettlements(tx, [{ settlement, step }], clock.now());
      return changed as ChangedSettlement | Refusal<StepRefused>;
    }),
  );
