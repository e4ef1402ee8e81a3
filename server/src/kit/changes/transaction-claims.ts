import { Unavailable, type Db, type Statement, type Value } from '../db.ts';
import { HOME, type PerCell } from '../per-cell.ts';

// A transaction of a network pays once in the whole service. A table at home is the one place that says in which cell, by its primary key. A
// cell beside home claims a transaction there before it pays, and keeps it for ever: rows of this table are only added. So it claims what it
// is about to pay, and nothing that it would refuse. What a crash leaves is a claim without a payment. The same request again pays with it.

/** `ours`: this cell has claimed it. `elsewhere`: another cell has, or home. `nobody`: no cell has. */
export type TransactionClaim = 'ours' | 'elsewhere' | 'nobody';

/** How the payments of a cell beside home claim their transactions. */
export type TransactionClaims<Key, Payment extends Key = Key> = {
  readonly claim: (payment: Payment) => Promise<TransactionClaim>;
  /** Only looks. */
  readonly look: (key: Key) => Promise<TransactionClaim>;
};

/** A table of claims. Both statements return the cell of the row that there is, if any: null is home. */
type Table<Key, Payment extends Key> = {
  readonly keyOf: (key: Key) => readonly Value[];
  /** The key, the cell, and what else the row needs. Nothing comes back where another transaction has just written it: it is not seen yet. */
  readonly claim: Statement;
  readonly restOf?: (payment: Payment) => readonly Value[];
  /** The key. */
  readonly look: Statement;
};

/** Opens the claims of one cell; none at home, where the payments themselves are rows of the table. */
export function openTransactionClaims<Key, Payment extends Key = Key>(
  { dbs, cell }: { readonly dbs: PerCell<Db>; readonly cell: number },
  { keyOf, claim, restOf = () => [], look }: Table<Key, Payment>,
): TransactionClaims<Key, Payment> | undefined {
  if (cell === HOME) return undefined;
  type Row = { readonly cell: number | null };
  const ask = async (statement: Statement, values: readonly Value[]): Promise<TransactionClaim> => {
    const [row] = await dbs.home.query<Row>(statement, values);
    return row === undefined ? 'nobody' : row.cell === cell ? 'ours' : 'elsewhere';
  };
  const lookUp = (key: Key): Promise<TransactionClaim> => ask(look, keyOf(key));
  return {
    claim: async (payment) => {
      const owner = await ask(claim, [...keyOf(payment), cell, ...restOf(payment)]);
      const settled = owner === 'nobody' ? await lookUp(payment) : owner;
      if (settled === 'nobody') throw new Unavailable('a transaction was claimed and left at once');
      return settled;
    },
    look: lookUp,
  };
}
