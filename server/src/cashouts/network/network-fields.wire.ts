import { Type, type TSchema } from 'typebox';
import { formatLocal } from '../../kit/calendar.ts';
import { text, textOrNumber } from '../../kit/fields.ts';
import { formatAmount } from '../../kit/money.ts';
import type { Merchant } from '../../merchants/index.ts';
import { NETNAME_PATTERN } from '../../networks/index.ts';
import type { Answer, DeclaredRefusal } from '../../requests/index.ts';
import { cashoutAnswer } from '../answers.wire.ts';
import { KEY_FIELDS } from '../cashout-fields.wire.ts';
import { CHECKSUM_INVALID, PARAMETER_INVALID } from '../cashout-refusals.wire.ts';
import { CASHOUT_STATE_NAMES } from '../cashout.wire.ts';
import type { DecidedPayment } from './collection.ts';

/** What networks send (contract §2.2, §4.3). */
export const NETWORK_FIELDS = {
  netname: text({
    required: true,
    max: 30,
    pattern: new RegExp(NETNAME_PATTERN),
    description: 'The name of the network.',
    example: 'efectivo',
    refusal: 'network_invalid',
    refusesAbsence: true,
  }),
  transaction: textOrNumber({
    required: true,
    max: 40,
    pattern: /^[A-Za-z0-9_.-]+$/,
    description: "The network's id of the payment, unique for the network for ever.",
    example: 'TX-1',
  }),
  /** Eighteen digits: every such number fits a 64-bit integer. */
  idoperation: textOrNumber({
    required: true,
    max: 18,
    pattern: /^[0-9]+$/,
    description: 'The service’s id of the cashout, as the look-up answered it.',
    example: '9001',
  }),
  checksum: KEY_FIELDS.checksum,
} as const;

/** True where a transaction does not begin with a digit. Then it is clear where it begins, and its text is never that of a look-up. */
export const isMarkedOff = ({ transaction }: { readonly transaction?: unknown }): boolean => !/^[0-9]/.test(String(transaction));

/** Codes that a network may leave out: of a point of sale, a teller, a municipality. */
export const networkCode = (description: string, example: string) =>
  textOrNumber({ required: false, max: 40, pattern: /^[\p{L}\p{N} _.:/-]*$/u, description, example });

/** What is wrong with a request of a network, and who sends it. */
export const NETWORK_REFUSALS = {
  network_invalid: {
    code: '0010',
    text: { es: 'La red no es válida', en: 'The network is not valid', pt: 'A rede não é válida' },
  },
  parameter_invalid: PARAMETER_INVALID,
  checksum_invalid: CHECKSUM_INVALID,
} as const satisfies Readonly<Record<string, DeclaredRefusal>>;

/** A payment or its reversal; the date is that of the wall clock at the merchant. */
export const paymentAnswer = ({ payment, cashout, merchant }: DecidedPayment & { readonly merchant: Merchant }): Answer =>
  cashoutAnswer({
    idoperation: payment.cashoutId.toString(),
    transaction: payment.transactionId,
    operation: payment.operationId,
    amount: formatAmount(cashout.amountMinor, cashout.currency),
    currency: cashout.currency,
    document: cashout.document,
    date: formatLocal(payment.reversedAt ?? payment.paidAt, merchant.country.timeZone),
    status: CASHOUT_STATE_NAMES[cashout.state],
  });

/** The data of an answer to a network, all texts: of each its meaning and an example. */
export const textsSchema = (texts: Readonly<Record<string, readonly [description: string, example: string]>>): TSchema =>
  Type.Object(
    Object.fromEntries(
      Object.entries(texts).map(([name, [description, example]]) => [name, Type.String({ description, examples: [example] })]),
    ),
  );

/** What both answers to networks show of a cashout. */
export const CASHOUT_TEXTS = {
  idoperation: ['The service’s id of the cashout.', '9001'],
  operation: ['The merchant’s id of the cashout.', 'W-77'],
  amount: ['What is paid out.', '45000.0'],
  currency: ['ISO 4217.', 'COP'],
  document: ['Identification number of the end user.', '1020304050'],
} as const;

export const collectionSchema = textsSchema({
  ...CASHOUT_TEXTS,
  transaction: ['The network’s id of the payment.', 'TX-1'],
  date: ['When it was paid or reversed, in the merchant’s time zone.', '2026-11-21 10:15:00'],
  status: ['APROBADA, or ANULADA once it is reversed.', 'APROBADA'],
});
