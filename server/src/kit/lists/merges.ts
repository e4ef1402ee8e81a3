import type { Page } from './walks.ts';

// Lists of several cells, each in the order of the list, as one list.

type Compare<Item> = (one: Item, other: Item) => number;

/** The newest first. */
export const latestFirst: Compare<Temporal.Instant> = (one, other) => Temporal.Instant.compare(other, one);

/** In the order in which the database has texts with the collation C, as ids are ASCII. */
export const byText: Compare<string> = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Merges lists, each of which stays in its own order: items of one list are never compared.
 * Shape: `most` of them at most. Of equal items that of the first list comes first.
 */
export function mergeSorted<Item extends object>(
  lists: readonly (readonly Item[])[],
  compare: Compare<Item>,
  most = Number.POSITIVE_INFINITY,
): readonly Item[] {
  const heads = lists.filter((list) => list.length > 0).map((list) => ({ list, at: 0, item: list[0] as Item }));
  const merged: Item[] = [];
  while (merged.length < most && heads.length > 0) {
    const first = heads.reduce((least, one) => (compare(one.item, least.item) < 0 ? one : least));
    merged.push(first.item);
    const next = first.list[++first.at];
    if (next === undefined) heads.splice(heads.indexOf(first), 1);
    else first.item = next;
  }
  return merged;
}

/**
 * How many items of a page each of several lists is asked for at first: as many as it has where the items are spread by chance, in all but
 * few pages. The others are found by `withAllTaken`.
 */
export const shareOfPage = (limit: number, lists: number): number =>
  Math.min(limit, Math.ceil(limit / lists + 2 * Math.sqrt(limit / lists)));

/**
 * Which of these have lists whose items are all among the first `limit` of the merged list. What follows in such a list, beyond what was
 * read, may belong there too. What follows in the others does not.
 */
export function withAllTaken<One, Item extends object>(
  several: readonly One[],
  listOf: (one: One) => readonly Item[],
  compare: Compare<Item>,
  limit: number,
): readonly One[] {
  const taken = new Set(mergeSorted(several.map(listOf), compare, limit));
  return several.filter((one) => listOf(one).every((item) => taken.has(item)));
}

/**
 * Merges pages of one list, which all go on from one place. What lies behind the first of their ends is left to the next page, because
 * the list that ended there may have something before it.
 */
export function mergePages<Item extends Place, Place extends object>(
  pages: readonly Page<Item, Place>[],
  compare: Compare<Place>,
  limit: number,
): Page<Item, Place> {
  const ends = pages.flatMap(({ next }) => (next === undefined ? [] : [next]));
  const [end] = ends.toSorted(compare);
  const merged = mergeSorted(
    pages.map(({ items }) => items),
    compare,
    limit + 1,
  );
  const known = end === undefined ? merged : merged.filter((item) => compare(item, end) <= 0);
  return { items: known.slice(0, limit), next: known.length > limit ? known[limit - 1] : end };
}
