import type { CollectedEntry } from './collected.ts';
import { day, today } from './model.ts';

/** A dated rule. Its days are those of the merchant's zone. */
export type ModelRule = {
  /** Null: of all merchants. */
  readonly merchantId: string | null;
  readonly name: string;
  readonly kind: 'fee' | 'withholding' | 'transfer_tax';
  readonly base: 'payments' | 'fees' | 'collected' | 'payout';
  readonly source: string | null;
  readonly currency: string;
  readonly ratePpm: number;
  readonly fixedMinor: bigint;
  readonly taxPpm: number;
  readonly since: string;
  readonly until: string | null;
};

export type SettlementLine = {
  readonly kind: ModelRule['kind'] | 'reserve';
  readonly name: string;
  readonly base: ModelRule['base'];
  readonly baseMinor: bigint;
  readonly amountMinor: bigint;
  readonly taxMinor: bigint;
  readonly releaseOn: string | null;
};

export type Reserve = { readonly reservePpm: number; readonly reserveDays: number };

/** Half up. */
const part = (minor: bigint, ppm: number): bigint => (2n * minor * BigInt(ppm) + 1_000_000n) / 2_000_000n;
const sum = (all: readonly bigint[]): bigint => all.reduce((one, other) => one + other, 0n);
const KINDS = ['fee', 'withholding', 'transfer_tax'] as const;

/** The rules of a day: of one name, the merchant's own alone. Texts of days are in the order of the days. */
function inForce(rules: readonly ModelRule[], on: string): ReadonlySet<ModelRule> {
  const dated = rules.filter(({ since, until }) => since <= on && (until === null || on <= until));
  const own = new Set(dated.flatMap(({ merchantId, name }) => (merchantId === null ? [] : [name])));
  return new Set(dated.filter(({ merchantId, name }) => merchantId !== null || !own.has(name)));
}

function lineOf({ kind, name, base, ratePpm, fixedMinor, taxPpm }: ModelRule, baseMinor: bigint): readonly SettlementLine[] {
  const amountMinor = baseMinor > 0n ? part(baseMinor, ratePpm) + fixedMinor : 0n;
  return amountMinor === 0n ? [] : [{ kind, name, base, baseMinor, amountMinor, taxMinor: part(amountMinor, taxPpm), releaseOn: null }];
}

/**
 * What is taken off entries that are settled on a day. Rules of the payout come last: of what all others have left.
 * Shape: the rules of the currency, general ones and the merchant's own, in any order → lines by kind and name.
 */
export function linesOf(
  rules: readonly ModelRule[],
  { reservePpm, reserveDays }: Reserve,
  { entries, settledOn, timeZone }: { readonly entries: readonly CollectedEntry[]; readonly settledOn: string; readonly timeZone: string },
): readonly SettlementLine[] {
  const ordered = KINDS.flatMap((kind) =>
    rules
      .filter((rule) => rule.kind === kind)
      .toSorted((one, other) => (`${one.name} ${one.since}` < `${other.name} ${other.since}` ? -1 : 1)),
  );
  const days = new Map<string, ReadonlySet<ModelRule>>();
  const isInForce = (rule: ModelRule, on: string): boolean => {
    const known = days.get(on) ?? inForce(rules, on);
    days.set(on, known);
    return known.has(rule);
  };
  const dated = entries.map((entry) => ({ entry, on: today(entry.at, timeZone).toString() }));
  const baseOf = (rule: ModelRule): bigint =>
    sum(
      dated
        .filter(({ entry, on }) => isInForce(rule, on) && (rule.source === null || rule.source === entry.source))
        .map(
          ({ entry }) => ({ payments: entry.paymentsMinor, fees: entry.feesMinor, collected: entry.amountMinor, payout: 0n })[rule.base],
        ),
    );
  const grossMinor = sum(entries.map(({ amountMinor }) => amountMinor));
  const reserveMinor = grossMinor > 0n ? part(grossMinor, reservePpm) : 0n;
  const releaseOn = day(settledOn).add({ days: reserveDays }).toString();
  const reserve = {
    kind: 'reserve',
    name: 'reserve',
    base: 'collected',
    baseMinor: grossMinor,
    amountMinor: reserveMinor,
    taxMinor: 0n,
  } as const;
  const first = [
    ...ordered.flatMap((rule) => (rule.base === 'payout' ? [] : lineOf(rule, baseOf(rule)))),
    ...(reserveMinor === 0n ? [] : [{ ...reserve, releaseOn }]),
  ];
  const leftMinor = grossMinor - sum(first.map(({ amountMinor, taxMinor }) => amountMinor + taxMinor));
  return [...first, ...ordered.flatMap((rule) => (rule.base === 'payout' && isInForce(rule, settledOn) ? lineOf(rule, leftMinor) : []))];
}
