import { createContext, use, useEffect, useMemo, useRef } from 'react';
import { usePathname, useSearch } from 'wouter/use-browser-location';
import { goTo, type LinkTo } from './navigation.ts';
import { pathWithin } from './pages.ts';
import { forgetUnsaved } from './unsaved.ts';

/** What the address says after the question mark: names and texts. */
export type Search = Readonly<Record<string, string>>;

/** Reads and writes the query of an address as texts, without quotes and brackets of its own. */
export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text));

export function printSearch(search: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined && value !== '') query.set(name, value);
  // These signs need no escape in a query, and addresses are read by people.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');
  return text === '' ? '' : `?${text}`;
}

/**
 * Changes parts of the address: an empty or absent value removes the part. `isNew`: the way back leads to the present one.
 * `state`: what the history of the browser keeps beside it.
 */
export type SetSearch = (
  changes: Readonly<Record<string, string | undefined>>,
  how?: { readonly isNew?: boolean; readonly state?: Readonly<Record<string, unknown>> },
) => void;

/** What the page shows is in the address: a filter, a tab, an open panel. */
export function useAddress(): readonly [Search, SetSearch] {
  const text = useSearch();
  return [useMemo(() => parseSearch(text), [text]), setSearch];
}

const setSearch: SetSearch = (changes, { isNew = true, state = {} } = {}) => {
  const search = printSearch({ ...parseSearch(location.search), ...changes });
  void goTo(`${pathWithin(location.pathname)}${search}` as LinkTo, { replaces: !isNew, state });
};

/** Leads on once a form is done. Who has left it meanwhile stays where they are. */
export function useGoOn(): (to: LinkTo) => void {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  return (to) => {
    if (!isHere.current) return;
    forgetUnsaved();
    void goTo(to);
  };
}

/** The path within the console, as `/orders`. */
export const usePathWithin = (): string => pathWithin(usePathname());

export const PartsContext = createContext<Readonly<Record<string, string>>>({});

/** A part of the path, as `order` of `/orders/$merchant/$order`. */
export const usePath = <Name extends string>(): Readonly<Record<Name, string>> => use(PartsContext);

/**
 * One of some names that the address may have under a name. Another one counts as the first.
 * `leaving`: the parts that the address loses when another is chosen.
 */
export function useChoice<const Names extends readonly [string, ...string[]]>(
  parameter: string,
  names: Names,
  leaving: readonly string[] = [],
): readonly [Names[number], (name: string) => void] {
  const [search, set] = useAddress();
  const found = names.find((one) => one === search[parameter]) ?? names[0];
  const left = Object.fromEntries(leaving.map((one) => [one, undefined]));
  return [found, (name) => set({ ...left, [parameter]: name === names[0] ? undefined : name }, { isNew: false })];
}
