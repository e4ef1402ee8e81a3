import type { Country } from '../merchants/index.ts';

/** The longest number of the world (ITU-T E.164). And the shortest: no mobile number with its calling code has fewer digits. */
const [MOST_DIGITS, LEAST_DIGITS] = [15, 8];

/** True for digits that can be a number with its calling code, of any country. */
export const hasPossibleLength = (dialled: string): boolean => dialled.length >= LEAST_DIGITS && dialled.length <= MOST_DIGITS;

/**
 * True for a cellphone that an SMS can reach: a mobile number of the country, or an international one.
 * Shape: as `internationalNumber`. Without a sign a number with a calling code is longer than the country's own.
 */
export function isPossibleCellphone(cellphone: string, country: Pick<Country, 'mobilePrefix' | 'mobileDigits'>): boolean {
  const dialled = internationalNumber(cellphone, country);
  const own = dialled.startsWith(country.mobilePrefix) ? country.mobilePrefix.length + country.mobileDigits : 0;
  const signed = /^\s*(\+|00)/.test(cellphone) ? 0 : country.mobileDigits + 1;
  return hasPossibleLength(dialled) && dialled.length >= Math.max(own, signed);
}

/**
 * Turns a cellphone as people write it into the digits that are dialled from abroad, without a sign.
 * Shape: digits with or without +, 00, a trunk 0, blanks and dashes; what is no mobile number of the country keeps its digits.
 */
export function internationalNumber(
  cellphone: string,
  { mobilePrefix, mobileDigits }: Pick<Country, 'mobilePrefix' | 'mobileDigits'>,
): string {
  const digits = cellphone.replace(/[^0-9]/g, '');
  if (cellphone.trim().startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  const national = digits.replace(/^0/, '');
  return national.length === mobileDigits ? `${mobilePrefix}${national}` : digits;
}
