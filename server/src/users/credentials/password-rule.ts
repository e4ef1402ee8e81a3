import { COMMON_WORDS, isKnownPassword } from './common-passwords.ts';

const LEAST_CHARACTERS = 12;
/** Long enough for any sentence, and short enough to hash at once. */
const MOST_CHARACTERS = 256;
const LEAST_DIFFERENT_CHARACTERS = 5;
/** Shorter parts of an address occur in many words. */
const LEAST_NAME_CHARACTERS = 4;
const KEYBOARD = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm', '01234567890123456789', '98765432109876543210'];

export const PASSWORD_FAULTS = ['too_short', 'too_long', 'too_common', 'like_email'] as const;
export type PasswordFault = (typeof PASSWORD_FAULTS)[number];

/**
 * Decides whether a password may be chosen. There is no rule of composition: length is what makes guessing hard.
 * Shape: the password, the address of its user → what is wrong; undefined: it may be chosen.
 */
export function faultOfPassword(password: string, email: string): PasswordFault | undefined {
  const characters = Array.from(password.normalize('NFKC'));
  if (characters.length < LEAST_CHARACTERS) return 'too_short';
  if (characters.length > MOST_CHARACTERS) return 'too_long';
  const folded = characters.join('').toLowerCase();
  const letters = folded.replaceAll(/[^\p{L}\p{N}]/gu, '');
  const [name = ''] = email.toLowerCase().split('@');
  const bare = name.replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (folded.includes(email.toLowerCase()) || (bare.length >= LEAST_NAME_CHARACTERS && letters.includes(bare))) return 'like_email';
  return isCommon(folded, letters) ? 'too_common' : undefined;
}

/** A known password, a known word with digits around it, a row of keys, a repetition, or few different characters. */
function isCommon(folded: string, letters: string): boolean {
  if (new Set(folded).size < LEAST_DIFFERENT_CHARACTERS) return true;
  if (/^(.{1,6}?)\1+$/u.test(letters) || KEYBOARD.some((row) => row.includes(letters))) return true;
  const plain = letters.replaceAll(/[013457@$]/g, (sign) => LOOKALIKES[sign] as string);
  const words = [letters, plain].map((text) => text.replaceAll(/^[0-9]+|[0-9]+$/g, ''));
  if ([folded, letters, plain].some(isKnownPassword)) return true;
  return [letters, plain, ...words].some((word) => COMMON_WORDS.has(word) || (word.length < 4 && /^[0-9]+$/.test(letters)));
}

const LOOKALIKES: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's' };
