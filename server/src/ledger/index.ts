export { compareEntries, type ExpectedEntries } from './compare-entries.ts';
export { ledgerCommands } from './ledger.cli.ts';
export { lockFunds } from './lock-funds.ts';
export {
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutRegistered,
  cashoutReleased,
  feeOf,
  NO_FEE,
  orderPaid,
  orderPaymentReversed,
  type CashoutMoney,
  type LedgerTransaction,
} from './postings.ts';
export { postTransactions } from './post-transactions.ts';
export { readBalance, type MerchantBalance } from './read-balances.ts';
export { readFees } from './read-fees.ts';
export { readMovements, type Movement } from './read-movements.ts';
export { topUp } from './top-up.ts';
export { ledgerChecks } from './verify-ledger.ts';
export { withinLedger } from './within-ledger.ts';
