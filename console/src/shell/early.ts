import { askEarly } from '../api/client.ts';
import type { Area } from './area.ts';

/** Begins to load what an address shows, before the console runs. It asks who is signed in, too. */
export function loadEarly(areas: readonly Area[], { pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  askEarly('readMe');
  const path = pathname.replace(/^\/console\/?/, '/');
  for (const { path: pattern, load, reads } of areas.flatMap(({ pages }) => pages)) {
    const parts = partsOf(pattern, path);
    if (parts === undefined) continue;
    // The console reads a filter by the rules of its list, which are not here yet.
    const isPlain = search === '' || Object.keys(parts).length > 0;
    if (reads !== undefined && isPlain) askEarly(reads, parts);
    // After the question: a browser asks for six things at once. What fails here fails again where it is shown.
    load().catch(() => undefined);
    return;
  }
}

/** The parts of a path, as `order` of `/orders/$merchant/$order`. Undefined: it is the path of another page. */
function partsOf(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const found = new RegExp(`^${pattern.replaceAll(/\$(\w+)/g, '(?<$1>[^/]+)')}$`).exec(path);
  if (found === null) return undefined;
  try {
    return Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, part]) => [name, decodeURIComponent(part)]));
  } catch {
    return undefined;
  }
}
