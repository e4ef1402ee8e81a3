import { settlementApproved, settlementPaid, settlementReturned, type LedgerTransaction } from '../ledger/index.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { Settlement, SettlementState } from './settlement-columns.ts';
import type { SettlementLine } from './terms/deductions.ts';

/** What every settlement begins with. */
export const NEW_SETTLEMENT = {
  state: 'draft',
  approvedAt: null,
  sentAt: null,
  fileId: null,
  paidAt: null,
  bankReference: null,
  returnedAt: null,
  problem: null,
  cancelledAt: null,
} as const;

/** What somebody does with a settlement. */
export type SettlementStep =
  | { readonly to: 'approved' }
  | { readonly to: 'cancelled' }
  | { readonly to: 'sent'; readonly fileId: string | null }
  | { readonly to: 'paid'; readonly bankReference: string }
  | { readonly to: 'returned'; readonly problem: string };

export type StepRefusal =
  | 'settlement_ended'
  | 'settlement_approved'
  | 'settlement_not_approved'
  | 'settlement_not_sent'
  | 'settlement_paid_otherwise';

/**
 * Decides one step of a settlement.
 * Shape: → the settlement after it; the same one where it was so before.
 * Refuses: settlement_paid_otherwise (it was paid with another reference), settlement_ended (cancelled, or returned), settlement_approved
 * (only a draft is cancelled), settlement_not_approved (a draft is neither sent nor returned), settlement_not_sent. The first that applies.
 */
export function decideStep(settlement: Settlement, step: SettlementStep, at: Temporal.Instant): Settlement | Refusal<StepRefusal> {
  const { state } = settlement;
  if (timeOf(settlement, step.to) !== null) {
    if (step.to === 'paid' && step.bankReference !== settlement.bankReference) return refuse('settlement_paid_otherwise');
    // In two files it would be paid twice.
    const isOtherFile = step.to === 'sent' && step.fileId !== null && step.fileId !== settlement.fileId;
    return isOtherFile ? refuse('settlement_not_approved') : settlement;
  }
  if (state === 'cancelled' || state === 'returned') return refuse('settlement_ended');
  switch (step.to) {
    case 'approved':
      return { ...settlement, state: 'approved', approvedAt: at };
    case 'cancelled':
      return state === 'draft' ? { ...settlement, state: 'cancelled', cancelledAt: at } : refuse('settlement_approved');
    case 'sent':
      return state === 'approved' ? { ...settlement, state: 'sent', sentAt: at, fileId: step.fileId } : refuse('settlement_not_approved');
    case 'paid':
      return state === 'sent'
        ? { ...settlement, state: 'paid', paidAt: at, bankReference: step.bankReference }
        : refuse('settlement_not_sent');
    case 'returned':
      return state === 'draft'
        ? refuse('settlement_not_approved')
        : { ...settlement, state: 'returned', returnedAt: at, problem: step.problem };
  }
}

/** When it came to a state. Null: it never was in it. */
const timeOf = (settlement: Settlement, state: Exclude<SettlementState, 'draft'>): Temporal.Instant | null => settlement[`${state}At`];

type Lines = readonly Pick<SettlementLine, 'kind' | 'base' | 'amountMinor' | 'taxMinor'>[];

const sumOf = (lines: Lines, ...kinds: readonly SettlementLine['kind'][]): bigint =>
  lines.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

/** What lines take, by the account of the ledger that gets it. */
const takenOff = (lines: Lines) => ({
  feeMinor: sumOf(lines, 'fee'),
  taxMinor: lines.reduce((sum, { taxMinor }) => sum + taxMinor, 0n),
  withheldMinor: sumOf(lines, 'withholding', 'transfer_tax'),
  reserveMinor: sumOf(lines, 'reserve'),
});

/** What the merchant gets of a gross amount. */
export const netOf = (grossMinor: bigint, lines: Lines): bigint =>
  lines.reduce((left, { amountMinor, taxMinor }) => left - amountMinor - taxMinor, grossMinor);

/** What a settlement has posted in one of its states; undefined: that state moves no money. */
export function postingOf(settlement: Settlement, lines: Lines, state: SettlementState): LedgerTransaction | undefined {
  const at = state === 'draft' ? null : timeOf(settlement, state);
  if (at === null) return undefined;
  if (state === 'approved') return settlementApproved(settlement, takenOff(lines), at);
  if (state === 'paid') return settlementPaid(settlement, at);
  if (state !== 'returned') return undefined;
  // A reserve stays held, and what was taken of payments was due for them.
  const ofPayout = lines.filter(({ kind, base }) => base === 'payout' && kind !== 'reserve');
  return settlementReturned(settlement, takenOff(ofPayout), settlement.paidAt !== null, at);
}
