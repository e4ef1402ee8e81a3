import type { Texts } from '../kit/fields.ts';
import { readEntityTags, versionsOf } from '../kit/http/entity-tags.ts';
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

/**
 * Reads an If-Match header.
 * Shape: absent → undefined; `*` → 'any'; a list of entity tags → the versions among them.
 * Refuses: with the name of the envelope's refusal for a malformed parameter.
 * Source: contract §7.1.
 */
export function readIfMatch<Name extends string>(header: string | undefined, name: Name): IfMatch | undefined | Refusal<Name> {
  if (header === undefined) return undefined;
  const tags = readEntityTags(header);
  return tags === undefined ? refuse(name, { field: IF_MATCH, rule: 'shape' }) : versionsOf(tags);
}
