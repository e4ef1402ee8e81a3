/**
 * Whose rows are seen: those of one merchant, or of all. Every list takes it beside its filter, so that no filter can forget it.
 */
export type Scope = { readonly merchantId: string } | 'everybody';

/** The scope of the one merchant of a request. Undefined: everybody. */
export const scopeOf = (only: string | undefined): Scope => (only === undefined ? 'everybody' : { merchantId: only });

/** From the first value on, and up to the second. Undefined: no bound. */
export type From<T> = { readonly from?: T | undefined; readonly before?: T | undefined };
export type Between<T> = { readonly from?: T | undefined; readonly to?: T | undefined };

/** One page of a list. `next`: the place from which it goes on; undefined at its end. */
export type Page<Item, Place> = { readonly items: readonly Item[]; readonly next: Place | undefined };

/** A row of a walk. `stops`: the walk read as many rows as it may, and this is the last, whether it fits or not. */
export type Walked = { readonly fits: boolean; readonly stops: boolean };

/** Rows that a walk reads for a page at most. It takes some milliseconds. */
export const MOST_WALKED = 2_000;
/** The same where each of all merchants has its walk. */
export const MOST_OF_EACH = 200;

/**
 * SQL: the merchants of a scope. All are found one after the other in the primary key of a table, which begins with them.
 * The list of all merchants is of another room.
 */
export const merchantsIn = (table: string, isOfOne: boolean): string =>
  isOfOne
    ? 'select $merchant as merchant_id'
    : `with recursive found as (
    (select merchant_id from ${table} order by merchant_id limit 1)
    union all
    select (select o.merchant_id from ${table} o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1)
      from found where found.merchant_id is not null)
  select merchant_id from found where merchant_id is not null`;

/** SQL: the keys of a walk for each of these states of each merchant. */
export const statesOfEach = (merchants: string, states: string): string =>
  `select m.merchant_id, s.state from (${merchants}) as m, unnest(${states}) as s (state)`;

/** Declares a statement twice: for the rows of one merchant, and for those of all. Shape: → chooses by the scope. */
export function forScopes<Read>(declare: (isOfOne: boolean) => Read): (scope: Scope) => Read {
  const [ofOne, ofAll] = [declare(true), declare(false)];
  return (scope) => (scope === 'everybody' ? ofAll : ofOne);
}

/**
 * Declares the pages of a list along several paths. Each but `all` has the name of the part of the filter that it needs.
 * The narrowest comes first. Shape: → chooses the narrowest that the filter allows.
 */
export function alongPaths<Path extends string, Read>(
  paths: { readonly [path in Path]: string },
  declare: (path: Path, isOfOne: boolean) => Read,
): (scope: Scope, filter: { readonly [path in Exclude<Path, 'all'>]?: unknown }) => Read {
  const pages = (Object.keys(paths) as Path[]).map((path) => ({ path, read: forScopes((isOfOne) => declare(path, isOfOne)) }));
  return (scope, filter) => {
    const along = pages.find(({ path }) => path === 'all' || filter[path as Exclude<Path, 'all'>] !== undefined);
    return (along as (typeof pages)[number]).read(scope);
  };
}

export type Walks = {
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
