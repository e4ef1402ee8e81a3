import { parseDayFirst } from '../kit/calendar.ts';
import { flag, noControlCharacters, readFields, text, textOrNumber, type PartialFieldValues, type Violation } from '../kit/fields.ts';
import { decodeUtf8, isJsonObject, parseJson } from '../kit/json.ts';
import { currencyExponent, isAmountText, parseAmount } from '../kit/money.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { findLanguage, type Language } from '../kit/language.ts';
import { findCountry } from '../merchants/index.ts';
import { UPDATE_REFUSALS, type CreateOrder, type UpdateRefusal } from './order.ts';

/** A name without digits at the end: with no separators in the checksum, the country that follows begins where the e-mail ends. */
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@.\p{Cc}]+(?:\.[^\s@.\p{Cc}]+)*\.[^\s@.\p{Cc}\p{Nd}]+$/u;
const PERCENTAGE = /^(?:(?:0*100(?:\.0{1,4})?|0*[0-9]{1,2}(?:\.[0-9]{1,4})?))?$/;

/** Ids of orders and merchants as they stand in bodies, paths and queries. */
export const ORDER_ID = { max: 200, pattern: /^[A-Za-z0-9_-]+$/ } as const;
export const merchantField = text({
  required: true,
  max: 50,
  pattern: /^[A-Za-z0-9_.-]+$/,
  description: 'The id of the merchant.',
  example: 'demo',
});
export const checksumField = text({
  required: true,
  max: 512,
  description: 'The SHA-512 checksum of the request, in hexadecimal digits.',
  example:
    'b63653af77d50d07905e0191fdf163b3f0edaf29d6db98011c329be8f0b47a935751fbd499cddc0e47e9fc9bf96b475e13aa917b665220fb4637ec80c90fdcb0',
});

/** The body of an update and of a creation: contract §3.1. */
export const orderFields = {
  merchant: merchantField,
  email: text({
    required: true,
    max: 100,
    pattern: EMAIL,
    description:
      'The e-mail address of the customer: one @, a dot in the domain, no spaces, no digits after the last dot. Part of the checksum.',
    example: 'ana@example.com',
  }),
  country: textOrNumber({
    required: true,
    max: 3,
    pattern: /^[0-9]{3}$/,
    description: 'The country, three digits: the merchant’s own. Part of the checksum, as sent.',
    example: '343',
  }),
  order: textOrNumber({
    required: true,
    ...ORDER_ID,
    description: 'The merchant’s id of the order. Part of the checksum.',
    example: 'A-1001',
  }),
  money: text({
    required: true,
    max: 3,
    pattern: /^[A-Z]{3}$/,
    description: 'The currency, ISO 4217: one of the merchant’s. Part of the checksum.',
    example: 'COP',
  }),
  amount: textOrNumber({
    required: true,
    max: 40,
    pattern: /^[0-9]{1,13}(?:\.[0-9]+)?$/,
    description: 'The amount to pay, a plain decimal with no more decimals than the currency has. Part of the checksum, as sent.',
    example: '45000.0',
  }),
  checksum: checksumField,
  reference: textOrNumber({
    required: false,
    max: 25,
    pattern: /^[0-9]*$/,
    description: 'The digits that the customer pays with. Empty leaves them; in a creation the service makes one.',
    example: '900100200',
  }),
  description: text({
    required: false,
    max: 500,
    pattern: noControlCharacters,
    description: 'What is paid for. Empty clears it.',
    example: 'Books',
  }),
  method: text({
    required: false,
    max: 25,
    pattern: noControlCharacters,
    description: 'The payment method. Empty: the customer chooses at the checkout.',
    example: 'EFECTY',
  }),
  language: text({
    required: false,
    max: 2,
    pattern: /^(?:es|en|pt)?$/,
    description: 'The language of texts and of the checkout page. Empty leaves it.',
    example: 'es',
  }),
  recurrent: flag({
    required: false,
    description: 'Whether the order stays open after each payment, without an end. Colombia only.',
    example: false,
  }),
  expiration: text({
    required: false,
    max: 10,
    pattern: /^(?:[0-9]{2}\/[0-9]{2}\/[0-9]{4})?$/,
    description: 'The last day on which the order can be paid, DD/MM/YYYY. Empty leaves it; in a creation it is 30 days from today.',
    example: '15/12/2026',
  }),
  iva: textOrNumber({
    required: false,
    max: 12,
    pattern: PERCENTAGE,
    description: 'The percentage of VAT, 0 to 100 with up to four decimals. Empty clears it.',
    example: '19',
  }),
  user_di: textOrNumber({
    required: false,
    max: 20,
    pattern: noControlCharacters,
    description: 'The customer’s identity document. Empty clears it.',
    example: '1020304050',
  }),
  user_type_di: textOrNumber({
    required: false,
    max: 10,
    pattern: noControlCharacters,
    description: 'The kind of that document. Empty clears it.',
    example: 'CC',
  }),
  user_name: textOrNumber({
    required: false,
    max: 100,
    pattern: noControlCharacters,
    description: 'The customer’s name. Empty clears it.',
    example: 'Ana',
  }),
  redirect_timeout: textOrNumber({
    required: false,
    max: 7,
    pattern: /^[0-9]*$/,
    description: 'Milliseconds until the checkout leads back to the shop. Empty clears it.',
    example: '300000',
  }),
};

