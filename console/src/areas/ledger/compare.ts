import type { Answer } from '../../api/client.ts';
import { minorOf, moneyOf, type Money } from '../../design/values/money.ts';

export type Statement = Answer<'readStatement'>['body'];
type OfCurrency = Statement['currencies'][number];
export type LedgerKind = OfCurrency['lines'][number]['kind'];
type Figures = Answer<'readFigures'>['body']['items'];

/** What the payments of a day say of one kind of movement, and what the ledger says of it. */
export type Compared = {
  readonly kind: LedgerKind;
  readonly payments: { readonly count: number; readonly amount: Money };
  readonly ledger: { readonly count: number; readonly amount: Money };
  /** What the ledger has more than the payments. */
  readonly difference: { readonly count: number; readonly amount: Money };
  readonly isEqual: boolean;
};

type Source = {
  readonly kind: LedgerKind;
  readonly events: readonly string[];
  readonly isCounted?: true;
  /** Whose part in the ledger is the amount. Absent: what the merchant got or gave. */
  readonly account?: string;
  /** Whose part is the rest of it. */
  readonly rest?: string;
};

/**
 * Which events of orders and cashouts each kind of movement comes from. A reserve has fee and tax in it, so it is only counted.
 * Of a refund that somebody else has paid the merchant has no part: what payers were owed less is its amount.
 */
const SOURCES: readonly Source[] = [
  { kind: 'order_paid', events: ['order.paid'] },
  { kind: 'order_payment_reversed', events: ['order.reversed'] },
  { kind: 'order_refund_owed', events: ['refund.owed'], account: 'refunds' },
  { kind: 'order_refund_released', events: ['refund.released'], account: 'refunds' },
  { kind: 'order_refund_paid', events: ['refund.paid'], account: 'refunds' },
  { kind: 'cashout_registered', events: ['cashout.registered'], isCounted: true },
  { kind: 'cashout_released', events: ['cashout.cancelled', 'cashout.expired', 'cashout.nullified'], isCounted: true },
  { kind: 'cashout_paid', events: ['cashout.paid'] },
  // Of one that paid out a refund the amount is owed to its payer again.
  { kind: 'cashout_payment_reversed', events: ['cashout.payment_reversed'], rest: 'refunds' },
];

const shown = ({ count, minor }: { readonly count: number; readonly minor: bigint }, like: Money) => ({
  count,
  amount: moneyOf(minor, like),
});

const size = (minor: bigint): bigint => (minor < 0n ? -minor : minor);

/**
 * Compares the payments of a day with its ledger, in one currency.
 * What neither of them has is left out. Figures come from orders and cashouts alone: they are another source.
 */
export function compareDay(
  { currency, opening, lines }: Pick<OfCurrency, 'currency' | 'opening' | 'lines'>,
  figures: Figures,
): readonly Compared[] {
  return SOURCES.flatMap(({ kind, events, isCounted, account, rest }) => {
    const counted = figures.filter((one) => events.includes(one.event) && one.value?.currency === currency);
    const posted = lines.find((line) => line.kind === kind);
    if (counted.length === 0 && posted === undefined) return [];
    const payments = {
      count: counted.reduce((sum, { count }) => sum + count, 0),
      minor: isCounted ? 0n : counted.reduce((sum, { value }) => sum + (value ? minorOf(value) : 0n), 0n),
    };
    const partOf = (of: string | undefined): bigint => {
      const part = posted?.parts.find((one) => one.account === of);
      return part === undefined ? 0n : size(minorOf(part.amount));
    };
    const own = account === undefined ? size(posted === undefined ? 0n : minorOf(posted.amount)) : partOf(account);
    const ledger = { count: posted?.transactions ?? 0, minor: isCounted ? 0n : own + partOf(rest) };
    const difference = { count: ledger.count - payments.count, minor: ledger.minor - payments.minor };
    return {
      kind,
      payments: shown(payments, opening),
      ledger: shown(ledger, opening),
      difference: shown(difference, opening),
      isEqual: difference.count === 0 && difference.minor === 0n,
    };
  });
}

/** Kinds whose amounts are not compared. */
export const isOnlyCounted = (kind: LedgerKind): boolean => SOURCES.some((one) => one.kind === kind && one.isCounted);

/** Currencies that payments have and the ledger does not know. */
export function lackingCurrencies(statement: Statement, figures: Figures): readonly Money[] {
  const known = new Set(statement.currencies.map(({ currency }) => currency));
  const moved = figures.filter(({ event }) => SOURCES.some(({ events }) => events.includes(event)));
  const lacking = moved.flatMap(({ value }) => (value !== null && !known.has(value.currency) ? [value] : []));
  return [...new Map(lacking.map((value) => [value.currency, moneyOf(0n, value)])).values()];
}

/** Whether the day adds up: the ledger by itself, and with the payments. `counting`: not all payments are counted yet. */
export type Verdict = 'equal' | 'counting' | 'differ' | 'faults';

export function verdictOf(statement: Statement, compared: readonly Compared[], completeTo: string | null, nowMs: number): Verdict {
  if (!statement.addsUp) return 'faults';
  if (compared.every(({ isEqual }) => isEqual)) return 'equal';
  const needed = Math.min(Date.parse(statement.until), nowMs);
  return completeTo !== null && Date.parse(completeTo) >= needed ? 'differ' : 'counting';
}
