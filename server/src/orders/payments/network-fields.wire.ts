import { readFields, text, textOrNumber, type Declaration, type FieldsRead, type FieldValues, type Violation } from '../../kit/fields.ts';
import type { HttpRequest } from '../../kit/http.ts';
import { decodeUtf8, isJsonObject, parseJson, type JsonObject } from '../../kit/json.ts';
import { currencyExponent, parseAmount } from '../../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { findLanguage, type Language } from '../../kit/language.ts';
import { NETNAME_PATTERN } from '../../networks/index.ts';
import { checksumField, orderFields } from '../order-fields.wire.ts';
import type { Money } from './payment.ts';

/** What is found wrong before it is known who asks, in order of precedence: contract §3.8. */
const EARLY_REFUSALS = ['content_invalid', 'network_invalid', 'amount_invalid', 'currency_invalid'] as const;
export type EarlyRefusal = (typeof EARLY_REFUSALS)[number];

const netname = text({
  required: true,
  max: 30,
  pattern: new RegExp(NETNAME_PATTERN),
  description: 'The network. Part of the checksum.',
  example: 'sandbox',
});
const transaction = textOrNumber({
  required: true,
  max: 64,
  pattern: /^[A-Za-z0-9_.-]+$/,
  description: 'The network’s own id of the payment, never used for another one. Part of the checksum.',
  example: 'T-4711',
});
/** Eighteen digits: our ids come from a sequence that never gets so far, and every one of them fits PostgreSQL's bigint. */
const idorder = textOrNumber({
  required: true,
  max: 18,
  pattern: /^[1-9][0-9]*$/,
  description: 'The service’s id of the order, as the look-up gave it. Part of the checksum.',
  example: '1',
});
const { language } = orderFields;

export const lookUpPath = { netname };
export const lookUpFields = {
  reference: textOrNumber({
    required: true,
    max: 25,
    pattern: /^[0-9]+$/,
    description: 'The digits that the payer shows. Part of the checksum.',
    example: '900100200',
  }),
  checksum: checksumField,
  language,
};
export const payFields = {
  transaction,
  amount: orderFields.amount,
  money: orderFields.money,
  idorder,
  checksum: checksumField,
  language,
};
export const reversePath = { netname, transaction };
export const reverseFields = { idorder, checksum: checksumField, language };

/** What a network sent, in the language that it asked for where that much was readable. */
export type Sent<Values> = { readonly language: Language | undefined } & (
  | { readonly values: Values }
  | { readonly refusal: Refusal<EarlyRefusal> }
);

/** The look-up of an order by its reference. Refuses: content_invalid, network_invalid. Source: contract §3.7. */
export const readLookUp = (request: HttpRequest) => readSent(request, lookUpPath, lookUpFields);

/** The reversal of a payment. Refuses: content_invalid, network_invalid. Source: contract §3.9. */
export const readReversal = (request: HttpRequest) => readSent(request, reversePath, reverseFields);

/** A payment. Refuses: content_invalid, network_invalid, amount_invalid, currency_invalid — the first that applies. Source: contract §3.8. */
export function readPayment(
  request: HttpRequest,
): Sent<FieldValues<typeof lookUpPath> & FieldValues<typeof payFields> & { readonly shown: Money }> {
  const sent = readSent(request, lookUpPath, payFields, (body) => {
    const { money: currency, amount } = body.values;
    const isCurrency = currency !== undefined && currencyExponent(currency) !== undefined;
    const isAmount = amount === undefined || !isCurrency || parseAmount(amount, currency) !== undefined;
    return [
      ...(isAmount ? [] : [refuse('amount_invalid', { field: 'amount', rule: 'shape' } as const)]),
      ...(currency === undefined || isCurrency ? [] : [refuse('currency_invalid', { field: 'money', rule: 'shape' } as const)]),
    ];
  });
  if ('refusal' in sent) return sent;
  const { amount, money: currency } = sent.values;
  return { ...sent, values: { ...sent.values, shown: { amountMinor: parseAmount(amount, currency) as bigint, currency } } };
}

function readSent<Path extends Declaration, Body extends Declaration>(
  request: HttpRequest,
  pathFields: Path,
  bodyFields: Body,
  judge: (body: FieldsRead<Body>) => readonly Refusal<EarlyRefusal>[] = () => [],
): Sent<FieldValues<Path> & FieldValues<Body>> {
  const object = readObject(request.body);
  if (isRefusal(object)) return { language: undefined, refusal: object };
  const path = readFields(pathFields, new Map(Object.entries(request.params as Record<string, string>)));
  const body = readFields(bodyFields, object);
  const language = findLanguage(body.values['language']);
  const refusals = [...(path.ok ? [] : path.violations.map(refusalOf)), ...(body.ok ? [] : body.violations.map(refusalOf)), ...judge(body)];
  if (path.ok && body.ok && refusals.length === 0) return { language, values: { ...path.values, ...body.values } };
  return { language, refusal: firstOf(refusals) };
}

function readObject(body: unknown): JsonObject | Refusal<'content_invalid'> {
  const decoded = Buffer.isBuffer(body) ? decodeUtf8(body) : undefined;
  const json = decoded === undefined ? undefined : parseJson(decoded);
  if (json?.ok && isJsonObject(json.value)) return json.value;
  const isRepeated = json?.ok === false && json.fault === 'duplicate_key';
  return refuse('content_invalid', { field: 'body', rule: isRepeated ? 'repeated' : 'shape' });
}

const OWN_REFUSAL: Readonly<Record<string, EarlyRefusal>> = { amount: 'amount_invalid', money: 'currency_invalid' };

/** As in the operations of merchants: a code of its own is given for every misuse but absence and a wrong JSON type. */
function refusalOf({ field, rule, limit }: Violation): Refusal<EarlyRefusal> {
  const detail = limit === undefined ? { field, rule } : { field, rule, limit };
  if (field === 'netname') return refuse('network_invalid', detail);
  return refuse(rule === 'required' || rule === 'type' ? 'content_invalid' : (OWN_REFUSAL[field] ?? 'content_invalid'), detail);
}

const firstOf = (refusals: readonly Refusal<EarlyRefusal>[]): Refusal<EarlyRefusal> =>
  refusals.toSorted(
    (one, other) => EARLY_REFUSALS.indexOf(one.refusal) - EARLY_REFUSALS.indexOf(other.refusal),
  )[0] as Refusal<EarlyRefusal>;
