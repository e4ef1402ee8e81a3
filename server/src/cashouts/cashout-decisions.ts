import { dayOf } from '../kit/calendar.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { fundedFor, reservedFor } from '../ledger/index.ts';
import type { Merchant } from '../merchants/index.ts';
import type { Cashout } from './cashout.ts';

/** A wish to register a cashout, its fields well-formed and its checksum proved. */
export type RegisterCashout = Pick<
  Cashout,
  'operationId' | 'amountMinor' | 'transactionCostMinor' | 'currency' | 'description' | 'document' | 'sms' | 'cellphone' | 'otpLength'
> & {
  readonly merchant: Merchant;
  /** Undefined: DEFAULT_DAYS from today. */
  readonly expiresOn: Temporal.PlainDate | undefined;
  /** The refund that it pays out. Absent: none. */
  readonly refundId?: string;
};

/** What a merchant's cashouts in a currency are bound to; null: no limit. Amounts in minor units, both bounds included. */
export type CashoutLimits = {
  readonly leastMinor: bigint | null;
  readonly mostMinor: bigint | null;
  /** Cashouts of one document, registered on one day of the merchant's zone. Those cancelled since count: each has sent a password. */
  readonly perDocumentAndDay: number | null;
};

/** What a registration is decided on. */
export type RegisterSituation = {
  readonly now: Temporal.Instant;
  readonly exists: boolean;
  /** Whether a registration has used up the checksum. */
  readonly isProofSpent: boolean;
  readonly cashoutId: bigint;
  readonly limits: CashoutLimits;
  /** Of the document, in the currency; asked for where there is a limit. */
  readonly registeredToday: number;
  /** What the merchant pays for the cashout. */
  readonly feeMinor: bigint;
  readonly taxMinor: bigint;
  /** What the fund holds. */
  readonly availableMinor: bigint;
  /** Whether this service can send SMS. */
  readonly canSendSms: boolean;
  /** Whether an SMS can reach the cellphone; asked for where one is wanted. */
  readonly canReceiveSms: boolean;
};

/** The last day on which a cashout can be collected, when the merchant names none (contract §4.3). */
const DEFAULT_DAYS = 30;
/** The money of an uncollected cashout is bound until its due day. A day beyond a year is a mistake. */
const MAX_DAYS = 365;

/**
 * Decides whether a cashout may be registered.
 * Shape: the wish and its situation → the new cashout; its update day is today in the merchant's zone.
 * Refuses, the first that applies: checksum_invalid (spent), currency_not_allowed, cellphone_impossible, sms_unavailable,
 * expire_out_of_range (before today or more than MAX_DAYS after it), cashout_exists, amount_out_of_limits, document_limit_reached, fund_too_small (for amount, fee and tax together;
 * where it pays out a refund, for fee and tax).
 * Source: contract §4.3.
 */
export function decideRegister(command: RegisterCashout, situation: RegisterSituation): Cashout | Refusal<RegisterRefusal> {
  const { merchant, expiresOn, refundId = null, ...fields } = command;
  const { now, limits, feeMinor, taxMinor } = situation;
  const today = dayOf(now, merchant.country.timeZone);
  if (situation.isProofSpent && !situation.exists) return refuse('checksum_invalid', { field: 'checksum', rule: 'repeated' });
  if (!merchant.currencies.includes(fields.currency)) return refuse('currency_not_allowed', { field: 'currency' });
  if (fields.sms && !situation.canReceiveSms) return refuse('cellphone_impossible', { field: 'cellphone' });
  if (fields.sms && !situation.canSendSms) return refuse('sms_unavailable', { field: 'sms' });
  const due = expiresOn ?? today.add({ days: DEFAULT_DAYS });
  const isBefore = Temporal.PlainDate.compare(due, today) < 0;
  if (isBefore || Temporal.PlainDate.compare(due, today.add({ days: MAX_DAYS })) > 0) {
    return refuse('expire_out_of_range', { field: 'expire', rule: 'range' });
  }
  if (situation.exists) return refuse('cashout_exists', { field: 'operation' });
  if (!isWithin(fields.amountMinor, limits)) return refuse('amount_out_of_limits', { field: 'amount' });
  if (limits.perDocumentAndDay !== null && situation.registeredToday >= limits.perDocumentAndDay) {
    return refuse('document_limit_reached', { field: 'document' });
  }
  const money = { ...fields, refundId, feeMinor, taxMinor };
  if (situation.availableMinor < fundedFor(money)) return refuse('fund_too_small');
  return {
    ...money,
    merchantId: merchant.merchantId,
    cashoutId: situation.cashoutId,
    state: 'pending',
    version: 1,
    expiresOn: due,
    createdAt: now,
    updatedAt: now,
    updatedOn: today,
    reservedMinor: reservedFor(money),
    otpWrongTries: 0,
    otpResends: 0,
    lockedBy: null,
    lockedUntil: null,
  };
}

export type RegisterRefusal =
  | 'checksum_invalid'
  | 'currency_not_allowed'
  | 'cellphone_impossible'
  | 'sms_unavailable'
  | 'expire_out_of_range'
  | 'cashout_exists'
  | 'amount_out_of_limits'
  | 'document_limit_reached'
  | 'fund_too_small';

const isWithin = (amountMinor: bigint, { leastMinor, mostMinor }: CashoutLimits): boolean =>
  (leastMinor === null || amountMinor >= leastMinor) && (mostMinor === null || amountMinor <= mostMinor);
