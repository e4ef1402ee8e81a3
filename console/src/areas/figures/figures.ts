import type { Answer } from '../../api/client.ts';
import { addDays, countDays, dayIn, daysOf, hoursOf, isDay } from '../../design/values/days.ts';
import { minorOf, moneyOf, type Money } from '../../design/values/money.ts';
import type { Search } from '../../shell/address.ts';

export type Figure = Answer<'readFigures'>['body']['items'][number];

export const RANGES = ['30d', 'today', '7d', '90d', '12m', 'custom'] as const;
type Range = (typeof RANGES)[number];
const DAYS_OF: Readonly<Partial<Record<Range, number>>> = { today: 1, '7d': 7, '30d': 30, '90d': 90, '12m': 365 };
const MOST_DAYS = 400;
/** One or two days are shown by hours. */
const MOST_DAYS_BY_HOUR = 2;

/** Which days are shown. */
export type Span = {
  readonly range: Range;
  readonly from: string;
  readonly to: string;
  readonly by: 'hour' | 'day';
  readonly isRight: boolean;
};

/** Reads the days from the address. Anything that is not a day counts as today. */
export function spanOf(search: Search, today: string): Span {
  const range = RANGES.find((one) => one === search['range']) ?? '30d';
  const days = DAYS_OF[range];
  const to = days === undefined && isDay(search['to']) ? search['to'] : today;
  const from = days === undefined ? (isDay(search['from']) ? search['from'] : to) : addDays(to, 1 - days);
  const count = countDays(from, to);
  return { range, from, to, by: count <= MOST_DAYS_BY_HOUR ? 'hour' : 'day', isRight: count >= 1 && count <= MOST_DAYS };
}

/** The places of a drawing, in their order. A day is its name, an hour its first instant. */
export const placesOf = ({ from, to, by }: Span, zone: string): readonly string[] =>
  by === 'day' ? daysOf(from, to) : hoursOf(from, to, zone).map((at) => new Date(at).toISOString());

const placeOf = ({ start }: Figure, by: Span['by'], zone: string): string =>
  by === 'day' ? dayIn(Date.parse(start), zone) : new Date(start).toISOString();

/** The sums of some events at each place. Places without any are zero. */
export type Sums = { readonly counts: readonly number[]; readonly moneys: readonly Money[]; readonly count: number; readonly money: Money };

/** Sums events by place: their number in all currencies, and their money in one. `zero` has its decimals. */
export function sumEvents(
  items: readonly Figure[],
  events: readonly string[],
  places: readonly string[],
  by: Span['by'],
  zone: string,
  zero: Money,
): Sums {
  const own = items.filter(({ event }) => events.includes(event));
  const groups = Map.groupBy(own, (item) => placeOf(item, by, zone));
  const countOf = (some: readonly Figure[]): number => some.reduce((sum, { count }) => sum + count, 0);
  const moneyIn = (some: readonly Figure[]): Money =>
    moneyOf(
      some.reduce((sum, { value }) => (value?.currency === zero.currency ? sum + minorOf(value) : sum), 0n),
      zero,
    );
  return {
    counts: places.map((place) => countOf(groups.get(place) ?? [])),
    moneys: places.map((place) => moneyIn(groups.get(place) ?? [])),
    count: countOf(own),
    money: moneyIn(own),
  };
}

/** Zero of each currency that the figures have, with the most orders first. */
export function currenciesOf(items: readonly Figure[]): readonly Money[] {
  const counts = new Map<string, { readonly zero: Money; count: number }>();
  for (const { value, count } of items) {
    if (value === null) continue;
    const own = counts.get(value.currency) ?? { zero: moneyOf(0n, value), count: 0 };
    counts.set(value.currency, { ...own, count: own.count + count });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count).map(({ zero }) => zero);
}

/** The ends of the steps of the time to pay, in seconds, as the figures have them. The last step has no end. */
export const PAY_STEPS: readonly number[] = [60, 300, 900, 3_600, 21_600, 86_400, 259_200, 604_800];

/** How many orders were paid within each step, over all places. */
export function stepsOf(items: readonly Figure[]): { readonly steps: readonly number[]; readonly medianAtMost: number | null } {
  const steps = Array.from({ length: PAY_STEPS.length + 1 }, (_, step) =>
    items.reduce((sum, { timeToPay }) => sum + (timeToPay?.steps[step] ?? 0), 0),
  );
  const count = steps.reduce((sum, one) => sum + one, 0);
  let upTo = 0;
  const median = steps.findIndex((one) => (upTo += one) * 2 >= count && count > 0);
  return { steps, medianAtMost: PAY_STEPS[median] ?? null };
}
