import type { Language } from '../../shell/language.ts';
import { formatMoney, percentSign, type Money } from '../values/money.ts';

/** One value of a chart: the height that is drawn, what people read, and what a file holds. */
export type Point = { readonly value: number | null; readonly text: string; readonly raw: string };

/** `back`: wide bars behind `front`, which are a part of them. Lines lie before both. */
export type SeriesLook = 'back' | 'front' | 'line' | 'line2' | 'line3' | 'line4' | 'line5';

export type Series = { readonly name: string; readonly look: SeriesLook; readonly points: readonly Point[] };

const GROUPING: Readonly<Record<Language, string>> = { es: 'es-CO', en: 'en-GB', pt: 'pt-BR' };

export const formatCount = (count: number, language: Language): string => new Intl.NumberFormat(GROUPING[language]).format(count);

/** A height beside an axis: short, for the table has all digits. */
export const formatShort = (value: number, language: Language): string =>
  new Intl.NumberFormat(GROUPING[language], { notation: 'compact', maximumSignificantDigits: 3 }).format(value);

export const countPoint = (count: number, language: Language): Point => ({
  value: count,
  text: formatCount(count, language),
  raw: String(count),
});

/** The height is near enough for a drawing. Text and file have all digits. */
export const moneyPoint = (money: Money, language: Language): Point => ({
  value: Number(money.amount),
  text: formatMoney(money, language),
  raw: money.amount,
});

/** A part of a whole in percent. Of nothing there is none. */
export function percentPoint(part: number, whole: number, language: Language): Point {
  if (whole === 0) return { value: null, text: '—', raw: '' };
  const value = (100 * part) / whole;
  const text = new Intl.NumberFormat(GROUPING[language], { maximumFractionDigits: 1 }).format(value);
  return { value, text: `${text}${percentSign(language)}`, raw: value.toFixed(2) };
}
