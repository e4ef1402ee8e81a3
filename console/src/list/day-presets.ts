import type { Rules } from '../api/rules.ts';
import { addDays, startOfDay } from '../design/values/days.ts';
import type { Search } from '../shell/address.ts';

/** Spans of days that people ask for, in the order in which they are offered. */
export const PRESETS = ['today', 'yesterday', 'week', 'month', 'lastMonth'] as const;
export type Preset = (typeof PRESETS)[number];

/** The two filters that hold a span: days with both their ends, or instants up to the second one. */
const SPANS = [
  ['createdFrom', 'createdTo', 'day'],
  ['paidFrom', 'paidTo', 'day'],
  ['writtenFrom', 'writtenTo', 'day'],
  ['since', 'until', 'instant'],
  ['from', 'until', 'instant'],
  ['from', 'to', 'day'],
] as const;
export type Span = (typeof SPANS)[number];

/** The spans of days that people filter a list by. */
export const spansOf = ({ query }: Rules): readonly Span[] =>
  SPANS.filter(([from, to]) => query?.properties?.[from] !== undefined && query.properties[to] !== undefined);

/** The first and the last day of a span, seen from a day. */
function daysOfPreset(preset: Preset, today: string): readonly [from: string, to: string] {
  const first = `${today.slice(0, 8)}01`;
  switch (preset) {
    case 'today':
      return [today, today];
    case 'yesterday':
      return [addDays(today, -1), addDays(today, -1)];
    case 'week':
      return [addDays(today, -6), today];
    case 'month':
      return [first, today];
    case 'lastMonth':
      return [`${addDays(first, -1).slice(0, 8)}01`, addDays(first, -1)];
  }
}

/** The filter of a span of days in a zone. */
export function filterOfPreset(preset: Preset, [from, to, kind]: Span, today: string, zone: string): Search {
  const [first, last] = daysOfPreset(preset, today);
  if (kind === 'day') return { [from]: first, [to]: last };
  const instant = (day: string): string => new Date(startOfDay(day, zone)).toISOString().replace('.000Z', 'Z');
  return { [from]: instant(first), [to]: instant(addDays(last, 1)) };
}
