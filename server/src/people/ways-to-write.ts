import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * All ways to write a mailbox. Characters may be capital or small. An accent may be a character of its own.
 * A domain may be in Unicode or in ASCII.
 * Shape: a text → a regular expression without anchors, for PostgreSQL and JavaScript alike.
 * The database is not asked to fold: what it takes for a small letter depends on its locale.
 */
export function waysToWrite(text: string): string {
  const at = text.lastIndexOf('@');
  if (at < 0) return textWays(text);
  const domain = text.slice(at + 1);
  const inAscii = domainToASCII(domain);
  const domains = new Set([domain, ...(inAscii === '' ? [] : [inAscii, domainToUnicode(inAscii)])].map(textWays));
  return `${textWays(text.slice(0, at))}@(?:${[...domains].join('|')})`;
}

export const textWays = (text: string): string => Array.from(text.normalize('NFC'), letterWays).join('');

function letterWays(letter: string): string {
  const cases = [letter.toLowerCase(), letter.toUpperCase()];
  const ways = new Set(cases.flatMap((one) => [one.normalize('NFC'), one.normalize('NFD')]));
  return ways.size === 1 ? escaped(letter) : `(?:${[...ways].map(escaped).join('|')})`;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
