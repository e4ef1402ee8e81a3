import type { Clock } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { freeEntries, lockCollected, postTransactions, withinLedger } from '../ledger/index.ts';
import { reportsUpdates } from '../merchants/index.ts';
import { writeNotices } from '../notices/index.ts';
import { insertReserves } from './holds/hold-rows.ts';
import { noticeOfSettlement } from './notice-of-settlement.ts';
import { lockSettlement, readSettlementLines, saveSettlement } from './settlement-rows.ts';
import { decideStep, postingOf, type SettlementStep, type StepRefusal } from './settlement.ts';
import type { Settlement, SettlementKey } from './settlement-columns.ts';

/** `isRepeated`: it was so before, and nothing was written. */
export type ChangedSettlement = { readonly settlement: Settlement; readonly isRepeated: boolean };

type ChangeRefusal = StepRefusal | 'settlement_not_found' | 'collected_too_small';

/**
 * Carries out one step of a settlement in a transaction.
 * Shape: → the settlement after it.
 * Refuses: settlement_not_found, then as decideStep, then collected_too_small: since the draft was made, refunds or holds have taken what it
 * would pay out. It is to be cancelled, and made anew.
 * Effects: locks the settlement, to approve it also what the merchant has collected, and posts. A reserve becomes a hold. A merchant
 * that is sent notices of updates gets one of what the bank did.
 */
export async function stepSettlement(
  tx: Tx,
  { step, ...key }: SettlementKey & { readonly step: SettlementStep },
  now: Temporal.Instant,
): Promise<ChangedSettlement | Refusal<ChangeRefusal>> {
  const before = await lockSettlement(tx, key);
  if (before === undefined) return refuse('settlement_not_found');
  const settlement = decideStep(before, step, now);
  if (isRefusal(settlement)) return settlement;
  if (settlement === before) return { settlement, isRepeated: true };
  const lines = await readSettlementLines(tx, key);
  if (step.to === 'approved') {
    const collected = await lockCollected(tx, settlement);
    if (!collected.take(settlement, settlement.grossMinor)) return refuse('collected_too_small');
    insertReserves(tx, settlement, lines, now);
  }
  saveSettlement(tx, settlement);
  const posting = postingOf(settlement, lines, settlement.state);
  if (posting !== undefined) postTransactions(tx, [posting]);
  const notice = noticeOfSettlement(settlement);
  if (notice !== undefined && (await reportsUpdates(tx, settlement.merchantId))) writeNotices(tx, [notice]);
  tx.note?.({ state: [before.state, settlement.state] });
  // After the settlement is cancelled: one that is not keeps its entries.
  if (step.to === 'cancelled') await freeEntries(tx, settlement);
  return { settlement, isRepeated: false };
}

/** Carries out one step of a settlement in a transaction of its own. Shape and refusals as of stepSettlement. */
export const changeSettlement = (
  { db, clock }: { readonly db: Pick<Db, 'transaction'>; readonly clock: Clock },
  command: SettlementKey & { readonly step: SettlementStep },
): Promise<ChangedSettlement | Refusal<ChangeRefusal>> => withinLedger(db.transaction((tx) => stepSettlement(tx, command, clock.now())));
