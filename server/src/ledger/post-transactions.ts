import { statement, type Tx } from '../kit/db.ts';
import type { LedgerTransaction } from './postings.ts';

const INSERT_ENTRIES = statement(
  'ledger.insert_entries',
  `insert into ledger_entries (merchant_id, transaction_id, line, kind, account, currency, amount_minor, posted_at, reason)
   select * from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::timestamptz[], $9::text[])`,
);

/**
 * Posts ledger transactions: in one statement, which the database checks and applies to the balances.
 * Shape: any number, none writes nothing. Call it once per database transaction, after lockFunds of every fund that these change (or without
 * lockFunds at all): balances are locked in one order, and a second call would start anew.
 * Effects: sent without waiting; what the database refuses (a sum that is not zero, a fund below zero, a transaction that is posted already)
 * makes the whole database transaction fail.
 */
export function postTransactions(tx: Tx, transactions: readonly LedgerTransaction[]): void {
  const entries = transactions.flatMap(({ lines, ...transaction }) =>
    lines.map((line, index) => ({ ...transaction, ...line, line: index + 1 })),
  );
  if (entries.length === 0) return;
  tx.send(INSERT_ENTRIES, [
    entries.map(({ merchantId }) => merchantId),
    entries.map(({ transactionId }) => transactionId),
    entries.map(({ line }) => line),
    entries.map(({ kind }) => kind),
    entries.map(({ account }) => account),
    entries.map(({ currency }) => currency),
    entries.map(({ amountMinor }) => amountMinor),
    entries.map(({ postedAt }) => postedAt),
    entries.map(({ reason }) => reason),
  ]);
}
