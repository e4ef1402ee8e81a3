import { refuse, type Refusal } from '../../kit/outcome.ts';
import type { HolidayCalendar } from './business-days.ts';
import type { ACCOUNT_TYPES } from './choices.ts';
import { nextDue, type DueTerms, type Period } from './due-days.ts';

/** To where a merchant is paid. */
export type BankAccount = {
  /** As its clearing house knows it: `1007`. */
  readonly bankCode: string;
  readonly bankName: string;
  readonly type: (typeof ACCOUNT_TYPES)[number];
  /** Digits alone. */
  readonly number: string;
  readonly holderName: string;
  /** What kind of document it is: `NIT`. */
  readonly holderDocumentType: string;
  readonly holderDocument: string;
};

/** What an operator sets of a schedule. */
export type ScheduleTerms = DueTerms & {
  readonly calendar: string;
  /** Less than this is not paid: it stays for the next settlement. Minor units. */
  readonly minimumMinor: bigint;
  /** Of what was collected, in millionths, held back for so many days. Both are zero, or neither. */
  readonly reservePpm: number;
  readonly reserveDays: number;
  readonly account: BankAccount;
};

export type ScheduleKey = { readonly merchantId: string; readonly currency: string };

/** What became of the last due day: a settlement, or the reason why there is none. */
export type LastRun = {
  readonly due: Temporal.PlainDate;
  readonly at: Temporal.Instant;
  readonly outcome: string;
  readonly settlementId: bigint | null;
};

export type Schedule = ScheduleKey &
  ScheduleTerms & {
    readonly setAt: Temporal.Instant;
    /** What was due up to this day is made, or skipped. */
    readonly lookedTo: Temporal.PlainDate;
    readonly lastRun: LastRun | null;
  };

/** What is absent stays. A period comes with its day, and takes away the day of the one before. */
export type ScheduleChange = { readonly [Name in Exclude<keyof ScheduleTerms, keyof Period>]?: ScheduleTerms[Name] | undefined } & {
  readonly period?: Period['period'] | undefined;
  readonly weekday?: number | undefined;
  readonly monthDay?: number | undefined;
};

type TermsRefusal = 'schedule_incomplete' | 'period_invalid' | 'reserve_incomplete';

function periodOf({ period, weekday, monthDay }: ScheduleChange): Period | Refusal<'period_invalid'> | undefined {
  if (period === undefined && weekday === undefined && monthDay === undefined) return undefined;
  if (period === 'weekly' && weekday !== undefined && monthDay === undefined) return { period, weekday, monthDay: null };
  if (period === 'monthly' && monthDay !== undefined && weekday === undefined) return { period, weekday: null, monthDay };
  const isWithoutDay = weekday === undefined && monthDay === undefined;
  if ((period === 'daily' || period === 'on_demand') && isWithoutDay) return { period, weekday: null, monthDay: null };
  return refuse('period_invalid');
}

/**
 * The terms of a schedule after a change.
 * Shape: the terms before; undefined: there is no schedule yet. At first the delay is one day, without a minimum and a reserve.
 * Refuses: period_invalid: a week has a weekday, a month a day, others none. schedule_incomplete: a first one lacks period, calendar or
 * account. reserve_incomplete: a rate without days, or days without a rate.
 */
export function changeTerms(before: ScheduleTerms | undefined, change: ScheduleChange): ScheduleTerms | Refusal<TermsRefusal> {
  const period = periodOf(change) ?? before;
  if (period !== undefined && 'refusal' in period) return period;
  const [calendar, account] = [change.calendar ?? before?.calendar, change.account ?? before?.account];
  if (period === undefined || calendar === undefined || account === undefined) return refuse('schedule_incomplete');
  const reservePpm = change.reservePpm ?? before?.reservePpm ?? 0;
  const reserveDays = change.reserveDays ?? before?.reserveDays ?? 0;
  if ((reservePpm === 0) !== (reserveDays === 0)) return refuse('reserve_incomplete');
  return {
    ...(period.period === 'weekly'
      ? { period: period.period, weekday: period.weekday, monthDay: null }
      : period.period === 'monthly'
        ? { period: period.period, weekday: null, monthDay: period.monthDay }
        : { period: period.period, weekday: null, monthDay: null }),
    delayDays: change.delayDays ?? before?.delayDays ?? 1,
    calendar,
    minimumMinor: change.minimumMinor ?? before?.minimumMinor ?? 0n,
    reservePpm,
    reserveDays,
    account,
  };
}

/** An account number as it is shown to who may not change it: its last digits. */
export function maskNumber(number: string): string {
  const shown = Math.min(4, Math.floor(number.length / 2));
  return '*'.repeat(number.length - shown) + number.slice(number.length - shown);
}

/** When a settlement of a schedule is due next. Null: on demand. A refusal: it cannot be said, and nothing is made until it can. */
export function nextDueOf(
  terms: DueTerms & Pick<ScheduleTerms, 'calendar'>,
  calendars: ReadonlyMap<string, HolidayCalendar>,
  after: Temporal.PlainDate,
): Temporal.PlainDate | null | Refusal<'calendar_unknown' | 'calendar_year_missing'> {
  const calendar = calendars.get(terms.calendar);
  if (calendar === undefined) return refuse('calendar_unknown');
  const due = nextDue(terms, calendar, after);
  return due === undefined ? refuse('calendar_year_missing') : due;
}
