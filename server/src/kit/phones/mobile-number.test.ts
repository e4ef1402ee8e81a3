import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { ALL_COUNTRIES, findCountry } from '../../merchants/index.ts';
import * as fc from '../../testing/fast-check.ts';
import { seed, seededRandom, type Random } from '../../testing/seed.ts';
import { mobileNumber } from './mobile-number.ts';

/** Numbers that are drawn for each served country. The comparison of decision 0013 had 10,000. */
const NUMBERS = Number(process.env['CAUDAL_TEST_PHONE_NUMBERS'] ?? 1_000);

const REGIONS = ALL_COUNTRIES.map((code) => (findCountry(code) as { readonly region: string }).region);

type Types = readonly (readonly [pattern: string] | 0)[];
const COUNTRIES = metadata.countries as unknown as Readonly<Record<string, readonly unknown[]>>;
const callingCodeOf = (region: string): string => String(COUNTRIES[region]?.[0]);

/** National numbers of a type, drawn from the library's own pattern. `type`: 0 landlines, 1 mobile numbers. */
function nationals(region: string, type: 0 | 1, numbers: number): readonly string[] {
  const [pattern] = ((COUNTRIES[region]?.[11] ?? []) as Types)[type] || [''];
  return fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { seed: seed + type, numRuns: numbers });
}

/** The library's word: the number in E.164, where it is a valid one and may be a mobile one. */
function libraryMobile(text: string, region: string): string | undefined {
  const found = parsePhoneNumberFromString(text, { defaultCountry: region as CountryCode, extract: false });
  const type = found?.isValid() === true ? found.getType() : undefined;
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? found?.number : undefined;
}

/** What people of a country dial or write before a mobile number. Each gives the number itself. */
const HABITS: Readonly<Record<string, readonly ((national: string) => string)[]>> = {
  CO: [(n) => `03${n}`, (n) => `05 ${n}`, (n) => `0${n}`],
  BR: [(n) => `0${n}`, (n) => `0 41 ${n}`, (n) => `0 15${n}`, (n) => `(${n.slice(0, 2)}) ${n.slice(2, -4)}-${n.slice(-4)}`],
  MX: [(n) => `044 ${n}`, (n) => `045${n}`, (n) => `01 ${n}`, (n) => `1${n}`, (n) => `+52 1 ${n}`, (n) => `521${n}`],
  DO: [(n) => `1-${n.slice(0, 3)}-${n.slice(3, 6)}-${n.slice(6)}`],
  AR: [(n) => n.slice(1), (n) => `0${n.slice(1)}`, (n) => `+54 ${n.slice(1)}`, (n) => `54${n.slice(1)}`],
};

const grouped = (digits: string): string => digits.replaceAll(/(?<=^(?:...)*)(?=.)(?<!^)/g, ' ');

/** Ways to write a mobile number that all countries share. */
function sharedWays(national: string, code: string): readonly string[] {
  return [
    national,
    grouped(national),
    `0${national}`,
    `${code}${national}`,
    `+${code}${national}`,
    `+${code} ${grouped(national)}`,
    `00${code}${national}`,
    `00 ${code} ${national}`,
    `+${code} (0) ${national}`,
    `(+${code}) ${national}`,
    `+${code} 0${national}`,
    `+${code}-${national.slice(0, 3)}.${national.slice(3)}`,
  ];
}

/** A number of Argentina's mobiles that begins with 9 has the form that is dialled inside the country. */
const habitsOf = (region: string, national: string) => (region === 'AR' && !national.startsWith('9') ? [] : (HABITS[region] ?? []));

/** Digits that nobody made up a meaning for, with and without signs. */
function garbage({ below, pick }: Random): string {
  const digits = Array.from({ length: 4 + below(14) }, () => below(10)).join('');
  const from = below(digits.length);
  return pick([
    digits,
    `+${digits}`,
    `00${digits}`,
    `0${digits}`,
    `${digits.slice(0, from)} ${digits.slice(from)}`,
    `(${digits.slice(0, 2)})${digits.slice(2)}`,
  ]);
}

/** Texts by kind, with the number that is meant; undefined: whatever the library says. */
function texts(region: string, numbers: number): readonly { readonly text: string; readonly meant?: string }[] {
  const random = seededRandom(seed);
  const code = callingCodeOf(region);
  const spelled = nationals(region, 1, Math.ceil(numbers * 0.4)).map((national) => {
    const ways = [...sharedWays(national, code), ...habitsOf(region, national).map((habit) => habit(national))];
    return { text: random.pick(ways), meant: `+${code}${national}` };
  });
  const fixed = nationals(region, 0, Math.ceil(numbers * 0.3)).map((national) => ({
    text: random.pick([...sharedWays(national, code), ...(HABITS[region] ?? []).map((habit) => habit(national))]),
  }));
  const other = Array.from({ length: Math.floor(numbers * 0.3) }, () => ({ text: garbage(random) }));
  return [...spelled, ...fixed, ...other];
}

/** What people write between the digits says nothing. */
const compact = (text: string): string => text.replaceAll(/[^+0-9]/g, '');

/**
 * Changes the national digits of a number of a country: those after its calling code, and in the country itself also those of a number
 * without it. Shape: → the texts with `change` in their place.
 */
function changeNational(text: string, region: string, change: (national: string) => string | undefined, of = region): readonly string[] {
  const [, start, national = ''] = new RegExp(`^(\\+?${callingCodeOf(of)})(.*)$`).exec(text) ?? [];
  const ways = [...(start === undefined ? [] : [[start, national] as const]), ...(of === region ? [['', text] as const] : [])];
  return ways.flatMap(([before, digits]) => {
    const changed = change(digits);
    return changed === undefined ? [] : [before + changed];
  });
}

