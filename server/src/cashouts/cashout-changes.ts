import { dayOf } from '../kit/calendar.ts';
import { historyOf, type RecordedValue } from '../kit/changes/columns.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { CASHOUT_COLUMNS } from './cashout-columns.ts';
import { isLocked, type Cashout, type CashoutState } from './cashout.ts';

export type CashoutEventName =
  | 'cashout.registered'
  | 'cashout.password_renewed'
  | 'cashout.paid'
  | 'cashout.payment_reversed'
  | 'cashout.cancelled'
  | 'cashout.expired'
  | 'cashout.nullified';

/** A change of a cashout, as its history keeps it. `changes`: each field with its value before and after. */
export type CashoutEvent = {
  readonly cashout: Pick<Cashout, 'merchantId' | 'operationId' | 'version' | 'updatedAt'>;
  readonly event: CashoutEventName;
  /** A person or a program has its name: `merchant:` where it is bound to the merchant. */
  readonly actor: 'merchant' | 'operator' | 'service' | `${'network' | 'merchant' | 'user' | 'token' | 'command'}:${string}`;
  /** Null where nobody asked: a sweep, a command. */
  readonly requestId: string | null;
  readonly changes: Readonly<Record<string, readonly [from: RecordedValue, to: RecordedValue]>>;
  /** What it writes elsewhere and the history proves by a digest: the hash of a password, the point of sale of a payment. */
  readonly beside?: string | undefined;
};

/** The cashout as it is then; without an event nothing changed and nothing is to be written. */
export type DecidedCashout = { readonly cashout: Cashout; readonly event?: CashoutEvent };

/** Who changes a cashout, and where: the request of a caller, the zone of the merchant's days. */
export type CashoutChange = {
  readonly timeZone: string;
  readonly actor: CashoutEvent['actor'];
  readonly requestId: string | null;
};

/** A wish to cancel a cashout; the document, where given, must be the one it was registered with. */
export type CancelCashout = CashoutChange & Pick<Cashout, 'merchantId' | 'operationId'> & { readonly document: string | undefined };

/** A wish of the operator to nullify a pending cashout, and why. */
export type NullifyCashout = CashoutChange & Pick<Cashout, 'merchantId' | 'operationId'> & { readonly reason: string };

/** What differs between two states of a cashout, as its history keeps it. Amounts are texts: a reader of JSON may have no integers beyond 2^53. */
export const diffCashouts = historyOf(CASHOUT_COLUMNS).diff;

/** Where a new password's length is not given, it has as many digits, or as many as the first one. */
export const DEFAULT_OTP_LENGTH = 6;

/** Most new passwords of one cashout: with five tries each that is twenty guesses in all. */
const MAX_RESENDS = 3;

/**
 * Makes the next version of a cashout, with the row of its history.
 * Shape: the fields that change beside version and time, and what the history holds beyond the state.
 */
export function changedCashout(
  cashout: Cashout,
  fields: Partial<Cashout>,
  { timeZone, actor, requestId }: CashoutChange,
  event: CashoutEventName,
  now: Temporal.Instant,
  told: CashoutEvent['changes'] = {},
): Required<DecidedCashout> {
  const next = { ...cashout, ...fields, version: cashout.version + 1, updatedAt: now, updatedOn: dayOf(now, timeZone) };
  return { cashout: next, event: { cashout: next, event, actor, requestId, changes: { ...diffCashouts(cashout, next), ...told } } };
}

/** True while it waits to be collected. From the end of its last day on it counts as expired, swept or not. */
export function isOpen(cashout: Pick<Cashout, 'state' | 'expiresOn'>, today: Temporal.PlainDate): boolean {
  return cashout.state === 'pending' && Temporal.PlainDate.compare(cashout.expiresOn, today) >= 0;
}

/** The state of a cashout on a day: what waits past its last day counts as expired. */
export const stateOn = (cashout: Pick<Cashout, 'state' | 'expiresOn'>, today: Temporal.PlainDate): CashoutState =>
  cashout.state === 'pending' && !isOpen(cashout, today) ? 'expired' : cashout.state;

