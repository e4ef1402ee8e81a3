import { createBatch } from '../../kit/batch.ts';
import { statement, type Db, type Tx } from '../../kit/db.ts';
import type { Clock } from '../../kit/clock.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { Messages } from '../../messages/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import { runOnce, type Keyed, type SettledAnswer } from '../../requests/index.ts';
import { decideResend, type Change } from '../cashout-changes.ts';
import type { Cashout } from '../cashout.ts';
import { lockCashouts, saveCashouts } from '../change-cashouts.ts';
import { hashOtp, makeOtp, otpMessage } from './one-time-password.ts';

export type RenewPassword = Pick<Change, 'actor' | 'requestId'> & {
  readonly merchant: Pick<Merchant, 'merchantId' | 'name' | 'language' | 'country'>;
  readonly operationId: string;
  /** Undefined: the operator, who is not asked for it. */
  readonly document: string | undefined;
  readonly otpLength: number;
};

/** `otp` is known to nobody but the receiver of this answer, or of the SMS. */
export type RenewedPassword = { readonly cashout: Cashout; readonly otp: string };

export type RenewRefusal = Extract<ReturnType<typeof decideResend>, Refusal>['refusal'] | 'sms_unavailable';

export type RenewOutcome = RenewedPassword | Refusal<RenewRefusal>;
type KeyedRenewal = RenewPassword & Keyed<RenewOutcome>;

type RenewDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly otpKey: Buffer;
  readonly messages: Pick<Messages, 'writes' | 'write'>;
};

const SET_PASSWORD = statement('cashouts.set_password', 'update cashouts set otp_hash = $3 where merchant_id = $1 and operation_id = $2');

/**
 * Gives a cashout a new one-time password; the old one is dead, and its wrong tries are forgotten.
 * Shape: RenewPassword → RenewedPassword.
 * Refuses: cashout_not_registered, cashout_not_pending, cashout_locked, resend_limit_reached, sms_unavailable (where it would go by SMS and
 * this service sends none) — the first that applies.
 * Effects: locks the cashout until commit; records cashout.password_renewed and writes the SMS in the same transaction.
 * Source: contract §4.3, §7.3.
 */
export function renewPassword(deps: RenewDeps, command: RenewPassword): Promise<RenewOutcome> {
  return deps.db.transaction((tx) => renew(tx, deps, command));
}

/** The same for requests that may come again: one transaction each, tried again where another server got in between (contract §7.3). */
export function renewPasswordOnce(
  deps: RenewDeps,
): (command: KeyedRenewal) => Promise<RenewOutcome | SettledAnswer | Refusal<'key_reused'>> {
  return createBatch({
    run: (commands: readonly KeyedRenewal[]) =>
      deps.db.transaction((tx) => runOnce(tx, commands, (fresh) => Promise.all(fresh.map((one) => renew(tx, deps, one))))),
    maxItems: 1,
  });
}

async function renew(tx: Tx, { clock, otpKey, messages }: RenewDeps, command: RenewPassword): Promise<RenewOutcome> {
  const { merchant, operationId, otpLength } = command;
  const key = { merchantId: merchant.merchantId, operationId };
  const [stored] = await lockCashouts(tx, [key]);
  const decided = decideResend(stored, { ...command, timeZone: merchant.country.timeZone }, clock.now());
  if (stored === undefined || isRefusal(decided)) return decided as Refusal<RenewRefusal>;
  const { cashout, event } = decided;
  if (cashout.sms && !messages.writes.sms) return refuse('sms_unavailable', { field: 'sms' });
  const otp = makeOtp(otpLength);
  saveCashouts(tx, [{ before: stored, after: cashout }], [event]);
  tx.send(SET_PASSWORD, [key.merchantId, operationId, hashOtp(otpKey, key, otp)]);
  if (cashout.sms) messages.write(tx, [otpMessage(merchant, cashout, otp)]);
  return { cashout, otp };
}
