import { createHash } from 'node:crypto';
import type { ActActor, ActDetails } from '../kit/changes/act.ts';

/** An act as it is stored, without its details. */
export type StoredAct = {
  readonly actId: bigint;
  readonly at: Temporal.Instant;
  readonly actor: ActActor;
  readonly source: string;
  readonly requestId: string | null;
  readonly operation: string;
  readonly merchantId: string | null;
  readonly target: string | null;
  readonly outcome: string;
  readonly detailsHash: Buffer | null;
};

/** A place in the chain. The first link has no link before it: its `previous` is null. */
export type ChainLink = { readonly place: bigint; readonly hash: Buffer };

/** Begins what is hashed, so that no hash of the chain is a hash of something else. */
const LINK_DOMAIN = 'caudal/audit/link/1\n';
const DETAILS_DOMAIN = 'caudal/audit/details/1\n';

/**
 * Hashes a link: SHA-256 over the domain and one JSON array of texts and nulls.
 * The array is the place, the hash before it in hex, and every column of the act.
 */
export function hashLink(place: bigint, previous: Buffer | null, act: StoredAct): Buffer {
  const { actId, at, actor, source, requestId, operation, merchantId, target, outcome, detailsHash } = act;
  const who = [actor.kind, actor.id, actor.name, source, requestId];
  const what = [operation, merchantId, target, outcome, detailsHash?.toString('hex') ?? null];
  const text = JSON.stringify([place.toString(), previous?.toString('hex') ?? null, actId.toString(), at.toString(), ...who, ...what]);
  return createHash('sha256').update(LINK_DOMAIN).update(text).digest();
}

/** Hashes details: SHA-256 over the domain, the salt in hex, a line end, and the content as it is stored. */
export const hashDetails = (salt: Buffer, content: string): Buffer =>
  createHash('sha256')
    .update(DETAILS_DOMAIN)
    .update(`${salt.toString('hex')}\n`)
    .update(content)
    .digest();

/** Details as they are stored; undefined: there are none. Integers beyond 2^53 are texts. */
export function detailsText({ reason, given, changes }: ActDetails): string | undefined {
  const text = JSON.stringify({ reason, given, changes }, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return text === '{}' ? undefined : text;
}

/** The operation of acts that name erased details. The database records them with each erasure (name_erased_details). */
export const ERASE_DETAILS = 'eraseActDetails';

/** Which details an act says were erased, and what was written in their place. Its target is in the chain, and nothing erases it. */
export function namedErasures({
  operation,
  target,
}: Pick<StoredAct, 'operation' | 'target'>): readonly { readonly actId: string; readonly pseudonym: string }[] {
  const [, pseudonym, ids] = (operation === ERASE_DETAILS && /^details (\S+) ([0-9,]+)$/.exec(target ?? '')) || [];
  return pseudonym === undefined || ids === undefined ? [] : ids.split(',').map((actId) => ({ actId, pseudonym }));
}
