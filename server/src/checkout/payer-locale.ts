import { localizedAmount } from '../kit/localized.ts';
import { findLanguage, type Country, type Language } from '../merchants/index.ts';
import type { Order } from '../orders/index.ts';

/** Where the people of a time zone write numbers and days in their own way. Each country of the contract has one zone (contract §6). */
const REGIONS: Readonly<Record<string, string>> = {
  'America/Bogota': 'CO',
  'America/Guayaquil': 'EC',
  'America/Lima': 'PE',
  'America/Costa_Rica': 'CR',
  'America/Mexico_City': 'MX',
  'America/Santiago': 'CL',
  'America/Guatemala': 'GT',
  'America/El_Salvador': 'SV',
  'America/Panama': 'PA',
  'America/La_Paz': 'BO',
  'America/Argentina/Buenos_Aires': 'AR',
  'America/Sao_Paulo': 'BR',
  'America/Santo_Domingo': 'DO',
  'America/Tegucigalpa': 'HN',
  'America/Managua': 'NI',
  'America/Asuncion': 'PY',
  'America/Montevideo': 'UY',
};

/** How a payer of a country reads a language: `es-CO`, `en-PE`. */
export function payerLocale(language: Language, { timeZone }: Country): string {
  const region = REGIONS[timeZone];
  return region === undefined ? language : `${language}-${region}`;
}

/** An amount on one line, with its currency: `$ 45.000 COP`. */
export function amountText({ amountMinor, currency }: Pick<Order, 'amountMinor' | 'currency'>, locale: string): string {
  const { number, code } = localizedAmount(amountMinor, currency, locale);
  return `${number} ${code}`;
}

const DEFAULT_LANGUAGE: Language = 'es';
const RANGE = /^\s*([a-z]{1,8})(?:-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?$/i;

/**
 * Chooses the language of a page about no order: the one of ours that the browser likes best, else Spanish.
 * Shape: an Accept-Language header, however broken → one of our languages.
 */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  let preferred: Language = DEFAULT_LANGUAGE;
  let best = 0;
  for (const range of (acceptLanguage ?? '').split(',')) {
    const [, primary = '', quality = '1'] = RANGE.exec(range) ?? [];
    const language = findLanguage(primary.toLowerCase());
    if (language === undefined || Number(quality) <= best) continue;
    preferred = language;
    best = Number(quality);
  }
  return preferred;
}
