import { expect, test } from 'vitest';
import { dayOf, endOfDay } from '../../kit/calendar.ts';
import * as fc from '../../testing/fast-check.ts';
import { addBusinessDays, calendarOf, isBusinessDay, nextBusinessDay } from './business-days.ts';
import { dueDays, lastDayOf, nextDue, settledAt, type Period } from './due-days.ts';

const plain = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const texts = ({ days }: ReturnType<typeof dueDays>): readonly string[] => days.map(String);

/** New Year and Christmas; a Monday, and a week in a row. */
const few = calendarOf(
  ['2026-01-01', '2026-03-23', '2026-06-15', '2026-06-16', '2026-06-17', '2026-06-18', '2026-06-19', '2026-12-25', '2027-01-01'].map(plain),
);

const daily: Period = { period: 'daily', weekday: null, monthDay: null };
const weekly = (weekday: number): Period => ({ period: 'weekly', weekday, monthDay: null });
const monthly = (monthDay: number): Period => ({ period: 'monthly', weekday: null, monthDay });
const onDemand: Period = { period: 'on_demand', weekday: null, monthDay: null };

test('a day that is no business day moves to the next one', () => {
  expect(texts(dueDays(weekly(1), few, plain('2026-03-15'), plain('2026-03-31')))).toEqual(['2026-03-16', '2026-03-24', '2026-03-30']);
  expect(texts(dueDays(monthly(31), few, plain('2026-01-31'), plain('2026-06-01')))).toEqual([
    // January's last day is a Saturday.
    '2026-02-02',
    '2026-03-02',
    '2026-03-31',
    '2026-04-30',
    '2026-06-01',
  ]);
  expect(texts(dueDays(daily, few, plain('2026-06-11'), plain('2026-06-23')))).toEqual(['2026-06-12', '2026-06-22', '2026-06-23']);
});

test('two weeks that move to one day are due once', () => {
  expect(texts(dueDays(weekly(3), few, plain('2026-06-10'), plain('2026-06-24')))).toEqual(['2026-06-22', '2026-06-24']);
});

test('on demand nothing is due by itself', () => {
  expect(dueDays(onDemand, few, plain('2026-01-01'), plain('2026-12-01')).days).toEqual([]);
  expect(nextDue(onDemand, few, plain('2026-01-01'))).toBeNull();
});

test('where the calendar ends nothing is due, and nothing is guessed', () => {
  const found = dueDays(daily, few, plain('2027-12-30'), plain('2028-01-03'));
  expect([texts(found), found.judgedTo.toString()]).toEqual([['2027-12-31'], '2027-12-31']);
  expect(dueDays(daily, few, plain('2028-01-01'), plain('2028-01-03')).judgedTo.toString()).toBe('2028-01-01');
  expect(nextDue(monthly(1), few, plain('2027-12-02'))).toBeUndefined();
  expect(lastDayOf({ delayDays: 5 }, few, plain('2026-01-05'))).toBeUndefined();
});

test('with a delay of one a Monday pays Friday, Saturday and Sunday; after a holiday, that one too', () => {
  expect(lastDayOf({ delayDays: 1 }, few, plain('2026-03-16'))?.toString()).toBe('2026-03-15');
  expect(lastDayOf({ delayDays: 1 }, few, plain('2026-03-24'))?.toString()).toBe('2026-03-23');
  expect(lastDayOf({ delayDays: 2 }, few, plain('2026-03-24'))?.toString()).toBe('2026-03-19');
});

test('each day is looked at once, however long banks are closed', () => {
  const closed = Array.from({ length: 2_000 }, (_, days) => plain('2026-01-05').add({ days }));
  const { years, holidays: days } = calendarOf(closed);
  let looked = 0;
  class Counted extends Set<string> {
    override has(one: string): boolean {
      looked++;
      return super.has(one);
    }
  }
  const found = nextDue(weekly(1), { years, holidays: new Counted(days) }, plain('2026-01-02'));
  expect([found?.toString(), looked < 2_000]).toEqual(['2031-06-30', true]);
});

