import { endOfDay, formatIsoDay, parseIsoDay, startOfDay } from '../kit/calendar.ts';

/** A time, in the merchant's days. */
export type SpanOfTime =
  | { readonly kind: 'day'; readonly day: Temporal.PlainDate }
  | { readonly kind: 'month'; readonly month: Temporal.PlainYearMonth };
/** What a statement is about. */
export type StatementPeriod = SpanOfTime | { readonly kind: 'settlement'; readonly settlementId: bigint };

/** Reads `2026-11` and `2026-11-21`. Undefined: there is no such month or day. */
export function readPeriod(text: string): SpanOfTime | undefined {
  const isMonth = text.length === 7;
  const day = parseIsoDay(isMonth ? `${text}-01` : text);
  if (day === undefined) return undefined;
  return isMonth ? { kind: 'month', month: day.toPlainYearMonth() } : { kind: 'day', day };
}

/** As readPeriod reads it; of a settlement its number. */
export function periodText(period: StatementPeriod): string {
  if (period.kind === 'settlement') return String(period.settlementId);
  return period.kind === 'day' ? formatIsoDay(period.day) : period.month.toString();
}

/** The first instant of a time in a time zone, and the first one after it. */
export function spanOf(period: SpanOfTime, zone: string): { readonly from: Temporal.Instant; readonly until: Temporal.Instant } {
  const [first, last] =
    period.kind === 'day'
      ? [period.day, period.day]
      : [period.month.toPlainDate({ day: 1 }), period.month.toPlainDate({ day: period.month.daysInMonth })];
  return { from: startOfDay(first, zone), until: endOfDay(last, zone) };
}
