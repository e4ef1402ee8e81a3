import type { ManagementOperation } from '../manage/index.ts';
import { ledgerChanges, type ChangeDeps } from './change-ledger.manage.ts';
import { readFundsByDay, readStatement } from './day.manage.ts';
import { ledgerReads } from './ledger.manage.ts';
import { fundManagement } from './to-fund/to-fund.manage.ts';

export { merchantSide, statementOf, type MerchantSide } from './day-statement.ts';
export { entriesAbout } from './entries-about.ts';
export { readFees } from './fees.ts';
export { LEDGER_KIND_WORDS } from './kind-words.ts';
export { ledgerCommands } from './ledger.cli.ts';
export {
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutRegistered,
  cashoutReleased,
  feeOf,
  holdPlaced,
  holdReleased,
  LEDGER_KINDS,
  fundedFor,
  OPERATOR_HOLDS,
  orderPaid,
  orderPaymentReversed,
  OWN_ACCOUNTS,
  partHalfUp,
  refundOwed,
  refundPaid,
  refundReleased,
  reservedFor,
  settlementApproved,
  settlementPaid,
  settlementReturned,
  type Bearer,
  type LedgerKind,
  type LedgerTransaction,
  type Refunder,
} from './postings.ts';
export {
  fundsName,
  lockCollected,
  lockFreeBearers,
  lockFreeFunds,
  lockFreeFundsOf,
  postTransactions,
  withinLedger,
} from './post-transactions.ts';
export { SETTLED_HOURS, type ListedEntry } from './entry.ts';
export { readDay, type LedgerDay } from './read-day.ts';
export { readMerchantBalances, readEntriesAbout, readMovements, type MerchantBalance, type Movement } from './read-ledger.ts';
export {
  addEntrySums,
  freeEntries,
  readSettledEntries,
  sumFreeEntries,
  takeFreeEntries,
  walkSettled,
  type EntrySum,
} from './settled-entries.ts';
export { readSettledTransactions, readTransactions, sumSettledKinds, type PostedTransaction } from './read-transactions.ts';
export { sumDays } from './sum-days.job.ts';
export { keepFunds } from './to-fund/keep-funds.job.ts';
export { moveToFund } from './to-fund/move-to-fund.ts';
export { topUp } from './top-up.ts';
export { checkFees } from './verify-fees.ts';
export { compareEntries, ledgerChecks, type ExpectedEntries } from './verify-ledger.ts';

/** The room's operations of the management API. */
export const ledgerManagement: readonly ManagementOperation<ChangeDeps>[] = [
  ...ledgerReads,
  readStatement,
  readFundsByDay,
  ...ledgerChanges,
  ...fundManagement,
];
