/**
 * The active currencies and funds of ISO 4217, list one, by their number of decimals. `Intl` cannot replace this table: it gives what
 * shops print, for COP no decimals. Codes to which the standard gives no decimals are left out: metals, XDR, XSU, XUA, XTS, XXX.
 */
const CODES_BY_EXPONENT = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
    CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR
    ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV
    MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD
    SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_EXPONENT).flatMap(([exponent, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(exponent)]),
  ),
);

/** All currency codes that the service knows, three capital letters each. */
export const currencyCodes: readonly string[] = [...exponents.keys()].toSorted();

/** The currencies whose minor unit is not a hundredth, with its decimals. */
export const currenciesWithoutCents: Readonly<Record<string, number>> = Object.fromEntries(
  [...exponents].filter(([, exponent]) => exponent !== 2),
);

/** Gives the number of decimals of a currency's minor unit: COP 2, CLP 0. Undefined: there is no such currency. */
export function currencyExponent(currency: string): number | undefined {
  return exponents.get(currency);
}

/**
 * The SQL that turns minor units into an amount with all decimals of its currency: `4500000 * 0.01` is `45000.00`.
 * Shape: the name of the column with the currency → an expression. Minor units times it are a numeric with exactly those decimals.
 */
export function minorUnitSql(currencyColumn: string): string {
  const others = Object.entries(CODES_BY_EXPONENT).filter(([exponent]) => exponent !== '2');
  const cases = others.map(
    ([exponent, codes]) => `when ${currencyColumn} in ('${codes.replaceAll(' ', "', '")}') then ${unitText(Number(exponent))}`,
  );
  return `(case ${cases.join(' ')} else ${unitText(2)} end)`;
}

const unitText = (exponent: number): string => (1 / 10 ** exponent).toFixed(exponent);

/**
 * Digits, optionally a point and more digits (contract §2.8). Leading zeros are allowed and count among the 13. No currency has
 * more than four decimals. Up to twelve zeros may follow them: they carry no value, and the bound keeps the text short.
 */
const AMOUNT = /^([0-9]{1,13})(?:\.([0-9]{1,4})0{0,12})?$/;
const ONLY_ZEROS = /^[0.]*$/;
const ZERO = 0x30;

/**
 * True when a text is an amount in some currency, for callers that do not know the currency yet.
 * Refuses: zero, a sign, an exponent, grouping, over 13 digits before the point, over 4 significant ones after it.
 * Source: contract §2.8.
 */
export function isAmountText(text: string): boolean {
  return AMOUNT.test(text) && !ONLY_ZEROS.test(text);
}

/**
 * Reads an amount as programs of the management API, commands and files send it.
 * Shape: plain decimal text → minor units of the currency, above zero.
 * Refuses (undefined): what isAmountText refuses, more decimals than the currency has, also zeros, an unknown currency. A person who
 * writes `50.000` in a currency of two decimals means fifty thousand.
 */
export function parseAmount(text: string, currency: string): bigint | undefined {
  return aboveZero(parseCost(text, currency));
}

/** Reads an amount that may be zero. Otherwise as parseAmount. */
export function parseCost(text: string, currency: string): bigint | undefined {
  return hasNoMoreDecimals(text, currency) ? parseWireCost(text, currency) : undefined;
}

/** True where a text has no more decimals than its currency, whether or not they are zeros. */
export function hasNoMoreDecimals(text: string, currency: string): boolean {
  return (text.split('.')[1]?.length ?? 0) <= (currencyExponent(currency) ?? 0);
}

/** Reads an amount of the merchants' wire, where zeros beyond the currency's decimals carry no value. Otherwise as parseAmount. Source: contract §2.8. */
export function parseWireAmount(text: string, currency: string): bigint | undefined {
  return aboveZero(parseWireCost(text, currency));
}

const aboveZero = (amountMinor: bigint | undefined): bigint | undefined => (amountMinor === 0n ? undefined : amountMinor);

