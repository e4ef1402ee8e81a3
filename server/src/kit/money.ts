import { currencyExponent } from './currencies.ts';

/**
 * Digits, optionally a point and more digits (contract §2.8). Leading zeros are digits: they are fine and count
 * among the 13. No currency has more than four decimals; zeros after them carry no value, and twelve are plenty:
 * the bound keeps a text from being long for nothing.
 */
const AMOUNT = /^([0-9]{1,13})(?:\.([0-9]{1,4})0{0,12})?$/;
const ONLY_ZEROS = /^[0.]*$/;
const ZERO = 0x30;

/**
 * Tells whether a text is an amount in some currency, where the currency is not known (yet).
 * Refuses: zero, a sign, an exponent, grouping, over 13 digits before the point, over 4 significant ones after it.
 * Source: contract §2.8.
 */
export function isAmountText(text: string): boolean {
  return AMOUNT.test(text) && !ONLY_ZEROS.test(text);
}

/** Tells whether a text is an amount in some currency, or zero: for costs, which may be none. Otherwise as isAmountText. */
export function isCostText(text: string): boolean {
  return AMOUNT.test(text);
}

/**
 * Reads an amount.
 * Shape: plain decimal text → minor units of the currency, above zero.
 * Refuses (undefined): what isAmountText refuses, more significant decimals than the currency has, an unknown currency.
 * Source: contract §2.8.
 */
export function parseAmount(text: string, currency: string): bigint | undefined {
  const amountMinor = parseCost(text, currency);
  return amountMinor === 0n ? undefined : amountMinor;
}

/** Reads an amount that may be zero, such as the `transactionCost` of contract §4.3. Otherwise as parseAmount. */
export function parseCost(text: string, currency: string): bigint | undefined {
  const exponent = currencyExponent(currency);
  const match = AMOUNT.exec(text);
  if (exponent === undefined || match === null) return undefined;
  const [, whole = '', decimals = ''] = match;
  if (!ONLY_ZEROS.test(decimals.slice(exponent))) return undefined;
  return BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0'));
}

/**
 * Prints an amount for an answer: at least one decimal and no zeros beyond it, `45000.0`, `11.85`, `11.8`.
 * Shape: minor units, zero or more, as a number or in the digits in which the database prints them, of a known currency; anything else is a
 * fault of ours and throws.
 * Source: contract §2.8.
 */
export function formatAmount(amountMinor: bigint | string, currency: string): string {
  return formatWithDecimals(amountMinor, currency, 1);
}

/**
 * Prints an amount with two decimals, `45000.00`; a currency with more decimals keeps those that are not zero,
 * because an amount is never rounded.
 * Shape: as formatAmount. Source: contract §3.3, AMOUNT.
 */
export function formatAmountTwoDecimals(amountMinor: bigint, currency: string): string {
  return formatWithDecimals(amountMinor, currency, 2);
}

function formatWithDecimals(amountMinor: bigint | string, currency: string, least: number): string {
  const exponent = currencyExponent(currency);
  if (exponent === undefined) throw new RangeError(`no such currency: ${currency}`);
  const digits = amountMinor.toString().padStart(exponent + 1, '0');
  if (digits.includes('-')) throw new RangeError('an amount on the wire has no sign');
  const point = digits.length - exponent;
  let end = digits.length;
  while (end > point + least && digits.charCodeAt(end - 1) === ZERO) end--;
  return `${digits.slice(0, point)}.${digits.slice(point, end).padEnd(least, '0')}`;
}
