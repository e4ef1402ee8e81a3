/** Which page of a list: by its number, the last one, or the one right after or before a place of a walk. */
export type ListPosition<Place> =
  | { readonly at: 'page'; readonly page: number }
  | { readonly at: 'last' }
  | { readonly at: 'after' | 'before'; readonly key: Place; readonly page: number };

/** A page as the database gives it: one row more than a page, which shows whether another one follows. */
export type ReadPage<Row> = {
  /** How many rows the whole list has. */
  readonly total: number;
  /** Whether a row lies at the place from which a walk goes on, or on the other side of it. */
  readonly isEntered: boolean;
  readonly rows: readonly Row[];
};

/** How the rows of a list are read, newest first but for `before`. */
type Reads<Row, Place> = {
  readonly skipping: (skipped: number) => Promise<ReadPage<Row>>;
  readonly after: (place: Place) => Promise<ReadPage<Row>>;
  /** Oldest first. Undefined: from the oldest of all. */
  readonly before: (place: Place | undefined) => Promise<ReadPage<Row>>;
};

export type ListedPage<Row> = {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** The number of this page: that of the request; in a walk counted from the page where the walk began. */
  readonly page: number;
  /** How many pages there are now. */
  readonly pages: number;
  /** True where a row lies before this page, also where the page itself is empty. */
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
};

/**
 * Reads one page of a list that is walked and has numbers. A page beyond the last is empty.
 * Source: contract §4.2.
 */
export async function readListedPage<Row, Place>(
  position: ListPosition<Place>,
  limit: number,
  read: Reads<Row, Place>,
): Promise<ListedPage<Row>> {
  if (position.at === 'page') {
    const skipped = (position.page - 1) * limit;
    const { total, rows } = await read.skipping(skipped);
    return { ...forwardPage(rows, total, limit), page: position.page, hasPrevious: skipped > 0 && total > 0 };
  }
  if (position.at === 'after') {
    const { total, rows, isEntered } = await read.after(position.key);
    return { ...forwardPage(rows, total, limit), page: position.page, hasPrevious: isEntered };
  }
  // The last page is read backwards, from before all rows.
  const { total, rows, isEntered } = await read.before(position.at === 'last' ? undefined : position.key);
  const pages = Math.ceil(total / limit);
  const size = position.at === 'last' ? total - (pages - 1) * limit : limit;
  return {
    rows: rows.slice(0, size).reverse(),
    page: position.at === 'last' ? Math.max(pages, 1) : position.page,
    pages,
    hasPrevious: rows.length > size,
    hasNext: isEntered,
  };
}

function forwardPage<Row>(rows: readonly Row[], total: number, limit: number): Omit<ListedPage<Row>, 'page' | 'hasPrevious'> {
  return { rows: rows.slice(0, limit), pages: Math.ceil(total / limit), hasNext: rows.length > limit };
}

/** The links of a page, in their order on the wire; empty where there is no such page. */
export type PageLinks<Link = string> = { readonly first: Link; readonly previous: Link; readonly next: Link; readonly end: Link };

/**
 * Writes the links of a page.
 * Shape: the page, the place of a row, what writes a link to a page by its number and position → the links.
 * Source: contract §4.2.
 */
export function linksOfPage<Row, Place>(
  { rows, page, pages, hasPrevious, hasNext }: ListedPage<Row>,
  placeOf: (row: Row) => Place,
  link: (number: number, position: ListPosition<Place>) => string,
): PageLinks {
  const first = (): string => link(1, { at: 'page', page: 1 });
  const last = (): string => link(pages, { at: 'last' });
  const before = Math.max(page - 1, 1);
  const [newest, oldest] = [rows[0], rows.at(-1)];
  return {
    first: pages > 0 ? first() : '',
    previous: !hasPrevious ? '' : newest === undefined ? last() : link(before, { at: 'before', key: placeOf(newest), page: before }),
    next: !hasNext ? '' : oldest === undefined ? first() : link(page + 1, { at: 'after', key: placeOf(oldest), page: page + 1 }),
    end: pages > 0 ? last() : '',
  };
}
