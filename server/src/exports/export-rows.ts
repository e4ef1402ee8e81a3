import { statement, type Db, type Tx } from '../kit/db.ts';
import type { FilterTexts } from './exported-list.ts';
import type { Format } from './formats.ts';
import type { Trailer } from './trailer.ts';

/** What somebody asked for. */
export type AskedExport = {
  readonly exportId: string;
  /** As `user:7`. */
  readonly actor: string;
  readonly merchantId: string | null;
  /** The merchant that whoever asked is bound to. Null: the service's own side. */
  readonly boundTo: string | null;
  readonly list: string;
  readonly format: Format;
  readonly filter: FilterTexts;
  readonly zone: string;
};

export type StoredExport = AskedExport & {
  readonly state: 'waiting' | 'writing' | 'done' | 'failed';
  readonly madeAt: Temporal.Instant;
  readonly tries: number;
  readonly rowsTotal: bigint | null;
  readonly rowsWritten: bigint;
  readonly bytes: bigint;
  readonly trailer: Trailer | null;
  readonly failure: string | null;
  readonly endedAt: Temporal.Instant | null;
};

const COLUMNS = `e.export_id as "exportId", e.actor, e.merchant_id as "merchantId", e.bound_to as "boundTo", e.list, e.format, e.filter, e.zone, e.state,
  e.made_at as "madeAt", e.tries, e.rows_total as "rowsTotal", e.rows_written as "rowsWritten", e.bytes, e.trailer, e.failure,
  e.ended_at as "endedAt"`;

/** Identifies the lock of asking. Any number that no other lock has. */
const ASK_LOCK = 4_120_967_331;
const LOCK = statement('exports.lock_asking', `select pg_advisory_xact_lock(${ASK_LOCK})`);
const USED = statement(
  'exports.used',
  `select count(*) filter (where is_open) as open, count(*) filter (where is_open and actor = $1) as "openOfActor",
          count(*) filter (where is_open and bound_to = $2) as "openOfMerchant", coalesce(sum(stored_bytes), 0)::bigint as stored,
          coalesce(sum(stored_bytes) filter (where bound_to = $2), 0)::bigint as "storedOfMerchant"
     from (select *, state in ('waiting', 'writing') as is_open from exports) e`,
);
const INSERT = statement(
  'exports.insert',
  `insert into exports as e (export_id, actor, merchant_id, list, format, filter, zone, made_at, bound_to)
   values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9) returning ${COLUMNS}`,
);
const READ = statement('exports.read', `select ${COLUMNS} from exports e where export_id = $1 and actor = $2`);
const LIST = statement(
  'exports.list',
  `select ${COLUMNS} from exports e
    where actor = $1 and list = any ($2::text[]) and ($3::text is null or merchant_id = $3)
      and ($4::timestamptz is null or (made_at, export_id) < ($4, $5::text collate "C"))
    order by made_at desc, export_id desc limit $6`,
);
const DELETE = statement('exports.delete', 'delete from exports where export_id = $1 and actor = $2 returning export_id');
const PART = statement(
  'exports.part',
  `select first_byte as "firstByte", packed from export_parts where export_id = $1 and first_byte <= $2 order by first_byte desc limit 1`,
);

/** Bytes that kept exports take in the database. `storedOfMerchant`: those of the merchant that whoever asked is bound to. */
export type StoredBytes = { readonly stored: bigint; readonly storedOfMerchant: bigint };

type Use = StoredBytes & { readonly open: bigint; readonly openOfActor: bigint; readonly openOfMerchant: bigint };

/** How much is under way and kept. Until the transaction ends, nobody else asks. */
export async function lockUse(tx: Tx, { actor, boundTo }: Pick<AskedExport, 'actor' | 'boundTo'>): Promise<Use> {
  await tx.query(LOCK, []);
  const [used] = await tx.query<Use>(USED, [actor, boundTo]);
  return used!;
}

export async function insertExport(tx: Tx, asked: AskedExport, now: Temporal.Instant): Promise<StoredExport> {
  const { exportId, actor, merchantId, boundTo, list, format, filter, zone } = asked;
  const [stored] = await tx.query<StoredExport>(INSERT, [
    exportId,
    actor,
    merchantId,
    list,
    format,
    JSON.stringify(filter),
    zone,
    now,
    boundTo,
  ]);
  return stored as StoredExport;
}

type WhichExports = {
  readonly actor: string;
  /** Those of these lists. */
  readonly lists: readonly string[];
  /** Undefined: of any merchant, and of all. */
  readonly merchantId: string | undefined;
  /** The last export of the page before. */
  readonly after: { readonly madeAt: Temporal.Instant; readonly exportId: string } | undefined;
  readonly limit: number;
};

/** Lists the exports of an actor, the newest first. */
export function listExports(
  db: Pick<Db, 'query'>,
  { actor, lists, merchantId, after, limit }: WhichExports,
): Promise<readonly StoredExport[]> {
  return db.query<StoredExport>(LIST, [actor, lists, merchantId ?? null, after?.madeAt ?? null, after?.exportId ?? null, limit]);
}

/** Reads an export of this actor. One of somebody else does not exist. */
export async function readExport(db: Pick<Db, 'query'>, exportId: string, actor: string): Promise<StoredExport | undefined> {
  return (await db.query<StoredExport>(READ, [exportId, actor]))[0];
}

