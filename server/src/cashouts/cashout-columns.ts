import {
  bigint,
  bool,
  day,
  fixed,
  instant,
  int,
  key,
  nullable,
  stamp,
  text,
  unrecorded,
  type KeyOf,
  type RowOf,
} from '../kit/changes/columns.ts';

/** The states of contract §4.6. Only a pending cashout changes; all others are final. */
export type CashoutState = 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';

/** The fields of a cashout, each with its column. Its id, `operationId`, is the merchant's; `cashoutId` is ours and breaks ties of the list. */
export const CASHOUT_COLUMNS = {
  merchantId: key(text()),
  operationId: key(text()),
  cashoutId: unrecorded(fixed(bigint())),
  state: text<CashoutState>(),
  version: stamp(int()),
  amountMinor: fixed(bigint()),
  transactionCostMinor: fixed(bigint()),
  currency: fixed(text()),
  description: fixed(text()),
  document: fixed(text()),
  /** True: the one-time password went to the end user by SMS; false: the merchant was given it. */
  sms: fixed(bool()),
  cellphone: fixed(text()),
  /** The last day on which it can be collected, in the merchant's zone. */
  expiresOn: fixed(day()),
  createdAt: unrecorded(fixed(instant())),
  updatedAt: stamp(instant()),
  /** The day of `updatedAt` in the merchant's zone: always written together with it. */
  updatedOn: stamp(day()),
  /** What the merchant pays for it, as of its registration. */
  feeMinor: fixed(bigint()),
  taxMinor: fixed(bigint()),
  /** Taken from the merchant's fund: amount, fee and tax. 0 for an imported one: nothing was taken for it, and it is not paid out here. */
  reservedMinor: unrecorded(fixed(bigint())),
  /** Digits of its first password: a new one has as many at least. */
  otpLength: unrecorded(fixed(int())),
  /** Wrong tries of the password that is valid now. */
  otpWrongTries: unrecorded(int()),
  /** New passwords since the first. */
  otpResends: unrecorded(int()),
  /** The network that has found it by its password, and until when it holds it. After a payment: the network that has paid. */
  lockedBy: unrecorded(fixed(nullable(text()))),
  lockedUntil: unrecorded(fixed(nullable(instant()))),
} as const;

/** A payout in cash to an end user. */
export type Cashout = RowOf<typeof CASHOUT_COLUMNS>;
/** Names a cashout. */
export type CashoutKey = KeyOf<typeof CASHOUT_COLUMNS>;
