import { feeOf, partHalfUp } from '../../ledger/index.ts';
import { LINE_KINDS, type LINE_BASES, type RULE_KINDS } from './choices.ts';

type LineKind = (typeof LINE_KINDS)[number];
type LineBase = (typeof LINE_BASES)[number];

/** What is taken from settlements in one currency, from one day to another. */
export type Rule = {
  readonly ruleId: bigint;
  /** Null: of all merchants. A merchant's own rule stands in place of the general one of the same name. */
  readonly merchantId: string | null;
  readonly name: string;
  readonly kind: (typeof RULE_KINDS)[number];
  readonly base: LineBase;
  /** Of payments and fees: those that this network or method took. Null: whoever took them. */
  readonly source: string | null;
  readonly currency: string;
  /** Millionths of the base. */
  readonly ratePpm: number;
  /** Beside that, once for each settlement. Minor units. */
  readonly fixedMinor: bigint;
  /** Millionths of a fee. */
  readonly taxPpm: number;
  /** The first day, and the last one; null: it has no end yet. */
  readonly since: Temporal.PlainDate;
  readonly until: Temporal.PlainDate | null;
};

/** What holds for settlements of a merchant in a currency. */
export type SettlementTerms = {
  readonly merchantId: string;
  readonly currency: string;
  /** Those of the currency: general ones, and the merchant's own. */
  readonly rules: readonly Rule[];
  /** Millionths of all that was collected, held back for so many days. */
  readonly reservePpm: number;
  readonly reserveDays: number;
  /** Where a schedule asks for a settlement, less than this is not paid. Minor units. */
  readonly minimumMinor: bigint;
};

/** What entries of one day of the merchant's zone and of one source come to. Minor units. */
type DaySum = {
  readonly day: Temporal.PlainDate;
  /** Who took the payments. Null: the entries come from no payment. */
  readonly source: string | null;
  /** What payers paid, less what was reversed and refunded. */
  readonly paymentsMinor: bigint;
  /** The service's fees on these. */
  readonly feesMinor: bigint;
  /** The entries on `collected` themselves. */
  readonly collectedMinor: bigint;
};

/** The entries of a settlement, and its day, which decides which rules of what is paid out hold. */
export type SettlementSums = { readonly settledOn: Temporal.PlainDate; readonly entries: readonly DaySum[] };

/** What is taken off a settlement, with the rule as it was. Amounts in minor units, none below zero. */
export type SettlementLine = {
  readonly kind: LineKind;
  readonly name: string;
  readonly base: LineBase;
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

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);

const isInForce = ({ since, until }: Rule, day: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(since, day) <= 0 && (until === null || Temporal.PlainDate.compare(day, until) <= 0);

/** Makes what says whether a rule holds on a day for a merchant. Its own rule of the same name takes the place of a general one. */
function openHolding(rules: readonly Rule[]): (rule: Rule, day: Temporal.PlainDate) => boolean {
  const own = Map.groupBy(
    rules.filter(({ merchantId }) => merchantId !== null),
    ({ name }) => name,
  );
  return (rule, day) =>
    isInForce(rule, day) && (rule.merchantId !== null || !(own.get(rule.name) ?? []).some((other) => isInForce(other, day)));
}

const BASE_OF: Readonly<Record<Exclude<LineBase, 'payout'>, (sum: DaySum) => bigint>> = {
  payments: ({ paymentsMinor }) => paymentsMinor,
  fees: ({ feesMinor }) => feesMinor,
  collected: ({ collectedMinor }) => collectedMinor,
};

/** The same rules in any order make the same lines. */
const inOrder = (one: Rule, other: Rule): number =>
  one.kind !== other.kind
    ? LINE_KINDS.indexOf(one.kind) - LINE_KINDS.indexOf(other.kind)
    : one.name !== other.name
      ? one.name < other.name
        ? -1
        : 1
      : Temporal.PlainDate.compare(one.since, other.since) || Number(one.ruleId - other.ruleId);

/** The line of a rule, where it takes something. A base below zero, where more was given back than paid, is none: nothing comes back. */
function linesOf({ kind, name, base, source, ratePpm, fixedMinor, taxPpm }: Rule, baseMinor: bigint): readonly SettlementLine[] {
  if (baseMinor <= 0n) return [];
  const { feeMinor: amountMinor, taxMinor } = feeOf({ percentPpm: ratePpm, fixedMinor, taxPpm }, baseMinor);
  if (amountMinor === 0n) return [];
  return [{ kind, name, base, source, baseMinor, ratePpm, fixedMinor, taxPpm, amountMinor, taxMinor, releaseOn: null }];
}

function reserveOf(
  { reservePpm, reserveDays }: SettlementTerms,
  grossMinor: bigint,
  settledOn: Temporal.PlainDate,
): readonly SettlementLine[] {
  const amountMinor = grossMinor > 0n ? partHalfUp(grossMinor, reservePpm) : 0n;
  if (amountMinor === 0n) return [];
  const taken = { kind: 'reserve', name: 'reserve', base: 'collected', source: null, baseMinor: grossMinor, ratePpm: reservePpm } as const;
  const untaxed = { fixedMinor: 0n, taxPpm: 0, taxMinor: 0n };
  return [{ ...taken, ...untaxed, amountMinor, releaseOn: settledOn.add({ days: reserveDays }) }];
}

/**
 * What is taken off a settlement, by the rules that hold on the days of its entries.
 * Shape: rules and sums in any order → lines, by kind and name. A rule has one line for all its days, rounded half up once; the tax is
 * taken on the rounded fee. Rules of what is paid out come last: each takes of what all other lines and the reserve have left. Where that
 * is not above zero, they take nothing, and there is nothing to pay out.
 */
export function deductionsOf(terms: SettlementTerms, { settledOn, entries }: SettlementSums): readonly SettlementLine[] {
  const rules = terms.rules.toSorted(inOrder);
  const holds = openHolding(rules);
  const baseOf = (rule: Rule, of: (sum: DaySum) => bigint): bigint =>
    sumOf(entries.filter((sum) => (rule.source === null || rule.source === sum.source) && holds(rule, sum.day)).map(of));
  const grossMinor = sumOf(entries.map(BASE_OF.collected));
  const first = [
    ...rules.flatMap((rule) => (rule.base === 'payout' ? [] : linesOf(rule, baseOf(rule, BASE_OF[rule.base])))),
    ...reserveOf(terms, grossMinor, settledOn),
  ];
  const leftMinor = grossMinor - sumOf(first.map(({ amountMinor, taxMinor }) => amountMinor + taxMinor));
  return [...first, ...rules.flatMap((rule) => (rule.base === 'payout' && holds(rule, settledOn) ? linesOf(rule, leftMinor) : []))];
}
