import type { LedgerTransaction } from './postings.ts';

/** One line of a transaction, as it is stored. */
export type LedgerEntry = Omit<LedgerTransaction, 'lines'> & {
  readonly line: number;
  readonly account: string;
  readonly amountMinor: bigint;
};

/** Each field with its column of `ledger_entries` and the type of that. What reads, writes and compares entries follows. */
const COLUMNS = {
  merchantId: ['merchant_id', 'text'],
  transactionId: ['transaction_id', 'text'],
  line: ['line', 'integer'],
  kind: ['kind', 'text'],
  account: ['account', 'text'],
  currency: ['currency', 'text'],
  amountMinor: ['amount_minor', 'bigint'],
  postedAt: ['posted_at', 'timestamptz'],
  reason: ['reason', 'text'],
} as const satisfies Readonly<Record<keyof LedgerEntry, readonly [column: string, type: string]>>;

export const ENTRY_FIELDS = Object.keys(COLUMNS) as readonly (keyof LedgerEntry)[];

/** The select list of some fields. `table`: what the statement calls the table. */
export const selectEntry = (fields: readonly (keyof LedgerEntry)[], table = 'ledger_entries'): string =>
  fields.map((field) => `${table}.${COLUMNS[field][0]} as "${field}"`).join(', ');

/** Writes entries: an array for each of ENTRY_FIELDS. */
export const INSERT_ENTRIES_TEXT = `insert into ledger_entries (${Object.values(COLUMNS)
  .map(([column]) => column)
  .join(', ')})
   select * from unnest(${Object.values(COLUMNS)
     .map(([, type], index) => `$${index + 1}::${type}[]`)
     .join(', ')})`;
