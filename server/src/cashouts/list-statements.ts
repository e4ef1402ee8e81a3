import { statement, type Statement } from '../kit/db.ts';
import { LISTED_COLUMNS } from './cashout-rows.ts';
import { CASHOUT_STATES } from './cashout.ts';

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

export type FilterName = keyof typeof FILTERS;

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
export const FORWARD = forEachFilter('forward', (filter) =>
  walkFrom(
    filter,
    { where: `updated_on >= $2 and ${KEY} < ${PLACE}`, order: NEWEST_FIRST },
    { where: `updated_on <= $3 and ${KEY} >= ${PLACE}`, order: OLDEST_FIRST },
  ),
);

/** Towards newer operations; the rows come oldest first. */
export const BACKWARD = forEachFilter('backward', (filter) =>
  walkFrom(
    filter,
    { where: `updated_on <= $3 and ${KEY} > ${PLACE}`, order: OLDEST_FIRST },
    { where: `updated_on >= $2 and ${KEY} <= ${PLACE}`, order: NEWEST_FIRST },
  ),
);

/** A page by its number: $5 operations stand before it. */
export const NUMBERED = forEachFilter('numbered', (filter) =>
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
