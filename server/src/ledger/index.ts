export { compareEntries, type ExpectedEntries } from './compare-entries.ts';
export { ledgerCommands } from './ledger.cli.ts';
export { lockFunds, type FundKey, type Funds } from './lock-funds.ts';
export {
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutRegistered,
  cashoutReleased,
  feeOf,
  NO_FEE,
  orderPaid,
  orderPaymentReversed,
  reservedFor,
  type CashoutMoney,
  type Fee,
  type FeeTerms,
  type LedgerTransaction,
  type OrderPaymentMoney,
} from './postings.ts';
export { postTransactions } from './post-transactions.ts';
export { readBalance, type MerchantBalance } from './read-balances.ts';
export { readFees, type FeeKey, type Fees } from './read-fees.ts';
export { readMovements, type Movement, type ReadMovements } from './read-movements.ts';
export { topUp, type TopUp, type ToppedUp } from './top-up.ts';
export { ledgerChecks } from './verify-ledger.ts';
