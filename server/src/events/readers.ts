import { columnsOf, statement, Unavailable, type Db, type Tx } from '../kit/db.ts';
import type { ReportedEvent } from './figure-source.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import { positionAfter, positionOf, printPosition, type EventPosition } from './position.ts';
import { readPlace, type Place } from './read-changes.ts';

/** Servers take turns. One that finds another at work does something else. */
const LOCK = statement('events.lock_reader', `select pg_try_advisory_xact_lock(hashtext('change reader'), hashtext($1)) as "isMine"`);
const LOCK_LONG = statement('events.wait_for_reader', `select pg_advisory_xact_lock(hashtext('change reader'), hashtext($1))`);

const FIND = statement(
  'events.find_reader',
  `select position::text, complete_to as "completeTo", cluster from change_readers where reader = $1`,
);
/** While a Citus cluster moves the schema, LOCK is of one of two nodes, and only the row is of both. */
const HOLD = statement('events.hold_reader', 'select from change_readers where reader = $1 for update');
const ADVANCE = statement(
  'events.advance_reader',
  `update change_readers set position = $2::text::pg_snapshot, complete_to = $3
    where reader = $1 and position::text = $4 and cluster = $5 returning 1`,
);
const MOVE = statement(
  'events.move_reader',
  `insert into change_readers (reader, position, complete_to, cluster) values ($1, $2::text::pg_snapshot, $3, $4)
   on conflict (reader) do update set position = excluded.position, complete_to = excluded.complete_to, cluster = excluded.cluster`,
);

const FOREIGN = statement(
  'events.foreign_changes',
  `select written_in::text as "writtenIn", change_id as "changeId" from changes
    where written_in >= pg_snapshot_xmax(pg_current_snapshot()) or written_in = any (array(select pg_snapshot_xip(pg_current_snapshot())))`,
);
const FORGET = statement(
  'events.forget_changes',
  'delete from changes c using unnest($1::text[], $2::bigint[]) as k (written_in, change_id) where c.written_in = k.written_in::xid8 and c.change_id = k.change_id',
);

/** As read-changes.ts reads them, but in portions of whole transactions, and only rows with certain events. */
const TAKE = statement(
  'events.take_changes',
  `select pg_current_snapshot()::text as now, unseen.*
     from (select) as once
     left join (
       select written_in::text as "writtenIn", merchant_ids as "merchantIds", ids, versions, events
         from (
           select * from changes
            where written_in >= pg_snapshot_xmax($1::text::pg_snapshot) and written_in < pg_snapshot_xmax(pg_current_snapshot())
           union all
           select * from changes where written_in = any (array(select pg_snapshot_xip($1::text::pg_snapshot)))) as unseen
        where events && $2::text[]
        order by written_in
        fetch first $3 rows with ties) as unseen on true`,
);

type TakenRow = {
  readonly now: string;
  readonly writtenIn: string | null;
  readonly merchantIds: readonly string[];
  readonly ids: readonly string[];
  readonly versions: readonly number[];
  readonly events: readonly string[];
};
type Reader = { readonly position: string; readonly completeTo: Temporal.Instant; readonly cluster: string };

/** Rows of one portion; a row holds the changes of a batch. */
const PORTION = 200;
/** A position that is this far behind is stored, although nothing was read. Each time all that is between is looked at. */
const FAR_BEHIND = 1_000n;
const LONG_AGO_SECONDS = 60;

/** `busy`: another server reads. `lost`: the position means nothing here, so the reader must start again. */
export type Taken = 'all' | 'more' | 'busy' | 'lost';

/**
 * Gives a reader what it has not seen, and moves its position in the same transaction. So it sees each change exactly once.
 * Shape: the reader's name, the events it asks for, and what it does with them. Their order means nothing.
 */
