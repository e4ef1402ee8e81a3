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
type ChangeRefusal = StepRefusal | 'settlement_not_found' | ApprovalRefusal;

type StepOf = SettlementKey & { readonly step: SettlementStep };
type Changed = ChangedSettlement | Refusal<ChangeRefusal>;

/**
 * Carries out a step of each of some settlements in a transaction.
 * Shape: → the settlement after it, for each.
 * Refuses: settlement_not_found, then as decideStep, then merchant_frozen: a merchant that is frozen or disabled is paid nothing. Then
 * collected_too_small: since the draft was made, refunds or holds have taken what it would pay out. It is to be cancelled, and made anew.
 * Where one is refused, the others are not.
 * Effects: locks the settlements, to approve one also its merchant and what that has collected. A reserve becomes a hold. All are posted at once:
 * their balances are locked in one order, whatever the order here is. A merchant that is sent notices of updates gets one of what the bank
 * did.
 */
export async function stepSettlements(tx: Tx, commands: readonly StepOf[], now: Temporal.Instant): Promise<readonly Changed[]> {
  const postings: LedgerTransaction[] = [];
  const changed = await Promise.all(commands.map((command) => takeStep(tx, command, now, postings)));
  postTransactions(tx, postings);
  return changed;
}

async function takeStep(tx: Tx, { step, ...key }: StepOf, now: Temporal.Instant, postings: LedgerTransaction[]): Promise<Changed> {
  const before = await lockSettlement(tx, key);
  if (before === undefined) return refuse('settlement_not_found');
  const settlement = decideStep(before, step, now);
  if (isRefusal(settlement)) return settlement;
  if (settlement === before) return { settlement, isRepeated: true };
  if (step.to === 'approved' && !(await lockPaid(tx, key.merchantId))) return refuse('merchant_frozen');
  const lines = await readSettlementLines(tx, key);
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

/** Carries out one step of a settlement in a transaction of its own. Shape and refusals as of stepSettlements. */
export const changeSettlement = (
  { db, clock }: { readonly db: Pick<Db, 'transaction'>; readonly clock: Clock },
  command: StepOf,
): Promise<Changed> =>
  withinLedger(
    db.transaction(async (tx) => {
      const [changed] = await stepSettlements(tx, [command], clock.now());
      return changed as Changed;
    }),
  );
