import { describe, expect, test } from 'vitest';
import * as fc from '../../testing/fast-check.ts';
import { deductionsOf, type Rule, type SettlementLine, type SettlementSums, type SettlementTerms } from './deductions.ts';
import { LINE_BASES, RULE_KINDS } from './choices.ts';

const plain = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

const rule = (given: Partial<Rule> = {}): Rule => ({
  ruleId: 1n,
  merchantId: null,
  name: 'withheld',
  kind: 'withholding',
  base: 'payments',
  source: null,
  currency: 'COP',
  ratePpm: 15_000,
  fixedMinor: 0n,
  taxPpm: 0,
  since: plain('2026-01-01'),
  until: null,
  ...given,
});

type DaySum = SettlementSums['entries'][number];

const sum = (day: string, given: Partial<DaySum> = {}): DaySum => ({
  day: plain(day),
  source: 'cashpoint',
  paymentsMinor: 10_000_000n,
  feesMinor: 250_000n,
  collectedMinor: 9_750_000n,
  ...given,
});

const sums = (...entries: readonly DaySum[]): SettlementSums => ({ settledOn: plain('2026-11-23'), entries });

const terms = (rules: readonly Rule[], reservePpm = 0): SettlementTerms => ({
  merchantId: 'shop',
  currency: 'COP',
  rules,
  reservePpm,
  reserveDays: 90,
  minimumMinor: 0n,
});

const totalOf = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const grossOf = ({ entries }: SettlementSums): bigint => totalOf(entries.map(({ collectedMinor }) => collectedMinor));
const takenBy = (lines: readonly SettlementLine[]): bigint => totalOf(lines.map(({ amountMinor, taxMinor }) => amountMinor + taxMinor));
const amountsOf = (lines: readonly SettlementLine[]) =>
  lines.map(({ name, baseMinor, amountMinor, taxMinor }) => [name, baseMinor, amountMinor, taxMinor]);

describe('a rule', () => {
  test('has one line for all its days, rounded half up once', () => {
    const odd = { paymentsMinor: 33n, collectedMinor: 33n };
    // By days 0.495 would be 0 twice.
    expect(amountsOf(deductionsOf(terms([rule()]), sums(sum('2026-11-20', odd), sum('2026-11-21', odd))))).toEqual([
      ['withheld', 66n, 1n, 0n],
    ]);
  });

  test('holds on its first and on its last day, and on no other', () => {
    const rules = [rule({ since: plain('2026-11-20'), until: plain('2026-11-21') })];
    const days = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'].map((day, at) =>
      sum(day, { paymentsMinor: 10n ** BigInt(at + 6) }),
    );
    expect(amountsOf(deductionsOf(terms(rules), sums(...days)))).toEqual([['withheld', 110_000_000n, 1_650_000n, 0n]]);
  });

  test('of one source takes of the payments that this one took', () => {
    const rules = [rule({ source: 'method:card' })];
    const days = [sum('2026-11-20'), sum('2026-11-20', { source: 'method:card', paymentsMinor: 1_000_000n, collectedMinor: 975_000n })];
    expect(amountsOf(deductionsOf(terms(rules), sums(...days)))).toEqual([['withheld', 1_000_000n, 15_000n, 0n]]);
  });

  test('takes a fixed sum once, and tax on a fee that was rounded', () => {
    const fee = rule({ name: 'service', kind: 'fee', base: 'fees', ratePpm: 100_000, fixedMinor: 900n, taxPpm: 190_000 });
    expect(amountsOf(deductionsOf(terms([fee]), sums(sum('2026-11-20'), sum('2026-11-21'))))).toEqual([
      ['service', 500_000n, 50_900n, 9_671n],
    ]);
  });

  test('of a base that is not above zero takes nothing, no fixed sum either', () => {
    const rules = [rule({ fixedMinor: 900n })];
    const days = [sum('2026-11-20', { source: null, paymentsMinor: 0n }), sum('2026-11-21', { paymentsMinor: -5n })];
    expect(amountsOf(deductionsOf(terms(rules), sums(...days)))).toEqual([]);
  });
});

