import type { Cashout, CashoutState } from './cashout-columns.ts';

export { CASHOUT_STATES, type Cashout, type CashoutKey, type CashoutState } from './cashout-columns.ts';

/** True while a network holds it: between finding it and paying it out nobody else may touch it. */
export function isLocked({ lockedUntil }: Pick<Cashout, 'lockedUntil'>, now: Temporal.Instant): boolean {
  return lockedUntil !== null && Temporal.Instant.compare(now, lockedUntil) < 0;
}

/** What an item of the list, or the answer to a query of one, shows. */
export const LISTED_FIELDS = [
  'operationId',
  'state',
  'amountMinor',
  'transactionCostMinor',
  'currency',
  'description',
  'document',
  'sms',
  'cellphone',
  'expiresOn',
  'updatedOn',
] as const satisfies readonly (keyof Cashout)[];
export type ListedCashout = Pick<Cashout, (typeof LISTED_FIELDS)[number]>;

/**
 * The same as the database prints it, in this order. Amounts are digits, `sms` is t or f, days are YYYY-MM-DD.
 * A page is only shown, so its numbers and days are not parsed.
 */
export type ListedTexts = readonly [
  operationId: string,
  state: CashoutState,
  currency: string,
  description: string,
  document: string,
  cellphone: string,
  amountMinor: string,
  transactionCostMinor: string,
  sms: string,
  expiresOn: string,
  updatedOn: string,
];
