import type { Language } from '../kit/language.ts';

/** A country in which merchants work. Source: contract §6. */
export type Country = {
  /** Three digits each, as clients send them. The family's own code comes first, then the ISO 3166-1 numeric one. */
  readonly codes: readonly [string, ...string[]];
  readonly name: string;
  /** ISO 3166-1 alpha-2: how people there write numbers and days, and what their mobile numbers look like (kit/phones). */
  readonly region: string;
  /** What a merchant's answers and messages are written in unless it chooses another. */
  readonly language: Language;
  /** IANA zone. A country with several has that of its capital. */
  readonly timeZone: string;
  readonly currencies: readonly string[];
};

/** The only table of countries. */
const COUNTRIES: readonly Country[] = [
  country(['343', '170'], 'Colombia', 'CO', 'America/Bogota', ['COP', 'USD']),
  country(['345', '218'], 'Ecuador', 'EC', 'America/Guayaquil', ['USD']),
  country(['348', '604'], 'Peru', 'PE', 'America/Lima', ['PEN', 'USD']),
  country(['314', '188'], 'Costa Rica', 'CR', 'America/Costa_Rica', ['CRC', 'USD']),
  country(['484'], 'Mexico', 'MX', 'America/Mexico_City', ['MXN', 'USD']),
  country(['152'], 'Chile', 'CL', 'America/Santiago', ['CLP', 'USD']),
  country(['320'], 'Guatemala', 'GT', 'America/Guatemala', ['GTQ', 'USD']),
  country(['222'], 'El Salvador', 'SV', 'America/El_Salvador', ['USD']),
  country(['591'], 'Panama', 'PA', 'America/Panama', ['PAB', 'USD']),
  country(['068'], 'Bolivia', 'BO', 'America/La_Paz', ['BOB', 'USD']),
  country(['032'], 'Argentina', 'AR', 'America/Argentina/Buenos_Aires', ['ARS', 'USD']),
  country(['076'], 'Brazil', 'BR', 'America/Sao_Paulo', ['BRL', 'USD'], 'pt'),
  country(['214'], 'Dominican Republic', 'DO', 'America/Santo_Domingo', ['DOP', 'USD']),
  country(['340'], 'Honduras', 'HN', 'America/Tegucigalpa', ['HNL', 'USD']),
  country(['558'], 'Nicaragua', 'NI', 'America/Managua', ['NIO', 'USD']),
  country(['600'], 'Paraguay', 'PY', 'America/Asuncion', ['PYG', 'USD']),
  country(['858'], 'Uruguay', 'UY', 'America/Montevideo', ['UYU', 'USD']),
];

function country(
  codes: Country['codes'],
  name: string,
  region: string,
  timeZone: string,
  currencies: readonly string[],
  language: Language = 'es',
): Country {
  return { codes, name, region, language, timeZone, currencies };
}

/** Every code with its country. */
export const ALL_CODES: readonly (readonly [code: string, Country])[] = COUNTRIES.flatMap((one) =>
  one.codes.map((code) => [code, one] as const),
);
const BY_CODE: ReadonlyMap<string, Country> = new Map(ALL_CODES);

/** A country as it is shown. Its two letters have a name in every language. */
type ShownCountry = Pick<Country, 'region' | 'timeZone' | 'currencies'> & { readonly country: string };

/** All countries, each with its first code. */
export const SHOWN_COUNTRIES: readonly ShownCountry[] = COUNTRIES.map(({ codes: [country], region, timeZone, currencies }) => ({
  country,
  region,
  timeZone,
  currencies,
}));

/** The first code of each country. */
export const ALL_COUNTRIES: readonly string[] = COUNTRIES.map(({ codes: [code] }) => code);

/** Each country with its first code, for people: `343 Colombia, 345 Ecuador, …`. */
export const countriesByName = (): string => COUNTRIES.map(({ codes: [code], name }) => `${code} ${name}`).join(', ');

/** Finds the country of a three-digit code. Both codes of a country give the same object. */
export function findCountry(code: string): Country | undefined {
  return BY_CODE.get(code);
}

/** The name by which `Intl` knows how a language is written in a country: `es-CO`, `en-PE`. */
export function localeOf(language: Language, { region }: Pick<Country, 'region'>): string {
  return `${language}-${region}`;
}
