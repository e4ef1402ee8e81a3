import * as dinero from 'dinero.js/currencies';
import { describe, expect, test } from 'vitest';

import * as fc from '../testing/fast-check.ts';
import {
  currencyCodes,
  currencyExponent,
  formatAmount,
  formatAmountTwoDecimals,
  isAmountText,
  parseAmount,
  parseWireAmount,
  parseAmountHalfUp,
  parseCost,
} from './money.ts';

const currency = fc.constantFrom(...currencyCodes);

/** Minor units of an amount with up to 13 digits before the point. */
const money = currency.chain((code) => fc.tuple(fc.bigInt(1n, 10n ** BigInt(13 + (currencyExponent(code) ?? 0)) - 1n), fc.constant(code)));

describe('currencies', () => {
  test('agree with dinero.js, except the differences that are listed', () => {
    const theirs = new Map(Object.values(dinero).map(({ code, exponent }) => [code as string, exponent]));
    theirs.delete('BGN'); // Bulgaria has had the euro since 2026-01-01
    theirs.set('MGA', 2); // ISO 4217 gives both two decimals; dinero.js counts in fifths, one digit
    theirs.set('MRU', 2);
    expect(new Map(currencyCodes.map((code) => [code, currencyExponent(code)]))).toEqual(
      new Map([...theirs].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    );
  });

  test.each([
    ['COP', 2],
    ['CLP', 0],
    ['USD', 2],
    ['PYG', 0],
    ['KWD', 3],
    ['CLF', 4],
  ])('gives %s %d decimals', (code, exponent) => expect(currencyExponent(code)).toBe(exponent));

  test.each(['cop', 'XXX', 'XAU', 'ZZZ', '', ' COP', 'toString'])('knows no %j', (code) => {
    expect(currencyExponent(code)).toBeUndefined();
  });
});

describe('amounts', () => {
  test('come back from any text that was printed', () => {
    fc.assert(
      fc.property(money, ([amountMinor, code]) => {
        for (const text of [formatAmount(amountMinor, code), formatAmountTwoDecimals(amountMinor, code)]) {
          expect(isAmountText(text)).toBe(true);
          expect(parseWireAmount(text, code)).toBe(amountMinor);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('are printed with at least one decimal and no zeros beyond it', () => {
    fc.assert(
      fc.property(money, ([amountMinor, code]) => {
        expect(formatAmount(amountMinor, code)).toMatch(/^(0|[1-9]\d*)\.(\d|\d+[1-9])$/);
        expect(formatAmountTwoDecimals(amountMinor, code)).toMatch(/^(0|[1-9]\d*)\.(\d\d|\d\d+[1-9])$/);
      }),
    );
  });

  test('are the same with zeros on either side, as long as they are short enough', () => {
    fc.assert(
      fc.property(money, fc.nat(15), fc.nat(15), ([amountMinor, code], before, after) => {
        const printed = formatAmount(amountMinor, code);
        const text = '0'.repeat(before) + printed + '0'.repeat(after);
        const [whole = '', decimals = ''] = text.split('.');
        const exact = whole.length <= 13 && decimals.length <= 13;
        if (exact) expect(parseWireAmount(text, code)).toBe(amountMinor);
        if (whole.length > 13 || decimals.length > 16) expect(parseAmount(text, code)).toBeUndefined();
      }),
    );
  });

  test.each([
    ['45000', 'COP', 4500000n],
    ['45000.0', 'COP', 4500000n],
    ['45000.00', 'COP', 4500000n],
    ['45000.000000', 'COP', 4500000n],
    ['11.85', 'USD', 1185n],
    ['11.8', 'USD', 1180n],
    ['0.01', 'COP', 1n],
    ['0045000', 'COP', 4500000n],
    ['1500', 'CLP', 1500n],
    ['1500.00', 'CLP', 1500n],
    ['9999999999999.99', 'COP', 999999999999999n],
    ['1.2345', 'CLF', 12345n],
    ['9007199254740.993', 'KWD', 9007199254740993n],
  ])('reads %s %s', (text, code, amountMinor) => {
    expect(isAmountText(text)).toBe(true);
    expect(parseWireAmount(text, code)).toBe(amountMinor);
  });

  test.each([
    '',
    '.',
    '.5',
    '5.',
    '-1',
    '+1',
    '1e4',
    '1E4',
    '1,000',
    '1,5',
    '1 000',
    ' 1',
    '1 ',
    '1\n',
    '0x10',
    '١٢',
    '１',
    'NaN',
    'Infinity',
    '10000000000000',
    '1.2.3',
    '1.00001',
    '1.' + '0'.repeat(17),
    '0',
    '0.0',
    '0000.00000',
    '1_000',
    '1n',
  ])('refuses %j in every currency', (text) => {
    expect(isAmountText(text)).toBe(false);
    for (const code of currencyCodes) expect(parseAmount(text, code)).toBeUndefined();
  });

  test('have no more significant decimals than their currency', () => {
    expect(parseAmount('1.001', 'COP')).toBeUndefined();
    expect(parseAmount('1.5', 'CLP')).toBeUndefined();
    expect(parseAmount('1.23456', 'CLF')).toBeUndefined();
    expect(parseAmount('0.001', 'COP')).toBeUndefined();
  });

  test('are not read in a currency that does not exist', () => {
    expect(parseAmount('1', 'XXX')).toBeUndefined();
    expect(parseCost('1', 'cop')).toBeUndefined();
  });

  test('may be zero where they are costs', () => {
    for (const text of ['0', '0.0', '000.00']) {
      expect(parseCost(text, 'COP')).toBe(0n);
    }
    expect(parseCost('12.5', 'COP')).toBe(1250n);
    for (const text of ['', '-0', '0.001', '.0']) expect(parseCost(text, 'COP')).toBeUndefined();
    expect(formatAmount(0n, 'COP')).toBe('0.0');
  });

  test.each([
    [4500000n, 'COP', '45000.0', '45000.00'],
    [1185n, 'USD', '11.85', '11.85'],
    [1180n, 'USD', '11.8', '11.80'],
    [1n, 'COP', '0.01', '0.01'],
    [1500n, 'CLP', '1500.0', '1500.00'],
    [1005n, 'KWD', '1.005', '1.005'],
    [1000n, 'KWD', '1.0', '1.00'],
  ])('prints %d %s as %s and %s', (amountMinor, code, short, long) => {
    expect(formatAmount(amountMinor, code)).toBe(short);
    expect(formatAmountTwoDecimals(amountMinor, code)).toBe(long);
  });

  test('are never printed with a sign or in an unknown currency', () => {
    expect(() => formatAmount(-1n, 'COP')).toThrow(RangeError);
    expect(() => formatAmount(1n, 'XXX')).toThrow(RangeError);
  });
});

describe('an amount that is rounded half up', () => {
  test.each([
    ['39.3294', 'COP', 3933n],
    ['39.325', 'COP', 3933n],
    // A float of old PHP, with all its digits.
    ['39.32939999999999969304553815163671970367431640625', 'COP', 3933n],
    ['39.324999999999999', 'COP', 3932n],
    ['45000', 'COP', 4_500_000n],
    ['10.5', 'CLP', 11n],
    ['0.004', 'COP', undefined],
    ['9999999999999.995', 'COP', undefined],
    ['1e4', 'COP', undefined],
    ['-1', 'COP', undefined],
    ['1.', 'COP', undefined],
    ['1.0', 'XXX', undefined],
  ])('%s %s', (text, currency, expected) => {
    expect(parseAmountHalfUp(text, currency)).toBe(expected);
  });

  test('is the amount itself where the currency has its decimals', () => {
    fc.assert(
      fc.property(money, ([amountMinor, code]) => {
        expect(parseAmountHalfUp(formatAmount(amountMinor, code), code)).toBe(amountMinor);
      }),
    );
  });
});
