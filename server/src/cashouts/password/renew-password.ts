import type { Acted } from '../../kit/changes/act.ts';
import { statement } from '../../kit/db.ts';
import type { Change, Engine } from '../../kit/changes/engine.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { ServiceKey } from '../../kit/keys/service-keys.ts';
import { changedRows } from '../../kit/changes/table.ts';
import { mobileNumber } from '../../kit/phones/mobile-number.ts';
import type { Messages } from '../../messages/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import { openProofBook, runOnce, type Keyed, type ProofBook, type SettledAnswer } from '../../requests/index.ts';
import { decideResend, type CashoutChange, type DecidedCashout } from '../cashout-changes.ts';
import { besideOfPassword } from '../cashout-history.ts';
import { CASHOUTS, type CashoutRow } from '../cashout-rows.ts';
import type { CashoutKey } from '../cashout.ts';
import { cashoutRows, saveCashouts } from '../change-cashouts.ts';
import { hashOtp, makeOtp, otpMessage } from './one-time-password.ts';

export type RenewPassword = Acted &
  Pick<CashoutChange, 'actor' | 'requestId'> & {
    readonly merchant: Pick<Merchant, 'merchantId' | 'name' | 'language' | 'country'>;
    readonly operationId: string;
    /** Undefined: the operator, who is not asked for it. */
    readonly document: string | undefined;
    /** Undefined: as many digits as the cashout's first password, and DEFAULT_OTP_LENGTH at least. */
    readonly otpLength: number | undefined;
    /** What the request's checksum proves; used up by the renewal. Undefined: an operator, or a signature that was let in once. */
    readonly proof: string | undefined;
  };

/** `otp` is known to nobody but the receiver of this answer, or of the SMS. */
type RenewedPassword = Required<DecidedCashout> & { readonly otp: string };

type World = { readonly rows: readonly (CashoutRow | undefined)[]; readonly proofs: ProofBook };

type RenewRefusal = Extract<ReturnType<typeof decideResend>, Refusal>['refusal'] | 'cellphone_impossible' | 'sms_unavailable';

export type RenewOutcome = RenewedPassword | Refusal<RenewRefusal>;

type RenewDeps = {
  readonly otpKey: ServiceKey;
  readonly messages: Pick<Messages, 'writes' | 'write'>;
  readonly shortPasswordDays: number;
};

const SET_PASSWORD = statement('cashouts.set_password', 'update cashouts set otp_hash = $3 where merchant_id = $1 and operation_id = $2');

/**
 * Gives a cashout a new one-time password; the old one is dead, and its wrong tries are forgotten. A request may come again.
 * Shape: RenewPassword → RenewedPassword.
 * Refuses: checksum_invalid (spent), cashout_not_registered, cashout_not_pending, cashout_locked, resend_limit_reached,
 * password_too_short, cellphone_impossible (no SMS can reach the number, as the table of numbers is today), sms_unavailable (it would go by
 * SMS and this service sends none) — the first that applies.
 * Effects: locks the cashout until commit; records cashout.password_renewed and writes the SMS in the same transaction.
 * Source: contract §4.3, §7.3.
 */
export function renewPasswordOnce({
  engine,
  ...deps
}: RenewDeps & { readonly engine: Engine }): (
  command: RenewPassword & Keyed<RenewOutcome>,
) => Promise<RenewOutcome | SettledAnswer | Refusal<'key_reused'>> {
  const renew = engine.alone(renewal(deps), { around: runOnce<Command, RenewOutcome> });
  return (command) => renew(commandOf(command));
}

type Command = CashoutKey & CashoutChange & RenewPassword & Keyed<RenewOutcome>;

function commandOf<Given extends RenewPassword>(command: Given): Given & CashoutKey & CashoutChange {
  const { merchantId, country } = command.merchant;
  return { ...command, merchantId, timeZone: country.timeZone };
}

const renewal = ({ otpKey, messages, shortPasswordDays }: RenewDeps): Change<Command, World, RenewedPassword, Refusal<RenewRefusal>> => ({
  keysOf: cashoutRows,
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands, hold) => {
    const [rows, proofs] = await Promise.all([CASHOUTS.lock(tx, commands, hold), openProofBook(tx, commands.flatMap(proofIn))]);
    return { rows, proofs };
  },
  decide: ({ rows, proofs }, command, { now, index }) => {
    const decided = decideResend(rows[index]?.after, command, proofIn(command).some(proofs.isSpent), now);
    if (isRefusal(decided)) return decided;
    const { sms, cellphone } = decided.cashout;
    if (sms && mobileNumber(cellphone, command.merchant.country.region) === undefined)
      return refuse('cellphone_impossible', { field: 'cellphone' });
    if (sms && !messages.writes.sms) return refuse('sms_unavailable', { field: 'sms' });
    return { ...decided, otp: makeOtp(decided.otpLength) };
  },
  note: ({ rows, proofs }, { command, outcome }, { index }) => {
    (rows[index] as CashoutRow).after = outcome.cashout;
    proofIn(command).forEach(proofs.spend);
  },
  save: (tx, { rows, proofs }, changes, now) => {
    proofs.save(tx, now);
    const hashes = changes.map(({ outcome: { cashout, otp } }) => hashOtp(otpKey.current().key, cashout, otp));
    saveCashouts(
      tx,
      changedRows(rows),
      changes.map(({ command: { proof }, outcome }, index) => ({
        ...outcome.event,
        beside: besideOfPassword(hashes[index] as Buffer, proof),
      })),
    );
    for (const [index, { command, outcome }] of changes.entries()) {
      const { cashout, otp } = outcome;
      tx.send(SET_PASSWORD, [cashout.merchantId, cashout.operationId, hashes[index] as Buffer]);
      if (cashout.sms) messages.write(tx, [otpMessage(command.merchant, cashout, otp, shortPasswordDays)]);
    }
  },
});

const proofIn = ({ merchantId, proof }: Command) => (proof === undefined ? [] : [{ merchantId, proof }]);
