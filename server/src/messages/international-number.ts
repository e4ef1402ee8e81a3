import type { Country } from '../merchants/index.ts';

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