export function takeChanges(
  db: Pick<Db, 'transaction'>,
  reader: string,
  events: readonly string[],
  now: Temporal.Instant,
  use: (tx: Tx, reported: readonly ReportedEvent[]) => Promise<void>,
): Promise<Taken> {
  return db.transaction(async (tx) => {
    const [[lock], [found], here] = await Promise.all([
      tx.query<{ isMine: boolean }>(LOCK, [reader]),
      tx.query<Reader>(FIND, [reader]),
      readPlace(tx),
    ]);
    if (lock?.isMine !== true) return 'busy';
    if (found === undefined || found.cluster !== here.cluster) return 'lost';
    const { reported, position, isMore } = await read(tx, found.position, events);
    if (reported.length > 0) await use(tx, reported);
    const isFar = position.next - positionOf(found.position).next > FAR_BEHIND;
    const isLongAgo = now.epochMilliseconds - found.completeTo.epochMilliseconds > LONG_AGO_SECONDS * 1_000;
    if (reported.length > 0 || isFar || isLongAgo) {
      const next = [reader, printPosition(position), isMore ? found.completeTo : now, found.position, found.cluster];
      if ((await tx.query(ADVANCE, next)).length === 0) throw new Unavailable(`another server has read for ${reader}`);
    }
    return isMore ? 'more' : 'all';
  });
}

type Read = { readonly reported: readonly ReportedEvent[]; readonly position: EventPosition; readonly isMore: boolean };

async function read(db: Pick<Db, 'query'>, at: string, events: readonly string[]): Promise<Read> {
  const rows = await db.query<TakenRow>(TAKE, [at, events, PORTION]);
  const unseen = rows.filter(({ writtenIn }) => writtenIn !== null);
  const isMore = unseen.length >= PORTION;
  const last = isMore ? BigInt(unseen.at(-1)?.writtenIn as string) : undefined;
  const position = positionAfter(positionOf(at), positionOf((rows[0] as TakenRow).now), last);
  return { reported: reportedOf(unseen, events), position, isMore };
}

const reportedOf = (rows: readonly TakenRow[], asked: readonly string[]): readonly ReportedEvent[] =>
  rows.flatMap(({ merchantIds, ids, versions, events }) =>
    events.flatMap((event, index) =>
      asked.includes(event)
        ? [{ event, merchantId: merchantIds[index] as string, id: ids[index] as string, version: versions[index] as number }]
        : [],
    ),
  );

/** Waits until no server reads for a reader, until the end of the transaction. */
export const waitForReader = async (tx: Tx, reader: string): Promise<void> =>
  void (await Promise.all([tx.query(LOCK_LONG, [reader]), tx.query(HOLD, [reader])]));

type Change = { readonly writtenIn: string; readonly changeId: bigint };

/**
 * What another cluster wrote, whose rows were copied or restored here: a snapshot shows them, though by their numbers their transactions
 * have not ended. Once the numbers of this cluster have come that far, they would be new.
 */
export const readForeign = (snapshot: Pick<Db, 'query'>): Promise<readonly Change[]> => snapshot.query<Change>(FOREIGN, []);

/** Says that a reader has seen all that a snapshot shows. Effects: what another cluster wrote is gone. */
export function startReader(
  tx: Tx,
  reader: string,
  { position, cluster, foreign }: Place & { readonly foreign: readonly Change[] },
  now: Temporal.Instant,
): void {
  if (foreign.length > 0) tx.send(FORGET, columnsOf(foreign, 'writtenIn', 'changeId'));
  tx.send(MOVE, [reader, printPosition(position), now, cluster]);
}

/** Until when a reader has seen all, on the clock of the service. Undefined: it has not begun. */
export async function readCompleteTo(db: Pick<Db, 'query'>, reader: string): Promise<Temporal.Instant | undefined> {
  const [found] = await db.query<Reader>(FIND, [reader]);
  // The migration writes the beginning of time for a reader that has seen nothing.
  return found === undefined || found.completeTo.epochMilliseconds === 0 ? undefined : found.completeTo;
}

/** A snapshot of the database, as statements ask it. */
export const atSnapshot = (snapshot: Snapshot): Pick<Db, 'query'> => ({
  query: async <Row>(...asked: Parameters<Snapshot['rows']>) => Array.fromAsync(snapshot.rows<Row>(...asked)),
});

/** What a reader has not seen of a snapshot. Undefined: it has not begun. */
export async function readUnseen(
  snapshot: Snapshot,
  reader: string,
  events: readonly string[],
): Promise<readonly ReportedEvent[] | undefined> {
  const db = atSnapshot(snapshot);
  const [[found], here] = [await db.query<Reader>(FIND, [reader]), await readPlace(db)];
  if (found === undefined || found.cluster !== here.cluster) return undefined;
  const reported: ReportedEvent[] = [];
  for (let at = found.position, isMore = true; isMore;) {
    const portion = await read(db, at, events);
    reported.push(...portion.reported);
    at = printPosition(portion.position);
    isMore = portion.isMore;
  }
  return reported;
}
