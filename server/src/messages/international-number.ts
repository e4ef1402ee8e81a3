import type { Country } from '../merchants/index.ts';

/** What goes before a mobile number that is dialled from abroad, and the digits after it. */
const MOBILE_NUMBERS: Readonly<Record<string, { readonly callingCode: string; readonly digits: number }>> = {
  CO: { callingCode: '57', digits: 10 },
  EC: { callingCode: '593', digits: 9 },
  PE: { callingCode: '51', digits: 9 },
  CR: { callingCode: '506', digits: 8 },
  MX: { callingCode: '52', digits: 10 },
  CL: { callingCode: '56', digits: 9 },
  GT: { callingCode: '502', digits: 8 },
  SV: { callingCode: '503', digits: 8 },
  PA: { callingCode: '507', digits: 8 },
  BO: { callingCode: '591', digits: 8 },
  // Mobile numbers take a 9 there that is not dialled inside the country.
  AR: { callingCode: '549', digits: 10 },
  BR: { callingCode: '55', digits: 11 },
  DO: { callingCode: '1', digits: 10 },
  HN: { callingCode: '504', digits: 8 },
  NI: { callingCode: '505', digits: 8 },
  PY: { callingCode: '595', digits: 9 },
  UY: { callingCode: '598', digits: 8 },
};

/**
 * Turns a cellphone as people write it into the digits that are dialled from abroad, without a sign.
 * Shape: digits with or without +, 00, the country's trunk 0, blanks and dashes. What is no number of that country is left as it is.
 */
export function internationalNumber(cellphone: string, { region }: Pick<Country, 'region'>): string {
  const digits = cellphone.replace(/[^0-9]/g, '');
  if (cellphone.trim().startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  const found = MOBILE_NUMBERS[region];
  if (found === undefined) return digits;
  const national = digits.replace(/^0/, '');
  return national.length === found.digits ? `${found.callingCode}${national}` : digits;
}
