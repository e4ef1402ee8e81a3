import { retryOnRace } from '../kit/changes/retry.ts';
import { dayOf, endOfDay } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { addEntrySums, sumFreeEntries, takeFreeEntries, type EntrySum } from '../ledger/index.ts';
import { showMerchant, zoneOfMerchant } from '../merchants/index.ts';
import { readRefundHolders } from '../orders/index.ts';
import { drawSettlementId, insertSettlement, readSettlementDue, readSettlementLines } from './settlement-rows.ts';
import { netOf, NEW_SETTLEMENT } from './settlement.ts';
import type { Settlement } from './settlement-columns.ts';
import { deductionsOf, type SettlementLine, type SettlementSums, type SettlementTerms } from './terms/deductions.ts';
import { readTerms } from './terms/read-terms.ts';

export type RunDeps = {
  readonly db: Db;
  /** The database of what belongs to no merchant. */
  readonly home: Pick<Db, 'query'>;
  readonly clock: Clock;
  /** About so many entries are in one settlement; absent: as many as the ledger says. */
  readonly mostEntries?: number;
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

/** Adds up by day and source: a merchant gives back far more often than it has sources. `holders`: who holds the money of refunds. */
function bySource(sums: readonly EntrySum[], holders: ReadonlyMap<string, string>): SettlementSums['entries'] {
  const named = sums.map(({ refund, ...sum }) => ({ ...sum, source: refund === null ? sum.source : (holders.get(refund) ?? null) }));
  return addEntrySums(named, ({ day, source }) => `${day.toString()} ${source ?? ''}`);
}

/** Makes a draft of the sums of its entries. */
async function draftOf(db: Pick<Tx, 'query'>, { terms, settledOn, cutoffAt }: Run, sums: readonly EntrySum[]): Promise<SettlementDraft> {
  const { merchantId, currency } = terms;
  const holders = await readRefundHolders(
    db,
    merchantId,
    sums.flatMap(({ refund }) => refund ?? []),
  );
  const lines = deductionsOf(terms, { settledOn, entries: bySource(sums, holders) });
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
  return draftOf(deps.db, run, await sumFreeEntries(deps.db, { ...run.terms, until, zone, ...enoughOf(deps, deps.db, run, null) }));
}

/** Entries are enough where nothing is against a draft of them. */
const enoughOf = ({ mostEntries }: RunDeps, db: Pick<Tx, 'query'>, run: Run, dueOn: RunSettlement['dueOn']) => ({
  most: mostEntries,
  isEnough: async (sums: readonly EntrySum[]): Promise<boolean> =>
    reasonAgainst(await draftOf(db, run, sums), run.terms, dueOn) === undefined,
});

/** Why no settlement is made. `below_minimum`: of its schedule. */
type NoSettlement = 'nothing_to_settle' | 'deductions_too_large' | 'below_minimum';

type Made = { readonly settlement: Settlement; readonly lines: readonly SettlementLine[] };

/** Ends a transaction that has taken entries in vain, with what is answered instead. */
class TakenInVain extends Error {
  override readonly name = 'TakenInVain';
  readonly answer: Made | Refusal<NoSettlement>;
  constructor(answer: Made | Refusal<NoSettlement>) {
    super('entries were taken in vain');
    this.answer = answer;
  }
}

function reasonAgainst(
  { grossMinor, netMinor }: Pick<SettlementDraft, 'grossMinor' | 'netMinor'>,
  { minimumMinor }: SettlementTerms,
  dueOn: RunSettlement['dueOn'],
): NoSettlement | undefined {
  if (grossMinor <= 0n) return 'nothing_to_settle';
  if (netMinor <= 0n) return 'deductions_too_large';
  return dueOn !== null && netMinor < minimumMinor ? 'below_minimum' : undefined;
}

/**
 * Makes a draft of what a merchant has collected and is in no settlement yet.
 * Shape: → the draft with its lines. Of a day of the schedule there is one settlement: asked again, it is the answer, whatever became of it.
 * Refuses: merchant_unknown, currency_not_allowed, day_to_come, nothing_to_settle (what was collected is not above zero),
 * deductions_too_large (nothing is left of it after what is taken off), below_minimum (less is left than the schedule pays).
 * Effects: one transaction, in which the merchant's other runs in the currency wait. Payments do not.
 */
export async function runSettlement(deps: RunDeps, command: RunSettlement): Promise<Made | Refusal<RunRefusal | NoSettlement>> {
  const run = await prepare(deps, command);
  if (isRefusal(run)) return run;
  const { cutoffAt: until, zone, now } = run;
  const make = async (tx: Tx) => {
    const settlementId = await drawSettlementId(tx);
    const sums = await takeFreeEntries(tx, { ...run.terms, until, zone, now, settlementId, ...enoughOf(deps, tx, run, command.dueOn) });
    const { lines, ...draft } = await draftOf(tx, run, sums);
    // Who takes entries goes on when all others are done: what is there now is all that was made for this day.
    const before = command.dueOn === null ? undefined : await readSettlementDue(tx, run.terms, command.dueOn);
    if (before !== undefined) throw new TakenInVain({ settlement: before, lines: await readSettlementLines(tx, before) });
    const reason = reasonAgainst(draft, run.terms, command.dueOn);
    if (reason !== undefined) throw new TakenInVain(refuse(reason));
    const settlement: Settlement = { ...draft, ...NEW_SETTLEMENT, settlementId, dueOn: command.dueOn, madeAt: now };
    insertSettlement(tx, settlement, lines);
    tx.note?.({ settlement: [null, String(settlementId)] });
    return { settlement, lines };
  };
  return retryOnRace(() => deps.db.transaction(make)).catch((error: unknown) => {
    if (error instanceof TakenInVain) return error.answer;
    throw error;
  });
}
