import { flag, noControlCharacters, text, textOrNumber, type Violation } from '../kit/fields.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { CashoutRefusal } from './cashout-refusals.wire.ts';
import { CASHOUT_MERCHANT_ID } from './cashout.wire.ts';

/** Long enough for every amount of contract §2.8 with zeros to spare. */
const MAX_AMOUNT = 32;

/** The fields that say which cashout is meant, and prove who asks; in a body, a path or a query (contract §2.2, §4.3). */
export const KEY_FIELDS = {
  merchant: text({ required: true, max: 30, pattern: CASHOUT_MERCHANT_ID, description: "The merchant's id.", example: 'demo' }),
  operation: textOrNumber({
    required: true,
    max: 40,
    pattern: /^[A-Za-z0-9_-]+$/,
    description: "The merchant's id of the operation, unique per merchant for ever.",
    example: 'W-77',
  }),
  document: textOrNumber({
    required: true,
    max: 20,
    pattern: /^[0-9]+$/,
    description: 'Identification number of the end user.',
    example: '1020304050',
  }),
  checksum: text({
    required: true,
    max: 512,
    pattern: /^[0-9a-fA-F]+$/,
    description: 'SHA-512 in hex over the values of contract §2.2.',
    example: 'b1946ac92492d2347c6235b4d2611184',
  }),
} as const;

/** What a cashout is made of (contract §4.3); an import brings the same (contract §4.1). */
export const CONTENT_FIELDS = {
  amount: textOrNumber({ required: true, max: MAX_AMOUNT, description: 'Plain decimal above zero.', example: '45000.00' }),
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
    description: 'Where the one-time password goes; required when sms is true.',
    example: '3001234567',
  }),
} as const;

export const DEFAULT_OTP_LENGTH = 6;

export const OTP_LENGTH = textOrNumber({
  required: false,
  max: 2,
  pattern: /^([4-9]|1[0-2])?$/,
  description: 'Digits of the one-time password, 4 to 12; 6 where absent.',
  example: 6,
});

/** Refusals that are known before the checksum is compared, in the order of their precedence. */
export type EarlyRefusal = Extract<
  CashoutRefusal,
  'merchant_invalid' | 'parameter_invalid' | 'operation_invalid' | 'amount_invalid' | 'expire_malformed' | 'checksum_invalid'
>;

/** First to last. */
export const PRECEDENCE: readonly EarlyRefusal[] = [
  'merchant_invalid',
  'parameter_invalid',
  'operation_invalid',
  'amount_invalid',
  'expire_malformed',
  'checksum_invalid',
];

/** Picks the refusal to answer with from all that apply; undefined where none does. */
export function firstRefusal(refusals: readonly Refusal<EarlyRefusal>[]): Refusal<EarlyRefusal> | undefined {
  for (const name of PRECEDENCE) {
    const found = refusals.find(({ refusal }) => refusal === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names what a broken field is refused with: those that have a code of their own, the parameter's code for all others. */
export function refusalOf({ field, rule, limit }: Violation): Refusal<EarlyRefusal> {
  return refuse(nameOf(field, rule), limit === undefined ? { field, rule } : { field, rule, limit });
}

function nameOf(field: string, rule: Violation['rule']): EarlyRefusal {
  if (field === 'merchant') return 'merchant_invalid';
  if (field === 'checksum') return 'checksum_invalid';
  if (rule === 'required' || rule === 'type') return 'parameter_invalid';
  if (field === 'operation') return 'operation_invalid';
  return field === 'expire' ? 'expire_malformed' : 'parameter_invalid';
}
