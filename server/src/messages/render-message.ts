import type { Language } from '../kit/language.ts';
import { localizedAmount, localizedChoice } from '../kit/localized.ts';
import { oneLine } from '../kit/one-line.ts';
import { mobileNumber } from '../kit/phones/mobile-number.ts';
import { localeOf, type Country } from '../merchants/index.ts';
import type { NewMessage, OneTimePasswordSms, RenderedMessage } from './message.ts';
import { renderMail } from './render-mail.ts';

/** What messages say beside what was written of them: where end users collect, and what people call the service. */
export type MessageSurroundings = {
  readonly collectedAt: CollectedAt;
  /** Undefined: the operator has given no name. */
  readonly operatorName: string | undefined;
};

/** Says at which networks a merchant's cashouts are collected: their names. */
export type CollectedAt = (country: Country, currency: string) => Promise<readonly string[]>;

/** Writes a message as its recipient reads it. Undefined: no SMS can reach the number, because the table of numbers has changed since. */
export async function renderMessage(
  message: NewMessage,
  { collectedAt, operatorName }: MessageSurroundings,
): Promise<RenderedMessage | undefined> {
  if (message.kind !== 'one_time_password') return renderMail(message, oneLine(operatorName ?? 'Caudal'));
  const number = mobileNumber(message.to, message.country.region);
  return number === undefined ? undefined : renderSms(message, number, await collectedAt(message.country, message.currency));
}

type Parts = Readonly<Record<'merchant' | 'amount' | 'otp' | 'day', string>> & {
  /** Undefined: no network pays it out yet. */
  readonly where: string | undefined;
};

/** Without the accents that the SMS alphabet lacks: one of them leaves room for 70 characters only, instead of 160. */
const SMS_TEXTS: Readonly<Record<Language, (parts: Parts) => string>> = {
  es: ({ merchant, amount, otp, day, where }) =>
    `${merchant}: su clave para cobrar ${amount} es ${otp}.${where ? ` Cobre en ${where}.` : ''} Vence el ${day}. No la comparta con nadie.`,
  en: ({ merchant, amount, otp, day, where }) =>
    `${merchant}: your code to collect ${amount} is ${otp}.${where ? ` Collect at ${where}.` : ''} Valid through ${day}. Do not share it.`,
  pt: ({ merchant, amount, otp, day, where }) =>
    `${merchant}: sua senha para sacar ${amount} é ${otp}.${where ? ` Saque em ${where}.` : ''} Vence em ${day}. Nunca a compartilhe.`,
};
const OTHER_PLACE: Readonly<Record<Language, string>> = { es: 'otro punto', en: 'another point', pt: 'outro ponto' };

/** Longer names are cut, so that the password has room. */
const MOST_NAME_CHARACTERS = 40;
/** What the names of networks may take, so that most texts stay one SMS. */
const MOST_PLACES_CHARACTERS = 30;

function renderSms(message: OneTimePasswordSms, number: string, networks: readonly string[]): RenderedMessage {
  const { merchantName, language, country, amountMinor, currency, otp, expiresOn, endsAt } = message;
  const locale = localeOf(language, country);
  // The currency's code, not its sign: many countries write `$` for their own currency.
  const digits = localizedAmount(amountMinor, currency, locale).replace(/[^\d.,\s]/g, '');
  const text = SMS_TEXTS[language]({
    merchant: cutName(merchantName, MOST_NAME_CHARACTERS),
    amount: `${currency} ${digits.trim()}`,
    otp,
    day: endsAt ? shortTime(endsAt, country.timeZone, locale) : shortDay(expiresOn, locale),
    where: placesOf(networks, language, locale),
  });
  return { to: number.slice(1), text: oneLine(text), otp, mail: undefined };
}

/** Names as many networks as there is room for, and says that there are others. Undefined: there is none. */
function placesOf(networks: readonly string[], language: Language, locale: string): string | undefined {
  const names = networks.map((name) => inSmsLetters(cutName(name, MOST_PLACES_CHARACTERS)));
  if (names.length === 0) return undefined;
  const named: string[] = [];
  for (const name of names) if ([...named, name].join('').length <= MOST_PLACES_CHARACTERS) named.push(name);
  return localizedChoice(named.length === names.length ? named : [...named, OTHER_PLACE[language]], locale);
}

const cutName = (name: string, most: number): string => {
  const characters = Iterator.from(new Intl.Segmenter().segment(oneLine(name)));
  return [...characters.take(most)].map(({ segment }) => segment).join('');
};

/** People know a network without its accent too. */
const inSmsLetters = (name: string): string =>
  name.replace(/[áíóúâêîôûãõçÁÍÓÚÂÊÎÔÛÃÕÀÈÌÒÙ]/g, (letter) => letter.normalize('NFD').charAt(0));

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