/** True for an amount such as `045000`. Digits before it in a text without separators could be taken for its own. */
export const hasLeadingZero = (amount: string): boolean => /^0[0-9]/.test(amount);

/** Reads an amount of the wire that may be zero, such as `transactionCost` of contract §4.3. Otherwise as parseWireAmount. */
export function parseWireCost(text: string, currency: string): bigint | undefined {
  const exponent = currencyExponent(currency);
  const match = AMOUNT.exec(text);
  if (exponent === undefined || match === null) return undefined;
  const [, whole = '', decimals = ''] = match;
  if (!ONLY_ZEROS.test(decimals.slice(exponent))) return undefined;
  return BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0'));
}

const LONG_AMOUNT = /^([0-9]{1,13})(?:\.([0-9]+))?$/;
const MOST_WHOLE_DIGITS = 13;

/** As isAmountText, with as many decimals as there are. */
export const isLongAmountText = (text: string): boolean => LONG_AMOUNT.test(text) && !ONLY_ZEROS.test(text);

/**
 * Reads an amount that may have more decimals than its currency. A tax calculation leaves them: `39.3294` of COP is `39.33`.
 * Shape: plain decimal text → minor units, rounded half up, above zero.
 * Refuses (undefined): as parseAmount, except the decimals; what rounds to zero, or to more digits than an amount may have.
 */
export function parseAmountHalfUp(text: string, currency: string): bigint | undefined {
  const exponent = currencyExponent(currency);
  const match = LONG_AMOUNT.exec(text);
  if (exponent === undefined || match === null) return undefined;
  const [, whole = '', decimals = ''] = match;
  const cut = BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0'));
  const amountMinor = cut + ((decimals[exponent] ?? '0') >= '5' ? 1n : 0n);
  return amountMinor === 0n || amountMinor >= 10n ** BigInt(MOST_WHOLE_DIGITS + exponent) ? undefined : amountMinor;
}

/**
 * Prints an amount for an answer with at least one decimal and no zeros after that one: `45000.0`, `11.85`, `11.8`.
 * Shape: minor units, zero or more, as a bigint or as the digits that the database prints; a known currency.
 * Throws: RangeError for a negative amount or an unknown currency, which are programming errors.
 * Source: contract §2.8.
 */
export function formatAmount(amountMinor: bigint | string, currency: string): string {
  return formatWithDecimals(amountMinor, currency, 1);
}

/**
 * Prints an amount with two decimals: `45000.00`. Further decimals that are not zero are kept, because an amount is never rounded.
 * Shape: as formatAmount. Source: contract §3.3, AMOUNT.
 */
export function formatAmountTwoDecimals(amountMinor: bigint, currency: string): string {
  return formatWithDecimals(amountMinor, currency, 2);
}

/** Prints an amount with all decimals of its currency, as the management API shows it: `32000.00`, `-1.50`. */
export function formatAllDecimals(amountMinor: bigint, currency: string): string {
  const exponent = currencyExponent(currency);
  if (exponent === undefined) throw new RangeError(`no such currency: ${currency}`);
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(exponent + 1, '0');
  const point = digits.length - exponent;
  return `${amountMinor < 0n ? '-' : ''}${digits.slice(0, point)}${exponent === 0 ? '' : `.${digits.slice(point)}`}`;
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

declare global {
  interface JSON {
    /** Makes a value that JSON.stringify writes as this text. */
    rawJSON(text: string): JsonNumberText;
  }
}
/** A number for JSON.stringify alone: it keeps its text, so no amount passes through a binary float. */
export type JsonNumberText = { readonly rawJSON: string };

/** Writes an amount as a JSON number: `45000`, `11.85`. What left a fund has a minus. */
export function amountNumber(amountMinor: bigint, currency: string): JsonNumberText {
  const amount = formatAmount(amountMinor < 0n ? -amountMinor : amountMinor, currency).replace(/\.0$/, '');
  return JSON.rawJSON(amountMinor < 0n ? `-${amount}` : amount);
}
