export { entriesAbout } from './entries-about.ts';
export { readFees } from './fees.ts';
export { ledgerCommands } from './ledger.cli.ts';
export {
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutRegistered,
  cashoutReleased,
  feeOf,
  orderPaid,
  orderPaymentReversed,
  type LedgerTransaction,
} from './postings.ts';
export { fundsName, lockFreeFunds, lockFreeFundsOf, postTransactions, withinLedger } from './post-transactions.ts';
export { readBalance, readEntriesAbout, readMovements, type LedgerEntry, type MerchantBalance, type Movement } from './read-ledger.ts';
export { topUp } from './top-up.ts';
export { compareEntries, ledgerChecks, type ExpectedEntries } from './verify-ledger.ts';
export { ledgerManaged } from './ledger.manage.ts';
