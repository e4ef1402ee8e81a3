import type { Language } from '../kit/language.ts';
import { localizedAmount } from '../kit/localized.ts';
import { oneLine } from '../kit/one-line.ts';
import { localeOf } from '../merchants/index.ts';
import { internationalNumber } from './international-number.ts';
import type { NewMessage, OneTimePasswordSms, Rendered } from './message.ts';
import { renderMail } from './render-mail.ts';

/** Writes a message as its recipient reads it. */
export function renderMessage(message: NewMessage): Rendered {
  return message.kind === 'one_time_password' ? renderSms(message) : renderMail(message);
}

type Parts = { readonly merchant: string; readonly amount: string; readonly otp: string; readonly day: string };

/** Without the accents that the SMS alphabet lacks: one of them leaves room for 70 characters only, instead of 160. */
const SMS_TEXTS: Readonly<Record<Language, (parts: Parts) => string>> = {
  es: ({ merchant, amount, otp, day }) =>
    `${merchant}: su clave para cobrar ${amount} es ${otp}. Vence el ${day}. No la comparta con nadie.`,
  en: ({ merchant, amount, otp, day }) => `${merchant}: your code to collect ${amount} is ${otp}. Valid through ${day}. Do not share it.`,
  pt: ({ merchant, amount, otp, day }) => `${merchant}: sua senha para sacar ${amount} é ${otp}. Vence em ${day}. Nunca a compartilhe.`,
};

/** Longer names are cut, so that the password has room. */
const MOST_NAME_CHARACTERS = 40;

function renderSms(message: OneTimePasswordSms): Rendered {
  const { merchantName, language, country, amountMinor, currency, otp, expiresOn, endsAt, to } = message;
  const locale = localeOf(language, country);
  // The currency's code, not its sign: many countries write `$` for their own currency.
  const digits = localizedAmount(amountMinor, currency, locale).replace(/[^\d.,\s]/g, '');
  const amount = `${currency} ${digits.trim()}`;
  const characters = Iterator.from(new Intl.Segmenter().segment(oneLine(merchantName)));
  const merchant = [...characters.take(MOST_NAME_CHARACTERS)].map(({ segment }) => segment).join('');
  const text = SMS_TEXTS[language]({
    merchant,
    amount,
    otp,
    day: endsAt ? shortTime(endsAt, country.timeZone, locale) : shortDay(expiresOn, locale),
  });
  return { to: internationalNumber(to, country), text: oneLine(text), otp, mail: undefined };
}

/** `21 de dic de 2026`: short, and the month cannot be mistaken for the day. */
function shortDay(day: Temporal.PlainDate, locale: string): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    Date.UTC(day.year, day.month - 1, day.day),
  );
}

/** `22 de nov de 2026, 07:43`: with the time of day, because it ends within that day. */
function shortTime(instant: Temporal.Instant, timeZone: string, locale: string): string {
  const form = { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  return new Intl.DateTimeFormat(locale, form).format(instant.epochMilliseconds);
}
