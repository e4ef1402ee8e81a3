import { expect, test } from 'vitest';
import type { Language } from '../../shell/language.ts';
import { formatAmount, formatMoney, minorOf, moneyOf, sumByCurrency, type Money } from './money.ts';

const of = (amount: string, currency = 'COP') => ({ amount, currency });

test('amounts are written with all decimals, whatever their size', () => {
  expect(formatAmount(of('12345678901234567.89'), 'es')).toBe('12.345.678.901.234.567,89');
  expect(formatAmount(of('-1234.50'), 'en')).toBe('−1,234.50');
  expect(formatAmount(of('999', 'CLP'), 'pt', true)).toBe('+999');
});

const shown = (money: Money, language: Language, hasSign = false) => formatMoney(money, language, hasSign).replaceAll(/\s/g, ' ');

test('money is written as payers read it, with its code, and no digit is lost', () => {
  expect(shown(of('62500.00'), 'es')).toBe('$ 62.500 COP');
  expect(shown(of('62500.50'), 'pt')).toBe('$ 62.500,50 COP');
  expect(shown(of('-62500.00'), 'en')).toBe('−$62,500 COP');
  expect(shown(of('12345678901234567.89'), 'es')).toBe('$ 12.345.678.901.234.567,89 COP');
  expect(shown(of('999', 'CLP'), 'es', true)).toBe('+$ 999 CLP');
  expect(shown(of('20.00', 'BRL'), 'pt')).toBe('R$ 20,00 BRL');
  expect(shown(of('5.00', 'none'), 'es')).toBe('5,00 none');
});

test('amounts are added as whole minor units, each currency for itself', () => {
  expect(sumByCurrency([of('0.10'), of('0.20'), of('-1.00'), of('5', 'CLP'), of('9007199254740993.01')])).toEqual([
    of('5', 'CLP'),
    of('9007199254740992.31'),
  ]);
  for (const amount of ['0.00', '-0.05', '12.30', '-1234.56']) expect(moneyOf(minorOf(of(amount)), of('0.00'))).toEqual(of(amount));
});
