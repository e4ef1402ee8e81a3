/**
 * Whose rows are seen: those of one merchant, or of all. Every list takes it beside its filter, so that no filter can forget it.
 */
export type Scope = { readonly merchantId: string } | 'everybody';

/** From the first value on, and up to the second. Undefined: no bound. */
export type From<T> = { readonly from?: T | undefined; readonly before?: T | undefined };
export type Between<T> = { readonly from?: T | undefined; readonly to?: T | undefined };

/** One page of a list. `next`: the place from which it goes on; undefined at its end. */
export type Page<Item, Place> = { readonly items: readonly Item[]; readonly next: Place | undefined };

/** A row of a walk. `stops`: the walk read as many rows as it may, and this is the last, whether it fits or not. */
export type Walked = { readonly fits: boolean; readonly stops: boolean };

/** Rows that a walk reads for a page at most. Fewer where each merchant has its walk. It takes some milliseconds. */
export const MOST_WALKED = 2_000;
const MOST_OF_EACH = 200;
export const mostOf = (scope: Scope): number => (scope === 'everybody' ? MOST_OF_EACH : MOST_WALKED);

type Walks = {
  /** SQL: the table `o` with all columns, in no order. */
  readonly table: string;
  /** SQL: a query with the columns of the keys of the walks, one row for each walk. */
  readonly keys: string;
  /** SQL: which rows of `o` belong to the walk of the keys `k`, after the place. An index has them in the order. */
  readonly where: string;
  /** SQL: the order of the list. */
  readonly order: string;
  /** SQL: which of the rows of `o` pass the filter. */
  readonly fits: string;
  /** SQL: the columns of an item, of `o`. */
  readonly select: string;
};

/**
 * The SQL of a page: several walks along an index, merged. Each reads `$most` rows at most, and ends early once it has `$rows` that fit.
 * So a page is exact and bounded, whatever the filter asks for. It may be short, or empty, though more follows.
 */
export const pageOfWalks = ({ table, keys, where, order, fits, select }: Walks): string =>
  `select ${select}, o.fits, o.walked = $most as stops
     from (${keys}) as k cross join lateral (
       select * from (
         select o.*, ${fits} as fits, row_number() over () as walked
           from (select o.* from ${table} as o where ${where} order by ${order} limit $most) as o) as o
        where o.fits or o.walked = $most limit $rows) as o
    order by ${order} limit $rows`;

/** The page of these rows. They are `limit`, and one more where more follows. */
export function pageOf<Row extends Walked, Place>(rows: readonly Row[], limit: number, placeOf: (row: Row) => Place): Page<Row, Place> {
  const end = rows.findIndex(({ stops }) => stops);
  if (end >= 0 && end < limit) return { items: rows.slice(0, end + 1).filter(({ fits }) => fits), next: placeOf(rows[end] as Row) };
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? placeOf(items.at(-1) as Row) : undefined };
}
