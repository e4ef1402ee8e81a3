import { retryOnRace } from '../kit/changes/retry.ts';
import { dayOf, endOfDay } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { sumFreeEntries, takeFreeEntries, type EntrySum } from '../ledger/index.ts';
import { showMerchant, zoneOfMerchant } from '../merchants/index.ts';
import { readRefundHolders } from '../orders/index.ts';
import { drawSettlementId, insertSettlement } from './settlement-rows.ts';
import { netOf, NEW_SETTLEMENT } from './settlement.ts';
import type { Settlement } from './settlement-columns.ts';
import { deductionsOf, type SettlementLine, type SettlementTerms } from './terms/deductions.ts';
import { readTerms } from './terms/read-terms.ts';

export type RunDeps = {
  readonly db: Db;
  /** The database of what belongs to no merchant. */
  readonly home: Pick<Db, 'query'>;
  readonly clock: Clock;
};

type RunSettlement = {
  readonly merchantId: string;
  readonly currency: string;
  /** The last day of which entries are taken, in the merchant's zone. Undefined: yesterday. */
  readonly until: Temporal.PlainDate | undefined;
  /** The day of the schedule for which it is made. Null: it is made by hand. */
  readonly dueOn: Temporal.PlainDate | null;
};

type RunRefusal = 'merchant_unknown' | 'currency_not_allowed' | 'day_to_come';

/** What is there to settle, and what would be taken off. */
export type SettlementDraft = Pick<
  Settlement,
  'merchantId' | 'currency' | 'cutoffAt' | 'settledOn' | 'entries' | 'grossMinor' | 'netMinor'
> & {
  readonly lines: readonly SettlementLine[];
};

/** What a run goes by. It is read before its transaction, from two databases. */
type Run = {
  readonly terms: SettlementTerms;
  readonly settledOn: Temporal.PlainDate;
  readonly cutoffAt: Temporal.Instant;
  readonly zone: string;
  readonly now: Temporal.Instant;
};

async function prepare(deps: RunDeps, { merchantId, currency, until }: RunSettlement): Promise<Run | Refusal<RunRefusal>> {
  const { db, clock } = deps;
  const now = clock.now();
  const merchant = await showMerchant({ db }, merchantId, now);
  if (merchant === undefined) return refuse('merchant_unknown');
  if (!merchant.currencies.includes(currency)) return refuse('currency_not_allowed');
  const zone = await zoneOfMerchant({ db }, merchantId);
  const settledOn = dayOf(now, zone);
  const last = until ?? settledOn.subtract({ days: 1 });
  if (Temporal.PlainDate.compare(last, settledOn) > 0) return refuse('day_to_come');
  const end = endOfDay(last, zone);
  const cutoffAt = Temporal.Instant.compare(end, now) < 0 ? end : now;
  return { terms: await readTerms(deps, { merchantId, currency }), settledOn, cutoffAt, zone, now };
}

/** Makes a draft of the sums of its entries. */
async function draftOf(db: Pick<Tx, 'query'>, { terms, settledOn, cutoffAt }: Run, sums: readonly EntrySum[]): Promise<SettlementDraft> {
  const { merchantId, currency } = terms;
  const holders = await readRefundHolders(
    db,
    merchantId,
    sums.flatMap(({ refund }) => refund ?? []),
  );
  const entries = sums.map(({ refund, ...sum }) => ({ ...sum, source: refund === null ? sum.source : (holders.get(refund) ?? null) }));
  const lines = deductionsOf(terms, { settledOn, entries });
  const grossMinor = sums.reduce((sum, { collectedMinor }) => sum + collectedMinor, 0n);
  const count = Number(sums.reduce((sum, one) => sum + one.entries, 0n));
  return { merchantId, currency, cutoffAt, settledOn, entries: count, grossMinor, netMinor: netOf(grossMinor, lines), lines };
}

/**
 * Shows what a run would make now, and writes nothing. The net amount may be zero or less: then a run makes nothing.
 * Refuses: merchant_unknown, currency_not_allowed, day_to_come.
 */
export async function previewSettlement(
  deps: RunDeps,
  command: Omit<RunSettlement, 'dueOn'>,
): Promise<SettlementDraft | Refusal<RunRefusal>> {
  const run = await prepare(deps, { ...command, dueOn: null });
  if (isRefusal(run)) return run;
  const { cutoffAt: until, zone } = run;
  return draftOf(deps.db, run, await sumFreeEntries(deps.db, { ...run.terms, until, zone }));
}

/** Ends a transaction that has taken entries of which no settlement can be made. */
class NothingToSettle extends Error {
  override readonly name = 'NothingToSettle';
}

/**
 * Makes a draft of what a merchant has collected and is in no settlement yet.
 * Shape: → the draft with its lines.
 * Refuses: merchant_unknown, currency_not_allowed, day_to_come, nothing_to_settle (nothing above zero is left after what is taken off).
 * Effects: one transaction, in which the merchant's other runs in the currency wait. Payments do not.
 */
export async function runSettlement(
  deps: RunDeps,
  command: RunSettlement,
): Promise<{ readonly settlement: Settlement; readonly lines: readonly SettlementLine[] } | Refusal<RunRefusal | 'nothing_to_settle'>> {
  const run = await prepare(deps, command);
  if (isRefusal(run)) return run;
  const { cutoffAt: until, zone, now } = run;
  const make = async (tx: Tx) => {
    const settlementId = await drawSettlementId(tx);
    const sums = await takeFreeEntries(tx, { ...run.terms, until, zone, now, settlementId });
    const { lines, ...draft } = await draftOf(tx, run, sums);
    if (draft.netMinor <= 0n) throw new NothingToSettle();
    const settlement: Settlement = { ...draft, ...NEW_SETTLEMENT, settlementId, dueOn: command.dueOn, madeAt: now };
    insertSettlement(tx, settlement, lines);
    tx.note?.({ settlement: [null, String(settlementId)] });
    return { settlement, lines };
  };
  return retryOnRace(() => deps.db.transaction(make)).catch((error: unknown) => {
    if (error instanceof NothingToSettle) return refuse('nothing_to_settle');
    throw error;
  });
}
