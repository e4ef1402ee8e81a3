import { readFileSync } from 'node:fs';
import { parseIsoDay } from '../../kit/calendar.ts';
import { splitCsv } from '../../kit/files/csv.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';

export type Holiday = { readonly day: Temporal.PlainDate; readonly name: string };

type HolidayFileRefusal =
  | 'holidays_not_csv'
  | 'holidays_empty'
  | 'holidays_too_many'
  | 'holiday_not_a_day'
  | 'holiday_twice'
  | 'holiday_name_invalid';

/** Holidays of a hundred years. */
export const MOST_HOLIDAYS = 2_000;

const SEPARATORS: ReadonlyMap<string, string> = new Map([
  ['day,name', ','],
  ['day;name', ';'],
]);
const NAME = /^[^\p{Cc}]{1,100}$/u;

/** `line` of the file, from 1. */
type Refused = Refusal<HolidayFileRefusal> & { readonly detail?: string };
const atLine = (name: HolidayFileRefusal, line: number, value: string): Refused => ({
  ...refuse(name),
  detail: `line ${line}: ${value.slice(0, 40)}`,
});

/**
 * Reads a file of holidays.
 * Shape: CSV with the header `day,name`, as spreadsheets save it too: `;` for the comma, CRLF, a byte order mark. A day is `2026-12-25`,
 * of the years 2000 to 2999. Lines without text are skipped. → holidays in the order of the file.
 * Refuses: holidays_not_csv, holidays_too_many, holidays_empty, and of one line holiday_not_a_day, holiday_name_invalid, holiday_twice;
 * `detail` has the line.
 */
export function parseHolidays(text: string): readonly Holiday[] | Refused {
  const [header = '', ...rows] = text.replace(/^\u{feff}/u, '').split(/\r?\n/);
  const separator = SEPARATORS.get(header.trim());
  if (separator === undefined) return refuse('holidays_not_csv');
  const filled = rows.flatMap((row, at) => (row.trim() === '' ? [] : [{ row, line: at + 2 }]));
  if (filled.length > MOST_HOLIDAYS) return refuse('holidays_too_many');
  if (filled.length === 0) return refuse('holidays_empty');
  const found = new Map<string, Holiday>();
  for (const { row, line } of filled) {
    const values = splitCsv(row, separator);
    if (values?.length !== 2) return atLine('holidays_not_csv', line, row);
    const [written = '', name = ''] = values.map((value) => value.trim());
    const day = parseIsoDay(written);
    if (day === undefined || day.year < 2000 || day.year > 2999) return atLine('holiday_not_a_day', line, written);
    if (!NAME.test(name)) return atLine('holiday_name_invalid', line, row);
    if (found.has(written)) return atLine('holiday_twice', line, written);
    found.set(written, { day, name });
  }
  return [...found.values()];
}

/** Calendars that come with the program. */
const SHIPPED: ReadonlyMap<string, URL> = new Map([['colombia', new URL('./colombia.csv', import.meta.url)]]);

/** The file of a calendar that comes with the program. Undefined: none of this name does. */
export function readShipped(calendar: string): string | undefined {
  const file = SHIPPED.get(calendar);
  return file && readFileSync(file, 'utf8');
}
