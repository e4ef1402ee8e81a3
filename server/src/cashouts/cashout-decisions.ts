import { dayOf } from '../kit/calendar.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { Merchant } from '../merchants/index.ts';
import type { Cashout } from './cashout.ts';

/** A wish to register a cashout, its fields well-formed and its checksum proved. */
export type RegisterCashout = Pick<
  Cashout,
  'operationId' | 'amountMinor' | 'transactionCostMinor' | 'currency' | 'description' | 'document' | 'sms' | 'cellphone'
> & {
  readonly merchant: Merchant;
  /** Undefined: DEFAULT_DAYS from today. */
  readonly expiresOn: Temporal.PlainDate | undefined;
};

/** A wish to cancel a cashout; the document must be the one it was registered with. */
export type CancelCashout = Pick<Cashout, 'operationId' | 'document'> & { readonly merchant: Merchant };

/** The last day on which a cashout can be collected, when the merchant names none (contract §4.3). */
const DEFAULT_DAYS = 30;
/** The money of an uncollected cashout is bound until its due day: beyond a year that is a slip of the pen. */
export const MAX_DAYS = 365;

/**
 * Decides whether a cashout may be registered.
 * Shape: what is stored under its key → the new cashout; its update day is today in the merchant's zone.
 * Refuses, the first that applies: currency_not_allowed, expire_out_of_range (before today or more than MAX_DAYS after it), cashout_exists.
 * Source: contract §4.3.
 */
export function decideRegister(
  command: RegisterCashout,
  stored: { readonly exists: boolean; readonly cashoutId: bigint },
  now: Temporal.Instant,
): Cashout | Refusal<'currency_not_allowed' | 'expire_out_of_range' | 'cashout_exists'> {
  const { merchant, expiresOn, ...fields } = command;
  const today = dayOf(now, merchant.country.timeZone);
  if (!merchant.currencies.includes(fields.currency)) return refuse('currency_not_allowed', { field: 'currency' });
  const due = expiresOn ?? today.add({ days: DEFAULT_DAYS });
  const isBefore = Temporal.PlainDate.compare(due, today) < 0;
  if (isBefore || Temporal.PlainDate.compare(due, today.add({ days: MAX_DAYS })) > 0) {
    return refuse('expire_out_of_range', { field: 'expire', rule: 'range' });
  }
  if (stored.exists) return refuse('cashout_exists', { field: 'operation' });
  return {
    ...fields,
    merchantId: merchant.merchantId,
    cashoutId: stored.cashoutId,
    state: 'pending',
    version: 1,
    expiresOn: due,
    createdAt: now,
    updatedAt: now,
    updatedOn: today,
  };
}

/**
 * Decides whether a cashout may be cancelled.
 * Shape: the stored cashout → the cancelled one; the very same object where it was cancelled before.
 * Refuses, the first that applies: cashout_not_registered (also under another document), cashout_not_pending (also when its due day is over:
 * it counts as expired from that instant, whether or not the sweep has touched it).
 * Source: contract §4.3.
 */
export function decideCancel(
  command: CancelCashout,
  stored: Cashout | undefined,
  now: Temporal.Instant,
): Cashout | Refusal<'cashout_not_registered' | 'cashout_not_pending'> {
  if (stored === undefined || stored.document !== command.document) return refuse('cashout_not_registered');
  if (stored.state === 'cancelled') return stored;
  const today = dayOf(now, command.merchant.country.timeZone);
  if (stored.state !== 'pending' || Temporal.PlainDate.compare(stored.expiresOn, today) < 0) return refuse('cashout_not_pending');
  return { ...stored, state: 'cancelled', version: stored.version + 1, updatedAt: now, updatedOn: today };
}
