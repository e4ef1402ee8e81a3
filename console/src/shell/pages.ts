import type { FunctionComponent } from 'react';
import type { Area, AreaPage } from './area.ts';

/** A page that an address shows, with the parts of its path, as `order` of `/orders/$merchant/$order`. */
export type FoundPage = { readonly area: Area; readonly page: AreaPage; readonly parts: Readonly<Record<string, string>> };

/** Where the console is. The server knows it by this name. */
export const BASE = '/console';

/** The path within the console of an address, as `/orders` of `/console/orders/`. */
export const pathWithin = (pathname: string): string => pathname.slice(BASE.length).replace(/\/+$/, '') || '/';

let areas: readonly Area[] = [];

/** Says which areas there are. Pages lead to each other by address, so none of them knows the areas itself. */
export function declareAreas(all: readonly Area[]): void {
  areas = all;
}

/** The page that a path within the console shows. Undefined: none. */
export function findPage(path: string): FoundPage | undefined {
  for (const area of areas) {
    for (const page of area.pages) {
      const parts = partsOf(page.path, path);
      if (parts !== undefined) return { area, page, parts };
    }
  }
  return undefined;
}

/** The parts of a path. Undefined: it is the path of another page. */
function partsOf(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const found = new RegExp(`^${pattern.replaceAll(/\$(\w+)/g, '(?<$1>[^/]+)')}$`).exec(path);
  if (found === null) return undefined;
  try {
    return Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, part]) => [name, decodeURIComponent(part)]));
  } catch {
    return undefined;
  }
}

const contents = new Map<AreaPage, FunctionComponent>();

/** What a page shows, once it is loaded. */
export const contentOf = (page: AreaPage): FunctionComponent | undefined => contents.get(page);

/** Loads what a page shows. Throws: what the browser says of a file that does not come. The next try asks for it again. */
export async function loadContent(page: AreaPage): Promise<void> {
  if (!contents.has(page)) contents.set(page, await page.load());
}
