import type { Clock } from '../../kit/clock.ts';
import { statement, Unavailable, type Db } from '../../kit/db.ts';
import { HOME, type PerCell } from '../../kit/per-cell.ts';
import type { PayCashout } from './collection.ts';
import type { CollectionKey } from './payment-rows.ts';

// As in orders/payments/transaction-claims.ts: home's cashout_payments says which cell has a network's transaction, by its primary key, and
// a claim is the cell's for ever. The row of a claim names no merchant, and its operation is the transaction itself: nothing else finds it.

/** `ours`: this cell has claimed it. `elsewhere`: another cell has, or a cashout of home. `nobody`: no cell has. */
export type CollectionClaim = 'ours' | 'elsewhere' | 'nobody';

/** How the payments of a cell beside home claim their transactions. */
export type CollectionClaims = {
  readonly claim: (payment: CollectionKey & Pick<PayCashout, 'cashoutId'>) => Promise<CollectionClaim>;
  /** Only looks. */
  readonly look: (key: CollectionKey) => Promise<CollectionClaim>;
};

/** Nothing comes back where another transaction has just written the row: it is not seen yet. */
const CLAIM = statement(
  'cashouts.claim_transaction',
  `with claimed as (
     insert into cashout_payments (network_id, transaction_id, merchant_id, operation_id, cashout_id, teller, dane_code, paid_at, cell)
     values ($1, $2, '', $1 || '/' || $2, $3, '', '', $4, $5) on conflict (network_id, transaction_id) do nothing returning cell)
   select cell from claimed
    union all select cell from cashout_payments where network_id = $1 and transaction_id = $2`,
);
const LOOK = statement('cashouts.look_up_transaction', 'select cell from cashout_payments where network_id = $1 and transaction_id = $2');

/** Opens the claims of one cell; none at home, where the payments themselves are rows of the table. */
export function openCollectionClaims({
  dbs,
  cell,
  clock,
}: {
  readonly dbs: PerCell<Db>;
  readonly cell: number;
  readonly clock: Clock;
}): CollectionClaims | undefined {
  if (cell === HOME) return undefined;
  type Row = { readonly cell: number | null };
  const ownerOf = ([row]: readonly Row[]): CollectionClaim => (row === undefined ? 'nobody' : row.cell === cell ? 'ours' : 'elsewhere');
  return {
    claim: async ({ netname, transactionId, cashoutId }) => {
      const owner = ownerOf(await dbs.home.query<Row>(CLAIM, [netname, transactionId, cashoutId, clock.now(), cell]));
      const settled = owner === 'nobody' ? ownerOf(await dbs.home.query<Row>(LOOK, [netname, transactionId])) : owner;
      if (settled === 'nobody') throw new Unavailable('a transaction was claimed and left at once');
      return settled;
    },
    look: async ({ netname, transactionId }) => ownerOf(await dbs.home.query<Row>(LOOK, [netname, transactionId])),
  };
}
