import { statement, storedDay, type Db, type Value } from '../kit/db.ts';
import type { ReadPage } from '../kit/lists/numbered-pages.ts';
import { SLOT } from './cashout-rows.ts';
import { CASHOUT_STATES, type Cashout, type ListedTexts } from './cashout.ts';

// The SQL of the list: four kinds of page, each for four filters. `npm run generate -- statements` prints all sixteen whole.

/** The place of a cashout in the list. A cashout that does not change keeps its place. */
export type ListKey = Pick<Cashout, 'updatedOn' | 'updatedAt' | 'cashoutId'>;

/**
 * The parameters of the SQL below, which writes them as `$name`. A statement numbers those that it uses, in this order.
 * - `rows`: how many rows are wanted.
 * - `skipped`: how many rows lie before the page.
 * - `placeOn`, `placeAt`, `placeId`: the place from which a walk goes on.
 */
const PARAMETERS = ['merchant', 'start', 'end', 'rows', 'skipped', 'placeOn', 'placeAt', 'placeId', 'states', 'document'] as const;

export type ListParameters = { readonly [name in (typeof PARAMETERS)[number]]?: Value };

/** One row of a page, as ROWS_AS_TEXT writes it: the texts of the item, then the rest of its place. */
export type CashoutRowAsTexts = readonly [...ListedTexts, updatedAt: string, cashoutId: string];

const NEWEST_FIRST = 'updated_on desc, updated_at desc, cashout_id desc';
const OLDEST_FIRST = 'updated_on, updated_at, cashout_id';
const KEY = 'updated_on, updated_at, cashout_id';
const PLACE = '($placeOn::date, $placeAt::timestamptz, $placeId::bigint)';

/** A part of the list in its order. */
type Walk = { readonly columns?: string; readonly where: string; readonly order: string; readonly skip?: string; readonly limit: string };

/** How the cashouts of one filter are walked and counted. */
type Filter = {
  readonly walk: (walk: Walk) => string;
  /** How many cashouts of a row of counts pass the filter. Undefined where there are no counts: the few rows themselves are counted. */
  readonly counted?: string;
};

/** Walks one index in its order: it reads no row that it does not show. */
const walkWhere =
  (condition: string): Filter['walk'] =>
  ({ columns = '*', where, order, skip, limit }) =>
    `select ${columns} from cashouts where ${condition} and ${where}
      order by ${order} ${skip === undefined ? '' : `offset ${skip}`} limit ${limit}`;

/** Several states are two to four. A missing state is null, and has no rows. */
const MERGED_STATES = CASHOUT_STATES.length - 1;

/**
 * Merges one walk for each state. One walk over all states would read a million rows for a page of a rare state.
 * Each walk has its own order and limit. The planner does not push those of the merge down, and would sort.
 * One walk for a single state is kept beside it: merging takes PostgreSQL a third to a half longer.
 */
const walkMerged: Filter['walk'] = ({ columns = '*', where, order, skip, limit }) => {
  const reach = skip === undefined ? limit : `${skip} + ${limit}`;
  const walks = Array.from({ length: MERGED_STATES }, (_, index) =>
    walkWhere(`merchant_id = $merchant and state = ($states::text[])[${index + 1}]`)({ columns, where, order, limit: reach }),
  );
  return `select ${columns} from ((${walks.join(') union all (')})) as cashouts
    order by ${order} ${skip === undefined ? '' : `offset ${skip}`} limit ${limit}`;
};

const ALL_STATES = CASHOUT_STATES.join(' + ');
const GIVEN_STATES = CASHOUT_STATES.map((state) => `case when '${state}' = any ($states::text[]) then ${state} else 0 end`).join(' + ');
const OF_DOCUMENT = 'merchant_id = $merchant and document = $document and state = any ($states::text[])';

const FILTERS = {
  all: { walk: walkWhere('merchant_id = $merchant'), counted: ALL_STATES },
  state: { walk: walkWhere('merchant_id = $merchant and state = ($states::text[])[1]'), counted: GIVEN_STATES },
  states: { walk: walkMerged, counted: GIVEN_STATES },
  document: { walk: walkWhere(OF_DOCUMENT) },
} as const satisfies Record<string, Filter>;

export type ContractFilter = keyof typeof FILTERS;

