/** The states of contract §4.6. Only a pending cashout changes; all others are final. */
export type CashoutState = 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';

export const CASHOUT_STATES: readonly CashoutState[] = ['pending', 'approved', 'expired', 'cancelled', 'nullified'];

/** A payout in cash to an end user. Its id, `operationId`, is the merchant's; `cashoutId` is ours and breaks ties of the list. */
export type Cashout = {
  readonly merchantId: string;
  readonly operationId: string;
  readonly cashoutId: bigint;
  readonly state: CashoutState;
  readonly version: number;
  readonly amountMinor: bigint;
  readonly transactionCostMinor: bigint;
  readonly currency: string;
  readonly description: string;
  readonly document: string;
  /** True: the one-time password went to the end user by SMS; false: the merchant was given it. */
  readonly sms: boolean;
  readonly cellphone: string;
  /** The last day on which it can be collected, in the merchant's zone. */
  readonly expiresOn: Temporal.PlainDate;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
  /** The day of `updatedAt` in the merchant's zone: always written together with it. */
  readonly updatedOn: Temporal.PlainDate;
  /** What the merchant pays for it, as of its registration. */
  readonly feeMinor: bigint;
  readonly taxMinor: bigint;
  /** Taken from the merchant's fund: amount, fee and tax; 0 for an imported one, which was never taken from it and is not paid out here. */
  readonly reservedMinor: bigint;
  /** Wrong tries of the password that is valid now. */
  readonly otpWrongTries: number;
  /** New passwords since the first. */
  readonly otpResends: number;
  /** The network that has found it by its password, and until when it holds it; after a payment, the one that has paid. */
  readonly lockedBy: string | null;
  readonly lockedUntil: Temporal.Instant | null;
};

/** Names a cashout. */
export type CashoutKey = Pick<Cashout, 'merchantId' | 'operationId'>;

/** One text per cashout, for maps. Neither part can hold a slash. */
export const keyText = ({ merchantId, operationId }: CashoutKey): string => `${merchantId}/${operationId}`;

/** True while a network holds it: between finding it and paying it out nobody else may touch it. */
export function isLocked({ lockedUntil }: Pick<Cashout, 'lockedUntil'>, now: Temporal.Instant): boolean {
  return lockedUntil !== null && Temporal.Instant.compare(now, lockedUntil) < 0;
}

/** What an item of the list, or the answer to a query of one, shows. */
export type ListedCashout = Pick<
  Cashout,
  | 'operationId'
  | 'state'
  | 'amountMinor'
  | 'transactionCostMinor'
  | 'currency'
  | 'description'
  | 'document'
  | 'sms'
  | 'cellphone'
  | 'expiresOn'
  | 'updatedOn'
>;

/**
 * The same as the database prints it, in this order: amounts in digits, `sms` as t or f, days as YYYY-MM-DD. A page is shown and not computed
 * with, so its numbers and days are not read only to be printed again.
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
