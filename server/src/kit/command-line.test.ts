import * as fc from '../testing/fast-check.ts';
import { afterEach, expect, test } from 'vitest';
import { instantText, moneyText } from './command-line.ts';
import { currencyCodes, currencyExponent } from './money.ts';
import { readWrittenAmount } from './written/written-amount.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

test.each([
  ['America/Bogota', '2026-11-21 07:00:00 America/Bogota'],
  ['no such zone', '2026-11-21 12:00:00 UTC'],
  ['', '2026-11-21 12:00:00 UTC'],
])('a time in a sentence is that of the zone where the command runs: %j', (zone, shown) => {
  process.env['TZ'] = zone;
  expect(instantText(Temporal.Instant.from('2026-11-21T12:00:00.999Z'))).toBe(shown);
});

test('an amount that a command prints is one that its options read as the same', () => {
  const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 11n });
  fc.assert(
    fc.property(anyAmount, fc.constantFrom(...currencyCodes), (amountMinor, currency) => {
      const shown = moneyText({ amountMinor, currency }).slice(0, -` ${currency}`.length);
      const read = readWrittenAmount(shown, currency);
      // `1.500` of a currency of three decimals is thousands in other languages: it is refused, and never read as them.
      const isRefused = currencyExponent(currency) === 3 && typeof read !== 'bigint';
      if (!isRefused) expect(read).toBe(amountMinor);
    }),
  );
});

test('thousands are apart, also below zero', () => {
  const shown = ['0.50', '999.00', '-1000.00', '1234567.00', '-123456.78'].map((amount) => moneyText({ amount, currency: 'COP' }));
  expect(shown).toEqual(['0.50 COP', '999.00 COP', '-1 000.00 COP', '1 234 567.00 COP', '-123 456.78 COP']);
});