/**
 * Decides whether a cashout may be cancelled.
 * Shape: the stored cashout → the cancelled one; cancelling again is success and makes no event.
 * Refuses, the first that applies: cashout_not_registered (also under another document), cashout_not_pending (also past its last day),
 * cashout_locked. A network that has found it may be counting the money at this moment.
 * Source: contract §4.3.
 */
export function decideCancelCashout(
  stored: Cashout | undefined,
  command: CancelCashout,
  now: Temporal.Instant,
): DecidedCashout | Refusal<'cashout_not_registered' | 'cashout_not_pending' | 'cashout_locked'> {
  if (stored === undefined || (command.document !== undefined && stored.document !== command.document))
    return refuse('cashout_not_registered');
  if (stored.state === 'cancelled') return { cashout: stored };
  if (!isOpen(stored, dayOf(now, command.timeZone))) return refuse('cashout_not_pending');
  if (isLocked(stored, now)) return refuse('cashout_locked');
  return changedCashout(stored, { state: 'cancelled' }, command, 'cashout.cancelled', now);
}

/**
 * Decides whether an operator may nullify a cashout: one that is pending, also past its last day.
 * Refuses, the first that applies: cashout_not_registered, cashout_not_pending, cashout_locked.
 * Source: contract §4.6.
 */
export function decideNullify(
  stored: Cashout | undefined,
  command: NullifyCashout,
  now: Temporal.Instant,
): Required<DecidedCashout> | Refusal<'cashout_not_registered' | 'cashout_not_pending' | 'cashout_locked'> {
  if (stored === undefined) return refuse('cashout_not_registered');
  if (stored.state !== 'pending') return refuse('cashout_not_pending');
  if (isLocked(stored, now)) return refuse('cashout_locked');
  return changedCashout(stored, { state: 'nullified' }, command, 'cashout.nullified', now, { reason: [null, command.reason] });
}

/**
 * Decides that a cashout whose last day is over expires. A network's lock ends with that day, so none can be in the way.
 * Shape: a pending cashout that is due.
 * Source: contract §4.6.
 */
export function decideExpireCashout(stored: Cashout, timeZone: string, now: Temporal.Instant): Required<DecidedCashout> {
  return changedCashout(stored, { state: 'expired' }, { timeZone, actor: 'service', requestId: null }, 'cashout.expired', now);
}

/**
 * Decides whether a cashout gets a new password.
 * Shape: the stored cashout → the same with its tries at zero, and the length of the password. The document, where given, must be the
 * stored one.
 * Refuses, the first that applies: checksum_invalid (spent), cashout_not_registered (also an imported one: it is not paid out here),
 * cashout_not_pending, cashout_locked, resend_limit_reached, password_too_short.
 * Source: contract §4.3.
 */
export function decideResend(
  stored: Cashout | undefined,
  command: CashoutChange & { readonly document: string | undefined; readonly otpLength: number | undefined },
  isProofSpent: boolean,
  now: Temporal.Instant,
): (Required<DecidedCashout> & { readonly otpLength: number }) | Refusal<ResendRefusal> {
  const { document } = command;
  if (isProofSpent) return refuse('checksum_invalid', { field: 'renewal', rule: 'repeated' });
  if (stored === undefined || stored.reservedMinor === 0n) return refuse('cashout_not_registered');
  if (document !== undefined && document !== stored.document) return refuse('cashout_not_registered');
  if (!isOpen(stored, dayOf(now, command.timeZone))) return refuse('cashout_not_pending');
  if (isLocked(stored, now)) return refuse('cashout_locked');
  if (stored.otpResends >= MAX_RESENDS) return refuse('resend_limit_reached');
  const otpLength = command.otpLength ?? Math.max(stored.otpLength, DEFAULT_OTP_LENGTH);
  if (otpLength < stored.otpLength) return refuse('password_too_short', { field: 'otpLength', rule: 'range' });
  const otpResends = stored.otpResends + 1;
  const told = { otpResends: [stored.otpResends, otpResends] as const };
  return { ...changedCashout(stored, { otpResends, otpWrongTries: 0 }, command, 'cashout.password_renewed', now, told), otpLength };
}

type ResendRefusal =
  | 'checksum_invalid'
  | 'cashout_not_registered'
  | 'cashout_not_pending'
  | 'cashout_locked'
  | 'resend_limit_reached'
  | 'password_too_short';
