import { localizedAmount } from '../kit/localized.ts';
import { oneLine } from '../kit/one-line.ts';
import type { Language } from '../kit/language.ts';
import { localeOf } from '../merchants/index.ts';
import type { Rendered } from './channel.ts';
import type { OneTimePasswordSms } from './message.ts';
import { internationalNumber } from './places.ts';

type Parts = { readonly merchant: string; readonly amount: string; readonly otp: string; readonly day: string };

/** Worded without the accents that the alphabet of SMS lacks: with one of them only 70 characters fit instead of 160. */
const TEXTS: Readonly<Record<Language, (parts: Parts) => string>> = {
  es: ({ merchant, amount, otp, day }) =>
    `${merchant}: su clave para cobrar ${amount} es ${otp}. Vence el ${day}. No la comparta con nadie.`,
  en: ({ merchant, amount, otp, day }) => `${merchant}: your code to collect ${amount} is ${otp}. Valid through ${day}. Do not share it.`,
  pt: ({ merchant, amount, otp, day }) => `${merchant}: sua senha para sacar ${amount} é ${otp}. Vence em ${day}. Nunca a compartilhe.`,
};

/** Longer names are cut: the password has to fit. */
const NAME_LENGTH = 40;

/** Writes the SMS that carries a one-time password. */
export function renderSms({ merchantName, language, country, amountMinor, currency, otp, expiresOn, to }: OneTimePasswordSms): Rendered {
  const locale = localeOf(language, country);
  // The code, not the sign: half of Latin America writes `$`.
  const amount = `${currency} ${localizedAmount(amountMinor, currency, locale)
    .number.replace(/[^\d.,\s]/g, '')
    .trim()}`;
  const letters = Iterator.from(new Intl.Segmenter().segment(oneLine(merchantName)));
  const merchant = [...letters.take(NAME_LENGTH)].map(({ segment }) => segment).join('');
  const text = TEXTS[language]({ merchant, amount, otp, day: shortDay(expiresOn, locale) });
  return { to: internationalNumber(to, country), text: oneLine(text), mail: undefined };
}

/** `21 de dic de 2026`: short, and the month cannot be taken for the day. */
function shortDay(day: Temporal.PlainDate, locale: string): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    Date.UTC(day.year, day.month - 1, day.day),
  );
}
