import { expect, test } from 'vitest';
import { exportFilter } from './export-filter.ts';

test('the export of a list takes its filter by the names of exports', () => {
  const filter = { merchant: 'demo', createdFrom: '2026-11-01', createdTo: '2026-11-30', paidTo: '2026-11-30', state: 'approved' };
  expect(exportFilter('orders', filter)).toEqual({
    merchant: 'demo',
    filter: { from: '2026-11-01', to: '2026-11-30', paidTo: '2026-11-30', state: 'approved' },
  });
  expect(exportFilter('acts', {})).toEqual({});
});

test('days are sent as they are: the service has the same zone for the days of an export and of its list', () => {
  expect(exportFilter('cashouts', { paidFrom: '2026-11-25', paidTo: '2026-11-25', updatedTo: '2026-12-31' })).toEqual({
    filter: { paidFrom: '2026-11-25', paidTo: '2026-11-25', to: '2026-12-31' },
  });
});
