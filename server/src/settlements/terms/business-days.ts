/** Holidays of a place, beside Saturdays and Sundays. */
export type HolidayCalendar = {
  /** As `2026-12-25`. */
  readonly holidays: ReadonlySet<string>;
  /** The years that were loaded. No place has a year without holidays, so any other year is unknown rather than empty. */
  readonly years: ReadonlySet<number>;
};

/** Makes a calendar of its holidays. */
export const calendarOf = (days: readonly Temporal.PlainDate[]): HolidayCalendar => ({
  holidays: new Set(days.map(String)),
  years: new Set(days.map(({ year }) => year)),
});

const FRIDAY = 5;

/** Whether banks work on a day. Undefined: the calendar does not cover its year. */
export const isBusinessDay = ({ holidays, years }: HolidayCalendar, day: Temporal.PlainDate): boolean | undefined =>
  years.has(day.year) ? day.dayOfWeek <= FRIDAY && !holidays.has(day.toString()) : undefined;

/** The day itself, or the next business day where it is none. Undefined: the calendar does not cover a year on the way. */
export function nextBusinessDay(calendar: HolidayCalendar, day: Temporal.PlainDate): Temporal.PlainDate | undefined {
  for (let found = day; ; found = found.add({ days: 1 })) {
    const isOne = isBusinessDay(calendar, found);
    if (isOne !== false) return isOne && found;
  }
}

/**
 * The business day that comes so many business days after a day, which need not be one itself: one after a Saturday is a Monday.
 * Shape: `count` from 1. Undefined: as nextBusinessDay.
 */
export function addBusinessDays(calendar: HolidayCalendar, day: Temporal.PlainDate, count: number): Temporal.PlainDate | undefined {
  let found: Temporal.PlainDate | undefined = day;
  for (let left = count; left > 0 && found !== undefined; left--) found = nextBusinessDay(calendar, found.add({ days: 1 }));
  return found;
}
