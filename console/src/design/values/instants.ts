import type { Language } from '../../shell/language.ts';

/** The country by whose habits each language writes. */
export const REGIONS: Readonly<Record<Language, string>> = { es: 'es-CO', en: 'en-GB', pt: 'pt-BR' };

/** To make one takes a phone milliseconds, and a list has one instant in each row. So each is made once. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** An instant in a zone, in the words of a language. */
export function formatInstant(at: string, zone: string, language: Language, style: Intl.DateTimeFormatOptions): string {
  const name = JSON.stringify([language, zone, style]);
  const format = formats.get(name) ?? new Intl.DateTimeFormat(REGIONS[language], { timeZone: zone, hourCycle: 'h23', ...style });
  formats.set(name, format);
  return format.format(new Date(at));
}

/** In a list. */
export const SHORT = { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
/** On a page of one thing. */
export const LONG = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
} as const;
