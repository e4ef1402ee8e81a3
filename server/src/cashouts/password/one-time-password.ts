import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
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

/** The message that takes a password to the end user. */
export function otpMessage(
  merchant: Pick<Merchant, 'merchantId' | 'name' | 'language' | 'country'>,
  { operationId, cellphone, amountMinor, currency, expiresOn, updatedAt }: Cashout,
  otp: string,
): OneTimePasswordSms {
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
    at: updatedAt,
  };
}
