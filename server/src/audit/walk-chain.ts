import { hashDetails, hashLink, type Link, type StoredAct } from './chain.ts';

/** A link with all that it covers, as the database or an export has it. */
export type WholeLink = Link & {
  /** Undefined: there is no such act. */
  readonly act: StoredAct | undefined;
  /** Undefined: the act has no row of details. */
  readonly details: StoredDetails | undefined;
};

/** Both null: they were erased. */
type StoredDetails = { readonly salt: Buffer | null; readonly content: string | null };

/** The first place that is not as it was written, and what is wrong. */
type Break = { readonly place: bigint; readonly problem: string };

/** Walks a chain link by link, in constant memory. */
export type Walk = {
  /** Takes the next link. Returns what is wrong with it; undefined: nothing. */
  take(link: WholeLink): Break | undefined;
  /** The last link that was taken; undefined: the chain is empty. */
  last(): Link | undefined;
  /** Acts whose details were erased. */
  erased(): number;
};

/** Begins to walk a chain, after a stub or from the first link on. */
export function startWalk(stub: Link | undefined): Walk {
  let last = stub;
  let erased = 0;
  return {
    take: (link) => {
      const place = (last?.place ?? 0n) + 1n;
      if (link.place !== place) return { place, problem: `the link of place ${place} is missing` };
      const problem = faultOf(link, last?.hash ?? null);
      if (problem !== undefined) return { place, problem };
      if (link.details?.content === null) erased += 1;
      last = link;
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
  const { salt, content } = details;
  if (salt === null || content === null) return undefined;
  return hashDetails(salt, content).equals(act.detailsHash) ? undefined : 'the details of its act were changed';
}
