import type { ManagementOperation } from '../manage/index.ts';
import { ledgerChanges, type ChangeDeps } from './change-ledger.manage.ts';
import { readFundsByDay, readStatement } from './day.manage.ts';
import { ledgerReads } from './ledger.manage.ts';

export { entriesAbout } from './entries-about.ts';
export { readFees } from './fees.ts';
export { ledgerCommands } from './ledger.cli.ts';
export {
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutRegistered,
  cashoutReleased,
  feeOf,
  fundedFor,
  OPERATOR_HOLDS,
  orderPaid,
  orderPaymentReversed,
  refundOwed,
  refundPaid,
  refundReleased,
  reservedFor,
  type Bearer,
  type LedgerTransaction,
  type Refunder,
} from './postings.ts';
export { fundsName, lockFreeBearers, lockFreeFunds, lockFreeFundsOf, postTransactions, withinLedger } from './post-transactions.ts';
export type { LedgerEntry } from './entry.ts';
export { readMerchantBalances, readEntriesAbout, readMovements, type MerchantBalance, type Movement } from './read-ledger.ts';
export { sumDays } from './sum-days.job.ts';
export { topUp } from './top-up.ts';
export { checkFees } from './verify-fees.ts';
export { compareEntries, ledgerChecks, type ExpectedEntries } from './verify-ledger.ts';

/** The room's operations of the management API. */
export const ledgerManagement: readonly ManagementOperation<ChangeDeps>[] = [
  ...ledgerReads,
  readStatement,
  readFundsByDay,
  ...ledgerChanges,
];
