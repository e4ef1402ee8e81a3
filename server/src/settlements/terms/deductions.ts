import type { EntrySum } from '../../ledger/index.ts';

/** What a line of a settlement takes, and what of. */
export const LINE_KINDS = ['fee', 'withholding', 'transfer_tax', 'reserve'] as const;
export const LINE_BASES = ['payments', 'fees', 'collected', 'payout'] as const;

/** What is taken off a settlement, with the rule as it was. Amounts in minor units. */
export type SettlementLine = {
  readonly kind: (typeof LINE_KINDS)[number];
  readonly name: string;
  readonly base: (typeof LINE_BASES)[number];
  /** Only of payments that this network or method took. Null: of all. */
  readonly source: string | null;
  readonly baseMinor: bigint;
  readonly ratePpm: number;
  readonly fixedMinor: bigint;
  readonly taxPpm: number;
  readonly amountMinor: bigint;
  /** The tax on a fee, beside it. */
  readonly taxMinor: bigint;
  /** The day on which a reserve is the merchant's again. */
  readonly releaseOn: Temporal.PlainDate | null;
};

/** The entries of a settlement by day, kind and source, and the day of the settlement, in the merchant's zone. */
export type SettlementSums = {
  readonly settledOn: Temporal.PlainDate;
  readonly entries: readonly Omit<EntrySum, 'refund'>[];
};

/** What holds for settlements of a merchant in a currency. */
export type SettlementTerms = { readonly merchantId: string; readonly currency: string };

/** What is taken off a settlement. */
export function deductionsOf(_terms: SettlementTerms, _sums: SettlementSums): readonly SettlementLine[] {
  return [];
}