test("a merchant's own rule takes the place of the general one of its name, on its days alone; a rate of zero exempts", () => {
  const own = rule({ ruleId: 2n, merchantId: 'shop', ratePpm: 0, since: plain('2026-11-21') });
  const days = [sum('2026-11-20'), sum('2026-11-21'), sum('2026-11-22')];
  expect(amountsOf(deductionsOf(terms([rule(), own]), sums(...days)))).toEqual([['withheld', 10_000_000n, 150_000n, 0n]]);
  const other = rule({ ruleId: 2n, merchantId: 'shop', name: 'another', ratePpm: 0 });
  expect(amountsOf(deductionsOf(terms([rule(), other]), sums(...days)))).toEqual([['withheld', 30_000_000n, 450_000n, 0n]]);
});

test('a rule of what is paid out holds by the day of the settlement, and takes of what all others and the reserve have left', () => {
  const tax = rule({ ruleId: 9n, name: '4x1000', kind: 'transfer_tax', base: 'payout', ratePpm: 4_000, since: plain('2026-11-23') });
  const lines = deductionsOf(terms([tax, rule()], 100_000), sums(sum('2026-11-20')));
  expect(amountsOf(lines)).toEqual([
    ['withheld', 10_000_000n, 150_000n, 0n],
    ['reserve', 9_750_000n, 975_000n, 0n],
    ['4x1000', 8_625_000n, 34_500n, 0n],
  ]);
  expect(lines.map(({ releaseOn }) => releaseOn?.toString())).toEqual([undefined, '2027-02-21', undefined]);
  const later = { ...tax, since: plain('2026-11-24') };
  expect(deductionsOf(terms([later]), sums(sum('2026-11-20')))).toEqual([]);
});

test('where others have left nothing, nothing is taken of what is paid out', () => {
  const tax = rule({ ruleId: 9n, name: '4x1000', kind: 'transfer_tax', base: 'payout', ratePpm: 4_000, fixedMinor: 900n });
  const all = rule({ base: 'collected', ratePpm: 1_000_000 });
  expect(amountsOf(deductionsOf(terms([tax, all]), sums(sum('2026-11-20'))))).toEqual([['withheld', 9_750_000n, 9_750_000n, 0n]]);
  expect(deductionsOf(terms([tax], 100_000), sums(sum('2026-11-20', { collectedMinor: -1n })))).toEqual([]);
});

const day = fc.integer({ min: 0, max: 60 }).map((days) => plain('2026-10-01').add({ days }));
const source = fc.constantFrom('cashpoint', 'method:card', null);
const anyRule = fc
  .record({
    ruleId: fc.bigInt({ min: 1n, max: 1_000n }),
    merchantId: fc.constantFrom(null, 'shop'),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    kind: fc.constantFrom(...RULE_KINDS),
    base: fc.constantFrom(...LINE_BASES),
    source,
    ratePpm: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 1_000_000 })),
    fixedMinor: fc.bigInt({ min: 0n, max: 5_000n }),
    taxPpm: fc.constantFrom(0, 190_000),
    since: day,
    days: fc.option(fc.integer({ min: 0, max: 40 })),
  })
  .map(({ days, ...given }): Rule => rule({ ...given, until: days === null ? null : given.since.add({ days }) }));
const anyRules = fc.uniqueArray(anyRule, { maxLength: 8, selector: ({ ruleId }) => ruleId });
const anySum = fc.record({
  day,
  source,
  paymentsMinor: fc.bigInt({ min: -1_000_000n, max: 100_000_000n }),
  feesMinor: fc.bigInt({ min: -10_000n, max: 1_000_000n }),
  collectedMinor: fc.bigInt({ min: -1_000_000n, max: 100_000_000n }),
});
const anySums = fc.record({ settledOn: day, entries: fc.array(anySum, { maxLength: 12 }) });
const reservePpm = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300_000 }));

