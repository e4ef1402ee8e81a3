// A copy of server/src/kit/phones/mobile-number.ts, made by `npm run generate`. Do not edit.
import { SERVED, WORLD } from './mobile-table.ts';

const compiled = new Map<string, RegExp>();

/** Patterns are compiled when they are first needed: a process meets few of the world's. */
function patternOf(text: string): RegExp {
  let pattern = compiled.get(text);
  if (pattern === undefined) compiled.set(text, (pattern = new RegExp(text)));
  return pattern;
}

const isWhole = (pattern: string, digits: string): boolean => patternOf(`^(?:${pattern})$`).test(digits);

/**
 * The spellings of a national number that its digits may stand for, the likeliest first: as they are; without trunk and carrier, by the
 * rule of the country; without one 0; and by older habits of dialling that the library has dropped or never had.
 */
function* spellings(digits: string, region: string, trunk: string, rewrite: string): Generator<string, void> {
  yield digits;
  const found = trunk === '' ? null : patternOf(`^(?:${trunk})`).exec(digits);
  if (found !== null && found[0] !== '') {
    const rest = digits.slice(found[0].length);
    yield rewrite !== '' && found.at(-1) !== undefined && found.length > 1 ? digits.replace(patternOf(`^(?:${trunk})`), rewrite) : rest;
  }
  if (digits.startsWith('0')) yield digits.slice(1);
  // Argentina: inside the country nobody dials the 9 of mobile numbers. Ten digits may be a landline's; they count as a mobile number.
  if (region === 'AR' && /^0?[1-9][0-9]{9}$/.test(digits)) yield `9${digits.replace(/^0/, '')}`;
  // Mexico: until 2020 mobile numbers had these before them.
  if (region === 'MX') {
    const [, bare] = /^(?:01|044|045|1)([0-9]{10})$/.exec(digits) ?? [];
    if (bare !== undefined) yield bare;
  }
}

/** The number in E.164 where its national digits are a mobile number of the country. */
function ownMobile(digits: string, region: string): string | undefined {
  const [callingCode, mobile, trunk, rewrite] = SERVED[region] as (typeof SERVED)[string];
  for (const spelling of spellings(digits, region, trunk, rewrite)) if (isWhole(mobile, spelling)) return `+${callingCode}${spelling}`;
  return undefined;
}

/**
 * What people write around and between the digits. A sign stands before all digits, once. No part begins with what the one before it takes:
 * so a text of spaces is judged at once, however long it is.
 */
const FORM = /^[\s(]*(?:[+0-9)./-][0-9\s()./-]*)?$/;

/** All digits of a number, without the `(0)` that is not dialled from abroad. Undefined: it is not a number. */
const digitsOf = (text: string): string | undefined => (FORM.test(text) ? text.replace(/\(0\)/, '').replaceAll(/[^0-9]/g, '') : undefined);

/**
 * Reads a mobile number as people write it.
 * Shape: the text, and ISO 3166-1 alpha-2 of the served country in which it is dialled → E.164, such as `+573001234567`; undefined for
 * what is not a possible mobile number. With `+` or `00` a number may be of any country. Without a sign it is one of this country, with or
 * without its calling code, its trunk prefix and the code of a carrier: a foreign number without a sign is nobody's.
 * Source: ITU-T E.164; the metadata of libphonenumber-js; decision 0013.
 */
export function mobileNumber(text: string, region: string): string | undefined {
  const digits = digitsOf(text);
  if (digits === undefined) return undefined;
  const [callingCode] = SERVED[region] as (typeof SERVED)[string];
  const isSigned = text.includes('+');
  if (!isSigned && !digits.startsWith('00')) {
    return ownMobile(digits, region) ?? (digits.startsWith(callingCode) ? ownMobile(digits.slice(callingCode.length), region) : undefined);
  }
  return wholeMobile(isSigned ? digits : digits.slice(2));
}

/** Reads a mobile number that begins with its calling code, with or without a sign. Shape: as mobileNumber. */
export function mobileOfWorld(text: string): string | undefined {
  const digits = digitsOf(text);
  return digits === undefined ? undefined : wholeMobile(digits.replace(/^00/, ''));
}

/** Served countries by calling code. */
const REGIONS: ReadonlyMap<string, string> = new Map(Object.entries(SERVED).map(([region, [callingCode]]) => [callingCode, region]));

/** No calling code begins another, so the first that fits is the number's. Of a served country the rules hold that hold inside it. */
function wholeMobile(digits: string): string | undefined {
  const code = [1, 2, 3].map((length) => digits.slice(0, length)).find((start) => Object.hasOwn(WORLD, start));
  if (code === undefined) return undefined;
  const national = digits.slice(code.length);
  const region = REGIONS.get(code);
  const own = region === undefined ? undefined : ownMobile(national, region);
  return own ?? (isWhole(WORLD[code] as string, national) ? `+${digits}` : undefined);
}
