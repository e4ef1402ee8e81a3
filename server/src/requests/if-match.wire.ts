import type { Texts } from '../kit/fields.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';

/** The versions of which one must be the current one; `any`: some version must exist (contract §7.1). */
export type IfMatch = 'any' | readonly number[];

/** The header's name in texts for people. */
const IF_MATCH = 'If-Match';
export const IF_MATCH_FORM: Readonly<Record<string, Texts>> = {
  [IF_MATCH]: {
    es: '* o versiones entre comillas, como "3"',
    en: '* or versions in quotes, such as "3"',
    pt: '* ou versões entre aspas, como "3"',
  },
};

/** One entity tag and what separates it from the next: RFC 9110 §8.8.3. */
const TAG = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(,|$)/y;
const VERSION = /^[1-9][0-9]{0,9}$/;

/**
 * Reads an If-Match header.
 * Shape: absent → undefined; `*` → 'any'; a list of entity tags → the versions among them. A weak tag never matches, because
 * If-Match compares strongly (RFC 9110 §13.1.1). A tag that is no version of ours never matches either.
 * Refuses: with the name of the envelope's refusal for a malformed parameter.
 * Source: contract §7.1.
 */
export function readIfMatch<Name extends string>(header: string | undefined, name: Name): IfMatch | undefined | Refusal<Name> {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  const versions: number[] = [];
  TAG.lastIndex = 0;
  for (;;) {
    const match = TAG.exec(header);
    if (match === null) return refuse(name, { field: IF_MATCH, rule: 'shape' });
    const [, weak, tag = '', separator] = match;
    if (weak === undefined && VERSION.test(tag)) versions.push(Number(tag));
    if (separator === '') return versions;
  }
}
