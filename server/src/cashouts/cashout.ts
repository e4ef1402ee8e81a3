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
};

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