const ZONES = ['America/Bogota', 'America/Santiago', 'America/Sao_Paulo', 'America/Asuncion', 'America/Havana', 'UTC'];
const zone = fc.constantFrom(...ZONES);
const day = fc.integer({ min: 40, max: 560 }).map((days) => plain('2026-01-01').add({ days }));
const holidays = fc.uniqueArray(fc.integer({ min: 0, max: 729 }), { maxLength: 80 });
const calendar = holidays.map((days) =>
  calendarOf([plain('2026-01-01'), plain('2027-01-01'), ...days.map((one) => plain('2026-01-01').add({ days: one }))]),
);
const period = fc.oneof(fc.constant(daily), fc.integer({ min: 1, max: 7 }).map(weekly), fc.integer({ min: 1, max: 31 }).map(monthly));

/** The oracle: each meant day of the time before moves by itself. */
function moved(terms: Period, of: ReturnType<typeof calendarOf>, after: Temporal.PlainDate, to: Temporal.PlainDate): readonly string[] {
  const found = new Set<string>();
  for (let at = plain('2026-01-01'); Temporal.PlainDate.compare(at, to) <= 0; at = at.add({ days: 1 })) {
    const isLast = at.add({ days: 1 }).month !== at.month;
    const isMeant =
      terms.period === 'daily' ||
      (terms.period === 'weekly' && at.dayOfWeek === terms.weekday) ||
      (terms.period === 'monthly' && (at.day === terms.monthDay || (isLast && at.day < terms.monthDay)));
    const due = isMeant ? nextBusinessDay(of, at) : undefined;
    if (due && Temporal.PlainDate.compare(due, after) > 0 && Temporal.PlainDate.compare(due, to) <= 0) found.add(due.toString());
  }
  return [...found].toSorted();
}

test('due days are the meant days, each moved to a business day, and none twice', () => {
  fc.assert(
    fc.property(period, calendar, day, fc.integer({ min: 0, max: 100 }), (terms, of, after, days) => {
      const to = after.add({ days });
      const due = dueDays(terms, of, after, to);
      expect(texts(due)).toEqual(moved(terms, of, after, to));
      for (const one of due.days) expect(isBusinessDay(of, one)).toBe(true);
      expect(due.days[0] ?? nextDue(terms, of, after)).toEqual(nextDue(terms, of, after));
    }),
  );
});

test('a payment is in the first settlement that is due so many business days after its day, and in no earlier one', () => {
  fc.assert(
    fc.property(calendar, day, fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 30 }), (of, from, delayDays, daysBefore) => {
      const due = nextBusinessDay(of, from) as Temporal.PlainDate;
      const last = lastDayOf({ delayDays }, of, due);
      const paid = due.subtract({ days: daysBefore });
      const earliest = addBusinessDays(of, paid, delayDays);
      if (last === undefined || earliest === undefined) return;
      const isContained = Temporal.PlainDate.compare(paid, last) <= 0;
      expect(isContained).toBe(Temporal.PlainDate.compare(earliest, due) <= 0);
    }),
  );
});

test('the cutoff is the end of a day in the zone, before the first instant at which the settlement is made', () => {
  fc.assert(
    fc.property(calendar, day, fc.integer({ min: 1, max: 10 }), zone, (of, from, delayDays, where) => {
      const due = nextBusinessDay(of, from) as Temporal.PlainDate;
      const last = lastDayOf({ delayDays }, of, due);
      if (last === undefined) return;
      const cutoff = endOfDay(last, where);
      expect(Temporal.PlainDate.compare(dayOf(settledAt(cutoff.add({ minutes: 59 })), where), due)).toBe(-1);
      const start = due.toZonedDateTime(where).toInstant();
      expect(dayOf(settledAt(start.add({ hours: 1 })), where).equals(due)).toBe(true);
    }),
  );
});
