import { Type, type TSchema } from 'typebox';
import { readFields, text, textOrNumber, type Declaration, type FieldValues, type Violation } from '../../kit/fields.ts';
import { formatLocal } from '../../kit/calendar.ts';
import { formatAmount } from '../../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { MerchantDirectory } from '../../merchants/index.ts';
import { NETNAME_PATTERN } from '../../networks/index.ts';
import { KEY_FIELDS } from '../cashout-fields.wire.ts';
import { STATE_NAMES } from '../cashout.wire.ts';
import { readObject } from '../read-request.wire.ts';
import type { DecidedPayment } from './collection.ts';

/** What networks send (contract §2.2, §4.3). */
export const NETWORK_FIELDS = {
  netname: text({
    required: true,
    max: 30,
    pattern: new RegExp(NETNAME_PATTERN),
    description: 'The name of the network.',
    example: 'efectivo',
  }),
  transaction: textOrNumber({
    required: true,
    max: 40,
    pattern: /^[A-Za-z0-9_.-]+$/,
    description: "The network's id of the payment, unique for the network for ever.",
    example: 'TX-1',
  }),
  /** Eighteen digits: what a 64-bit integer holds for certain. */
  idoperation: textOrNumber({
    required: true,
    max: 18,
    pattern: /^[0-9]+$/,
    description: 'Our id of the operation, as the look-up answered it.',
    example: '9001',
  }),
  checksum: KEY_FIELDS.checksum,
} as const;

/** Codes that a network may leave out: of a point of sale, a teller, a municipality. */
export const networkCode = (description: string, example: string) =>
  textOrNumber({ required: false, max: 40, pattern: /^[\p{L}\p{N} _.:/-]*$/u, description, example });

/** Refusals that are known before the checksum is compared. */
export type EarlyNetworkRefusal = 'network_invalid' | 'parameter_invalid' | 'checksum_invalid';

/** First to last. */
export const NETWORK_PRECEDENCE: readonly EarlyNetworkRefusal[] = ['network_invalid', 'parameter_invalid', 'checksum_invalid'];

/**
 * Reads a network's request: fields of its path and of its body.
 * Refuses, the first that applies: network_invalid (a netname that no network can have), parameter_invalid (also a body that is no JSON
 * object), checksum_invalid (missing or misshapen).
 * Source: contract §2, §4.3.
 */
export function readNetworkRequest<Fields extends Declaration>(
  fields: Fields,
  path: unknown,
  body: unknown,
): FieldValues<Fields> | Refusal<EarlyNetworkRefusal> {
  const members = readObject(body);
  const read = readFields(fields, new Map([...(isRefusal(members) ? [] : members), ...Object.entries(path as Record<string, string>)]));
  const refusals = read.ok ? [] : read.violations.map(refusalOf);
  const all = isRefusal(members) ? [members, ...refusals] : refusals;
  for (const name of NETWORK_PRECEDENCE) {
    const found = all.find(({ refusal }) => refusal === name);
    if (found !== undefined) return found;
  }
  if (!read.ok) throw new Error('a broken rule was not refused');
  return read.values;
}

function refusalOf({ field, rule, limit }: Violation): Refusal<EarlyNetworkRefusal> {
  const name = field === 'netname' ? 'network_invalid' : field === 'checksum' ? 'checksum_invalid' : 'parameter_invalid';
  return refuse(name, limit === undefined ? { field, rule } : { field, rule, limit });
}

/** The parameters of a path in the OpenAPI document. */
export const netnameParams = Type.Object({ netname: NETWORK_FIELDS.netname.schema });
export const transactionParams = Type.Object({ netname: NETWORK_FIELDS.netname.schema, transaction: NETWORK_FIELDS.transaction.schema });

/** An answer to a network around some texts, none on a refusal. */
export function networkAnswer(texts: Readonly<Record<string, string>>): TSchema {
  const shown = Object.entries(texts).map(([name, example]) => [name, Type.Optional(Type.String({ examples: [example] }))]);
  return Type.Object({
    code: Type.String({ description: 'Result code; 0000 is success.', examples: ['0000'] }),
    text: Type.String({ examples: ['OK'] }),
    data: Type.Object(Object.fromEntries(shown) as Record<string, TSchema>, { description: 'Empty on a refusal.' }),
  });
}

export const paymentAnswer = networkAnswer({
  idoperation: '9001',
  transaction: 'TX-1',
  operation: 'W-77',
  amount: '45000.0',
  currency: 'COP',
  document: '1020304050',
  date: '2026-11-21 10:15:00',
  status: 'APROBADA',
});

/** Renders a payment or its reversal; the date is that of the wall clock at the merchant. */
export async function renderPayment(merchants: Pick<MerchantDirectory, 'find'>, { payment, cashout }: DecidedPayment): Promise<object> {
  const merchant = await merchants.find(payment.merchantId);
  if (merchant === undefined) throw new Error(`a cashout is of no merchant: ${payment.merchantId}`);
  return {
    idoperation: payment.cashoutId.toString(),
    transaction: payment.transactionId,
    operation: payment.operationId,
    amount: formatAmount(cashout.amountMinor, cashout.currency),
    currency: cashout.currency,
    document: cashout.document,
    date: formatLocal(payment.reversedAt ?? payment.paidAt, merchant.country.timeZone),
    status: STATE_NAMES[cashout.state],
  };
}
