import {
  bigint,
  fieldsOf,
  insertTextOf,
  instantColumn,
  int,
  nullable,
  selectListOf,
  textColumn,
  type RowOf,
} from '../kit/changes/columns.ts';
import type { LedgerKind } from './postings.ts';

/**
 * An entry has the instant at which its transaction was decided. So many hours later that transaction has long ended, and nothing older comes
 * (decision 0037).
 */
export const SETTLED_HOURS = 1;

/** The fields of an entry, which is one line of a transaction. What reads, writes and compares entries follows. */
const ENTRY_COLUMNS = {
  merchantId: textColumn(),
  transactionId: textColumn(),
  line: int(),
  kind: textColumn<LedgerKind>(),
  account: textColumn(),
  currency: textColumn(),
  amountMinor: bigint(),
  postedAt: instantColumn(),
  reason: nullable(textColumn()),
};

export type LedgerEntry = RowOf<typeof ENTRY_COLUMNS>;

/** An entry as lists show it, with the settlement that it is in. */
export type ListedEntry = LedgerEntry & { readonly settlementId: bigint | null };

export const ENTRY_FIELDS = fieldsOf(ENTRY_COLUMNS);

/** The select list of some fields. `table`: what the statement calls the table. */
export const selectEntry = (fields: readonly (keyof LedgerEntry)[], table = 'ledger_entries'): string =>
  selectListOf(ENTRY_COLUMNS, table, fields);

/** Writes entries: an array for each of ENTRY_FIELDS. */
export const INSERT_ENTRIES_TEXT = insertTextOf('ledger_entries', ENTRY_COLUMNS);
