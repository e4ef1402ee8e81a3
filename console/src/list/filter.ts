import { checkText, type Rules } from '../api/rules.ts';
import type { Search } from '../shell/address.ts';

/** Parts of the address that a list has beside its filter. */
export const LIST_PARTS = ['cursor', 'columns', 'open', 'tab', 'view'] as const;
const isListPart = (name: string): boolean => (LIST_PARTS as readonly string[]).includes(name);

/** What an address says of a list: its filter, and the parts that no rule knows or admits. */
export type ReadFilter = { readonly filter: Search; readonly wrong: readonly string[] };

/**
 * Reads the filter of a list from the address by the rules of its operation. A part that breaks a rule is left out and named.
 * So no filter is dropped unseen.
 */
export function readFilter(search: Search, rules: Rules): ReadFilter {
  const known = rules.query?.properties ?? {};
  const parts = Object.entries(search).filter(([name]) => !isListPart(name));
  const isRight = ([name, value]: readonly [string, string]): boolean =>
    Object.hasOwn(known, name) && name !== 'limit' && checkText(known[name], value) === undefined;
  return { filter: Object.fromEntries(parts.filter(isRight)), wrong: parts.filter((part) => !isRight(part)).map(([name]) => name) };
}

/** The rules of a list without parameters that are always given. */
export function rulesWithout(rules: Rules, given: Search): Rules {
  const left = Object.entries(rules.query?.properties ?? {}).filter(([name]) => !Object.hasOwn(given, name));
  return { ...rules, query: { ...rules.query, properties: Object.fromEntries(left) } };
}

/** The parameters of a list that people filter by, in the order of the operation. */
export const filterNames = (rules: Rules): readonly string[] =>
  Object.keys(rules.query?.properties ?? {}).filter((name) => name !== 'limit' && name !== 'cursor');
