import { randomInt } from 'node:crypto';

const RANDOM_DIGITS = 11;

/**
 * Makes a reference to pay with: 12 digits that nobody can guess from another one. The last is a check digit (Luhn): a counter
 * notices a mistyped digit, or two exchanged.
 */
export function makeReference(): string {
  // Not starting with 0: spreadsheets and tills drop leading zeros.
  const digits = String(randomInt(10 ** (RANDOM_DIGITS - 1), 10 ** RANDOM_DIGITS));
  return digits + checkDigit(digits);
}

/** The Luhn check digit of a text of digits (ISO/IEC 7812-1). */
export function checkDigit(digits: string): string {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighted = place % 2 === 0 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return String((10 - (sum % 10)) % 10);
}
