import type { PagePosition } from './management-operation.ts';

/** Makes a page of what was found: `limit` items, and where the next page begins. One item more than that was asked for. */
export function cutPage<Item>(
  found: readonly Item[],
  limit: number,
  show: (item: Item) => object,
  placeOf: (last: Item) => PagePosition,
): { readonly items: readonly object[]; readonly next: PagePosition | undefined } {
  const last = found[limit - 1];
  return { items: found.slice(0, limit).map(show), next: found.length > limit && last !== undefined ? placeOf(last) : undefined };
}
