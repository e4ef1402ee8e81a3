import { expect, test } from 'vitest';
import * as fc from '../../testing/fast-check.ts';
import { readDayCell } from './spreadsheet-cell.ts';

const anyDay = fc
  .tuple(fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
  .map(([year, month, day]) => Temporal.PlainDate.from({ year, month, day }));
const two = (number: number): string => String(number).padStart(2, '0');

/** As people, spreadsheets and our own exports write a day. */
const WAYS: Readonly<Record<string, (day: Temporal.PlainDate) => string>> = {
  'the wire': (day) => day.toString().replaceAll('-', ''),
  'an export': (day) => day.toString(),
  Spanish: (day) => day.toLocaleString('es-CO', { year: 'numeric', month: '2-digit', day: '2-digit' }),
  Portuguese: (day) => day.toLocaleString('pt-BR', { year: 'numeric', month: '2-digit', day: '2-digit' }),
  English: (day) => day.toLocaleString('en-US', { year: 'numeric', month: '2-digit', day: '2-digit' }),
  'Spanish, short': ({ year, month, day }) => `${day}/${month}/${year}`,
  'with points': ({ year, month, day }) => `${two(day)}.${two(month)}.${year}`,
};

test.each(Object.entries(WAYS))('a day as %s has it is read as that day, or refused with the days that it may mean', (_, write) => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const read = readDayCell(write(day));
      if (read instanceof Temporal.PlainDate) expect(read.toString()).toBe(day.toString());
      else expect(read).toContain(day.toString().replaceAll('-', ''));
    }),
  );
});

test('a day is refused only where two languages read it differently', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const isRead = readDayCell(WAYS['Spanish']?.(day) ?? '') instanceof Temporal.PlainDate;
      expect(isRead).toBe(day.day > 12 || day.day === day.month);
    }),
  );
});
