import { dayOf, formatCompactDay } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import { flag, noControlCharacters, text, textOrNumber } from '../kit/fields.ts';
import type { Merchant, MerchantDirectory } from '../merchants/index.ts';
import type { ParseContext } from '../requests/index.ts';
import { DOCUMENT } from './end-users/documents.ts';
import { DEFAULT_OTP_LENGTH } from './cashout-changes.ts';

/** Long enough for every amount of contract §2.8 with zeros to spare. */
const MAX_AMOUNT = 32;

/** The fields that name a cashout and prove the caller, in a body, a path or a query (contract §2.2, §4.3). */
export const KEY_FIELDS = {
  merchant: text({
    required: true,
    max: 30,
    pattern: /^[A-Za-z0-9_.-]+$/,
    description: "The merchant's id.",
    example: 'demo',
    refusal: 'merchant_invalid',
    refusesAbsence: true,
  }),
  operation: textOrNumber({
    required: true,
    max: 40,
    pattern: /^[A-Za-z0-9_-]+$/,
    description: "The merchant's id of the cashout, unique per merchant for ever.",
    example: 'W-77',
    refusal: 'operation_invalid',
  }),
  document: textOrNumber({
    required: true,
    max: 20,
    pattern: DOCUMENT,
    digitsOnly: true,
    description: 'Identification number of the end user: digits. Where the merchant has such documents, capital letters beside them.',
    example: '1020304050',
  }),
  checksum: text({
    required: true,
    max: 512,
    pattern: /^[0-9a-fA-F]+$/,
    description: 'The SHA-512 checksum of the request, in hexadecimal digits.',
    example: 'b1946ac92492d2347c6235b4d2611184',
    refusal: 'checksum_invalid',
    refusesAbsence: true,
  }),
} as const;

/** What a cashout is made of (contract §4.3); an import brings the same (contract §4.1). */
export const CONTENT_FIELDS = {
  amount: textOrNumber({
    required: true,
    max: MAX_AMOUNT,
    description: 'Plain decimal above zero. Zeros at its end carry no value: `50.000` of COP is fifty.',
    example: '45000.00',
  }),
  transactionCost: textOrNumber({
    required: false,
    max: MAX_AMOUNT,
    description: 'What the end user bears, a plain decimal; zero where absent.',
    example: '0',
  }),
  currency: text({ required: true, max: 3, pattern: /^[A-Z]{3}$/, description: 'ISO 4217.', example: 'COP' }),
  description: text({ required: false, max: 50, pattern: noControlCharacters, description: 'Shown to the end user.', example: 'Prize' }),
  sms: flag({ required: false, description: 'Whether the one-time password goes to the cellphone; false where absent.', example: false }),
  cellphone: textOrNumber({
    required: false,
    max: 20,
    pattern: /^[0-9+() .-]*$/,
    description:
      'Where the one-time password goes; required when sms is true. Then it is a mobile number of the country of the merchant, as people ' +
      'there write it, or one of any country with `+` or `00` before its calling code.',
    example: '3001234567',
  }),
} as const;

export const OTP_LENGTH_FIELD = textOrNumber({
  required: false,
  max: 2,
  pattern: /^([4-9]|1[0-2])?$/,
  description:
    `Digits of the one-time password, 4 to 12; ${DEFAULT_OTP_LENGTH} where absent. ` +
    'Fewer than 6 open the cashout for one day, unless the service sets another time. Then renew the password.',
  example: 6,
});

/** An empty text counts as absent. */
export const readOtpLength = (sent: string | undefined): number | undefined => (sent ? Number(sent) : undefined);

/** The days of a list: `which` day, and an example. */
export const dayField = (description: string, example: string) =>
  text({ required: false, max: 8, pattern: /^([0-9]{8})?$/, description, example, refusal: 'date_malformed' });

/** The zone of a caller who is not proved: an answer must not show the zone of a merchant. */
export const NOBODYS_ZONE = 'UTC';

type DayDeps = { readonly clock: Clock; readonly merchants: Pick<MerchantDirectory, 'find'> };
type SentDays = { readonly [Name in 'merchant' | 'start' | 'end' | 'checksum']?: string | undefined };

/**
 * Proves the caller of a list before its range is judged, because which day is today depends on the caller.
 * Where a date is absent, the checksum may cover an empty text or the day that is meant. That is today, or the day that a cursor has kept.
 * Under require-writes it covers the day. Without days its text would be that of a balance, which would then open the list.
 * Source: contract §4.1, §7.5.
 */
export async function proveDays(
  { merchant: merchantId, start = '', end = '', checksum }: SentDays,
  kept: { readonly startOn: Temporal.PlainDate; readonly endOn: Temporal.PlainDate } | undefined,
  { deps: { merchants, clock }, prove }: ParseContext<DayDeps, Merchant>,
): Promise<Merchant | undefined> {
  if (merchantId === undefined || checksum === undefined) return undefined;
  // Where both are given one text is enough, and so one checksum to compute.
  if (start !== '' && end !== '') return prove([merchantId, start, end]);
  const known = await merchants.find(merchantId);
  const today = dayOf(clock.now(), known?.country.timeZone ?? NOBODYS_ZONE);
  const meant = [merchantId, start || formatCompactDay(kept?.startOn ?? today), end || formatCompactDay(kept?.endOn ?? today)];
  // Two texts for every caller: the time that the proof takes shows nothing of the merchant.
  return prove(known?.signing === 'require-writes' ? meant : [merchantId, start, end], meant);
}
