import { findCountry, type Language } from '../merchants/index.ts';

/** What a country's people write and dial. */
type Place = {
  /** ISO 3166-1 alpha-2: how digits are grouped and days written. */
  readonly region: string;
  /** Goes before a mobile number that is dialled from abroad. */
  readonly callingCode: string;
  /** Digits of a mobile number as it is dialled from abroad, after that. */
  readonly digits: number;
};

const place = (region: string, callingCode: string, digits: number): Place => ({ region, callingCode, digits });

const PLACES: Readonly<Record<string, Place>> = {
  Colombia: place('CO', '57', 10),
  Ecuador: place('EC', '593', 9),
  Peru: place('PE', '51', 9),
  'Costa Rica': place('CR', '506', 8),
  Mexico: place('MX', '52', 10),
  Chile: place('CL', '56', 9),
  Guatemala: place('GT', '502', 8),
  'El Salvador': place('SV', '503', 8),
  Panama: place('PA', '507', 8),
  Bolivia: place('BO', '591', 8),
  // Mobile numbers take a 9 there that is not dialled inside the country.
  Argentina: place('AR', '549', 10),
  Brazil: place('BR', '55', 11),
  'Dominican Republic': place('DO', '1', 10),
  Honduras: place('HN', '504', 8),
  Nicaragua: place('NI', '505', 8),
  Paraguay: place('PY', '595', 9),
  Uruguay: place('UY', '598', 8),
};

const placeOf = (country: string): Place | undefined => PLACES[findCountry(country)?.name ?? ''];

/** How a reader of a language writes in a country, for `Intl`: `es-CO`. */
export function localeOf(language: Language, country: string): string {
  return `${language}-${placeOf(country)?.region ?? 'CO'}`;
}

/** The zone of a country's clocks. */
export function timeZoneOf(country: string): string {
  return findCountry(country)?.timeZone ?? 'UTC';
}

/**
 * Turns a cellphone as people write it into the digits that are dialled from abroad, calling code first, without a sign.
 * Shape: digits with or without +, 00, the country's trunk 0, blanks and dashes. What is no number of that country is left as it is.
 */
export function internationalNumber(cellphone: string, country: string): string {
  const digits = cellphone.replace(/[^0-9]/g, '');
  if (cellphone.trim().startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  const found = placeOf(country);
  if (found === undefined) return digits;
  const national = digits.replace(/^0/, '');
  return national.length === found.digits ? `${found.callingCode}${national}` : digits;
}
