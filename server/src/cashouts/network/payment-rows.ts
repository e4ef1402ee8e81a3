import { fieldsOf, insertTextOf, selectListOf } from '../../kit/changes/columns.ts';
import { columnsOf, statement, type Tx } from '../../kit/db.ts';
import { COLLECTION_COLUMNS, type Collection } from './collection.ts';

const FIELDS = fieldsOf(COLLECTION_COLUMNS);
const NAMES = { netname: 'network_id' };

export type CollectionKey = Pick<Collection, 'netname' | 'transactionId'>;

/** One text per payment, for maps. A netname cannot hold a slash. */
export const paymentName = ({ netname, transactionId }: CollectionKey): string => `${netname}/${transactionId}`;

const READ = statement(
  'cashouts.read_payments',
  `select ${selectListOf(COLLECTION_COLUMNS, 'p', FIELDS, NAMES)} from cashout_payments p
    where (network_id, transaction_id) in (select network_id, transaction_id from unnest($1::text[], $2::text[]) as wanted (network_id, transaction_id))`,
);

const INSERT = statement('cashouts.insert_payments', insertTextOf('cashout_payments', COLLECTION_COLUMNS, NAMES));

/** Reads the payments that are stored under networks' transactions; those that do not exist are left out. */
export function readCollections(tx: Pick<Tx, 'query'>, keys: readonly CollectionKey[]): Promise<Collection[]> {
  return tx.query<Collection>(READ, columnsOf(keys, 'netname', 'transactionId'));
}

/** Writes new payments, together with the change of their cashouts. */
export function insertCollections(tx: Tx, payments: readonly Collection[]): void {
  tx.send(INSERT, columnsOf(payments, ...FIELDS));
}
