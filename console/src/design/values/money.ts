import { writeAmount } from '../../api/generated/shown-amount.ts';
import type { Language } from '../../shell/language.ts';
import { REGIONS } from './instants.ts';

/** Money as it travels: a text with all decimals of its currency. */
export type Money = { readonly amount: string; readonly currency: string };

/** The separators of each language: of thousands and of decimals. */
const SEPARATORS: Readonly<Record<Language, readonly [string, string]>> = { es: ['.', ','], en: [',', '.'], pt: ['.', ','] };
/** A real minus has the width of a digit. */
const MINUS = '−';

/** Writes the digits of an amount with all its decimals, as a field holds them. No number of the browser is used: it would lose digits. */
export function formatAmount({ amount }: Money, language: Language, hasSign = false): string {
  const [, sign = '', whole = '', decimals] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '') return amount;
  const [thousands, point] = SEPARATORS[language];
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, thousands);
  return `${sign === '' ? (hasSign ? '+' : '') : MINUS}${grouped}${decimals === undefined ? '' : `${point}${decimals}`}`;
}

/** Writes money as payers read it on the checkout page, with its sign and its code: `$ 62.500 COP`. */
export const formatMoney = (money: Money, language: Language, hasSign = false): string =>
  `${signedAmount(money, language, hasSign)} ${money.currency}`;

/** The same without the code. What is not a currency has no sign. */
export function signedAmount(money: Money, language: Language, hasSign = false): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(money.amount) || !/^[A-Z]{3}$/.test(money.currency)) return formatAmount(money, language, hasSign);
  const sign = money.amount.startsWith('-') ? MINUS : hasSign ? '+' : '';
  return `${sign}${writeAmount(money.amount.replace('-', ''), money.currency, REGIONS[language])}`;
}

/** The minor units of an amount, to add and compare. The decimals of the text are those of its currency. */
export const minorOf = ({ amount }: Money): bigint => BigInt(amount.replace('.', ''));

/** Money of minor units, with as many decimals as `like` has. */
export function moneyOf(minor: bigint, { amount, currency }: Money): Money {
  const decimals = amount.split('.')[1]?.length ?? 0;
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return { amount: `${minor < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`, currency };
}

/** Adds money of one currency each. Shape: amounts → one sum for each currency, in the order of its name. */
export function sumByCurrency(amounts: readonly Money[]): readonly Money[] {
  const groups = Map.groupBy(amounts, ({ currency }) => currency);
  return [...groups.values()]
    .map((own) =>
      moneyOf(
        own.reduce((sum, one) => sum + minorOf(one), 0n),
        own[0] as Money,
      ),
    )
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** What follows the number of a percentage: `19,5 %` in Spanish, `19,5%` in Portuguese, `19.5%` in English. */
export const percentSign = (language: Language): string => (language === 'es' ? '\u00a0%' : '%');
