import { describe, expect, test } from 'vitest';
import * as fc from '../testing/fast-check.ts';
import { currencyExponent, currencyCodes } from './money.ts';
import { localizedAmount, localizedChoice, localizedDay, localizedInstant, localizedMoney } from './localized.ts';

const spaces = (text: string): string => text.replace(/\s/g, ' ');

describe('what people read', () => {
  test.each([
    [4_500_000n, 'COP', 'es-CO', '$ 45.000', ''],
    [4_500_050n, 'COP', 'es-CO', '$ 45.000,50', ''],
    [4_500_000n, 'COP', 'en-CO', '$45,000', ''],
    [123_450n, 'USD', 'es-CO', '$ 1.234,50', ' USD'],
    [1200n, 'USD', 'en-EC', '$12.00', ' USD'],
    [1200n, 'USD', 'en-US', '$12.00', ''],
    [123_456_750n, 'BRL', 'pt-BR', 'R$ 1.234.567,50', ''],
    [1250n, 'PEN', 'es-PE', 'S/ 12.50', ''],
    [45_000n, 'CLP', 'es-CL', '$45.000', ''],
    [45_000n, 'CLP', 'es-CO', '$ 45.000', ' CLP'],
    [9_999_999_999_999_99n, 'USD', 'es-MX', '$9,999,999,999,999.99', ' USD'],
  ])('%s %s in %s, with the code where its sign is that of another country', (amountMinor, currency, locale, expected, code) => {
    expect(spaces(localizedAmount(amountMinor, currency, locale))).toBe(expected);
    expect(spaces(localizedMoney({ amountMinor, currency }, locale))).toBe(expected + code);
  });

  test('an amount keeps each digit, in every currency', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 17n }),
        fc.constantFrom(...currencyCodes),
        fc.constantFrom('es-CO', 'en', 'pt-BR'),
        (minor, currency, locale) => {
          const [whole = '', decimals = ''] = localizedAmount(minor, currency, locale)
            .replace(/^\D+|\D+$/g, '')
            .split(locale === 'en' ? '.' : ',');
          const exponent = currencyExponent(currency) ?? 0;
          expect(BigInt(whole.replace(/\D/g, '') + decimals.padEnd(exponent, '0'))).toBe(minor);
        },
      ),
    );
  });

  test('days, instants and choices are written in the language', () => {
    const day = Temporal.PlainDate.from('2026-11-30');
    expect(['es-CO', 'en-CO', 'pt-CO'].map((locale) => localizedDay(day, locale))).toEqual([
      '30 de noviembre de 2026',
      'November 30, 2026',
      '30 de novembro de 2026',
    ]);
    const instant = Temporal.Instant.from('2026-12-01T04:59:00Z');
    expect(['es-CO', 'en-CO'].map((locale) => spaces(localizedInstant(instant, 'America/Bogota', locale)))).toEqual([
      '30 de noviembre de 2026 a las 11:59 p. m.',
      'November 30, 2026 at 11:59 PM',
    ]);
    expect(localizedChoice(['A', 'B', 'C'], 'es-CO')).toBe('A, B o C');
  });
});
