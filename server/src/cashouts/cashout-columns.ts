import {
  bigint,
  bool,
  dayColumn,
  fixed,
  instantColumn,
  int,
  key,
  nullable,
  stamp,
  textColumn,
  unrecorded,
  type KeyOf,
  type RowOf,
} from '../kit/changes/columns.ts';

/** The states of contract §4.6. Only a pending cashout changes; all others are final. */
export const CASHOUT_STATES = ['pending', 'approved', 'expired', 'cancelled', 'nullified'] as const;
export type CashoutState = (typeof CASHOUT_STATES)[number];

/** The fields of a cashout, each with its column. Its id, `operationId`, is the merchant's; `cashoutId` is ours and breaks ties of the list. */
export const CASHOUT_COLUMNS = {
  merchantId: key(textColumn()),
  operationId: key(textColumn()),
  cashoutId: unrecorded(fixed(bigint())),
  state: textColumn<CashoutState>(),
  version: stamp(int()),
  amountMinor: fixed(bigint()),
  transactionCostMinor: fixed(bigint()),
  currency: fixed(textColumn()),
  description: fixed(textColumn()),
  document: fixed(textColumn()),
  /** True: the one-time password went to the end user by SMS; false: the merchant was given it. */
  sms: fixed(bool()),
  cellphone: fixed(textColumn()),
  /** The last day on which it can be collected, in the merchant's zone. */
  expiresOn: fixed(dayColumn()),
  createdAt: unrecorded(fixed(instantColumn())),
  updatedAt: stamp(instantColumn()),
  /** The day of `updatedAt` in the merchant's zone: always written together with it. */
  updatedOn: stamp(dayColumn()),
  /** What the merchant pays for it, as of its registration. */
  feeMinor: fixed(bigint()),
  taxMinor: fixed(bigint()),
  /** Taken from the merchant's fund: amount, fee and tax. 0 for an imported one: nothing was taken for it, and it is not paid out here. */
  reservedMinor: unrecorded(fixed(bigint())),
  /** The refund of a payment that it pays out. Null: it is of the merchant's fund. */
  refundId: unrecorded(fixed(nullable(textColumn()))),
  /** Digits of its first password: a new one has as many at least. */
  otpLength: unrecorded(fixed(int())),
  /** Wrong tries of the password that is valid now. */
  otpWrongTries: unrecorded(int()),
  /** New passwords since the first. */
  otpResends: unrecorded(int()),
  /** The network that has found it by its password, and until when it holds it. After a payment: the network that has paid. */
  lockedBy: unrecorded(nullable(textColumn())),
  lockedUntil: unrecorded(nullable(instantColumn())),
} as const;

/** A payout in cash to an end user. */
export type Cashout = RowOf<typeof CASHOUT_COLUMNS>;
/** Names a cashout. */
export type CashoutKey = KeyOf<typeof CASHOUT_COLUMNS>;
