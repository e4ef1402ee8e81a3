import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { endOfDay } from '../../kit/calendar.ts';
import type { ServiceKey } from '../../kit/keys/service-keys.ts';
import type { OneTimePasswordSms } from '../../messages/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import type { Cashout, CashoutKey } from '../cashout.ts';

/** Each of the 10^length passwords is as likely as any other; leading zeros belong to it. */
export function makeOtp(length: number): string {
  return randomInt(10 ** length)
    .toString()
    .padStart(length, '0');
}

/** A password has few digits. Only the key, and the cashout that it is bound to, protect it in a stolen table. */
export function hashOtp(otpKey: Buffer, { merchantId, operationId }: CashoutKey, otp: string): Buffer {
  return createHmac('sha256', otpKey).update(`${merchantId}/${operationId}/${otp}`).digest();
}

/** True where a password is that of a cashout, under any valid key. The time does not depend on how much of it fits, or under which. */
export function fitsOtp(otpKey: ServiceKey, cashout: CashoutKey & { readonly otpHash: Buffer }, otp: string): boolean {
  return otpKey
    .valid()
    .map(({ key }) => timingSafeEqual(cashout.otpHash, hashOtp(key, cashout, otp)))
    .includes(true);
}

/** A password with fewer digits is short: fewer tries find it. */
const LEAST_LASTING_DIGITS = 6;

/**
 * Gives the instant at which a short password of a pending cashout ends. Null: this password lasts as long as the cashout.
 * A pending cashout was last changed when its password was made: no other change leaves it pending.
 * Shape: `shortDays` of 24 hours; 0: short passwords last too.
 */
function passwordEnd({ updatedAt }: Pick<Cashout, 'updatedAt'>, otp: string, shortDays: number): Temporal.Instant | null {
  return shortDays === 0 || otp.length >= LEAST_LASTING_DIGITS ? null : updatedAt.add({ hours: 24 * shortDays });
}

/** True where a password has ended before its cashout. */
export function isPasswordOver(cashout: Pick<Cashout, 'updatedAt'>, otp: string, shortDays: number, now: Temporal.Instant): boolean {
  const end = passwordEnd(cashout, otp, shortDays);
  return end !== null && Temporal.Instant.compare(now, end) >= 0;
}

/** The message that takes a password to the end user. A short one has its own end in it. */
export function otpMessage(
  merchant: Pick<Merchant, 'merchantId' | 'name' | 'language' | 'country'>,
  cashout: Cashout,
  otp: string,
  shortDays: number,
): OneTimePasswordSms {
  const { operationId, cellphone, amountMinor, currency, expiresOn, updatedAt } = cashout;
  const end = passwordEnd(cashout, otp, shortDays);
  const isEarlier = end !== null && Temporal.Instant.compare(end, endOfDay(expiresOn, merchant.country.timeZone)) < 0;
  return {
    kind: 'one_time_password',
    merchantId: merchant.merchantId,
    merchantName: merchant.name,
    language: merchant.language,
    country: merchant.country,
    operationId,
    to: cellphone,
    amountMinor,
    currency,
    otp,
    expiresOn,
    endsAt: isEarlier ? end : null,
    at: updatedAt,
  };
}
