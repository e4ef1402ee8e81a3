import { statement, type Tx } from '../../kit/db.ts';
import type { Collection } from './collection.ts';

/** The columns of `Collection`, under its names, of a table called p. */
const PAYMENT_COLUMNS = `p.network_id as netname, p.transaction_id as "transactionId", p.merchant_id as "merchantId",
  p.operation_id as "operationId", p.cashout_id as "cashoutId", p.teller, p.dane_code as "daneCode", p.paid_at as "paidAt",
  p.reversed_at as "reversedAt"`;

export type CollectionKey = Pick<Collection, 'netname' | 'transactionId'>;

/** One text per payment, for maps. A netname cannot hold a slash. */
export const paymentName = ({ netname, transactionId }: CollectionKey): string => `${netname}/${transactionId}`;

const READ = statement(
  'cashouts.read_payments',
  `select ${PAYMENT_COLUMNS} from cashout_payments p
    where (network_id, transaction_id) in (select network_id, transaction_id from unnest($1::text[], $2::text[]) as wanted (network_id, transaction_id))`,
);

const INSERT = statement(
  'cashouts.insert_payments',
  `insert into cashout_payments (network_id, transaction_id, merchant_id, operation_id, cashout_id, teller, dane_code, paid_at)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::timestamptz[])`,
);

/** Reads the payments that are stored under networks' transactions; those that do not exist are left out. */
export function readCollections(tx: Pick<Tx, 'query'>, keys: readonly CollectionKey[]): Promise<Collection[]> {
  return tx.query<Collection>(READ, [keys.map(({ netname }) => netname), keys.map(({ transactionId }) => transactionId)]);
}

/** Writes new payments, together with the change of their cashouts. */
export function insertCollections(tx: Tx, payments: readonly Collection[]): void {
  tx.send(INSERT, [
    payments.map(({ netname }) => netname),
    payments.map(({ transactionId }) => transactionId),
    payments.map(({ merchantId }) => merchantId),
    payments.map(({ operationId }) => operationId),
    payments.map(({ cashoutId }) => cashoutId),
    payments.map(({ teller }) => teller),
    payments.map(({ daneCode }) => daneCode),
    payments.map(({ paidAt }) => paidAt),
  ]);
}
