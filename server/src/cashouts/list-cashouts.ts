import { statement, type Db, type Statement, type Value } from '../kit/db.ts';
import { LISTED_COLUMNS } from './cashout-rows.ts';
import { CASHOUT_STATES, type CashoutState, type ListedCashout } from './cashout.ts';

/** The place of an operation in the list; an operation that does not change keeps it. */
export type ListKey = Pick<ListedCashout, 'updatedOn' | 'updatedAt' | 'cashoutId'>;

/** Which page: by its number, the last one whatever its number, or the one that lies right after or before a place of a walk. */
export type ListPosition =
  | { readonly at: 'page'; readonly page: number }
  | { readonly at: 'last' }
  | { readonly at: 'after' | 'before'; readonly key: ListKey; readonly page: number };

export type ListCashouts = {
  readonly merchantId: string;
  /** The first and the last update day, both included, in the merchant's zone. */
  readonly startOn: Temporal.PlainDate;
  readonly endOn: Temporal.PlainDate;
  /** In the order of CASHOUT_STATES, each once; all of them is no filter. */
  readonly states: readonly CashoutState[];
  readonly document: string | undefined;
  readonly limit: number;
  readonly position: ListPosition;
};

export type ListedPage = {
  /** Newest update first. */
  readonly items: readonly ListedCashout[];
  /** The number of this page: the request's own; in a walk counted from the page where it began. */
  readonly page: number;
  /** How many pages there are now. */
  readonly pages: number;
  /** True where an operation stands before this page, also where the page itself is empty. */
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
};

const NEWEST_FIRST = 'updated_on desc, updated_at desc, cashout_id desc';
const OLDEST_FIRST = 'updated_on, updated_at, cashout_id';
const KEY_COLUMNS = 'updated_on, updated_at, cashout_id';
const KEY = `(${KEY_COLUMNS})`;

/** A part of the list in its order. Parameters in every statement: $1 merchant, $2 and $3 the range, $4 the rows that are wanted. */
type Walk = { readonly columns: string; readonly where: string; readonly order: string; readonly skip?: string; readonly limit: string };

/** How the operations that a request filters are walked and counted. Its own parameters are `$f` and on, behind those of the position. */
type Filter = {
  readonly walk: (f: number, walk: Walk) => string;
  /** Of a row of cashout_counts, how many operations count; undefined: the rows themselves are counted, because they are few. */
  readonly kept?: (f: number) => string;
};

/** Walks one index in its order: a row that is read is a row that is shown. */
const walkOne =
  (rows: (f: number) => string): Filter['walk'] =>
  (f, { columns, where, order, skip, limit }) =>
    `select ${columns} from cashouts where merchant_id = $1 and ${rows(f)} and ${where} order by ${order}${skip === undefined ? '' : ` offset ${skip}`} limit ${limit}`;

/** Several states are two to four; a state that is null has no rows. */
const MERGED_STATES = CASHOUT_STATES.length - 1;

/**
 * Merges one walk per state. A filter over the walk of all states would read a million rows for one page of a rare state. Each walk has
 * its own order and limit, because the planner does not carry the merge's into it and would sort.
 */
const walkMerged: Filter['walk'] = (f, { columns, where, order, skip, limit }) => {
  const reach = skip === undefined ? limit : `${skip} + ${limit}`;
  const walks = Array.from({ length: MERGED_STATES }, (_, index) =>
    walkOne(() => `state = ($${f}::text[])[${index + 1}]`)(f, { columns, where, order, limit: reach }),
  );
  return `select ${columns} from ((${walks.join(') union all (')})) as cashouts order by ${order}${skip === undefined ? '' : ` offset ${skip}`} limit ${limit}`;
};

const keptOfStates = (f: number): string =>
  CASHOUT_STATES.map((state) => `case when '${state}' = any ($${f}::text[]) then ${state} else 0 end`).join(' + ');
const isOfDocument = (f: number): string => `state = any ($${f}::text[]) and document = $${f + 1}`;

