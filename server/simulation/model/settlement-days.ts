import { day, endOf, today } from './model.ts';
import type { Reserve } from './settlement-lines.ts';

/** When a merchant is paid in a currency. */
export type ModelSchedule = Reserve & {
  readonly period: 'daily' | 'weekly' | 'monthly' | 'on_demand';
  readonly weekday?: number;
  readonly monthDay?: number;
  readonly delayDays: number;
  readonly minimumMinor: bigint;
};

/** Days on which banks are closed, beside the ends of weeks. No year without one is known. */
export type Holidays = ReadonlySet<string>;

const HOUR_MS = 3_600_000;
const DAY = { days: 1 } as const;

export const noSchedule: ModelSchedule = { period: 'on_demand', delayDays: 1, minimumMinor: 0n, reservePpm: 0, reserveDays: 0 };

const years = new WeakMap<Holidays, ReadonlySet<number>>();
function isKnown(holidays: Holidays, { year }: Temporal.PlainDate): boolean {
  const known = years.get(holidays) ?? new Set([...holidays].map((text) => Number(text.slice(0, 4))));
  years.set(holidays, known);
  return known.has(year);
}
const isOpen = (holidays: Holidays, one: Temporal.PlainDate): boolean => one.dayOfWeek < 6 && !holidays.has(one.toString());

function isMeant({ period, weekday, monthDay = 0 }: ModelSchedule, one: Temporal.PlainDate): boolean {
  if (period === 'weekly') return one.dayOfWeek === weekday;
  if (period === 'monthly') return one.day === Math.min(monthDay, one.daysInMonth);
  return period === 'daily';
}

/** A meant day that is closed moves on to the next open one. */
function isDue(schedule: ModelSchedule, holidays: Holidays, one: Temporal.PlainDate): boolean {
  if (!isOpen(holidays, one)) return false;
  for (let meant = one; ;) {
    if (isMeant(schedule, meant)) return true;
    meant = meant.subtract(DAY);
    if (isOpen(holidays, meant) || !isKnown(holidays, meant)) return false;
  }
}

/** The first due day after one. Undefined: on demand, or nobody knows. */
export function nextDueDay(schedule: ModelSchedule, holidays: Holidays, after: string): string | undefined {
  if (schedule.period === 'on_demand') return undefined;
  for (let one = day(after).add(DAY); isKnown(holidays, one); one = one.add(DAY)) if (isDue(schedule, holidays, one)) return one.toString();
  return undefined;
}

/** The last due day after one that has come: an hour of it is over. */
export function lastDueDay(schedule: ModelSchedule, holidays: Holidays, { after, now, timeZone }: Looking): string | undefined {
  const to = today(now - HOUR_MS, timeZone).toString();
  let last: string | undefined;
  for (let next = nextDueDay(schedule, holidays, after); next !== undefined && next <= to; next = nextDueDay(schedule, holidays, next))
    last = next;
  return last;
}
type Looking = { readonly after: string; readonly now: number; readonly timeZone: string };

/** When a due day has come. */
export const dueAt = (due: string, timeZone: string): number => startOf(due, timeZone) + HOUR_MS;
export const startOf = (one: string, timeZone: string): number => endOf(day(one).subtract(DAY).toString(), timeZone);

/** The latest day that has so many open days after it, up to the due one. */
export function lastDayOf({ delayDays }: ModelSchedule, holidays: Holidays, due: string): string {
  let open = 0;
  for (let one = day(due); ; one = one.subtract(DAY)) {
    if (isOpen(holidays, one)) open++;
    if (open === delayDays) return one.subtract(DAY).toString();
  }
}
