import { describe, expect, test } from 'vitest';
import * as fc from '../../testing/fast-check.ts';
import { localizedAmount, separatorsOf, signsOf } from '../localized.ts';
import { currencyCodes, currencyExponent, formatAllDecimals, parseAmount, parseWireAmount } from '../money.ts';
import { readWrittenAmount } from './written-amount.ts';
import { HABITS, readNumber, readText, withoutSign, writeNumber } from './written-number.ts';

const LOCALES = ['es', 'en', 'pt'].flatMap((language) =>
  ['CO', 'MX', 'PE', 'CL', 'AR', 'BR', 'CR', 'EC', 'GT', 'PA', 'UY', 'DO', 'PY', 'BO'].map((region) => `${language}-${region}`),
);
const [es, en] = HABITS as unknown as [(typeof HABITS)[0], (typeof HABITS)[0]];
const anyMoney = fc
  .constantFrom(...currencyCodes)
  .chain((code) => fc.tuple(fc.bigInt(1n, 10n ** BigInt(13 + (currencyExponent(code) ?? 0)) - 1n), fc.constant(code)));

describe('an amount that is shown in a language', () => {
  test('is read back as the same amount in that language, in every currency', () => {
    fc.assert(
      fc.property(anyMoney, fc.constantFrom(...LOCALES), ([minor, code], locale) => {
        const decimals = currencyExponent(code) as number;
        const plain = formatAllDecimals(minor, code);
        for (const habit of [es, en, separatorsOf(locale)])
          for (const shown of [writeNumber(plain, habit), plain.replace('.', habit.point)])
            expect(readText(shown, decimals, habit)).toEqual({ plain });
        const onPage = withoutSign(localizedAmount(minor, code, locale), signsOf(code, locale));
        expect(readText(onPage, decimals, separatorsOf(locale))).toEqual({ plain });
      }),
      { numRuns: 500 },
    );
  });

  test('is, without a known language, read as that amount or refused, and what to write instead is among what is offered', () => {
    fc.assert(
      fc.property(anyMoney, fc.constantFrom(...HABITS), fc.constantFrom('all', 'none'), ([minor, code], habit, decimals) => {
        const plain = formatAllDecimals(minor, code);
        const shown = writeNumber(decimals === 'all' ? plain : (plain.split('.')[0] ?? ''), habit);
        const meant = parseAmount(readNumber(shown, habit) ?? '', code);
        const read = readWrittenAmount(shown, code);
        if (typeof read === 'bigint') expect(read).toBe(meant);
        else if (meant !== undefined) expect(read.meant.map((one) => parseAmount(one, code))).toContain(meant);
      }),
    );
  });
});

test('a text that two languages read differently is refused where nobody knows the language, whatever the currency', () => {
  const texts = fc.stringMatching(/^[0-9]{1,4}([.,][0-9]{1,4}){0,3}$/);
  fc.assert(
    fc.property(texts, fc.constantFrom(...currencyCodes), (text, code) => {
      const [one, other] = HABITS.map((habit) => readNumber(text, habit));
      const read = readText(text, currencyExponent(code) as number);
      if (one !== undefined && other !== undefined && one !== other) expect(read).toMatchObject({ fault: 'ambiguous' });
      // What is offered instead is no longer refused.
      for (const offered of 'meant' in read ? read.meant : [])
        expect(readText(offered, currencyExponent(code) as number)).toHaveProperty('plain');
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['50.000', es, 'COP', '50000.00'],
  ['50.000,00', es, 'COP', '50000.00'],
  ['$ 50.000', es, 'COP', '50000.00'],
  ['1.234.567,89', es, 'COP', '1234567.89'],
  ['50 000', es, 'COP', '50000.00'],
  ['50,000.00', en, 'COP', '50000.00'],
  ['$50,000', en, 'COP', '50000.00'],
  ['COP 50,000', en, 'COP', '50000.00'],
  ['45.000', es, 'CLP', '45000'],
  ['1,5', es, 'KWD', '1.500'],
] as const)('%s is read in its language', (text, habit, code, plain) => {
  expect(readText(withoutSign(text, signsOf(code, habit === es ? 'es-CO' : 'en-CO')), currencyExponent(code) as number, habit)).toEqual({
    plain,
  });
});

test.each([
  ['50.00', es, 'COP', 'ambiguous', ['50.00']],
  ['50,000', es, 'COP', 'decimals', ['50.00', '50000.00']],
  ['50.000', en, 'COP', 'decimals', ['50.00', '50000.00']],
  ['50.000', undefined, 'COP', 'ambiguous', ['50000.00', '50.00']],
  ['45.000', undefined, 'CLP', 'ambiguous', ['45000', '45']],
  ['45000.0', undefined, 'CLP', 'decimals', ['45000']],
  ['1.500', undefined, 'KWD', 'ambiguous', ['1500.000', '1.5']],
  ['12345.678', undefined, 'COP', 'decimals', ['12345.67', '12345.68']],
  ['12345,678', undefined, 'COP', 'decimals', ['12345.67', '12345.68']],
  ['1.234.567,899', undefined, 'COP', 'decimals', ['1234567.89', '1234567.90']],
  ['0.5', undefined, 'CLP', 'decimals', ['0', '1']],
  ['0.9999', undefined, 'KWD', 'decimals', ['0.999', '1']],
  ['1.23.456', es, 'COP', 'form', []],
  ['fifty', es, 'COP', 'form', []],
  ['1e5', undefined, 'COP', 'form', []],
] as const)('%s is refused by name', (text, habit, code, fault, meant) => {
  expect(readText(text, currencyExponent(code) as number, habit)).toEqual({ fault, meant });
});

test('programs send no zeros beyond the decimals of a currency; merchants may, on their wire', () => {
  fc.assert(
    fc.property(anyMoney, fc.integer({ min: 1, max: 8 }), ([minor, code], zeros) => {
      const plain = formatAllDecimals(minor, code);
      expect(parseAmount(plain, code)).toBe(minor);
      const padded = `${plain.includes('.') ? plain : `${plain}.`}${'0'.repeat(zeros)}`;
      expect(parseAmount(padded, code)).toBeUndefined();
      expect(parseWireAmount(padded, code)).toBe(minor);
    }),
  );
});
