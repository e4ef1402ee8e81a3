import { statement, Unavailable, type Db } from '../../kit/db.ts';
import { HOME, type PerCell } from '../../kit/per-cell.ts';
import type { TransactionKey } from './payment-rows.ts';

// A transaction of a network pays one order of the whole service. Home's order_transactions is the one place that says in which cell, by its
// primary key. A cell beside home claims a transaction there before it pays, and keeps it for ever: rows of this table are only added. So
// it claims what it is about to pay, and nothing that it would refuse. What a crash leaves is a claim without a payment. The same request
// again pays with it.

/** `ours`: this cell has claimed it. `elsewhere`: another cell has, or an order of home. `nobody`: no cell has. */
export type TransactionClaim = 'ours' | 'elsewhere' | 'nobody';

/** How the payments of a cell beside home claim their transactions. */
export type TransactionClaims = {
  readonly claim: (key: TransactionKey) => Promise<TransactionClaim>;
  /** Only looks. */
  readonly look: (key: TransactionKey) => Promise<TransactionClaim>;
};

/** Nothing comes back where another transaction has just written the row: it is not seen yet. */
const CLAIM = statement(
  'orders.claim_transaction',
  `with claimed as (
     insert into order_transactions (source, transaction_id, merchant_id, order_id, payment_number, cell)
     values ($1, $2, '', '', 0, $3) on conflict (source, transaction_id) do nothing returning cell)
   select cell from claimed
    union all select cell from order_transactions where source = $1 and transaction_id = $2`,
);
const LOOK = statement('orders.look_up_transaction', 'select cell from order_transactions where source = $1 and transaction_id = $2');

/** Payments by a method of the checkout are unique by themselves: their ids are made of our ids of orders, which name the cell. */
export const needsClaim = ({ source }: Pick<TransactionKey, 'source'>): boolean => !source.startsWith('method:');

/** Opens the claims of one cell; none at home, where the payments themselves are rows of the table. */
export function openTransactionClaims({ dbs, cell }: { readonly dbs: PerCell<Db>; readonly cell: number }): TransactionClaims | undefined {
  if (cell === HOME) return undefined;
  type Row = { readonly cell: number | null };
  const ownerOf = ([row]: readonly Row[]): TransactionClaim => (row === undefined ? 'nobody' : row.cell === cell ? 'ours' : 'elsewhere');
  return {
    claim: async ({ source, transactionId }) => {
      const key = [source, transactionId];
      const owner = ownerOf(await dbs.home.query<Row>(CLAIM, [...key, cell]));
      const settled = owner === 'nobody' ? ownerOf(await dbs.home.query<Row>(LOOK, key)) : owner;
      if (settled === 'nobody') throw new Unavailable('a transaction was claimed and left at once');
      return settled;
    },
    look: async ({ source, transactionId }) => ownerOf(await dbs.home.query<Row>(LOOK, [source, transactionId])),
  };
}
