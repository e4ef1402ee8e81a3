import { OWN_ACCOUNTS, type LedgerKind } from './postings.ts';
import type { LedgerDay } from './read-day.ts';

/** What one network, or the bank, had a part in. */
type DayPart = { readonly account: string; readonly transactions: bigint; readonly amountMinor: bigint };

/** What accounts moved, from the merchant's side: what came in is positive. Amount, fees and tax add up to the net. */
export type MerchantSide = {
  readonly amountMinor: bigint;
  readonly feesMinor: bigint;
  readonly taxMinor: bigint;
  readonly netMinor: bigint;
};

/** What one kind of event brought the merchant, or took from it. */
type DayLine = MerchantSide & {
  readonly kind: LedgerKind;
  readonly transactions: bigint;
  readonly parts: readonly DayPart[];
};

/** A day as the merchant's books have it. Opening and all nets add up to closing. */
export type DayStatement = { readonly openingMinor: bigint; readonly lines: readonly DayLine[]; readonly closingMinor: bigint };

const isOwn = (account: string): boolean => OWN_ACCOUNTS.some((one) => one === account);
const CHARGED: readonly string[] = ['service:fees', 'service:tax'];

const ownOf = (amounts: ReadonlyMap<string, bigint>): bigint =>
  OWN_ACCOUNTS.reduce((sum, account) => sum + (amounts.get(account) ?? 0n), 0n);

/** Shows from the merchant's side what one or more transactions moved. */
export function merchantSide(amounts: ReadonlyMap<string, bigint>): MerchantSide {
  const [feesMinor, taxMinor] = CHARGED.map((account) => -(amounts.get(account) ?? 0n)) as [bigint, bigint];
  const netMinor = ownOf(amounts);
  return { amountMinor: netMinor - feesMinor - taxMinor, feesMinor, taxMinor, netMinor };
}

/** Shows a day from the merchant's side: what came in is positive, what went out or was charged is negative. */
export const statementOf = ({ start, movements, end }: LedgerDay): DayStatement => ({
  openingMinor: ownOf(start),
  lines: movements.map(({ kind, transactions, amounts, parts }) => {
    const others = [...amounts].filter(([account]) => !isOwn(account) && !CHARGED.includes(account));
    return {
      kind,
      transactions,
      ...merchantSide(amounts),
      parts: others.map(([account, amount]) => ({ account, transactions: parts.get(account) ?? 0n, amountMinor: -amount })),
    };
  }),
  closingMinor: ownOf(end),
});
