import { askEarly } from '../api/client.ts';
import { findPage, loadContent, pathWithin } from './pages.ts';

/** Begins to load what an address shows, before the console runs. It asks who is signed in, too. */
export function loadEarly({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  askEarly('readMe');
  const found = findPage(pathWithin(pathname));
  if (found === undefined) return;
  const { page, parts } = found;
  // The console reads a filter by the rules of its list, which are not here yet.
  const isPlain = search === '' || Object.keys(parts).length > 0;
  if (page.reads !== undefined && isPlain) askEarly(page.reads, parts);
  // After the question: a browser asks for six things at once. What fails here fails again where it is shown.
  loadContent(page).catch(() => undefined);
}
