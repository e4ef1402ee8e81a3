import { localizedAmount } from '../kit/localized.ts';
import { findLanguage, type Language } from '../kit/language.ts';
import type { Order } from '../orders/index.ts';

/** Prints an amount with its currency on one line: `$ 45.000 COP`. */
export function amountText({ amountMinor, currency }: Pick<Order, 'amountMinor' | 'currency'>, locale: string): string {
  const { number, code } = localizedAmount(amountMinor, currency, locale);
  return `${number} ${code}`;
}

const DEFAULT_LANGUAGE: Language = 'es';
const RANGE = /^\s*([a-z]{1,8})(?:-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?$/i;

/**
 * Chooses the language of a fault page: the supported language that the browser prefers, else Spanish.
 * Shape: any text as Accept-Language header → a supported language.
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
