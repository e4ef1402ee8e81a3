import type { Language } from '../kit/language.ts';

/** A country in which merchants work. Source: contract §6. */
export type Country = {
  /** Three digits each, as clients send them. The family's own code comes first, then the ISO 3166-1 numeric one. */
  readonly codes: readonly [string, ...string[]];
  readonly name: string;
  /** ISO 3166-1 alpha-2: how people there write numbers and days. */
  readonly region: string;
  /** What a merchant's answers and messages are written in unless it chooses another. */
  readonly language: Language;
  /** IANA zone. A country with several has that of its capital. */
  readonly timeZone: string;
  readonly currencies: readonly string[];
  /** What is dialled from abroad before a mobile number: the calling code, and what mobile numbers have after it. */
  readonly mobilePrefix: string;
  /** The digits of a mobile number after the prefix. */
  readonly mobileDigits: number;
};

/** The only table of countries. */
const COUNTRIES: readonly Country[] = [
  country(['343', '170'], 'Colombia', 'CO', 'America/Bogota', ['COP', 'USD'], '57', 10),
  country(['345', '218'], 'Ecuador', 'EC', 'America/Guayaquil', ['USD'], '593', 9),
  country(['348', '604'], 'Peru', 'PE', 'America/Lima', ['PEN', 'USD'], '51', 9),
  country(['314', '188'], 'Costa Rica', 'CR', 'America/Costa_Rica', ['CRC', 'USD'], '506', 8),
  country(['484'], 'Mexico', 'MX', 'America/Mexico_City', ['MXN', 'USD'], '52', 10),
  country(['152'], 'Chile', 'CL', 'America/Santiago', ['CLP', 'USD'], '56', 9),
  country(['320'], 'Guatemala', 'GT', 'America/Guatemala', ['GTQ', 'USD'], '502', 8),
  country(['222'], 'El Salvador', 'SV', 'America/El_Salvador', ['USD'], '503', 8),
  country(['591'], 'Panama', 'PA', 'America/Panama', ['PAB', 'USD'], '507', 8),
  country(['068'], 'Bolivia', 'BO', 'America/La_Paz', ['BOB', 'USD'], '591', 8),
  // Argentine mobile numbers have a 9 after the calling code, which is not dialled inside the country.
  country(['032'], 'Argentina', 'AR', 'America/Argentina/Buenos_Aires', ['ARS', 'USD'], '549', 10),
  country(['076'], 'Brazil', 'BR', 'America/Sao_Paulo', ['BRL', 'USD'], '55', 11, 'pt'),
  country(['214'], 'Dominican Republic', 'DO', 'America/Santo_Domingo', ['DOP', 'USD'], '1', 10),
  country(['340'], 'Honduras', 'HN', 'America/Tegucigalpa', ['HNL', 'USD'], '504', 8),
  country(['558'], 'Nicaragua', 'NI', 'America/Managua', ['NIO', 'USD'], '505', 8),
  country(['600'], 'Paraguay', 'PY', 'America/Asuncion', ['PYG', 'USD'], '595', 9),
  country(['858'], 'Uruguay', 'UY', 'America/Montevideo', ['UYU', 'USD'], '598', 8),
];

function country(
  codes: Country['codes'],
  name: string,
  region: string,
  timeZone: string,
  currencies: readonly string[],
  mobilePrefix: string,
  mobileDigits: number,
  language: Language = 'es',
): Country {
  return { codes, name, region, language, timeZone, currencies, mobilePrefix, mobileDigits };
}

const BY_CODE: ReadonlyMap<string, Country> = new Map(COUNTRIES.flatMap((one) => one.codes.map((code) => [code, one] as const)));

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
