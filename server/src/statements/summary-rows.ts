import { dayOf } from '../kit/calendar.ts';
import type { Language } from '../kit/language.ts';
import { columnAmount } from '../kit/localized.ts';
import { formatPercent } from '../kit/written/percent.ts';
import { OWN_ACCOUNTS, type MerchantSide } from '../ledger/index.ts';
import type { SettlementLine } from '../settlements/index.ts';
import type { OwnAmounts, Payout, PeriodStatement } from './read-period.ts';
import { shownDay, statementSeparators, type StatementWords } from './statement-words.ts';

/** A row of the summary: a balance, what one kind of event moved, or a sum. */
type SummaryRow = {
  readonly name: string;
  readonly count?: bigint;
  readonly side?: MerchantSide;
  readonly balanceMinor?: bigint;
  readonly own: OwnAmounts;
  readonly isBold?: boolean;
  /** What else is to be said of it. */
  readonly note?: string | undefined;
};

const NO_OWN: OwnAmounts = OWN_ACCOUNTS.map(() => 0n);

/** What a line takes off, from the merchant's side. A fee and its tax have columns of their own. */
function sideOf({ kind, amountMinor, taxMinor }: SettlementLine): MerchantSide {
  const isFee = kind === 'fee';
  const netMinor = -amountMinor - taxMinor;
  return { amountMinor: isFee ? 0n : -amountMinor, feesMinor: isFee ? -amountMinor : 0n, taxMinor: -taxMinor, netMinor };
}

const addSides = (one: MerchantSide, other: MerchantSide): MerchantSide => ({
  amountMinor: one.amountMinor + other.amountMinor,
  feesMinor: one.feesMinor + other.feesMinor,
  taxMinor: one.taxMinor + other.taxMinor,
  netMinor: one.netMinor + other.netMinor,
});

/** `Comisión mensual: 1,5 % de 100.000,00 + 500,00`. */
function nameOf(
  { name, kind, baseMinor, ratePpm, fixedMinor }: SettlementLine,
  currency: string,
  words: StatementWords,
  language: Language,
) {
  const separators = statementSeparators(language);
  const money = (minor: bigint): string => columnAmount(minor, currency, separators);
  const rate = ratePpm === 0 ? [] : [words.payout.rateOf(formatPercent(ratePpm).replace('.', separators.point), money(baseMinor))];
  const terms = [...rate, ...(fixedMinor === 0n ? [] : [money(fixedMinor)])];
  return [`${words.payout.lineKinds[kind]} (${name})`, ...(terms.length === 0 ? [] : [terms.join(' + ')])].join(': ');
}

/** The rows of a statement's summary: the first adds up to the last. */
export function summaryRows(statement: PeriodStatement, words: StatementWords, language: Language): readonly SummaryRow[] {
  const { openingMinor, openingOwn, lines, total, closingMinor, closingOwn, isOver, payout } = statement;
  const kinds = lines.map((line) => ({ name: words.kinds[line.kind], count: line.transactions, side: line, own: line.own }));
  const all = { count: total.transactions, side: total, own: total.own, isBold: true };
  if (payout !== null)
    return [
      ...kinds,
      { ...all, name: words.payout.collected, balanceMinor: closingMinor },
      ...takenOff(statement, payout, words, language),
    ];
  return [
    { name: words.opening, balanceMinor: openingMinor, own: openingOwn, isBold: true },
    ...kinds,
    { ...all, name: words.total },
    { name: isOver ? words.closing : words.soFar, balanceMinor: closingMinor, own: closingOwn, isBold: true },
  ];
}

/** What a settlement takes off, line by line, and what is left. */
function takenOff(
  { currency, total, zone }: PeriodStatement,
  { settlement, lines, holds }: Payout,
  words: StatementWords,
  language: Language,
): readonly SummaryRow[] {
  const reserves = lines.filter(({ kind }) => kind === 'reserve');
  const noteOf = (line: SettlementLine): string | undefined => {
    if (line.kind !== 'reserve') return undefined;
    const releasedAt = holds[reserves.indexOf(line)]?.releasedAt ?? null;
    if (releasedAt !== null) return words.payout.releasedOn(shownDay(dayOf(releasedAt, zone), language));
    return words.payout.heldUntil(line.releaseOn === null ? null : shownDay(line.releaseOn, language));
  };
  return [
    ...lines.map((line) => ({ name: nameOf(line, currency, words, language), side: sideOf(line), own: NO_OWN, note: noteOf(line) })),
    {
      name: words.payout.paid,
      side: lines.map(sideOf).reduce(addSides, total),
      balanceMinor: settlement.netMinor,
      own: NO_OWN,
      isBold: true,
      note: outcomeOf(settlement, zone, words, language),
    },
  ];
}

/** What became of a settlement. */
function outcomeOf(
  { state, paidAt, bankReference, returnedAt, problem }: Payout['settlement'],
  zone: string,
  words: StatementWords,
  language: Language,
) {
  const on = (at: Temporal.Instant | null): string => (at === null ? '' : shownDay(dayOf(at, zone), language));
  if (state === 'paid') return words.payout.paidOn(on(paidAt), bankReference ?? '');
  if (state === 'returned') return words.payout.returnedOn(on(returnedAt), problem ?? '');
  return words.payout.states[state];
}
