import { createHash } from 'node:crypto';
import { columnsOf, statement, type Tx } from '../kit/db.ts';

/** A checksum of a merchant that a request uses up. */
type Proof = {
  readonly merchantId: string;
  /** SHA-256 of the checksum, in hexadecimal digits. A stored checksum would prove other requests. */
  readonly proof: string;
};

const CHECKSUM_DIGITS = 128;

/** Gives the proof in a checksum as sent. Clients write one checksum in several ways: contract §2.2. */
export const proofOf = (checksum: string): string =>
  createHash('sha256')
    .update(Buffer.from(checksum.padStart(CHECKSUM_DIGITS, '0'), 'hex'))
    .digest('hex');

const FIND = statement(
  'requests.find_spent_proofs',
  `select merchant_id as "merchantId", encode(proof, 'hex') as proof from spent_proofs
    where (merchant_id, proof) in (select merchant_id, proof from unnest($1::text[], $2::bytea[]) as wanted (merchant_id, proof))`,
);

/** Sorted, so that two servers wait for each other in one order. Who loses a race fails here, runs again and sees the proof spent. */
const SPEND = statement(
  'requests.spend_proofs',
  `insert into spent_proofs (merchant_id, proof, spent_at)
   select merchant_id, proof, $3 from unnest($1::text[], $2::bytea[]) as k (merchant_id, proof)
    order by merchant_id collate "C", proof`,
);

/** Which proofs of a batch are spent: as loaded, and as the batch's own decisions spend them. */
export type ProofBook = {
  isSpent(proof: Proof): boolean;
  /** Notes that a decision used the proof up. */
  spend(proof: Proof): void;
  /** Writes what was spent, in the transaction of what it proved. */
  save(tx: Tx, at: Temporal.Instant): void;
};

/**
 * Reads which of these proofs are spent.
 * A checksum has no separators, so one text may be cut into other values. An attacker who captures a request can send such a cut of it.
 * The proof is the same, so it is refused.
 * Effects: one statement; none where there is no proof.
 * Source: contract §2.2.
 */
export async function openProofBook(tx: Tx, proofs: readonly Proof[]): Promise<ProofBook> {
  const found = proofs.length === 0 ? [] : await tx.query<Proof>(FIND, parametersOf(proofs));
  const spent = new Set(found.map(nameOf));
  const fresh: Proof[] = [];
  return {
    isSpent: (proof) => spent.has(nameOf(proof)),
    spend: (proof) => {
      spent.add(nameOf(proof));
      fresh.push(proof);
    },
    save: (tx, at) => {
      if (fresh.length > 0) tx.send(SPEND, [...parametersOf(fresh), at]);
    },
  };
}

const parametersOf = (proofs: readonly Proof[]) => [...columnsOf(proofs, 'merchantId'), proofs.map(({ proof }) => `\\x${proof}`)];

const nameOf = ({ merchantId, proof }: Proof): string => `${merchantId}/${proof}`;

/** SQL of the proofs, in hex, that a merchant's requests of an instant have spent: for who proves what was done then. */
export const proofsSpentAt = (merchantId: string, at: string): string =>
  `select encode(proof, 'hex') as proof from spent_proofs s where s.merchant_id = ${merchantId} and s.spent_at = ${at}`;
