import { statement, type Db } from '../kit/db.ts';
import type { LedgerKind } from './postings.ts';

/** The movements of a merchant's available fund in [from, until). */
export type ReadMovements = {
  readonly merchantId: string;
  readonly from: Temporal.Instant;
  readonly until: Temporal.Instant;
  readonly limit: number;
  readonly offset: number;
};

/** What came into the fund (positive) or left it (negative), in minor units, and what caused it. */
export type Movement = {
  readonly transactionId: string;
  readonly kind: LedgerKind;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly postedAt: Temporal.Instant;
  readonly reason: string | null;
};

const MOVEMENTS = statement(
  'ledger.movements',
  `select transaction_id as "transactionId", kind, currency, amount_minor as "amountMinor", posted_at as "postedAt", reason
     from ledger_entries
    where merchant_id = $1 and account = 'available' and posted_at >= $2 and posted_at < $3
    order by posted_at desc, transaction_id desc limit $4 offset $5`,
);

/** Reads the movements of a merchant's fund, newest first. */
export function readMovements(
  db: Pick<Db, 'query'>,
  { merchantId, from, until, limit, offset }: ReadMovements,
): Promise<readonly Movement[]> {
  return db.query<Movement>(MOVEMENTS, [merchantId, from, until, limit, offset]);
}