const FILTERS = {
  all: { walk: walkOne(() => 'true'), kept: () => CASHOUT_STATES.join(' + ') },
  state: { walk: walkOne((f) => `state = ($${f}::text[])[1]`), kept: keptOfStates },
  states: { walk: walkMerged, kept: keptOfStates },
  document: { walk: walkOne(isOfDocument) },
} as const satisfies Record<string, Filter>;

type FilterName = keyof typeof FILTERS;

const forEachFilter = (kind: string, text: (filter: Filter) => string): Readonly<Record<FilterName, Statement>> => ({
  all: statement(`cashouts.list_${kind}_all`, text(FILTERS.all)),
  state: statement(`cashouts.list_${kind}_state`, text(FILTERS.state)),
  states: statement(`cashouts.list_${kind}_states`, text(FILTERS.states)),
  document: statement(`cashouts.list_${kind}_document`, text(FILTERS.document)),
});

/** How many operations the range holds. The kept counts and the rows share one truth, the column updated_on, and one snapshot, the statement's. */
const counted = ({ kept }: Filter, f: number): string =>
  kept === undefined
    ? `counted as materialized (select count(*) as total from cashouts where merchant_id = $1 and ${isOfDocument(f)} and updated_on between $2 and $3)`
    : `counted as materialized (
       select coalesce(sum(${kept(f)}), 0)::bigint as total from cashout_counts where merchant_id = $1 and updated_on between $2 and $3)`;

const answer = (isEntered: string, order: string): string =>
  `select total, ${isEntered} as "isEntered", ${LISTED_COLUMNS} from counted left join page on true order by ${order}`;

/** From a place on: $5–$7 are the place, itself left out; isEntered tells whether an operation stands up to it. */
const walkFrom = (filter: Filter, ahead: { where: string; order: string }, behind: { where: string; order: string }): string =>
  `with ${counted(filter, 8)},
     page as (${filter.walk(8, { columns: '*', ...ahead, limit: '$4' })})
   ${answer(`(select true from (${filter.walk(8, { columns: KEY_COLUMNS, ...behind, limit: '1' })}) as behind) is not null`, ahead.order)}`;

const PLACE = '($5::date, $6::timestamptz, $7::bigint)';

/** Towards older operations. */
const FORWARD = forEachFilter('forward', (filter) =>
  walkFrom(
    filter,
    { where: `updated_on >= $2 and ${KEY} < ${PLACE}`, order: NEWEST_FIRST },
    { where: `updated_on <= $3 and ${KEY} >= ${PLACE}`, order: OLDEST_FIRST },
  ),
);

/** Towards newer operations; the rows come oldest first. */
const BACKWARD = forEachFilter('backward', (filter) =>
  walkFrom(
    filter,
    { where: `updated_on <= $3 and ${KEY} > ${PLACE}`, order: OLDEST_FIRST },
    { where: `updated_on >= $2 and ${KEY} <= ${PLACE}`, order: NEWEST_FIRST },
  ),
);

/** A page by its number: $5 operations stand before it. */
const NUMBERED = forEachFilter('numbered', (filter) =>
  filter.kept === undefined ? numberedByRows(filter) : numberedByDays(filter, filter.kept),
);

function numberedByRows(filter: Filter): string {
  const page = filter.walk(6, {
    columns: '*',
    where: 'updated_on between $2 and $3',
    order: NEWEST_FIRST,
    skip: '$5::bigint',
    limit: '$4',
  });
  return `with ${counted(filter, 6)}, page as (${page}) ${answer('true', NEWEST_FIRST)}`;
}

/**
 * The kept counts tell the day on which the page begins and how many of its operations to skip. These are skipped inside the index, from
 * the nearer end of the day, and the page is read from the place that was found.
 */
