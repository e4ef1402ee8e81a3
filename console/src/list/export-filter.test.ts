import { expect, test } from 'vitest';
import { exportFilter } from './export-filter.ts';

test('the export of a list takes its filter by the names of exports', () => {
  const filter = { merchant: 'demo', createdFrom: '2026-11-01', createdTo: '2026-11-30', paidTo: '2026-11-30', state: 'approved' };
  expect(exportFilter('orders', filter, null)).toEqual({
    merchant: 'demo',
    filter: { from: '2026-11-01', to: '2026-11-30', paidTo: '2026-11-30', state: 'approved' },
  });
  expect(exportFilter('acts', {}, null)).toEqual({});
});

test('days of several merchants are days of UTC, and the last one is whole', () => {
  const filter = { createdFrom: '2026-02-28', createdTo: '2026-02-28', updatedTo: '2026-12-31' };
  expect(exportFilter('orders', filter, null).filter).toEqual({
    from: '2026-02-28T00:00:00Z',
    to: '2026-03-01T00:00:00Z',
    updatedTo: '2027-01-01T00:00:00Z',
  });
  expect(exportFilter('orders', filter, 'demo').filter).toEqual({ from: '2026-02-28', to: '2026-02-28', updatedTo: '2026-12-31' });
});
