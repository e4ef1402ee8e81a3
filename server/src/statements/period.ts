import { endOfDay, formatIsoDay, parseIsoDay, startOfDay } from '../kit/calendar.ts';

/** What a statement is about, in the merchant's days. */
export type StatementPeriod =
  | { readonly kind: 'day'; readonly day: Temporal.PlainDate }
  | { readonly kind: 'month'; readonly month: Temporal.PlainYearMonth };

/** Reads `2026-11` and `2026-11-21`. Undefined: there is no such month or day. */
export function readPeriod(text: string): StatementPeriod | undefined {
  const isMonth = text.length === 7;
  const day = parseIsoDay(isMonth ? `${text}-01` : text);
  if (day === undefined) return undefined;
  return isMonth ? { kind: 'month', month: day.toPlainYearMonth() } : { kind: 'day', day };
}

/** As readPeriod reads it. */
export const periodText = (period: StatementPeriod): string => (period.kind === 'day' ? formatIsoDay(period.day) : period.month.toString());

/** The first instant of a period in a time zone, and the first one after it. */
export function spanOf(period: StatementPeriod, zone: string): { readonly from: Temporal.Instant; readonly until: Temporal.Instant } {
  const [first, last] =
    period.kind === 'day'
      ? [period.day, period.day]
      : [period.month.toPlainDate({ day: 1 }), period.month.toPlainDate({ day: period.month.daysInMonth })];
  return { from: startOfDay(first, zone), until: endOfDay(last, zone) };
}