/** One kind of page, for each filter. */
export type ListStatements = Readonly<
  Record<ContractFilter, (db: Pick<Db, 'query'>, parameters: ListParameters) => Promise<ReadPage<CashoutRowAsTexts>>>
>;

function forEachFilter(kind: string, sql: (filter: Filter) => string): ListStatements {
  const declare = (filter: ContractFilter): ListStatements[ContractFilter] => {
    const named = sql(FILTERS[filter]);
    const names = PARAMETERS.filter((name) => new RegExp(`\\$${name}\\b`).test(named));
    const text = named.replace(/\$([a-zA-Z]+)/g, (_, name: (typeof PARAMETERS)[number]) => `$${names.indexOf(name) + 1}`);
    const declared = statement(`cashouts.list_${kind}_${filter}`, text);
    return async (db, parameters) => {
      const values = names.map((name) => parameters[name] as Value);
      const [page] = await db.query<{ total: bigint; isEntered: boolean; rows: string }>(declared, values);
      const { total, isEntered, rows } = page!;
      return { total: Number(total), isEntered, rows: rowsOf(rows) };
    };
  };
  return { all: declare('all'), state: declare('state'), states: declare('states'), document: declare('document') };
}

/**
 * How many cashouts the range holds. The counts and the rows rest on the same column, updated_on, and on one snapshot, the statement's.
 * Counted are the months that the range touches, less their days outside of it. A year is 13 rows and some days instead of 365 rows.
 */
function totalOf({ counted }: Filter): string {
  if (counted === undefined) return `(select count(*) from cashouts where ${OF_DOCUMENT} and updated_on between $start and $end)`;
  const firstMonth = `date_trunc('month', $start::date)::date`;
  const nextMonth = `(date_trunc('month', $end::date) + interval '1 month')::date`;
  return `(select coalesce(sum(counted), 0)::bigint from (
       select ${counted} as counted from cashout_month_counts
        where merchant_id = $merchant and month_on >= ${firstMonth} and month_on <= $end
       union all
       select -(${counted}) from cashout_counts where merchant_id = $merchant and updated_on >= ${firstMonth} and updated_on < $start
       union all
       select -(${counted}) from cashout_counts where merchant_id = $merchant and updated_on > $end and updated_on < ${nextMonth}) as parts)`;
}

/**
 * The page as one text, because plain columns or JSON take a third more processor time (decision 0008).
 * U+001E ends a row and U+001F a value. A check of the table keeps both out of its texts, and none of these columns is null.
 * First come the eleven texts of an item (ListedTexts), then its place.
 * Texts are joined by `||`, the others by concat_ws. Either for all would take 5 µs more of some 80.
 */
const ROWS_AS_TEXT = `coalesce((
    select string_agg(
      operation_id || U&'\\001f' || state || U&'\\001f' || currency || U&'\\001f' || description || U&'\\001f' || document
        || U&'\\001f' || cellphone || U&'\\001f'
        || concat_ws(U&'\\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id),
      U&'\\001e')
      from page), '')`;

const ROW_END = '\x1e';
const VALUE_END = '\x1f';

/** Eleven texts of an item, the instant and the id of its place. */
const VALUES = 13;

/** Cuts a page into its rows. `split` for each row costs a page 5 µs more: the engine calls out for it. */
function rowsOf(page: string): CashoutRowAsTexts[] {
  const rows: CashoutRowAsTexts[] = [];
  for (let start = 0; start < page.length;) {
    const row: string[] = [];
    for (let index = 0; index < VALUES; index++) {
      const found = page.indexOf(index === VALUES - 1 ? ROW_END : VALUE_END, start);
      const end = found < 0 ? page.length : found;
      row.push(page.slice(start, end));
      start = end + 1;
    }
    rows.push(row as unknown as CashoutRowAsTexts);
  }
  return rows;
}

/** The place of a row. */
export const keyOf = (row: CashoutRowAsTexts): ListKey => ({
  updatedOn: storedDay(row[10]),
  updatedAt: Temporal.Instant.from(row[11]),
  cashoutId: BigInt(row[12]),
});