/** Deletes an export of this actor with its bytes. Shape: whether there was one. */
export async function deleteExport(db: Pick<Db, 'query'>, exportId: string, actor: string): Promise<boolean> {
  return (await db.query(DELETE, [exportId, actor])).length > 0;
}

/** Reads the part that has a byte, as it is stored, and the place of its first byte. Undefined: the export is gone. */
export async function readPart(db: Pick<Db, 'query'>, exportId: string, byte: number) {
  return (await db.query<{ readonly firstByte: bigint; readonly packed: Buffer }>(PART, [exportId, byte]))[0];
}

const CLAIM = statement(
  'exports.claim',
  `update exports e set state = 'writing', tries = tries + 1, leased_until = $2, rows_total = null, rows_written = 0, bytes = 0, stored_bytes = 0
    where export_id = (
      select w.export_id from exports w where w.state in ('waiting', 'writing') and (w.leased_until is null or w.leased_until < $1)
       order by (select count(*) from exports o where o.tries > 0 and coalesce(o.bound_to, o.actor) = coalesce(w.bound_to, w.actor)), w.made_at
       limit 1 for update skip locked)
   returning ${COLUMNS}`,
);
const FORGET_PARTS = statement('exports.forget_parts', 'delete from export_parts where export_id = $1');
const ADD_PART = statement(
  'exports.add_part',
  `with mine as (
     update exports set bytes = bytes + $4, stored_bytes = stored_bytes + length($5::bytea), rows_total = $6, rows_written = $7, leased_until = $8
      where export_id = $1 and tries = $2 and state = 'writing' returning export_id),
   added as (
     insert into export_parts (export_id, first_byte, packed) select export_id, $3, $5 from mine returning export_id)
   select (select coalesce(sum(stored_bytes), 0) from exports)::bigint as stored,
             (select coalesce(sum(stored_bytes), 0) from exports where bound_to = $9)::bigint as "storedOfMerchant"
     from added`,
);
const END = statement(
  'exports.end',
  `update exports set state = $3, trailer = $4::jsonb, failure = $5, ended_at = $6, rows_written = coalesce(($4::jsonb ->> 'rows')::bigint, rows_written)
    where export_id = $1 and tries = $2 and state = 'writing'`,
);
// It waits until the end of its lease. As it is not written meanwhile, a slow writer of the try before cannot take this one for its own.
const RETURN = statement(
  'exports.return',
  `update exports set state = 'waiting', tries = tries - 1 where export_id = $1 and tries = $2 and state = 'writing'`,
);
const PRUNE = statement('exports.prune', `delete from exports where ended_at <= $1`);

/** Takes the export that waits, or that a server has left: from the actor with the fewest exports begun, and of those the oldest. What was written of it is gone. */
export function claimExport(db: Db, now: Temporal.Instant, until: Temporal.Instant): Promise<StoredExport | undefined> {
  return db.transaction(async (tx) => {
    const [claimed] = await tx.query<StoredExport>(CLAIM, [now, until]);
    if (claimed === undefined) tx.wroteNothing();
    else tx.send(FORGET_PARTS, [claimed.exportId]);
    return claimed;
  });
}

/** Gives back an export of which nothing was read. The try does not count, and the next one begins when the lease ends. */
export async function returnExport(db: Pick<Db, 'query'>, { exportId, tries }: Pick<StoredExport, 'exportId' | 'tries'>): Promise<void> {
  await db.query(RETURN, [exportId, tries]);
}

type NewPart = {
  readonly firstByte: number;
  readonly bytes: number;
  readonly packed: Buffer;
  readonly rows: { readonly total: number; readonly written: number };
  readonly until: Temporal.Instant;
};

/** Adds a part. Shape: → what was kept before it; undefined when the export is somebody else's by now, or gone. */
export async function addPart(
  db: Pick<Db, 'query'>,
  { exportId, tries, boundTo }: Pick<StoredExport, 'exportId' | 'tries' | 'boundTo'>,
  { firstByte, bytes, packed, rows, until }: NewPart,
): Promise<StoredBytes | undefined> {
  const values = [exportId, tries, firstByte, bytes, packed, rows.total, rows.written, until, boundTo];
  return (await db.query<StoredBytes>(ADD_PART, values))[0];
}

/** Ends the writing: done with its trailer, or failed for a reason, without its bytes. */
export async function endExport(
  db: Db,
  { exportId, tries }: Pick<StoredExport, 'exportId' | 'tries'>,
  end: { readonly trailer: Trailer } | { readonly failure: string },
  now: Temporal.Instant,
): Promise<void> {
  const isDone = 'trailer' in end;
  await db.transaction(async (tx) => {
    tx.send(END, [
      exportId,
      tries,
      isDone ? 'done' : 'failed',
      isDone ? JSON.stringify(end.trailer) : null,
      isDone ? null : end.failure,
      now,
    ]);
    if (!isDone) tx.send(FORGET_PARTS, [exportId]);
  });
}

/** Deletes what ended before an instant. */
export async function pruneExports(db: Pick<Db, 'query'>, before: Temporal.Instant): Promise<void> {
  await db.query(PRUNE, [before]);
}
