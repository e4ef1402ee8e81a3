import { createHmac } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';

/** A checksum that was proved, and what it was sent for: the operation and the values that it covers. */
type NetworkProof = { readonly netname: string; readonly checksum: string; readonly usedFor: readonly string[] };

/** Binds a checksum to what it was first used for. Shape: → false where that was something else. */
export type BindProof = (proof: NetworkProof) => Promise<boolean>;

/** No cashout waits longer for its money. */
const REMEMBERED_HOURS = 400 * 24;
const CHECKSUM_DIGITS = 128;
const HALF = 32;

const BIND = statement(
  'requests.bind_network_proof',
  `insert into network_proofs as kept (network_id, proof, used_for, forget_at) values ($1, $2, $3, $4)
   on conflict (network_id, proof) do update set forget_at = greatest(kept.forget_at, excluded.forget_at)
   returning used_for as "usedFor"`,
);

/**
 * Opens the memory of unsigned requests. Their checksum has no marks between its values: other values can have the same text.
 * Effects: one statement, committed before it answers. The same request again is bound to the same.
 * Source: contract §7.5.
 */
export function bindNetworkProofs(db: Pick<Db, 'query'>, clock: Clock): BindProof {
  return async ({ netname, checksum, usedFor }) => {
    const bytes = Buffer.from(checksum.padStart(CHECKSUM_DIGITS, '0'), 'hex');
    const use = createHmac('sha256', bytes.subarray(HALF)).update(JSON.stringify(usedFor)).digest();
    const forgetAt = clock.now().add({ hours: REMEMBERED_HOURS });
    const [kept] = await db.query<{ readonly usedFor: Buffer }>(BIND, [netname, bytes.subarray(0, HALF), use, forgetAt]);
    return kept?.usedFor.equals(use) === true;
  };
}
