import { DECIMALS } from '../../api/generated/currencies.ts';
import { HABITS, readText, withoutSign, writeNumber, type ReadText, type Separators } from '../../api/generated/written-number.ts';
import { UNCLEAR, UNCONFIRMED } from '../../api/rules.ts';
import type { Language } from '../../shell/language.ts';
import { REGIONS } from './instants.ts';
import { formatAmount, percentSign, type Money } from './money.ts';

// Numbers as people type them. A form holds a plain decimal, as the API takes it; or what was typed behind a mark, which no rule takes.

const [COMMA, POINT] = HABITS as readonly [Separators, Separators];
const habitOf = (language: Language): Separators => (language === 'en' ? POINT : COMMA);

/** What a field takes: money of a currency, with its decimals, or a number with at most some decimals. */
export type Takes = { readonly currency: string; readonly isSigned?: boolean } | { readonly decimals: number };

const decimalsIn = (takes: Takes): number => ('decimals' in takes ? takes.decimals : (DECIMALS[takes.currency] ?? 2));

/** How people may write a currency beside an amount: its code, and `$` or `US$`. */
function signsOf(currency: string, language: Language): readonly string[] {
  if (!/^[A-Z]{3}$/.test(currency)) return ['$'];
  const signs = (['narrowSymbol', 'symbol'] as const).map((currencyDisplay) =>
    new Intl.NumberFormat(REGIONS[language], { style: 'currency', currency, currencyDisplay }).formatToParts(1),
  );
  return [currency, ...signs.map((parts) => parts.find(({ type }) => type === 'currency')?.value ?? currency)];
}

const MINUS = /^[-−]\s*/u;

/** Reads what was typed, in the language of the page. */
export function readTyped(text: string, takes: Takes, language: Language): ReadText {
  const bare = 'currency' in takes ? withoutSign(text, signsOf(takes.currency, language)) : text.trim().replace(/\s*%$/, '');
  const unsigned = bare.replace(MINUS, '');
  const read = readText(
    'currency' in takes ? withoutSign(unsigned, signsOf(takes.currency, language)) : unsigned,
    decimalsIn(takes),
    habitOf(language),
    'currency' in takes,
  );
  if (bare === unsigned || !('plain' in read)) return read;
  return 'currency' in takes && takes.isSigned === true ? { plain: `-${read.plain}` } : { fault: 'form', meant: [] };
}

/** What the field shows of a value: a plain decimal as the language writes it, or what was typed. */
export function shownTyped(value: string, language: Language): string {
  if (value.startsWith(UNCLEAR)) return value.slice(UNCLEAR.length);
  const plain = plainOf(value);
  return plain.startsWith('-') ? `-${writeNumber(plain.slice(1), habitOf(language))}` : writeNumber(plain, habitOf(language));
}

/** The number of a value, whether or not it is confirmed. What is unclear stays as it is. */
export const plainOf = (value: string): string => (value.startsWith(UNCONFIRMED) ? value.slice(UNCONFIRMED.length) : value);

/** A percentage as the language writes it. */
export const formatPercent = (plain: string, language: Language): string =>
  `${writeNumber(plain, habitOf(language))}${percentSign(language)}`;

/** An amount in words: `50.000,00 pesos colombianos`. */
export function amountInWords(money: Money, language: Language): string {
  const digits = formatAmount(money, language);
  if (!/^[A-Z]{3}$/.test(money.currency)) return digits;
  const parts = new Intl.NumberFormat(REGIONS[language], {
    style: 'currency',
    currency: money.currency,
    currencyDisplay: 'name',
    minimumFractionDigits: decimalsIn(money),
  }).formatToParts(money.amount as Intl.StringNumericLiteral);
  const name = parts.find(({ type }) => type === 'currency')?.value ?? money.currency;
  // Brazilian data write names of currencies with a capital, which a sentence does not have.
  return `${digits} ${language === 'pt' && name !== money.currency ? name.replace(/^./u, (first) => first.toLowerCase()) : name}`;
}

/** The plain decimal of a typed amount with all decimals of its currency, for a text that may have fewer. */
export function inFull({ amount, currency }: Money): Money {
  const [whole = '', decimals = ''] = amount.split('.');
  const length = Math.max(decimals.length, decimalsIn({ currency }));
  return { amount: length === 0 ? whole : `${whole}.${decimals.padEnd(length, '0')}`, currency };
}

const scaled = (plain: string): bigint =>
  BigInt(plain.replace('-', '').replace(/^([0-9]+)(?:\.([0-9]*))?$/, (_, whole: string, part = '') => whole + String(part).padEnd(6, '0')));

/** Whether a change is of more than ten times, up or down. Zero counts as no amount. */
export function isTenfold(before: string, after: string): boolean {
  if (!/^-?[0-9]+(?:\.[0-9]+)?$/.test(before) || !/^-?[0-9]+(?:\.[0-9]+)?$/.test(after)) return false;
  const [from, to] = [scaled(before), scaled(after)];
  return from !== 0n && to !== 0n && (to > from * 10n || from > to * 10n);
}
