// Days are texts YYYY-MM-DD here. The wire has three forms of its own.

function partsOf(day: string): readonly [year: string, month: string, date: string] {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined || month === undefined || date === undefined) throw new TypeError(`a day is YYYY-MM-DD, not ${day}`);
  return [year, month, date];
}

/** The days of a list: YYYYMMDD. */
export const compactDay = (day: string | undefined): string | undefined => day && partsOf(day).join('');

/** The last day of an order: DD/MM/YYYY. Empty leaves it as it is. */
export const dayFirst = (day: string | undefined): string | undefined => day && [...partsOf(day)].reverse().join('/');

/** A day of a list. Deployments print YYYYMMDD or DDMMYYYY: no year of this century is a month. */
export const listedDay = (day: string): string =>
  /^\d{4}(?:0[1-9]|1[0-2])/.test(day) ? day.replace(/^(....)(..)(..)$/, '$1-$2-$3') : day.replace(/^(..)(..)(....)$/, '$3-$2-$1');
