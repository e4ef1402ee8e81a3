import { openTransactionClaims, type TransactionClaims } from '../../kit/changes/transaction-claims.ts';
import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import type { PerCell } from '../../kit/per-cell.ts';
import type { PayCashout } from './collection.ts';
import type { CollectionKey } from './payment-rows.ts';

/** The row of a claim names no merchant, and its operation is the transaction itself: nothing else finds it. */
const CLAIM = statement(
  'cashouts.claim_transaction',
  `with claimed as (
     insert into cashout_payments (network_id, transaction_id, merchant_id, operation_id, cashout_id, teller, dane_code, paid_at, cell)
     values ($1, $2, '', $1 || '/' || $2, $4, '', '', $5, $3) on conflict (network_id, transaction_id) do nothing returning cell)
   select cell from claimed
    union all select cell from cashout_payments where network_id = $1 and transaction_id = $2`,
);
const LOOK = statement('cashouts.look_up_transaction', 'select cell from cashout_payments where network_id = $1 and transaction_id = $2');

/** How collections in a cell beside home claim their transactions. */
export type CollectionClaims = TransactionClaims<CollectionKey, CollectionKey & Pick<PayCashout, 'cashoutId'>>;

/** Opens the claims of collections of one cell, in home's cashout_payments; none at home. */
export const openCollectionClaims = ({
  clock,
  ...cells
}: {
  readonly dbs: PerCell<Db>;
  readonly cell: number;
  readonly clock: Clock;
}): CollectionClaims | undefined =>
  openTransactionClaims(cells, {
    keyOf: ({ netname, transactionId }: CollectionKey) => [netname, transactionId],
    claim: CLAIM,
    restOf: ({ cashoutId }: CollectionKey & Pick<PayCashout, 'cashoutId'>) => [cashoutId, clock.now()],
    look: LOOK,
  });
