import { expect, test } from 'vitest';
import { addDays, countDays, dayIn, daysOf, hoursOf, isDay, startOfDay } from './days.ts';

test.each(['UTC', 'America/Bogota', 'America/Santiago', 'Pacific/Kiritimati', 'America/St_Johns'])(
  'a day in %s begins where its zone says',
  (zone) => {
    for (const day of daysOf('2026-03-01', '2026-04-10')) {
      const start = startOfDay(day, zone);
      expect([dayIn(start - 1, zone), dayIn(start, zone)]).toEqual([addDays(day, -1), day]);
    }
  },
);

test('days are counted, and a day has as many hours as its zone gives it', () => {
  expect(daysOf('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(countDays('2026-01-01', '2026-12-31')).toBe(365);
  expect(hoursOf('2026-11-21', '2026-11-21', 'America/Bogota')).toHaveLength(24);
  expect(hoursOf('2026-09-06', '2026-09-06', 'America/Santiago')).toHaveLength(23);
});

test.each(['2026-02-30', '2026-13-01', '21-11-2026', '', undefined])('%s is no day', (text) => expect(isDay(text)).toBe(false));
