import { execFileSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import * as fc from '../testing/fast-check.ts';
import {
  dayOf,
  endOfDay,
  formatCompactDay,
  formatDayFirst,
  formatIsoDay,
  formatLocal,
  parseCompactDay,
  parseDayFirst,
  parseIsoDay,
  startOfDay,
} from './calendar.ts';

const zones = [
  'America/Bogota',
  'America/Guayaquil',
  'America/Lima',
  'America/Costa_Rica',
  'America/Mexico_City',
  'America/Santiago',
  'America/Asuncion',
  'America/Sao_Paulo',
  'America/Havana',
  'America/St_Johns',
  'America/Argentina/Buenos_Aires',
  'Europe/Madrid',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'UTC',
];

const instant = (text: string) => Temporal.Instant.from(text);
const plain = (text: string) => Temporal.PlainDate.from(text);

const day = fc.integer({ min: 0, max: 3_652_058 }).map((days) => new Temporal.PlainDate(1, 1, 1).add({ days }));
const zone = fc.constantFrom(...zones);
/** 1900 – 2100, to the nanosecond. */
const moment = fc
  .tuple(fc.integer({ min: -2_208_988_800_000, max: 4_102_444_800_000 }), fc.nat(999_999))
  .map(([ms, nanoseconds]) => Temporal.Instant.fromEpochMilliseconds(ms).add({ nanoseconds }));

const digits = (length: number, max: number) => fc.nat(max).map((n) => String(n).padStart(length, '0'));
/** The oracle: the date on the wall of the zone. */
const shown = (at: Temporal.Instant, where: string) => at.toZonedDateTimeISO(where).toPlainDate().toString();

const forms = [
  {
    name: 'DD/MM/YYYY',
    parse: parseDayFirst,
    format: formatDayFirst,
    write: (y: string, m: string, d: string) => `${d}/${m}/${y}`,
  },
  {
    name: 'YYYYMMDD',
    parse: parseCompactDay,
    format: formatCompactDay,
    write: (y: string, m: string, d: string) => y + m + d,
  },
  {
    name: 'YYYY-MM-DD',
    parse: parseIsoDay,
    format: formatIsoDay,
    write: (y: string, m: string, d: string) => `${y}-${m}-${d}`,
  },
];

describe.each(forms)('$name', ({ parse, format, write }) => {
  test('is read and written alike, for every day of the years 1–9999', () => {
    fc.assert(
      fc.property(day, (any) => {
        expect(parse(format(any))?.equals(any)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('is read exactly when the day exists', () => {
    const years = fc.oneof(digits(4, 9999), fc.constantFrom('0000', '1900', '2000', '2024', '2026', '2100'));
    fc.assert(
      fc.property(years, digits(2, 14), digits(2, 33), (y, m, d) => {
        const real = new Date(`${y}-${m}-${d}T00:00:00Z`);
        const exists = y !== '0000' && !Number.isNaN(real.getTime()) && real.toISOString().slice(8, 10) === d;
        expect(parse(write(y, m, d))?.toString()).toBe(exists ? `${y}-${m}-${d}` : undefined);
      }),
      { numRuns: 5000 },
    );
  });

  test('is refused in any other form', () => {
    const good = format(plain('2026-11-05'));
    const bad = ['', ` ${good}`, `${good} `, `${good}\n`, `${good}0`, good.slice(1), good.slice(0, -1), `+${good}`, `-${good}`];
    bad.push(good.replace('0', '٠'), good.replace('0', '０'), good.replace('0', 'O'), good.replace('0', ' '), `${good}T00:00`);
    for (const text of bad) expect(parse(text)).toBeUndefined();
    for (const other of forms) if (other.format !== format) expect(other.parse(good)).toBeUndefined();
  });
});

describe('a day in a zone', () => {
  test('holds an instant exactly when it is the day of that instant', () => {
    fc.assert(
      fc.property(moment, zone, (at, where) => {
        const found = dayOf(at, where);
        expect(Temporal.Instant.compare(startOfDay(found, where), at)).toBeLessThanOrEqual(0);
        expect(Temporal.Instant.compare(at, endOfDay(found, where))).toBeLessThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  test('is the date that the zone shows, whatever was asked before', () => {
    const near = fc.tuple(
      fc.constantFrom('2026-04-05T03:00:00Z', '2026-09-06T04:00:00Z', '2026-11-10T05:00:00Z'),
      fc.integer({ min: -200_000, max: 200_000 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(near, zone), { maxLength: 30 }), (questions) => {
        for (const [[base, seconds], where] of questions) {
          const at = instant(base).add({ seconds });
          expect(dayOf(at, where).toString()).toBe(shown(at, where));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('ends where the next begins, to the nanosecond', () => {
    const start = startOfDay(plain('2026-11-10'), 'America/Bogota');
    expect(start.toString()).toBe('2026-11-10T05:00:00Z');
    expect(endOfDay(plain('2026-11-09'), 'America/Bogota').equals(start)).toBe(true);
    expect(dayOf(start, 'America/Bogota').toString()).toBe('2026-11-10');
    expect(dayOf(start.subtract({ nanoseconds: 1 }), 'America/Bogota').toString()).toBe('2026-11-09');
    // Asked after the day before, the border is no longer part of it.
    expect(dayOf(start, 'America/Bogota').toString()).toBe('2026-11-10');
  });

  test.each([
    // The clock springs from 00:00 to 01:00: the day starts at 01:00 and has 23 hours.
    { where: 'America/Santiago', date: '2026-09-06', start: '2026-09-06T04:00:00Z', hours: 23 },
    { where: 'America/Asuncion', date: '2023-10-01', start: '2023-10-01T04:00:00Z', hours: 23 },
    // The clock falls from 24:00 to 23:00: the day before has 25 hours.
    { where: 'America/Santiago', date: '2026-04-04', start: '2026-04-04T03:00:00Z', hours: 25 },
    // The clock falls from 01:00 to 00:00: midnight comes twice, the first one counts.
    { where: 'America/Havana', date: '2026-11-01', start: '2026-11-01T04:00:00Z', hours: 25 },
    { where: 'Europe/Madrid', date: '2026-03-29', start: '2026-03-28T23:00:00Z', hours: 23 },
    {
      where: 'Australia/Lord_Howe',
      date: '2026-04-05',
      start: '2026-04-04T13:00:00Z',
      hours: 24.5,
    },
    // Samoa skipped a day when it crossed the date line: it holds no instant.
    { where: 'Pacific/Apia', date: '2011-12-30', start: '2011-12-30T10:00:00Z', hours: 0 },
  ])('is right across a change of the clock: $date in $where', ({ where, date, start, hours }) => {
    expect(startOfDay(plain(date), where).toString()).toBe(start);
    expect(
      endOfDay(plain(date), where)
        .since(startOfDay(plain(date), where))
        .total('hours'),
    ).toBe(hours);
  });

  test('goes on when the clock is set back across midnight', () => {
    const after = instant('2010-11-07T02:32:00Z');
    expect(formatLocal(after, 'America/St_Johns')).toBe('2010-11-06 23:02:00');
    expect(dayOf(after, 'America/St_Johns').toString()).toBe('2010-11-07');
  });

  test('is not known in a zone that does not exist', () => {
    expect(() => dayOf(instant('2026-11-10T05:00:00Z'), 'America/Macondo')).toThrow(RangeError);
  });
});

describe('formatLocal', () => {
  test.each([
    ['2026-11-10T05:00:00Z', 'America/Bogota', '2026-11-10 00:00:00'],
    ['2026-11-10T04:59:59.999999999Z', 'America/Bogota', '2026-11-09 23:59:59'],
    ['2026-09-06T04:00:00Z', 'America/Santiago', '2026-09-06 01:00:00'],
  ])('writes %s in %s as %s', (at, where, text) => expect(formatLocal(instant(at), where)).toBe(text));
});

test('the answers are the same whatever the time zone of the server', () => {
  const script = `
    const c = await import(process.argv[1]);
    const at = (text) => Temporal.Instant.from(text);
    const zones = ['America/Bogota', 'America/Santiago', 'Europe/Madrid'];
    const moments = ['2026-11-10T04:59:59.999Z', '2026-11-10T05:00:00Z', '2026-09-06T03:59:59Z', '2026-09-06T04:00:00Z', '2026-04-05T03:30:00Z'];
    console.log(JSON.stringify(zones.flatMap((zone) => moments.map((moment) => {
      const day = c.dayOf(at(moment), zone);
      return [day, c.startOfDay(day, zone), c.endOfDay(day, zone), c.formatLocal(at(moment), zone), c.formatDayFirst(day), c.parseDayFirst('31/12/2026')];
    }))));`;
  const calendar = new URL('./calendar.ts', import.meta.url).href;
  const answers = ['UTC', 'America/Bogota', 'Asia/Tokyo', 'America/Santiago', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((TZ) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script, calendar], {
      env: { ...process.env, TZ },
      encoding: 'utf8',
    }),
  );
  expect(answers[0]).toContain('"2026-11-09 23:59:59"');
  expect(new Set(answers).size).toBe(1);
});
