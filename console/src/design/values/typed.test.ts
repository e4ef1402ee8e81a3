import { assert, bigInt, constantFrom, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { currencyCodes, formatAllDecimals, parseAmount } from '../../../../server/src/kit/money.ts';
import { UNCLEAR, UNCONFIRMED } from '../../api/rules.ts';
import { LANGUAGES } from '../../shell/language.ts';
import { formatAmount } from './money.ts';
import { amountInWords, formatPercent, inFull, isTenfold, readTyped, shownTyped } from './typed.ts';

const anyMoney = constantFrom(...currencyCodes).chain((currency) => tuple(bigInt(1n, 10n ** 13n - 1n), constantFrom(currency)));

test('an amount that is shown in a language is read back as the same amount in that language, in every currency', () => {
  assert(
    property(anyMoney, constantFrom(...LANGUAGES), constantFrom('', '$ ', 'code'), ([minor, currency], language, sign) => {
      const plain = formatAllDecimals(minor, currency);
      const money = { amount: plain, currency };
      const marked = sign === 'code' ? `${currency} ` : sign === '$ ' && !['COP', 'CLP', 'MXN'].includes(currency) ? '' : sign;
      for (const shown of [
        shownTyped(plain, language),
        formatAmount(money, language),
        `${marked}${formatAmount(money, language)}`,
        `${formatAmount(money, language)} ${currency}`,
      ])
        expect(readTyped(shown, { currency }, language)).toEqual({ plain });
      expect(amountInWords(money, language).startsWith(`${formatAmount(money, language)} `)).toBe(true);
      // What the form sends is what the service reads.
      expect(parseAmount(plain, currency)).toBe(minor);
    }),
    { numRuns: 400 },
  );
});

test('a percentage that is shown in a language is read back in that language', () => {
  assert(
    property(bigInt(0n, 1_000_000n), constantFrom(...LANGUAGES), (ppm, language) => {
      const plain = `${ppm / 10_000n}.${(ppm % 10_000n).toString().padStart(4, '0')}`.replace(/\.?0+$/, '');
      expect(readTyped(formatPercent(plain, language), { decimals: 4 }, language)).toEqual({ plain });
    }),
  );
});

test.each([
  ['es', '50.000', '50000.00'],
  ['es', '50.000,00', '50000.00'],
  ['es', '$ 50.000', '50000.00'],
  ['es', '1.234.567,89', '1234567.89'],
  ['pt', '50.000', '50000.00'],
  ['en', '50,000.00', '50000.00'],
  ['en', '$50,000', '50000.00'],
] as const)('%s: %s is %s', (language, text, plain) => expect(readTyped(text, { currency: 'COP' }, language)).toEqual({ plain }));

test('an amount may be below zero where the field says so', () => {
  expect(readTyped('- 1.500', { currency: 'COP', isSigned: true }, 'es')).toEqual({ plain: '-1500.00' });
});

test.each([
  ['es', '50,000', 'decimals'],
  ['es', '50.00', 'ambiguous'],
  ['pt', '50,000.00', 'ambiguous'],
  ['en', '50.000', 'decimals'],
  ['en', '50.000,00', 'ambiguous'],
  ['es', 'US$ 50', 'form'],
  ['es', '50 mil', 'form'],
  ['es', '- 1.500', 'form'],
] as const)('%s: %s is refused by name: %s', (language, text, fault) =>
  expect(readTyped(text, { currency: 'COP' }, language)).toMatchObject({ fault }),
);

const said = (amount: string, currency: string) => LANGUAGES.map((language) => amountInWords(inFull({ amount, currency }), language));

test('what was understood is said with all decimals and the words of the currency', () => {
  expect(said('50000', 'COP')).toEqual(['50.000,00 pesos colombianos', '50,000.00 Colombian pesos', '50.000,00 pesos colombianos']);
  expect(said('1', 'CLP')).toEqual(['1 peso chileno', '1 Chilean peso', '1 peso chileno']);
  expect(said('9999999999999.99', 'BRL')[2]).toBe('9.999.999.999.999,99 reais brasileiros');
});

test('only a change of more than ten times is large', () => {
  expect([isTenfold('52000.00', '5200.00'), isTenfold('52000.00', '520000')]).toEqual([false, false]);
  expect([isTenfold('52000.00', '5199.99'), isTenfold('52000.00', '520000.01'), isTenfold('52000.00', '52.00')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([
    isTenfold('0.00', '5'),
    isTenfold('', '5'),
    isTenfold('5', '0'),
    isTenfold('5', `${UNCLEAR}5.000`),
    isTenfold(`${UNCONFIRMED}5`, '500'),
  ]).toEqual([false, false, false, false, false]);
});