type Fields = typeof orderFields;
type FieldName = keyof Fields;

/** What the merchant asks for, before it is known who asks. */
export type OrderRequest = Pick<CreateOrder, 'merchantId' | 'orderId' | 'given'> & {
  readonly checksum: string;
  /** In checksum order, as sent: contract §2.2. */
  readonly signed: readonly string[];
};
/** In the language that was asked for, where that much was readable. */
export type OrderBody = { readonly language: Language | undefined } & (
  | { readonly request: OrderRequest }
  | { readonly refusal: Refusal<UpdateRefusal> }
);

/** Fields with a code of their own; it is given for every misuse but absence and a wrong JSON type. */
const OWN_REFUSAL: Partial<Record<FieldName, UpdateRefusal>> = {
  amount: 'amount_invalid',
  country: 'country_invalid',
  money: 'currency_invalid',
  method: 'method_invalid',
  expiration: 'expiration_malformed',
};

/**
 * Reads the body of an update or a creation.
 * Refuses: what needs no merchant: content_invalid … expiration_malformed, the first in the order of precedence.
 * Source: contract §2.2, §3.1.
 */
export function readOrderBody(body: Buffer | undefined): OrderBody {
  const decoded = body === undefined ? undefined : decodeUtf8(body);
  if (decoded === undefined) return unreadable('shape');
  const json = parseJson(decoded);
  if (!json.ok) return unreadable(json.fault === 'duplicate_key' ? 'repeated' : 'shape');
  if (!isJsonObject(json.value)) return unreadable('shape');

  const read = readFields(orderFields, json.value);
  const language = findLanguage(read.values.language);
  const refusals = read.ok ? [] : read.violations.map(refusalOf);
  const { values } = read;
  if (values.country !== undefined && findCountry(values.country) === undefined) refusals.push(refuse('country_invalid', shape('country')));
  const isCurrency = values.money !== undefined && currencyExponent(values.money) !== undefined;
  if (values.money !== undefined && !isCurrency) refusals.push(refuse('currency_invalid', shape('money')));
  const amountMinor = values.amount === undefined ? undefined : readAmount(values.amount, isCurrency ? values.money : undefined);
  if (amountMinor === null) refusals.push(refuse('amount_invalid', shape('amount')));
  const expiresOn = values.expiration ? parseDayFirst(values.expiration) : undefined;
  if (values.expiration && expiresOn === undefined) refusals.push(refuse('expiration_malformed', shape('expiration')));
  if (!read.ok || refusals.length > 0) return { language, refusal: firstOf(refusals) };

  const { merchant, email, country, order, money, amount, checksum } = read.values;
  return {
    language,
    request: {
      merchantId: merchant,
      orderId: order,
      checksum,
      signed: [email, country, order, money, amount],
      given: { email, country, currency: money, amountMinor: amountMinor as bigint, ...optionalTerms(values, language), expiresOn },
    },
  };
}

const unreadable = (rule: 'shape' | 'repeated'): OrderBody => ({
  language: undefined,
  refusal: refuse('content_invalid', { field: 'body', rule }),
});

/** Absent is not given. Empty clears, except where a term always has a value: there it leaves what is. contract §2.10, §3.1. */
function optionalTerms(
  values: PartialFieldValues<Fields>,
  language: Language | undefined,
): Omit<CreateOrder['given'], 'email' | 'country' | 'currency' | 'amountMinor' | 'expiresOn'> {
  return {
    reference: values.reference || undefined,
    description: cleared(values.description),
    method: values.method,
    language,
    recurrent: values.recurrent,
    vatRatePpm: values.iva === undefined ? undefined : values.iva === '' ? null : readVatRate(values.iva),
    userDocument: cleared(values.user_di),
    userDocumentType: cleared(values.user_type_di),
    userName: cleared(values.user_name),
    redirectTimeoutMs:
      values.redirect_timeout === undefined ? undefined : values.redirect_timeout === '' ? null : Number(values.redirect_timeout),
  };
}

const cleared = (sent: string | undefined): string | null | undefined => (sent === '' ? null : sent);

/** Null: no amount. The decimals are judged by the currency, where that is one. */
function readAmount(sent: string, currency: string | undefined): bigint | null | undefined {
  if (currency === undefined) return isAmountText(sent) ? undefined : null;
  return parseAmount(sent, currency) ?? null;
}

/** A percentage of up to four decimals is a whole number of millionths. */
function readVatRate(percentage: string): number {
  const [whole = '', decimals = ''] = percentage.split('.');
  return Number(whole + decimals.padEnd(4, '0'));
}

const shape = (field: string) => ({ field, rule: 'shape' }) as const;

function refusalOf({ field, rule, limit }: Violation<FieldName>): Refusal<UpdateRefusal> {
  const detail = limit === undefined ? { field, rule } : { field, rule, limit };
  if (field === 'merchant') return refuse('merchant_invalid', detail);
  return refuse(rule === 'required' || rule === 'type' ? 'content_invalid' : (OWN_REFUSAL[field] ?? 'content_invalid'), detail);
}

/** Of all that is wrong, what stands first in the table of contract §3.1. */
export function firstOf(refusals: readonly Refusal<UpdateRefusal>[]): Refusal<UpdateRefusal> {
  return refusals.reduce((first, one) => (UPDATE_REFUSALS.indexOf(one.refusal) < UPDATE_REFUSALS.indexOf(first.refusal) ? one : first));
}
