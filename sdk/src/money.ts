import { DECIMALS } from './generated/operations.ts';

/** An amount in minor units: 4500000 of COP are 45000.00 pesos. */
export type Money = { readonly minor: bigint; readonly currency: string };

/** An amount: a plain decimal as text, or minor units. Never a number, which is a binary float. */
export type Amount = string | Money;

/** An amount and its currency: a text with the field of the currency beside it, or minor units, which name their currency. */
export type Priced<Field extends string> =
  | ({ readonly amount: string } & { readonly [Name in Field]: string })
  | ({ readonly amount: Money } & { readonly [Name in Field]?: undefined });

const decimalsOf = (currency: string): number => DECIMALS[currency] ?? 2;

/**
 * Reads an amount of an answer as minor units.
 * Throws: RangeError for a text that is not a plain decimal, or has more decimals than the currency.
 */
export function toMoney(amount: string, currency: string): Money {
  const decimals = decimalsOf(currency);
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,40})(?:\.(\d{1,40}?)0{0,40})?$/.exec(amount) ?? [];
  const significant = fraction === '0' ? '' : fraction;
  if (whole === undefined || significant.length > decimals) throw new RangeError(`no amount of ${currency}: ${amount}`);
  return { minor: BigInt(sign + whole + significant.padEnd(decimals, '0')), currency };
}

/** Writes minor units as a plain decimal. */
export function toAmount({ minor, currency }: Money): string {
  const decimals = decimalsOf(currency);
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${minor < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

/** The text of an amount, as it is sent and covered by the checksum. */
export function amountText(amount: Amount): string {
  if (typeof amount === 'string') return amount;
  if (typeof amount === 'object' && typeof amount.minor === 'bigint') return toAmount(amount);
  throw new TypeError('an amount is a text, or { minor: bigint, currency }: a number is a float');
}

/** The currency of an amount: its own, or that of the field beside a text. */
export const currencyOf = (amount: Amount, field: string | undefined): string =>
  (typeof amount === 'object' ? amount.currency : field) as string;
