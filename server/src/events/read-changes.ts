import { statement, type Db } from '../kit/db.ts';
import { changesOf, type ChangeEvent, type ChangeRow, type ManyChanges } from './change.ts';
import { positionOf, printPosition, type EventPosition } from './position.ts';

/** The mark whose transactions are deleted from the list. Who has not seen them all has missed some. */
export const DELETED = 'deleted';
/** Rows between two positions; a row holds the changes of a batch. Beyond that a reader starts again. */
const MOST_ROWS = 20_000;

/**
 * One statement sees one state of the database, and says which one. So it misses no transaction that commits late, and repeats none.
 * Transactions from the present end of numbers on are of another cluster, whose dump was restored here.
 * A writer takes its change_id while it holds the order or cashout locked. So these numbers are in the order of versions.
 * $1: the position. $2: how many changes are named one by one; more are counted. $3: the cluster of the position.
 * Under load nearly all are counted: unnest() in the list of a select costs half of one that is joined.
 */
const READ = statement(
  'events.read_changes',
  `with unseen as materialized (
     select * from changes
      where written_in >= pg_snapshot_xmax($1::text::pg_snapshot) and written_in < pg_snapshot_xmax(pg_current_snapshot())
     union all
     select * from changes where written_in = any (array(select pg_snapshot_xip($1::text::pg_snapshot)))
     limit ${MOST_ROWS + 1}
   ), size as (
     select count(*) as rows, coalesce(sum(cardinality(merchant_ids)), 0) as changes from unseen
   ), named as (
     select change_id, written_in::text as "writtenIn", kind, merchant_ids as "merchantIds", ids, versions, events, states, null::bigint as count
       from unseen, size where size.changes <= $2
     union all
     select null, null, case kind when 'refused_payment' then 'order' else kind end, array[merchant_id], null, null, null, null,
            sum(count)::bigint
       from (select kind, merchant_id, count(*) as count
               from (select kind, unnest(merchant_ids) as merchant_id from size, unseen
                      where size.changes > $2 and size.rows <= ${MOST_ROWS}) as one_by_one
              group by kind, merchant_id) as counted
      group by 3, 4
   )
   select pg_current_snapshot()::text as now,
          size.rows > ${MOST_ROWS} or exists (
            select from change_readers
             where reader = '${DELETED}' and cluster = $3 and (
               pg_snapshot_xmax(position) > pg_snapshot_xmax($1::text::pg_snapshot)
               or exists (select from pg_snapshot_xip($1::text::pg_snapshot) as missing where pg_visible_in_snapshot(missing, position)))
          ) as "isTooOld",
          named.*
     from size left join named on true
    order by change_id`,
);

type Row = ChangeRow & {
  readonly now: string;
  readonly isTooOld: boolean;
  readonly writtenIn: string | null;
  readonly count: bigint | null;
};

/** What was committed between two positions. */
export type Portion = {
  /** Those of one thing are in the order of its versions. */
  readonly changes: readonly (ChangeEvent & { readonly writtenIn: bigint })[];
  /** Instead of the changes, where there are too many. */
  readonly many: readonly ManyChanges[];
  readonly position: EventPosition;
  /** Changes since the earlier position are deleted, or far too many. They are not known. */
  readonly isTooOld: boolean;
};

/** A position, and the database cluster that numbers its transactions. Other clusters use the same numbers. */
export type Place = { readonly position: EventPosition; readonly cluster: string };

/**
 * Reads what was committed since a place.
 * Throws: Unavailable.
 */
export async function readChanges(db: Pick<Db, 'query'>, at: Place, most: number): Promise<Portion> {
  const rows = await db.query<Row>(READ, [printPosition(at.position), most, at.cluster]);
  const [{ now, isTooOld }] = rows as [Row];
  const position = positionOf(now);
  if (isTooOld) return { changes: [], many: [], position, isTooOld };
  const changes = rows.flatMap((row) => {
    if (row.writtenIn === null) return [];
    const writtenIn = BigInt(row.writtenIn);
    return changesOf(row).map((change) => ({ ...change, writtenIn }));
  });
  const many = rows.flatMap(({ kind, merchantIds, count }) =>
    count === null ? [] : [{ kind: kind as ChangeEvent['kind'], merchantId: merchantIds[0] as string | null, count: Number(count) }],
  );
  return { changes, many, position, isTooOld };
}

const PLACE = statement(
  'events.read_place',
  `select pg_current_snapshot()::text as position, (select system_identifier::text from pg_control_system()) as cluster`,
);

/** The place of a reader who has seen all that is committed. */
export async function readPlace(db: Pick<Db, 'query'>): Promise<Place> {
  const [{ position, cluster }] = (await db.query<{ position: string; cluster: string }>(PLACE, [])) as [
    { position: string; cluster: string },
  ];
  return { position: positionOf(position), cluster };
}
