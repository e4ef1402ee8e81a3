import { SETTLED_HOURS } from '../../ledger/index.ts';
import { isBusinessDay, type HolidayCalendar } from './business-days.ts';

/** On which days a merchant is paid, before holidays are looked at. Each period has its own day, and no other. */
export type Period =
  | { readonly period: 'daily' | 'on_demand'; readonly weekday: null; readonly monthDay: null }
  /** 1 is Monday, 7 is Sunday. */
  | { readonly period: 'weekly'; readonly weekday: number; readonly monthDay: null }
  /** 1 to 31. A month that is too short has it on its last day. */
  | { readonly period: 'monthly'; readonly weekday: null; readonly monthDay: number };

/** When a merchant is paid. `delayDays`: so many business days after the day of a payment, at the earliest; 1 or more. */
export type DueTerms = Period & { readonly delayDays: number };

/** A settlement may be due now on the days that have begun at this instant. */
export const settledAt = (now: Temporal.Instant): Temporal.Instant => now.subtract({ hours: SETTLED_HOURS });

const isMeant = (terms: Period, day: Temporal.PlainDate): boolean => {
  if (terms.period === 'weekly') return day.dayOfWeek === terms.weekday;
  if (terms.period === 'monthly') return day.day === Math.min(terms.monthDay, day.daysInMonth);
  return terms.period === 'daily';
};

/** Whether one of the days before a day that are no business days, back to the last business day, is meant. Undefined: nobody knows. */
function isOwed(terms: Period, calendar: HolidayCalendar, day: Temporal.PlainDate): boolean | undefined {
  for (let before = day.subtract({ days: 1 }); ; before = before.subtract({ days: 1 })) {
    const isOpen = isBusinessDay(calendar, before);
    if (isOpen !== false) return isOpen === undefined ? undefined : false;
    if (isMeant(terms, before)) return true;
  }
}

/**
 * Goes through the days after one. A day is due that is a business day and meant itself, or follows meant days that are none.
 * It ends before the first day that cannot be judged. Each day is looked at once, however long banks are closed.
 */
function* judgedDays(
  terms: Period,
  calendar: HolidayCalendar,
  after: Temporal.PlainDate,
): Generator<{ readonly day: Temporal.PlainDate; readonly isDue: boolean }> {
  let day = after.add({ days: 1 });
  let isLeft = isOwed(terms, calendar, day);
  for (; ; day = day.add({ days: 1 })) {
    const isOpen = isBusinessDay(calendar, day);
    const isDue = isMeant(terms, day) || isLeft;
    if (isOpen === undefined || (isOpen && isDue === undefined)) return;
    yield { day, isDue: isOpen && isDue === true };
    isLeft = isOpen ? false : isDue;
  }
}

/**
 * The days on which a settlement is due, after one day and up to another, in their order.
 * Shape: `judgedTo`: the last day that could be judged. It is `to`, or where the calendar ends an earlier one, `after` itself at the
 * earliest: what is due behind it nobody knows. A schedule on demand has none.
 */
export function dueDays(
  terms: Period,
  calendar: HolidayCalendar,
  after: Temporal.PlainDate,
  to: Temporal.PlainDate,
): { readonly days: readonly Temporal.PlainDate[]; readonly judgedTo: Temporal.PlainDate } {
  const days: Temporal.PlainDate[] = [];
  if (terms.period === 'on_demand') return { days, judgedTo: to };
  let judgedTo = after;
  if (Temporal.PlainDate.compare(after, to) >= 0) return { days, judgedTo };
  for (const { day, isDue } of judgedDays(terms, calendar, after)) {
    if (isDue) days.push(day);
    judgedTo = day;
    if (day.equals(to)) break;
  }
  return { days, judgedTo };
}

/** The first day after another on which a settlement is due. Undefined: the calendar ends before it. Null: on demand. */
export function nextDue(terms: Period, calendar: HolidayCalendar, after: Temporal.PlainDate): Temporal.PlainDate | null | undefined {
  if (terms.period === 'on_demand') return null;
  for (const { day, isDue } of judgedDays(terms, calendar, after)) if (isDue) return day;
  return undefined;
}

/**
 * The last day whose payments are in a settlement that is due on a day: the latest one that has `delayDays` business days after it, up to
 * the due day. With a delay of one, a Monday pays Friday, Saturday and Sunday.
 * Shape: `due` is a business day → a day before it. Undefined: the calendar does not cover a year on the way.
 */
export function lastDayOf(
  { delayDays }: Pick<DueTerms, 'delayDays'>,
  calendar: HolidayCalendar,
  due: Temporal.PlainDate,
): Temporal.PlainDate | undefined {
  let left = delayDays;
  for (let day = due; ; day = day.subtract({ days: 1 })) {
    const isOpen = isBusinessDay(calendar, day);
    if (isOpen === undefined) return undefined;
    if (isOpen) left--;
    if (left === 0) return day.subtract({ days: 1 });
  }
}
