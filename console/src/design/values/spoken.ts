import { defineWords, type Language } from '../../shell/language.ts';
import { REGIONS } from './instants.ts';

// Names and numbers of machines as people say them.

/** Cities of time zones whose names in the database of zones are not those that people read. */
const CITIES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'America/Bogota': { es: 'Bogotá', en: 'Bogotá', pt: 'Bogotá' },
  'America/Mexico_City': { es: 'Ciudad de México', en: 'Mexico City', pt: 'Cidade do México' },
  'America/Panama': { es: 'Ciudad de Panamá', en: 'Panama City', pt: 'Cidade do Panamá' },
  'America/Asuncion': { es: 'Asunción', en: 'Asunción', pt: 'Assunção' },
  'America/Sao_Paulo': { es: 'São Paulo', en: 'São Paulo', pt: 'São Paulo' },
  'America/Santiago': { es: 'Santiago de Chile', en: 'Santiago', pt: 'Santiago do Chile' },
};

/** A time zone by its city: `Bogotá`. UTC has none. */
export const zoneName = (zone: string, language: Language): string =>
  CITIES[zone]?.[language] ?? zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** A span of milliseconds in seconds: `0,5 segundos`, and `0,5 s` where there is little room. */
export const formatSeconds = (milliseconds: number, language: Language, isShort = false): string =>
  new Intl.NumberFormat(REGIONS[language], {
    style: 'unit',
    unit: 'second',
    unitDisplay: isShort ? 'narrow' : 'long',
    maximumFractionDigits: 3,
  }).format(milliseconds / 1_000);

const WORDS = defineWords({
  es: { on: (browser: string, system: string) => `${browser} en ${system}` },
  en: { on: (browser: string, system: string) => `${browser} on ${system}` },
  pt: { on: (browser: string, system: string) => `${browser} no ${system}` },
});

/** The first one that fits: most browsers name others too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A browser as people know it: `Chrome en Android`. Any other text stays as it is. */
export function browserName(userAgent: string, language: Language): string {
  const find = (all: typeof BROWSERS): string | undefined => all.find(([form]) => form.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return browser === undefined || system === undefined ? userAgent : WORDS[language].on(browser, system);
}
