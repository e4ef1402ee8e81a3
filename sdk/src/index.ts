export { Caudal } from './caudal.ts';
export { CaudalError, type Code, type Reason } from './errors.ts';
export { toAmount, toMoney, type Amount, type Money } from './money.ts';
export * as webhooks from './webhooks.ts';
export type { Order, OrderChange, OrderFields, Payment, SavedOrder } from './orders.ts';
export type {
  Balance,
  Cashout,
  CashoutFields,
  CashoutFilter,
  CashoutKey,
  CashoutStatus,
  Days,
  MovedToFund,
  Movement,
  RefundCashoutFields,
  RegisteredCashout,
  ToFund,
} from './cashouts.ts';
export type { Refund, Refunder, RefundFields, RefundFilter, RefundState } from './refunds.ts';
export type { KeyedOptions, RequestOptions, Settings, VersionedOptions } from './send.ts';
export type { Page, Walk } from './walk.ts';
