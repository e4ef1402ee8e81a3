import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import type { LinkTo } from './link.tsx';

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

/** Changes parts of the address: an empty or absent value removes the part. `isNew`: the way back leads to the present one. */
export type SetSearch = (changes: Readonly<Record<string, string | undefined>>, how?: { readonly isNew?: boolean }) => void;

/** What the page shows is in the address: a filter, a tab, an open panel. */
export function useAddress(): readonly [Search, SetSearch] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const set = useCallback<SetSearch>(
    (changes, { isNew = true } = {}) =>
      void navigate({
        to: '.',
        replace: !isNew,
        search: (before: Search) =>
          Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined && value !== '')),
      }),
    [navigate],
  );
  return [search, set];
}

/** Leads on once a form is done. Who has left it meanwhile stays where they are. */
export function useGoOn(): (to: LinkTo) => void {
  const navigate = useNavigate();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  return (to) => void (isHere.current && navigate({ to }));
}

/** A part of the path, as `order` of `/orders/$merchant/$order`. */
export const usePath = <Name extends string>(): Readonly<Record<Name, string>> =>
  useParams({ strict: false }) as Readonly<Record<Name, string>>;

/** One of some names that the address may have under a name. Another one counts as the first. */
export function useChoice<const Names extends readonly [string, ...string[]]>(
  parameter: string,
  names: Names,
): readonly [Names[number], (name: string) => void] {
  const [search, set] = useAddress();
  const found = names.find((one) => one === search[parameter]) ?? names[0];
  return [found, (name) => set({ [parameter]: name === names[0] ? undefined : name }, { isNew: false })];
}
