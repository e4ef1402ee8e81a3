import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import { DELETED } from './read-changes.ts';

const EVERY_SECONDS = 60;
/** Rows of one step. */
const PORTION = 1_000;
/** A client that comes again later may be sent `reset`. By the clock of the database, not of a sandbox. */
const KEPT_MINUTES = 60;

const CLUSTER = `(select system_identifier::text from pg_control_system())`;

/** Servers take turns, so that the noted mark is the last one. */
const LOCK = statement(
  'events.lock_prune',
  `select pg_try_advisory_xact_lock(hashtext('change reader'), hashtext('${DELETED}')) as "isMine"`,
);

/** Several servers make one mark. The instant is read after the snapshot, so a mark is never older than it says. */
const MARK = statement(
  'events.mark_changes',
  `insert into change_marks (position, cluster)
   select pg_current_snapshot(), ${CLUSTER}
    where not exists (select from change_marks where marked_at > clock_timestamp() - interval '${EVERY_SECONDS - 5} seconds')`,
);

/**
 * Deletes what the last mark of an hour ago has seen, and every reader. The same transaction notes the mark.
 * So a position of the last hour misses nothing, even if a transaction was open for many hours.
 * A number from the end on is of another cluster, whose dump was restored here.
 */
const PRUNE = statement(
  'events.prune_changes',
  `with mark as materialized (
     select marked_at, position, cluster from change_marks
      where marked_at < clock_timestamp() - interval '${KEPT_MINUTES} minutes' and cluster = ${CLUSTER}
      order by marked_at desc limit 1
   ), gone as (
     delete from changes where (written_in, change_id) in (
       select written_in, change_id from changes
        where written_in < (select pg_snapshot_xmax(position) from mark) and pg_visible_in_snapshot(written_in, (select position from mark))
          and not exists (
            select from change_readers where reader <> '${DELETED}' and not pg_visible_in_snapshot(changes.written_in, position))
        order by written_in, change_id limit ${PORTION} for update skip locked)
     returning 1
   ), foreign_rows as (
     delete from changes where (written_in, change_id) in (
       select written_in, change_id from changes where written_in >= pg_snapshot_xmax(pg_current_snapshot())
        order by written_in, change_id limit ${PORTION} for update skip locked)
     returning 1
   ), past as (
     delete from change_marks where marked_at < (select marked_at from mark)
   )
   insert into change_readers (reader, position, complete_to, cluster)
   select '${DELETED}', position, marked_at, cluster from mark
   on conflict (reader) do update set position = excluded.position, complete_to = excluded.complete_to, cluster = excluded.cluster
   returning greatest((select count(*) from gone), (select count(*) from foreign_rows)) as deleted`,
);

/** Makes the job that deletes changes an hour after they were written. */
export const pruneChanges = (db: Db, clock: Clock): Job =>
  inRounds(clock, EVERY_SECONDS, {
    name: 'events.prune',
    step: () =>
      db.transaction(async (tx) => {
        const [lock] = await tx.query<{ isMine: boolean }>(LOCK, []);
        if (lock?.isMine !== true) return false;
        tx.send(MARK, []);
        const [{ deleted } = { deleted: 0n }] = await tx.query<{ deleted: bigint }>(PRUNE, []);
        return deleted === BigInt(PORTION);
      }),
  });
