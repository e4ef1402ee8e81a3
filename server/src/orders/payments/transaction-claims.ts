import { openTransactionClaims, type TransactionClaims } from '../../kit/changes/transaction-claims.ts';
import { statement, type Db } from '../../kit/db.ts';
import type { PerCell } from '../../kit/per-cell.ts';
import type { TransactionKey } from './payment-rows.ts';

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

/** How payments of orders in a cell beside home claim their transactions. */
export type PaymentClaims = TransactionClaims<TransactionKey>;

/** Opens the claims of payments of one cell, in home's order_transactions; none at home. */
export const openPaymentClaims = (cells: { readonly dbs: PerCell<Db>; readonly cell: number }): PaymentClaims | undefined =>
  openTransactionClaims(cells, {
    keyOf: ({ source, transactionId }: TransactionKey) => [source, transactionId],
    claim: CLAIM,
    look: LOOK,
  });
