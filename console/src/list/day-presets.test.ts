import { expect, test } from 'vitest';
import { filterOfPreset, PRESETS, spansOf, type Span } from './day-presets.ts';

const [DAYS] = spansOf({ query: { properties: { createdFrom: {}, createdTo: {}, updatedFrom: {} } } }) as [Span];
const [INSTANTS] = spansOf({ query: { properties: { since: {}, until: {} } } }) as [Span];

test('a span of days is one choice: its two filters', () => {
  expect(PRESETS.map((preset) => Object.values(filterOfPreset(preset, DAYS, '2027-01-05', 'UTC')))).toEqual([
    ['2027-01-05', '2027-01-05'],
    ['2027-01-04', '2027-01-04'],
    ['2026-12-30', '2027-01-05'],
    ['2027-01-01', '2027-01-05'],
    ['2026-12-01', '2026-12-31'],
  ]);
  expect(filterOfPreset('lastMonth', DAYS, '2028-03-31', 'UTC')).toEqual({ createdFrom: '2028-02-01', createdTo: '2028-02-29' });
});

test('where a list takes instants, days begin in the zone', () => {
  expect(filterOfPreset('lastMonth', INSTANTS, '2026-11-26', 'America/Bogota')).toEqual({
    since: '2026-10-01T05:00:00Z',
    until: '2026-11-01T05:00:00Z',
  });
});

test('a list without days offers none', () => {
  expect(spansOf({ query: { properties: { state: {} } } })).toEqual([]);
});
