import { hashDetails, hashLink, namedErasures, type ChainLink, type StoredAct } from './chain.ts';

/** A link with all that it covers, as the database or an export has it. */
export type WholeLink = ChainLink & {
  /** Undefined: there is no such act. */
  readonly act: StoredAct | undefined;
  /** Undefined: the act has no row of details. */
  readonly details: StoredDetails | undefined;
};

/** Salt and content are both null where they were erased. `erasedAs`: the pseudonym in their place; undefined: an export does not have it. */
type StoredDetails = { readonly salt: Buffer | null; readonly content: string | null; readonly erasedAs?: string | null };

/** The first place that is not as it was written, and what is wrong. */
type Break = { readonly place: bigint; readonly problem: string };

/** Walks a chain link by link, in constant memory: beside the last link it keeps the acts whose erasure no act has named yet. */
export type Walk = {
  /** Takes the next link. Returns what is wrong with it; undefined: nothing. */
  take(link: WholeLink): Break | undefined;
  /** The last link that was taken; undefined: the chain is empty. */
  last(): ChainLink | undefined;
  /** Takes an act that is not linked yet: it may name details that were erased. */
  note(act: Pick<StoredAct, 'operation' | 'target'>): void;
  /** Acts whose details were erased. */
  erased(): number;
  /** Details that were erased although no later act says so: somebody has removed what they held. */
  unexplained(): Break | undefined;
};

/** Begins to walk a chain, after a stub or from the first link on. */
export function startWalk(stub: ChainLink | undefined): Walk {
  let last = stub;
  let erased = 0;
  const unexplained = new Map<string, { readonly place: bigint; readonly as: string | null | undefined }>();
  const note: Walk['note'] = (act) => {
    for (const { actId, pseudonym } of namedErasures(act)) {
      const as = unexplained.get(actId)?.as;
      if (as === undefined || as === pseudonym) unexplained.delete(actId);
    }
  };
  return {
    take: (link) => {
      const place = (last?.place ?? 0n) + 1n;
      if (link.place !== place) return { place, problem: `the link of place ${place} is missing` };
      const problem = faultOf(link, last?.hash ?? null);
      if (problem !== undefined) return { place, problem };
      if (link.act !== undefined && link.details?.content === null) {
        erased += 1;
        unexplained.set(link.act.actId.toString(), { place, as: link.details.erasedAs });
      }
      if (link.act !== undefined) note(link.act);
      last = link;
      return undefined;
    },
    note,
    unexplained: () => {
      for (const { place } of unexplained.values())
        return { place, problem: 'the details of its act are gone, and no act says that they were erased' };
      return undefined;
    },
    last: () => last,
    erased: () => erased,
  };
}

function faultOf({ place, hash, act, details }: WholeLink, previous: Buffer | null): string | undefined {
  if (act === undefined) return 'its act is missing';
  if (!hashLink(place, previous, act).equals(hash)) return 'its act or its link was changed';
  if ((act.detailsHash === null) !== (details === undefined))
    return details === undefined ? 'the details of its act are missing' : 'its act had no details';
  if (act.detailsHash === null || details === undefined) return undefined;
  const { salt, content, erasedAs } = details;
  if (salt === null && content === null) return undefined;
  if (salt === null || content === null || typeof erasedAs === 'string') return 'the details of its act are neither whole nor erased';
  return hashDetails(salt, content).equals(act.detailsHash) ? undefined : 'the details of its act were changed';
}