/** Page 1: nothing lies before it. */
export const FIRST_PAGE = forEachFilter(
  'first',
  (filter) => `with page as (
     ${filter.walk({ where: 'updated_on between $start and $end', order: NEWEST_FIRST, limit: '$rows' })})
   select ${totalOf(filter)} as total, false as "isEntered", ${ROWS_AS_TEXT} as rows`,
);

/**
 * Whether a walk finds anything. Not by `exists`: from it the planner drops order and limit, and with them the index in its order.
 */
const finds = (filter: Filter, where: string, order: string): string =>
  `(select true from (${filter.walk({ columns: KEY, where, order, limit: '1' })}) as found) is not null`;

/** From a place towards older cashouts. */
export const FORWARD_PAGE = forEachFilter(
  'forward',
  (filter) => `with page as (
     ${filter.walk({ where: `updated_on >= $start and (${KEY}) < ${PLACE}`, order: NEWEST_FIRST, limit: '$rows' })})
   select ${totalOf(filter)} as total,
          ${finds(filter, `updated_on <= $end and (${KEY}) >= ${PLACE}`, OLDEST_FIRST)} as "isEntered",
          ${ROWS_AS_TEXT} as rows`,
);

/** From a place towards newer cashouts. The rows come oldest first. */
export const BACKWARD_PAGE = forEachFilter(
  'backward',
  (filter) => `with page as (
     ${filter.walk({ where: `updated_on <= $end and (${KEY}) > ${PLACE}`, order: OLDEST_FIRST, limit: '$rows' })})
   select ${totalOf(filter)} as total,
          ${finds(filter, `updated_on >= $start and (${KEY}) <= ${PLACE}`, NEWEST_FIRST)} as "isEntered",
          ${ROWS_AS_TEXT} as rows`,
);

/** A page by its number: `$skipped` cashouts lie before it. */
export const NUMBERED_PAGE = forEachFilter('numbered', (filter) =>
  filter.counted === undefined ? numberedByRows(filter) : numberedByCounts(filter, filter.counted),
);

function numberedByRows(filter: Filter): string {
  return `with page as (
     ${filter.walk({ where: 'updated_on between $start and $end', order: NEWEST_FIRST, skip: '$skipped::bigint', limit: '$rows' })})
   select ${totalOf(filter)} as total, true as "isEntered", ${ROWS_AS_TEXT} as rows`;
}

/**
 * The counts say on which day the page begins, and in which five minutes of that day.
 * They say how many cashouts of these to skip: inside the index, from the nearer end of the five minutes. The page is read from the place that was found.
 */
function numberedByCounts({ walk }: Filter, counted: string): string {
  const find = (isNearer: string, order: string, skip: string): string =>
    walk({
      columns: KEY,
      where: `updated_on = (select updated_on from day)
        and updated_at >= (select updated_slot from slot) and updated_at < (select updated_slot from slot) + ${SLOT}
        and (select ${isNearer} from slot)`,
      order,
      skip: `(select ${skip} from slot)`,
      limit: '1',
    });
  return `with days as materialized (
       select updated_on, counted, sum(counted) over (order by updated_on desc) as reached
         from (select updated_on, ${counted} as counted
                 from cashout_counts where merchant_id = $merchant and updated_on between $start and $end) as kept),
     day as materialized (
       select updated_on, $skipped::bigint - (reached - counted) as skipped
         from days where reached > $skipped order by updated_on desc limit 1),
     slots as materialized (
       select updated_slot, counted, sum(counted) over (order by updated_slot desc) as reached
         from (select updated_slot, ${counted} as counted
                 from cashout_slot_counts where merchant_id = $merchant and updated_on = (select updated_on from day)) as kept),
     slot as materialized (
       select updated_slot, counted, ((select skipped from day) - (reached - counted))::bigint as skipped
         from slots where reached > (select skipped from day) order by updated_slot desc limit 1),
     first as materialized (
       (${find('skipped < counted / 2', NEWEST_FIRST, 'skipped')})
       union all
       (${find('skipped >= counted / 2', OLDEST_FIRST, 'counted - 1 - skipped')})),
     page as (
       ${walk({ where: `updated_on >= $start and (${KEY}) <= (select ${KEY} from first)`, order: NEWEST_FIRST, limit: '$rows' })})
   select (select coalesce(sum(counted), 0)::bigint from days) as total, true as "isEntered", ${ROWS_AS_TEXT} as rows`;
}