function numberedByDays({ walk }: Filter, kept: (f: number) => string): string {
  const find = (nearer: string, order: string, skip: string): string =>
    walk(6, {
      columns: KEY_COLUMNS,
      where: `updated_on = (select updated_on from place) and (select ${nearer} from place)`,
      order,
      skip: `(select ${skip} from place)`,
      limit: '1',
    });
  return `with days as materialized (
       select updated_on, operations, sum(operations) over (order by updated_on desc) as reached
         from (select updated_on, ${kept(6)} as operations from cashout_counts where merchant_id = $1 and updated_on between $2 and $3) as kept),
     counted as materialized (select coalesce(sum(operations), 0)::bigint as total from days),
     place as materialized (
       select updated_on, operations, ($5::bigint - (reached - operations))::bigint as skipped
         from days where reached > $5 order by updated_on desc limit 1),
     first as materialized (
       (${find('skipped < operations / 2', NEWEST_FIRST, 'skipped')}) union all
       (${find('skipped >= operations / 2', OLDEST_FIRST, 'operations - 1 - skipped')})),
     page as (${walk(6, { columns: '*', where: `updated_on >= $2 and ${KEY} <= (select ${KEY_COLUMNS} from first)`, order: NEWEST_FIRST, limit: '$4' })})
   ${answer('true', NEWEST_FIRST)}`;
}

type PageRow = { readonly total: bigint; readonly isEntered: boolean } & (
  | ListedCashout
  | { readonly [Column in keyof ListedCashout]: null }
);

/**
 * Lists one page of a merchant's cashouts.
 * Shape: ListCashouts → ListedPage; days in the merchant's zone; newest update first, ties by our id, newest first.
 * Refuses: nothing; a page beyond the last is empty.
 * Effects: none. One statement, so that the page, its neighbours and the count are of one snapshot.
 * Walking by `after` from page 1 shows each operation that does not change exactly once, because its place does not change.
 * Source: contract §4.1, §4.2.
 */
export async function listCashouts(db: Pick<Db, 'query'>, list: ListCashouts): Promise<ListedPage> {
  const { position, limit } = list;
  if (position.at === 'page' && position.page > 1) {
    const offset = (position.page - 1) * limit;
    const { total, items } = await read(db, NUMBERED, list, [BigInt(offset)]);
    return { ...forwardPage(items, total, limit), page: position.page, hasPrevious: total > 0 };
  }
  if (position.at === 'page' || position.at === 'after') {
    const place = position.at === 'page' ? [list.endOn, 'infinity', 0n] : keyValues(position.key);
    const { total, items, isEntered } = await read(db, FORWARD, list, place);
    return { ...forwardPage(items, total, limit), page: position.page, hasPrevious: isEntered };
  }
  const place = position.at === 'last' ? [list.startOn, '-infinity', 0n] : keyValues(position.key);
  const { total, items, isEntered } = await read(db, BACKWARD, list, place);
  const pages = Math.ceil(total / limit);
  const size = position.at === 'last' ? total - (pages - 1) * limit : limit;
  return {
    items: items.slice(0, size).reverse(),
    page: position.at === 'last' ? Math.max(pages, 1) : position.page,
    pages,
    hasPrevious: items.length > size,
    hasNext: isEntered,
  };
}

/** One row more than a page was read: it tells whether something follows. */
function forwardPage(items: readonly ListedCashout[], total: number, limit: number): Pick<ListedPage, 'items' | 'pages' | 'hasNext'> {
  return { items: items.slice(0, limit), pages: Math.ceil(total / limit), hasNext: items.length > limit };
}

const keyValues = ({ updatedOn, updatedAt, cashoutId }: ListKey): readonly Value[] => [updatedOn, updatedAt, cashoutId];

async function read(
  db: Pick<Db, 'query'>,
  statements: Readonly<Record<FilterName, Statement>>,
  { merchantId, startOn, endOn, states, document, limit }: ListCashouts,
  position: readonly Value[],
): Promise<{ readonly total: number; readonly isEntered: boolean; readonly items: readonly ListedCashout[] }> {
  const isAll = states.length === CASHOUT_STATES.length;
  const name = document !== undefined ? 'document' : isAll ? 'all' : states.length === 1 ? 'state' : 'states';
  const filter = document !== undefined ? [states, document] : isAll ? [] : [states];
  const rows = await db.query<PageRow>(statements[name], [merchantId, startOn, endOn, limit + 1, ...position, ...filter]);
  // The count joins the page on the left: without operations one row comes, with nulls.
  const items = rows.filter((row): row is PageRow & ListedCashout => row.operationId !== null);
  return { total: Number(rows[0]!.total), isEntered: rows[0]!.isEntered, items };
}
