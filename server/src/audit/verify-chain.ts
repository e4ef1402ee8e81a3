import { statement, type Db } from '../kit/db.ts';
import type { Check, Finding } from '../kit/checks/finding.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import { ACT_COLUMNS, toAct, type ActRow } from './act-rows.ts';
import { ERASE_DETAILS, type ChainLink, type StoredAct } from './chain.ts';
import type { ChainSigner } from './sign.ts';
import { startWalk, type WholeLink } from './walk-chain.ts';

const STUB = statement(
  'audit.newest_stub',
  'select place, link_hash as hash, pruned_at as at, signature from act_stubs order by place desc limit 1',
);
const WALK = statement(
  'audit.walk_links',
  `select l.place, l.link_hash as hash, ${ACT_COLUMNS}, d.act_id is not null as "hasDetails", d.salt, d.content, d.erased_as as "erasedAs"
     from act_links l left join acts a using (act_id) left join act_details d using (act_id)
    where l.place > $1 order by l.place`,
);
const PAGE = statement('audit.page_links', `${WALK.text} limit $2`);
const COUNT_FROM = statement('audit.count_links_from', 'select count(*) as links from act_links where place >= $1');
/** An act is queued in its own transaction, and leaves the queue with its link. So one that has neither lost it. */
const UNLINKED = statement(
  'audit.find_unlinked_acts',
  `select a.act_id as "actId", q.act_id is not null as waits
     from acts a left join act_links l using (act_id) left join acts_to_link q using (act_id)
    where l.act_id is null and (q.act_id is null or q.queued_at < now() - interval '1 minute') order by a.act_id limit 1`,
);
/** Acts that name erased details, and wait for their link. */
const WAITING_ERASURES = statement(
  'audit.waiting_erasures',
  `select a.operation, a.target from acts_to_link q join acts a using (act_id) where a.operation = '${ERASE_DETAILS}'`,
);
const LINKS_AT = statement(
  'audit.links_at',
  'select place, link_hash as hash from act_links where place = any($1::bigint[]) order by place',
);

/** The last link that was deleted by age, as it was signed then. */
export type Stub = ChainLink & { readonly at: Temporal.Instant; readonly signature: string };
type WalkRow = ChainLink &
  ActRow & {
    readonly hasDetails: boolean;
    readonly salt: Buffer | null;
    readonly content: string | null;
    readonly erasedAs: string | null;
  };

/** A link that was there, as somebody else kept it. */
export type Checkpoint = ChainLink & { readonly at: Temporal.Instant };

/** The chain from its stub on, with everything that it covers. */
export async function* readChain(snapshot: Snapshot, after: bigint): AsyncGenerator<WholeLink, void> {
  for await (const row of snapshot.rows<WalkRow>(WALK, [after])) yield toWhole(row);
}

/** The next links of the chain. What is linked stays as it is, so pages that are read at different times fit together. */
export const selectLinks = async (db: Pick<Db, 'query'>, after: bigint, limit: number): Promise<readonly WholeLink[]> =>
  (await db.query<WalkRow>(PAGE, [after, limit])).map(toWhole);

function toWhole({ place, hash, hasDetails, salt, content, erasedAs, ...row }: WalkRow): WholeLink {
  const isThere = (row as Partial<ActRow>).actId !== null;
  return { place, hash, act: isThere ? toAct(row) : undefined, details: hasDetails ? { salt, content, erasedAs } : undefined };
}

/** The stub after which the chain begins. Undefined: nothing was ever pruned. */
export async function readStub(snapshot: Snapshot): Promise<Stub | undefined> {
  for await (const stub of snapshot.rows<Stub>(STUB, [])) return stub;
  return undefined;
}

/** The same, for a request. */
export const selectStub = async (db: Pick<Db, 'query'>): Promise<Stub | undefined> => (await db.query<Stub>(STUB, []))[0];

type ChainState = {
  readonly checked: number;
  readonly erased: number;
  readonly last: ChainLink | undefined;
  readonly finding: Finding | undefined;
};

/**
 * Walks the whole chain, and looks for acts without a link.
 * Shape: → the first place that is not as it was written, with the number of links from there on.
 */
export async function verifyChain(snapshot: Snapshot, signer: ChainSigner): Promise<ChainState> {
  const stub = await readStub(snapshot);
  const walk = startWalk(stub);
  let checked = 0;
  const end = (finding?: Finding): ChainState => ({ checked, erased: walk.erased(), last: walk.last(), finding });
  if (stub !== undefined && signer.signedBy('stub', stub, stub.at, stub.signature) === undefined)
    return end(findingAt(stub.place, 'what was pruned before it is not signed by this service'));
  for await (const link of readChain(snapshot, stub?.place ?? 0n)) {
    const broken = walk.take(link);
    if (broken !== undefined) return end(findingAt(broken.place, `${broken.problem}; ${await countFrom(snapshot, broken.place)}`));
    checked += 1;
  }
  for await (const act of snapshot.rows<Pick<StoredAct, 'operation' | 'target'>>(WAITING_ERASURES, [])) walk.note(act);
  const unexplained = walk.unexplained();
  if (unexplained !== undefined) return end(findingAt(unexplained.place, unexplained.problem));
  for await (const { actId, waits } of snapshot.rows<{ actId: bigint; waits: boolean }>(UNLINKED, []))
    return end({
      merchantId: 'audit log:',
      id: `act ${actId}`,
      problem: waits ? 'waits for its link since more than a minute' : 'has lost its link',
    });
  return end();
}

async function countFrom(snapshot: Snapshot, place: bigint): Promise<string> {
  for await (const { links } of snapshot.rows<{ links: bigint }>(COUNT_FROM, [place]))
    return `${links} ${links === 1n ? 'link is' : 'links are'} from there on`;
  return '';
}

/**
 * Compares the chain with what was kept elsewhere. Who can write the whole database can make another chain, but not one that has these links.
 * Shape: checkpoints → the first that the chain does not have; undefined: it has all that are not pruned.
 */
export async function verifyCheckpoints(
  snapshot: Snapshot,
  checkpoints: readonly Checkpoint[],
  last: ChainLink | undefined,
): Promise<Finding | undefined> {
  const begin = (await readStub(snapshot))?.place ?? 0n;
  const kept = checkpoints.filter(({ place }) => place > begin);
  const found = new Map<bigint, Buffer>();
  for await (const { place, hash } of snapshot.rows<ChainLink>(LINKS_AT, [kept.map(({ place }) => place)])) found.set(place, hash);
  const end = last?.place ?? 0n;
  for (const { place, hash, at } of kept.toSorted((one, other) => Number(one.place - other.place))) {
    const there = found.get(place);
    if (there === undefined)
      return findingAt(place, `was there at ${at.toString()}, and is gone: the chain ends at place ${end}, so ${place - end} are missing`);
    if (!there.equals(hash))
      return findingAt(place, `had another hash at ${at.toString()}: the chain was made again, up to there at least`);
  }
  return undefined;
}

const findingAt = (place: bigint, problem: string): Finding => ({ merchantId: 'audit log:', id: `place ${place}`, problem });

/** The promise of the audit log, for `caudal verify`. */
export const chainCheck = (signer: ChainSigner): Check => ({
  promise: 'every act is in the chain of the audit log as it was written',
  run: async (snapshot) => {
    const { checked, finding } = await verifyChain(snapshot, signer);
    return { checked, ...(finding && { finding }) };
  },
});
