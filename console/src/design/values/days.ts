/** Days of a calendar, as `2026-11-21`, and where they begin in a zone. Browsers without `Temporal` count too. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The day of an instant in a zone. */
export const dayIn = (atMs: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(atMs);

const middayOf = (day: string): number => Date.parse(`${day}T12:00:00Z`);

export const addDays = (day: string, days: number): string => dayIn(middayOf(day) + days * DAY_MS, 'UTC');

/** How many days from one to the other, with both. */
export const countDays = (from: string, to: string): number => Math.round((middayOf(to) - middayOf(from)) / DAY_MS) + 1;

/** All days from one to the other, with both. */
export const daysOf = (from: string, to: string): readonly string[] =>
  Array.from({ length: Math.max(0, countDays(from, to)) }, (_, place) => addDays(from, place));

/** Whether a text is a day of the calendar. */
export const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^2\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(middayOf(text)) && dayIn(middayOf(text), 'UTC') === text;

/** The first instant of a day in a zone. A day that begins at 01:00, for the clocks went forward, begins there. */
export function startOfDay(day: string, zone: string): number {
  const guess = Date.parse(`${day}T00:00:00Z`);
  // Zones are at most 14 hours ahead of UTC and 12 behind, and shift by whole quarters of an hour.
  let [low, high] = [guess - 15 * HOUR_MS, guess + 13 * HOUR_MS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayIn(middle, zone) < day) low = middle;
    else high = middle;
  }
  return high;
}

/** The beginnings of all hours of some days in a zone. */
export function hoursOf(from: string, to: string, zone: string): readonly number[] {
  const [start, end] = [startOfDay(from, zone), startOfDay(addDays(to, 1), zone)];
  return Array.from({ length: Math.round((end - start) / HOUR_MS) }, (_, place) => start + place * HOUR_MS);
}
