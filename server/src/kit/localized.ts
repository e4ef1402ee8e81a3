import { formatAllDecimals } from './money.ts';
import { writeAmount } from './written/shown-amount.ts';
import type { Separators } from './written/written-number.ts';

/** Writes an amount as people of a country do: `$ 45.000` in es-CO. Shape: minor units of a known currency → exact text. */
export const localizedAmount = (amountMinor: bigint, currency: string, locale: string): string =>
  writeAmount(formatAllDecimals(amountMinor, currency), currency, locale);

/**
 * Writes an amount so that its currency is plain: `$ 45.000` of COP in es-CO, `$ 45,00 USD` there.
 * The code follows where people have no sign for the currency, and where its `$` is that of another country.
 */
export function localizedMoney(
  { amountMinor, currency }: { readonly amountMinor: bigint; readonly currency: string },
  locale: string,
): string {
  const amount = localizedAmount(amountMinor, currency, locale);
  const [, sign] = signsOf(currency, locale);
  // A currency begins with the code of its country.
  const isPlain = sign !== currency && (sign !== '$' || currency.startsWith(new Intl.Locale(locale).region ?? '-'));
  return isPlain ? amount : `${amount} ${currency}`;
}

/** How people of a country separate thousands and decimals: `1.234,5` in es-CO, `1,234.5` in es-MX. */
export function separatorsOf(locale: string): Separators {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1234567.5);
  const named = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { thousands: named('group'), point: named('decimal') };
}

/**
 * Writes an amount with all decimals of its currency as a column of a table has it, without a sign for the currency: `-1.234.567,50`.
 * Shape: minor units of a known currency → exact text.
 */
export function columnAmount(amountMinor: bigint, currency: string, { thousands, point }: Separators): string {
  const [whole = '', decimals] = formatAllDecimals(amountMinor, currency).split('.');
  const grouped = whole.replaceAll(/(?<=[0-9])(?=(?:[0-9]{3})+$)/g, thousands);
  return decimals === undefined ? grouped : `${grouped}${point}${decimals}`;
}

/** The signs that people of a country may write beside an amount of a currency: its code, and `$` or `R$`. */
export function signsOf(currency: string, locale: string): readonly string[] {
  const signs = (['narrowSymbol', 'symbol'] as const).map((currencyDisplay) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay }).formatToParts(1),
  );
  return [currency, ...signs.map((parts) => parts.find(({ type }) => type === 'currency')?.value ?? currency)];
}

/** Writes a day in words: `30 de noviembre de 2026` in es-CO. */
export function localizedDay(day: Temporal.PlainDate, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.UTC(day.year, day.month - 1, day.day));
}

/** Writes an instant as the clocks of a zone show it: `21 de noviembre de 2026 a las 10:00 a. m.` in es-CO. */
export function localizedInstant(instant: Temporal.Instant, timeZone: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(instant.epochMilliseconds);
}

/** Writes the time of a day as the clocks of a zone show it: `6:00 p. m.` in es-CO. */
export function localizedTime(instant: Temporal.Instant, timeZone: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(instant.epochMilliseconds);
}

/** Writes a list: `Efecty, Gana o Baloto` in es-CO. */
export function localizedChoice(items: readonly string[], locale: string): string {
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(items);
}
