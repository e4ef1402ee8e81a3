import type { LedgerKind } from './postings.ts';
import type { LedgerDay } from './read-day.ts';

/** What one network, or the bank, had a part in. */
type DayPart = { readonly account: string; readonly transactions: bigint; readonly amountMinor: bigint };

/** What one kind of event brought the merchant, or took from it. Amount, fees and tax add up to the net. */
type DayLine = {
  readonly kind: LedgerKind;
  readonly transactions: bigint;
  readonly amountMinor: bigint;
  readonly feesMinor: bigint;
  readonly taxMinor: bigint;
  readonly netMinor: bigint;
  readonly parts: readonly DayPart[];
};

/** A day as the merchant's books have it. Opening and all nets add up to closing. */
export type DayStatement = { readonly openingMinor: bigint; readonly lines: readonly DayLine[]; readonly closingMinor: bigint };

/** The accounts that are the merchant's own money. What is on its way to its bank is, until it is paid. */
const OWN: readonly string[] = ['available', 'reserved', 'collected', 'held', 'settlements'];
const CHARGED: readonly string[] = ['service:fees', 'service:tax'];

const ownOf = (amounts: ReadonlyMap<string, bigint>): bigint => OWN.reduce((sum, account) => sum + (amounts.get(account) ?? 0n), 0n);

/** Shows a day from the merchant's side: what came in is positive, what went out or was charged is negative. */
export const statementOf = ({ start, movements, end }: LedgerDay): DayStatement => ({
  openingMinor: ownOf(start),
  lines: movements.map(({ kind, transactions, amounts, parts }) => {
    const [feesMinor, taxMinor] = CHARGED.map((account) => -(amounts.get(account) ?? 0n)) as [bigint, bigint];
    const netMinor = ownOf(amounts);
    const others = [...amounts].filter(([account]) => !OWN.includes(account) && !CHARGED.includes(account));
    return {
      kind,
      transactions,
      amountMinor: netMinor - feesMinor - taxMinor,
      feesMinor,
      taxMinor,
      netMinor,
      parts: others.map(([account, amount]) => ({ account, transactions: parts.get(account) ?? 0n, amountMinor: -amount })),
    };
  }),
  closingMinor: ownOf(end),
});
