import { dayOf } from '../../kit/calendar.ts';
import { bigint, instantColumn, nullable, textColumn, type RowOf } from '../../kit/changes/columns.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import type { Merchant } from '../../merchants/index.ts';
import { REVERSAL_SECONDS, serves, type WhereServed } from '../../networks/index.ts';
import { changedCashout, isOpen, type DecidedCashout } from '../cashout-changes.ts';
import { isLocked, type Cashout, type CashoutKey } from '../cashout.ts';

/** How long a network that has found a cashout may take to hand out the money (contract §4.3). */
export const LOCK_MINUTES = 5;
/** Wrong tries of one cashout's password: beyond, only a new password helps. Of the shortest passwords, four digits, it is one in 2,000. */
const MAX_WRONG_TRIES = 5;
/**
 * Wrong tries of a network with one document in a window. An honest person needs a few. Anyone who tries passwords through the terminals
 * of a network gets 40 an hour, however many cashouts the document has.
 */
const MAX_WRONG_TRIES_OF_DOCUMENT = 10;
export const WRONG_TRIES_WINDOW_MINUTES = 15;
/** Wrong tries of a point of sale in a window, whatever the documents. A teller serves some fifty people in that time. */
const MAX_WRONG_TRIES_OF_POINT = 20;
/** Wrong tries of a whole network in a window. It may send no point, or another one with each try. */
const MAX_WRONG_TRIES_OF_NETWORK = 1_000;

/** A pending cashout of the document that was asked for; `fits`: the password is its own. */
export type Candidate = {
  readonly cashout: Cashout;
  readonly endsAt: Temporal.Instant;
  readonly fits: boolean;
  readonly merchant: Pick<Merchant, 'country' | 'isFrozen'>;
};

/** Wrong tries since the first of them: of a network with a document, or at a place. */
export type WrongTries = { readonly tries: number; readonly since: Temporal.Instant };

/** Wrong tries at a point of sale; the empty place is the whole network. */
export type PlaceTries = WrongTries & { readonly place: string };

/** Where a wrong try counts: in the network, and at its point where it sends one. */
export const placesOf = (point: string): readonly string[] => (point === '' ? [''] : ['', point]);

export type LookUpRefusal = 'too_many_tries' | 'password_wrong' | 'cashout_locked' | 'cashout_not_served';

/** What a look-up leads to: the cashout that is found, or a refusal and what is counted for it. */
export type LookUpOutcome =
  | { readonly found: Cashout }
  | {
      readonly refused: Refusal<LookUpRefusal>;
      /** The cashouts whose password this was not; null: nothing is counted, not even for the network. */
      readonly wrongFor: readonly CashoutKey[] | null;
    };

/**
 * Decides a look-up: which of the document's cashouts the password opens, for a network.
 * Shape: all pending cashouts of the document, with the instants at which their last days end → the one that is found. The network
 * holds it for LOCK_MINUTES, or until its last day ends. Of several that the password fits, one that no other network holds, and then the oldest.
 * Refuses, the first that applies: too_many_tries, password_wrong, cashout_locked (by another network, or the merchant is frozen),
 * cashout_not_served. What is refused is not held: the person goes to another counter. Tries count for the network
 * with the document, for the point, and for the network. Where a document has no cashout, or only some with MAX_WRONG_TRIES, every
 * password is wrong. So a network does not learn who has money to collect.
 * Source: contract §4.3.
 */
export function decideLookUp(
  candidates: readonly Candidate[],
  { netname, served }: { readonly netname: string; readonly served: WhereServed },
  tries: WrongTries | undefined,
  places: readonly PlaceTries[],
  now: Temporal.Instant,
): LookUpOutcome {
  if (hasTriedTooOften(tries, places, now)) return { refused: refuse('too_many_tries'), wrongFor: null };
  const usable = usableOf(candidates, now);
  const fitting = usable.filter(({ fits }) => fits).toSorted((one, other) => (one.cashout.cashoutId < other.cashout.cashoutId ? -1 : 1));
  if (fitting.length === 0) return { refused: refuse('password_wrong'), wrongFor: usable.map(({ cashout }) => cashout) };
  const free = fitting.find(({ cashout }) => cashout.lockedBy === netname || !isLocked(cashout, now));
  if (free === undefined || free.merchant.isFrozen) return { refused: refuse('cashout_locked'), wrongFor: null };
  if (!serves(served, free.merchant.country, free.cashout.currency)) return { refused: refuse('cashout_not_served'), wrongFor: null };
  const lockEnd = now.add({ minutes: LOCK_MINUTES });
  const lockedUntil = Temporal.Instant.compare(lockEnd, free.endsAt) < 0 ? lockEnd : free.endsAt;
  return { found: { ...free.cashout, lockedBy: netname, lockedUntil } };
}

/** Whether a network may try no more passwords now: of the document, or at the place. */
export function hasTriedTooOften(tries: WrongTries | undefined, places: readonly PlaceTries[], now: Temporal.Instant): boolean {
  const isOver = (one: WrongTries, most: number): boolean => one.tries >= most && Temporal.Instant.compare(one.since, windowStart(now)) > 0;
  const isPlaceOver = places.some((one) => isOver(one, one.place === '' ? MAX_WRONG_TRIES_OF_NETWORK : MAX_WRONG_TRIES_OF_POINT));
  return isPlaceOver || (tries !== undefined && isOver(tries, MAX_WRONG_TRIES_OF_DOCUMENT));
}

/** Those that a password may open: a wrong one counts for each. */
export const usableOf = <One extends Pick<Candidate, 'cashout' | 'endsAt'>>(
  candidates: readonly One[],
  now: Temporal.Instant,
): readonly One[] =>
  candidates.filter(({ cashout, endsAt }) => Temporal.Instant.compare(now, endsAt) < 0 && cashout.otpWrongTries < MAX_WRONG_TRIES);

