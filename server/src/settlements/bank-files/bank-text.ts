import { oneLine } from '../../kit/one-line.ts';

// Names of people and banks, written with the characters that a bank's program takes.

/** What an encoding of a file has. */
export const ENCODINGS = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The characters of windows-1252 from 0x80 to 0x9f; a space stands for what it leaves out. */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
const FIRST_HIGH = 0x80;

/** Unicode has the others of windows-1252 under the same numbers. */
function windowsByte(character: string): number | undefined {
  const code = character.codePointAt(0) as number;
  if (code < FIRST_HIGH || (code >= 0xa0 && code <= 0xff)) return code;
  const at = character === ' ' ? -1 : HIGH.indexOf(character);
  return at < 0 ? undefined : FIRST_HIGH + at;
}

/** Writes a text of which `isIn` is true. Throws: RangeError for another one, which is a programming error. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  return Buffer.from(
    Array.from(text, (character) => {
      const byte = windowsByte(character);
      if (byte === undefined) throw new RangeError('windows-1252 has no such character');
      return byte;
    }),
  );
}

/** Whether an encoding has every character of a text. */
export const isIn = (text: string, encoding: Encoding): boolean =>
  encoding === 'utf-8' || Array.from(text).every((character) => windowsByte(character) !== undefined);

/** Letters that are no letter with a mark, and signs that names of companies have. */
const ALIKE: ReadonlyMap<string, string> = new Map(
  (
    "Æ:AE æ:ae Œ:OE œ:oe Ø:O ø:o ß:ss ẞ:SS Đ:D đ:d Ð:D ð:d Þ:Th þ:th Ł:L ł:l ı:i &:+ ‘:' ’:' “:' ”:' \":' «:' »:' " +
    '–:- —:- _:- @:(at) €:EUR ™: ®: ©: ·:. •:. [:( ]:)'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(2)]),
);

/** What stands where a character can be written in no other way. */
const UNKNOWN = '?';

/**
 * What a spreadsheet would take for the start of a formula, in half and in full width. Names need none of these in front, and bank's
 * programs refuse some of them there.
 */
const FORMULA_START = /^[\s=+@\-＝＋＠－]+/u;

/** Rewrites the characters of a name that `isTaken` refuses: `Peña` is `Pena` where ñ is unknown. One that has no other form is a `?`. */
function rewrite(name: string, isTaken: (character: string) => boolean): string {
  return Array.from(oneLine(name.normalize('NFC')).replace(FORMULA_START, ''), (character) => {
    if (isTaken(character)) return character;
    const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
    const written = Array.from(plain, (one) => (isTaken(one) ? one : (ALIKE.get(one) ?? UNKNOWN))).join('');
    // A mark that stands alone is left out.
    return Array.from(written).every(isTaken) ? written : UNKNOWN;
  }).join('');
}

/** The characters that every bank takes in a message of ISO 20022: those of SWIFT's basic set. */
const BASIC = /^[A-Za-z0-9/?:().,'+ -]$/;
/** Whether a value has the characters of the basic set alone, and starts and ends as an id must there. */
export const isBasicId = (text: string): boolean => /^[A-Za-z0-9]([A-Za-z0-9?:().,'+ -]|\/(?!\/))*$/.test(text) && !text.endsWith('/');

export const startsFormula = (text: string): boolean => FORMULA_START.test(text);

/** A name in an encoding, on one line, that no spreadsheet runs. */
export const encodableName = (name: string, encoding: Encoding): string =>
  rewrite(name, (character) => isIn(character, encoding)).replace(FORMULA_START, '');

/** A name in the basic set. Shape: at most `most` characters; empty where nothing of it can be written. */
export const basicName = (name: string, most: number): string =>
  oneLine(rewrite(name, (character) => BASIC.test(character)))
    .replace(/^[^A-Za-z0-9(?]+/, '')
    .slice(0, most)
    .trim();
