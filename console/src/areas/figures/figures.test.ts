import { expect, test } from 'vitest';
import { currenciesOf, placesOf, spanOf, stepsOf, sumEvents, type Figure } from './figures.ts';

const figure = (start: string, event: string, count: number, amount?: string): Figure => ({
  start,
  event,
  count,
  value: amount === undefined ? null : { amount, currency: 'COP' },
  timeToPay: event === 'order.paid' ? { count, seconds: 0, steps: [0, count, 0, 0, 0, 0, 0, 0, 0], medianAtMost: 300 } : null,
});

test('the address says which days are shown, and a day that is none is today', () => {
  expect(spanOf({}, '2026-11-21')).toEqual({ range: '30d', from: '2026-10-23', to: '2026-11-21', by: 'day', isRight: true });
  expect(spanOf({ range: 'today' }, '2026-11-21')).toMatchObject({ from: '2026-11-21', to: '2026-11-21', by: 'hour' });
  const custom = { range: 'custom', from: '2026-02-31', to: '2026-11-01' };
  expect(spanOf(custom, '2026-11-21')).toMatchObject({ from: '2026-11-01', to: '2026-11-01', by: 'hour' });
  expect(spanOf({ range: 'custom', from: '2024-01-01', to: '2026-11-01' }, '2026-11-21').isRight).toBe(false);
});

test('sums are of the days of the zone, with zero where nothing happened', () => {
  const span = spanOf({ range: 'custom', from: '2026-11-19', to: '2026-11-21' }, '2026-11-21');
  const places = placesOf(span, 'America/Bogota');
  // A day of Bogota begins at 05:00 in UTC.
  const items = [
    figure('2026-11-19T05:00:00Z', 'order.paid', 2, '64000.00'),
    figure('2026-11-21T05:00:00Z', 'order.paid', 1, '100.50'),
    figure('2026-11-21T05:00:00Z', 'payment.refused', 4),
  ];
  const zero = { amount: '0.00', currency: 'COP' };
  expect(currenciesOf(items)).toEqual([zero]);
  const sums = sumEvents(items, ['order.paid'], places, span.by, 'America/Bogota', zero);
  expect(sums.counts).toEqual([2, 0, 1]);
  expect(sums.moneys.map(({ amount }) => amount)).toEqual(['64000.00', '0.00', '100.50']);
  expect(sums.money.amount).toBe('64100.50');
  expect(stepsOf(items)).toEqual({ steps: [0, 3, 0, 0, 0, 0, 0, 0, 0], medianAtMost: 300 });
});