/** Wrong tries since then count; a window that began earlier is over. */
export const windowStart = (now: Temporal.Instant): Temporal.Instant => now.subtract({ minutes: WRONG_TRIES_WINDOW_MINUTES });

/** A payment as it is stored; the network's id of it is unique for the network. */
export const COLLECTION_COLUMNS = {
  netname: textColumn(),
  transactionId: textColumn(),
  merchantId: textColumn(),
  operationId: textColumn(),
  cashoutId: bigint(),
  /** Who handed out the money, and in which municipality. */
  teller: textColumn(),
  daneCode: textColumn(),
  paidAt: instantColumn(),
  reversedAt: nullable(instantColumn()),
};
export type Collection = RowOf<typeof COLLECTION_COLUMNS>;

/** A network's wish to record that it hands out the money. */
export type PayCashout = Pick<Collection, 'netname' | 'transactionId' | 'cashoutId' | 'teller' | 'daneCode'> & {
  /** Where the network serves. */
  readonly served: WhereServed;
  readonly requestId: string;
};

export type CollectRefusal =
  | 'transaction_repeated'
  | 'cashout_not_registered'
  | 'cashout_locked'
  | 'cashout_not_pending'
  | 'lock_over'
  | 'cashout_not_served';

/** A payment and the cashout that it is of; without an event it happened before. */
export type DecidedPayment = DecidedCashout & { readonly payment: Collection };

/**
 * Decides a payment.
 * Shape: the payment that is stored under the network's transaction, and the cashout → the payment; the same wish again is success and
 * makes no event.
 * Refuses, the first that applies: transaction_repeated (with other values), cashout_not_registered, cashout_locked (by another network),
 * cashout_not_pending, lock_over, cashout_not_served. A cashout that this network has never found counts as not registered. One of a frozen merchant counts as
 * locked. One whose payment was reversed counts as not pending: nobody may hand out the money for it.
 * Source: contract §4.3.
 */
export function decideCollect(
  stored: {
    /** `elsewhere`: of a cashout in another cell. */
    readonly payment: Collection | 'elsewhere' | undefined;
    readonly cashout: Cashout | undefined;
    readonly merchant: Pick<Merchant, 'country' | 'isFrozen'> | undefined;
  },
  command: PayCashout,
  now: Temporal.Instant,
): DecidedPayment | Refusal<CollectRefusal> {
  const { payment, cashout, merchant } = stored;
  const { netname, transactionId, cashoutId, teller, daneCode, served, requestId } = command;
  if (payment === 'elsewhere' || (payment !== undefined && !isSamePayment(payment, command)))
    return refuse('transaction_repeated', { field: 'transaction' });
  if (cashout === undefined || merchant === undefined) return refuse('cashout_not_registered');
  if (payment !== undefined) return payment.reversedAt === null ? { cashout, payment } : refuse('cashout_not_pending');
  const { country, isFrozen } = merchant;
  const { timeZone } = country;
  if (isFrozen) return refuse('cashout_locked');
  if (cashout.lockedBy !== netname) return refuse(isLocked(cashout, now) ? 'cashout_locked' : 'cashout_not_registered');
  if (!isOpen(cashout, dayOf(now, timeZone))) return refuse('cashout_not_pending');
  if (!isLocked(cashout, now)) return refuse('lock_over');
  if (!serves(served, country, cashout.currency)) return refuse('cashout_not_served');
  const told = { transaction: [null, transactionId] as const, teller: [null, teller] as const, daneCode: [null, daneCode] as const };
  const by = { timeZone, actor: `network:${netname}` as const, requestId };
  const paid = changedCashout(cashout, { state: 'approved' }, by, 'cashout.paid', now, told);
  const { merchantId, operationId } = cashout;
  return {
    ...paid,
    payment: { netname, transactionId, merchantId, operationId, cashoutId, teller, daneCode, paidAt: now, reversedAt: null },
  };
}

const isSamePayment = (payment: Collection, command: PayCashout): boolean =>
  payment.cashoutId === command.cashoutId && payment.teller === command.teller && payment.daneCode === command.daneCode;

export type ReversePayment = Pick<Collection, 'netname' | 'transactionId' | 'cashoutId'> & { readonly requestId: string };

export type ReverseRefusal = 'transaction_unknown' | 'not_reversible';

/**
 * Decides the reversal of a payment: the money was not handed out after all.
 * Shape: the payment and its cashout → both as they become, the cashout nullified; reversing again is success and makes no event.
 * Refuses, the first that applies: transaction_unknown (also of another cashout), not_reversible (later than REVERSAL_SECONDS after the payment).
 * Source: contract §4.3.
 */
export function decideReverse(
  stored: { readonly payment: Collection; readonly cashout: Cashout; readonly timeZone: string } | undefined,
  { netname, cashoutId, requestId }: ReversePayment,
  now: Temporal.Instant,
): DecidedPayment | Refusal<ReverseRefusal> {
  if (stored?.payment.cashoutId !== cashoutId) return refuse('transaction_unknown', { field: 'transaction' });
  const { payment, cashout, timeZone } = stored;
  if (payment.reversedAt !== null) return { payment, cashout };
  const isLate = Temporal.Instant.compare(now, payment.paidAt.add({ seconds: REVERSAL_SECONDS })) > 0;
  if (isLate) return refuse('not_reversible', { field: 'transaction' });
  const by = { timeZone, actor: `network:${netname}` as const, requestId };
  const told = { transaction: [payment.transactionId, null] as const };
  return {
    ...changedCashout(cashout, { state: 'nullified' }, by, 'cashout.payment_reversed', now, told),
    payment: { ...payment, reversedAt: now },
  };
}