/**
 * Where we differ from the library, and why: we read what it reads of another text. Decision 0013 has the reasons and how many.
 * Shape: a text of digits and a sign → how the library would have to be asked.
 */
const ACCEPTED: Readonly<Record<string, (text: string, region: string) => readonly string[]>> = {
  'a sign within brackets': (text) => [text],
  '00 is + everywhere': (text) => (text.startsWith('00') ? [`+${text.slice(2)}`] : []),
  'one 0 before the number': (text, region) =>
    REGIONS.flatMap((of) => changeNational(text, region, (digits) => /^0([1-9].*)$/.exec(digits)?.[1], of)),
  'prefixes of Mexico until 2020': (text, region) =>
    changeNational(text, region, (digits) => /^(?:01|044|045|1)([0-9]{10})$/.exec(digits)?.[1], 'MX'),
  'ten digits in Argentina': (text, region) =>
    changeNational(text, region, (digits) => (/^[1-9][0-9]{9}$/.test(digits) ? `9${digits}` : undefined), 'AR'),
};

/** True where the differences that we chose explain why we read a number of which the library says something else. */
function isChosen(text: string, region: string, ours: string): boolean {
  const asked = new Set([text]);
  for (const candidate of asked) {
    if (candidate !== text && libraryMobile(candidate, region) === ours) return true;
    for (const rewrite of Object.values(ACCEPTED)) for (const other of rewrite(compact(candidate), region)) asked.add(other);
  }
  return false;
}

/**
 * We take `+` and `00` alone for a foreign number: the library knows `011`, and codes of carriers in other prefixes. And it drops what
 * people of countries that we do not serve dial before a number, also after the calling code.
 */
const isByAnotherPrefix = (text: string, theirs: string | undefined): boolean => compact(text).replace(/^00/, '+') !== theirs;

describe.each(REGIONS)('a mobile number of %s', (region) => {
  const drawn = texts(region, NUMBERS).map(({ text, meant }) => {
    const [ours, theirs] = [mobileNumber(text, region), libraryMobile(text, region)];
    return { text, meant, ours, theirs };
  });

  test('is found in each way that people write it', () => {
    expect(drawn.filter(({ meant, ours }) => meant !== undefined && ours !== meant)).toEqual([]);
  });

  test('is what the library takes for one, but for the differences that we chose', () => {
    const other = drawn.filter(({ text, ours, theirs }) => {
      if (ours === theirs) return false;
      return ours === undefined ? !isByAnotherPrefix(text, theirs) : !isChosen(text, region, ours);
    });
    expect(other).toEqual([]);
  });

  test('is E.164: it never begins with 0, and has 8 to 15 digits', () => {
    for (const { ours } of drawn) if (ours !== undefined) expect(ours).toMatch(/^\+[1-9][0-9]{7,14}$/);
  });

  test('stays the same when it is read again, in its own country and in any other', () => {
    for (const { ours } of drawn) {
      if (ours === undefined) continue;
      for (const other of [region, 'CO', 'AR', 'MX']) expect(mobileNumber(ours, other)).toBe(ours);
    }
  });
});

test.each([
  ['300 123 4567', 'CO', '+573001234567'],
  ['0300 123 4567', 'CO', '+573001234567'],
  ['573001234567', 'CO', '+573001234567'],
  ['+57 (0) 300 123 4567', 'CO', '+573001234567'],
  ['00579408938998', 'CO', '+579408938998'],
  ['+57 300 123 4567', 'PE', '+573001234567'],
  ['0051 987 654 321', 'CO', '+51987654321'],
  ['045 55 1234 5678', 'MX', '+525512345678'],
  ['+52 1 55 1234 5678', 'MX', '+525512345678'],
  ['+52 1 55 1234 5678', 'CO', '+525512345678'],
  ['+54 11 1234 5678', 'CO', '+5491112345678'],
  ['11 15 1234 5678', 'AR', '+5491112345678'],
  ['11 1234 5678', 'AR', '+5491112345678'],
  ['+54 9 11 1234-5678', 'AR', '+5491112345678'],
  ['(11) 91234-5678', 'BR', '+5511912345678'],
  ['809-555-1234', 'DO', '+18095551234'],
  // Landlines, numbers of no country, and foreign ones without a sign.
  ['6015550000', 'CO', undefined],
  ['+57 601 555 0000', 'CO', undefined],
  ['+999 300 555 0000', 'CO', undefined],
  ['+0 300 555 0000', 'CO', undefined],
  ['0003005550000', 'CO', undefined],
  ['51987654321', 'CO', undefined],
  ['18095551234', 'CO', undefined],
  ['300+5550000', 'CO', undefined],
  ['++573005550000', 'CO', undefined],
  ['٣٠٠١٢٣٤٥٦٧', 'CO', undefined],
  ['', 'CO', undefined],
  ['+', 'CO', undefined],
  ['00', 'CO', undefined],
])('%s in %s is dialled as %s', (text, region, expected) => {
  expect(mobileNumber(text, region)).toBe(expected);
});

test('a text of any length and letters is read in no time, and never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(...REGIONS), (text, region) => {
      expect(mobileNumber(text, region) ?? '+10000000').toMatch(/^\+[1-9][0-9]{7,14}$/);
    }),
  );
});
