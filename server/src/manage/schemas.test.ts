import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { amount, day, instant, reason, showAmount, showInstant } from './schemas.ts';

test.each([
  [3_200_000n, 'COP', '32000.00'],
  [-150n, 'USD', '-1.50'],
  [0n, 'CLP', '0'],
  [5n, 'USD', '0.05'],
])('shows %s of %s as %s, in the declared form', (minor, currency, shown) => {
  expect(showAmount(minor, currency)).toEqual({ amount: shown, currency });
  expect(Value.Check(amount, showAmount(minor, currency))).toBe(true);
});

test('has forms for days, instants and reasons', () => {
  expect(Value.Check(instant, showInstant(Temporal.Instant.from('2026-11-21T15:00:00.123456Z')))).toBe(true);
  expect(showInstant(null)).toBeNull();
  expect([Value.Check(day, '2026-11-21'), Value.Check(day, '21/11/2026')]).toEqual([true, false]);
  expect([Value.Check(reason, 'asked'), Value.Check(reason, 'a\nb'), Value.Check(reason, '')]).toEqual([true, false, false]);
});