describe('whatever the rules and the entries', () => {
  test('each line takes its part of its base, rounded half up once, and no line is below zero', () => {
    fc.assert(
      fc.property(anyRules, reservePpm, anySums, (rules, reserve, given) => {
        for (const line of deductionsOf(terms(rules, reserve), given)) {
          const { baseMinor, ratePpm, fixedMinor, taxPpm, amountMinor, taxMinor } = line;
          expect(baseMinor > 0n && amountMinor > 0n && taxMinor >= 0n).toBe(true);
          const off = 2n * ((amountMinor - fixedMinor) * 1_000_000n - baseMinor * BigInt(ratePpm));
          const taxOff = 2n * (taxMinor * 1_000_000n - amountMinor * BigInt(taxPpm));
          for (const one of [off, taxOff]) expect(one > -1_000_000n && one <= 1_000_000n).toBe(true);
        }
      }),
    );
  });

  test('the order of rules and of entries does not matter', () => {
    fc.assert(
      fc.property(
        anyRules.chain((rules) => fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length }))),
        anySums.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given.entries, { minLength: given.entries.length }))),
        reservePpm,
        ([rules, shuffled], [given, entries], reserve) => {
          const lines = deductionsOf(terms(rules, reserve), given);
          expect(deductionsOf(terms(shuffled, reserve), { ...given, entries })).toEqual(lines);
        },
      ),
    );
  });

  test('what is paid out is the base of the last lines: gross less all others', () => {
    fc.assert(
      fc.property(anyRules, reservePpm, anySums, (rules, reserve, given) => {
        const lines = deductionsOf(terms(rules, reserve), given);
        const isLast = lines.map(({ base }) => base === 'payout');
        expect(isLast).toEqual(isLast.toSorted((one, other) => Number(one) - Number(other)));
        const left = grossOf(given) - takenBy(lines.filter(({ base }) => base !== 'payout'));
        for (const { baseMinor } of lines.filter(({ base }) => base === 'payout')) expect(baseMinor).toBe(left);
      }),
    );
  });

  test('on each day one rule of a name takes: the bases of a name are together the entries of its days', () => {
    fc.assert(
      fc.property(anySums, day, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 60 }), (given, since, days, later) => {
        const until = since.add({ days });
        const [first, next] = [rule({ since, until }), rule({ ruleId: 2n, since: until.add({ days: 1 }) })];
        const own = rule({ ruleId: 3n, merchantId: 'shop', since: since.add({ days: later }), until: since.add({ days: later + 9 }) });
        const entries = given.entries.map((one) => ({ ...one, paymentsMinor: one.paymentsMinor < 0n ? 0n : one.paymentsMinor }));
        const lines = deductionsOf(terms([first, next, own]), { ...given, entries });
        const from = entries.filter((one) => Temporal.PlainDate.compare(one.day, since) >= 0);
        // A base of which the rate takes less than half a unit has no line.
        const small = 33n * 3n;
        const [whole, found] = [totalOf(from.map(({ paymentsMinor }) => paymentsMinor)), totalOf(lines.map(({ baseMinor }) => baseMinor))];
        expect(found <= whole && whole - found <= small).toBe(true);
      }),
    );
  });

  test('an own rule of each name, at a rate of zero and with no end, exempts from every general one', () => {
    fc.assert(
      fc.property(anyRules, anySums, (rules, given) => {
        const general = rules.map((one) => ({ ...one, merchantId: null }));
        const exempt = [...new Set(general.map(({ name }) => name))].map((name, at) =>
          rule({ ruleId: BigInt(5_000 + at), merchantId: 'shop', name, ratePpm: 0, since: plain('2026-01-01') }),
        );
        expect(deductionsOf(terms([...general, ...exempt]), given)).toEqual([]);
      }),
    );
  });
});
