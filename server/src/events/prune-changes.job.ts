import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import { DELETED } from './read-changes.ts';

const EVERY_SECONDS = 60;
/** Rows of one step. */
const PORTION = 1_000;
/** A client that comes again later is sent `reset`. By the clock of the database, not of a sandbox. */
const KEPT_MINUTES = 60;

/**
 * Deletes from the lowest transaction on, and only what every reader has seen. The same transaction notes how far.
 * A transaction that was open for hours wrote its row then: the row is not older than its statement.
 */
const PRUNE = statement(
  'events.prune_changes',
  `with gone as (
     delete from changes where (written_in, change_id) in (
       select written_in, change_id from changes
        where written_at < now() - interval '${KEPT_MINUTES} minutes'
          and written_in < (
            select pg_snapshot_xmin(position) as seen from change_readers where reader <> '${DELETED}'
             order by pg_snapshot_xmin(position) limit 1)
        order by written_in, change_id limit ${PORTION} for update skip locked)
     returning written_in
   ), last as (
     select written_in::text::numeric + 1 as next, (select count(*) from gone) as deleted from gone order by written_in desc limit 1
   )
   insert into change_readers as kept (reader, position, complete_to, cluster)
   select '${DELETED}', (next || ':' || next || ':')::pg_snapshot, now(), (select system_identifier::text from pg_control_system()) from last
   on conflict (reader) do update
     set position = case
           when kept.cluster = excluded.cluster and pg_snapshot_xmax(kept.position) > pg_snapshot_xmax(excluded.position) then kept.position
           else excluded.position end,
         complete_to = excluded.complete_to, cluster = excluded.cluster
   returning (select deleted from last) as deleted`,
);

/** Makes the job that deletes changes an hour after they were written. */
export const pruneChanges = (db: Db, clock: Clock): Job =>
  inRounds(clock, EVERY_SECONDS, {
    name: 'events.prune',
    step: async () => {
      const [{ deleted } = { deleted: 0n }] = await db.query<{ deleted: bigint }>(PRUNE, []);
      return deleted === BigInt(PORTION);
    },
  });
