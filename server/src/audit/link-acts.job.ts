import { columnsOf, statement, type Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import { ACT_COLUMNS, toAct, type ActRow } from './act-rows.ts';
import { hashLink, type ChainLink } from './chain.ts';

/** Acts of one portion. */
const PORTION = 1_000;
/** Identifies the lock of the chain. Any number that no other lock has. */
const CHAIN_LOCK = 7_228_325_014;

const WAITING = statement('audit.acts_wait', 'select exists (select from acts_to_link) as waiting');
/** One server links at a time. The others do not wait for it. */
const TRY_LOCK = statement('audit.try_lock_chain', `select pg_try_advisory_xact_lock(${CHAIN_LOCK}) as taken`);
const LAST = statement(
  'audit.last_link',
  `select place, link_hash as hash from (
     (select place, link_hash from act_links order by place desc limit 1) union all
     (select place, link_hash from act_stubs order by place desc limit 1)) as ends
   order by place desc limit 1`,
);
const TAKE = statement(
  'audit.take_acts_to_link',
  `with taken as (
     delete from acts_to_link where act_id in (select act_id from acts_to_link order by act_id limit ${PORTION}) returning act_id)
   select ${ACT_COLUMNS} from acts a join taken using (act_id) order by a.act_id`,
);
const INSERT = statement(
  'audit.insert_links',
  `insert into act_links (place, act_id, link_hash)
   select place, act_id, link_hash from unnest($1::bigint[], $2::bigint[], $3::bytea[]) as link (place, act_id, link_hash)`,
);

/**
 * Links committed acts to the end of the chain, in the order of their ids.
 * Shape: true where more may wait. A server that dies leaves the whole portion to the next step.
 */
export async function linkActs(db: Db): Promise<boolean> {
  const [waiting] = await db.query<{ waiting: boolean }>(WAITING, []);
  if (waiting?.waiting !== true) return false;
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: boolean }>(TRY_LOCK, []);
    if (lock?.taken !== true) return false;
    // Read after the lock is held: what an earlier holder linked is seen.
    const [ends, rows] = await Promise.all([tx.query<ChainLink>(LAST, []), tx.query<ActRow>(TAKE, [])]);
    let place = ends[0]?.place ?? 0n;
    let hash = ends[0]?.hash ?? null;
    const links = rows.map((row) => ({ place: ++place, actId: row.actId, hash: (hash = hashLink(place, hash, toAct(row))) }));
    if (links.length > 0) tx.send(INSERT, columnsOf(links, 'place', 'actId', 'hash'));
    return rows.length === PORTION;
  });
}

/** The end of the chain; undefined: nothing was ever linked. */
export const readLastLink = async (db: Pick<Db, 'query'>): Promise<ChainLink | undefined> => (await db.query<ChainLink>(LAST, []))[0];

export const linkActsJob = (db: Db): Job => ({ name: 'audit.link-acts', step: () => linkActs(db) });
