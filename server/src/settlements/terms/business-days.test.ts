import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as fc from '../../testing/fast-check.ts';
import { addBusinessDays, calendarOf, isBusinessDay, nextBusinessDay } from './business-days.ts';

const plain = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

/** Rows of the shipped file. */
const shipped = readFileSync(new URL('./colombia.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',')[0] as string);

/** Easter by the rule of Gauss, with its two exceptions. */
function easterOf(year: number): Temporal.PlainDate {
  const century = Math.floor(year / 100);
  const p = Math.floor((13 + 8 * century) / 25);
  const m = (15 - p + century - Math.floor(century / 4)) % 30;
  const n = (4 + century - Math.floor(century / 4)) % 7;
  const [a, b, c] = [year % 19, year % 4, year % 7];
  const d = (19 * a + m) % 30;
  const e = (2 * b + 4 * c + 6 * d + n) % 7;
  const isLate = (d === 29 && e === 6) || (d === 28 && e === 6 && (11 * m + 11) % 30 < 19);
  return new Temporal.PlainDate(year, 3, 22).add({ days: d + e - (isLate ? 7 : 0) });
}

const movedToMonday = (day: Temporal.PlainDate): Temporal.PlainDate => day.add({ days: (8 - day.dayOfWeek) % 7 });

/** The holidays of Ley 51 de 1983: those that keep their day, those that move to a Monday, and those that follow Easter. */
function byLaw(year: number): readonly string[] {
  const on = (month: number, day: number) => new Temporal.PlainDate(year, month, day);
  const easter = easterOf(year);
  const fixed = [on(1, 1), on(5, 1), on(7, 20), on(8, 7), on(12, 8), on(12, 25)];
  const moved = [on(1, 6), on(3, 19), on(6, 29), on(8, 15), on(10, 12), on(11, 1), on(11, 11)].map(movedToMonday);
  const ofEaster = [-3, -2, 43, 64, 71].map((days) => easter.add({ days }));
  return [...fixed, ...moved, ...ofEaster].map(String).toSorted();
}

test('the shipped holidays of Colombia are those of the law, year by year', () => {
  expect(easterOf(2026).toString()).toBe('2026-04-05');
  expect(shipped).toEqual([2026, 2027, 2028].flatMap(byLaw));
});

const colombia = calendarOf(shipped.map(plain));

test('a year that a calendar does not cover is unknown: it is never taken for one without holidays', () => {
  expect(isBusinessDay(colombia, plain('2029-01-02'))).toBeUndefined();
  expect(nextBusinessDay(colombia, plain('2028-12-30'))).toBeUndefined();
  expect(addBusinessDays(colombia, plain('2028-12-28'), 1)?.toString()).toBe('2028-12-29');
  expect(addBusinessDays(colombia, plain('2028-12-28'), 2)).toBeUndefined();
});

test('the days around Easter of 2026: Wednesday is followed by Monday', () => {
  expect(addBusinessDays(colombia, plain('2026-04-01'), 1)?.toString()).toBe('2026-04-06');
  expect(nextBusinessDay(colombia, plain('2026-04-02'))?.toString()).toBe('2026-04-06');
  expect(nextBusinessDay(colombia, plain('2026-04-01'))?.toString()).toBe('2026-04-01');
});

const day = fc.integer({ min: 0, max: 1000 }).map((days) => plain('2026-01-01').add({ days }));

test('so many business days after a day: the last of them is one, and so many lie in between', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 20 }), (from, count) => {
      const found = addBusinessDays(colombia, from, count);
      if (found === undefined) return;
      let counted = 0;
      for (let at = from.add({ days: 1 }); Temporal.PlainDate.compare(at, found) <= 0; at = at.add({ days: 1 }))
        if (at.dayOfWeek < 6 && !shipped.includes(at.toString())) counted++;
      expect(counted).toBe(count);
      expect(isBusinessDay(colombia, found)).toBe(true);
    }),
  );
});
