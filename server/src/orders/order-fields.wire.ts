import { formatDayFirst, parseDayFirst } from '../kit/calendar.ts';
import { currencyExponent } from '../kit/money.ts';
import { flag, noControlCharacters, text, textOrNumber, type Field, type PartialFieldValues } from '../kit/fields.ts';
import { isAmountText, isLongAmountText, parseAmountHalfUp, parseWireAmount } from '../kit/money.ts';
import { formatPercent, parsePercent } from '../kit/written/percent.ts';
import { findCountry } from '../merchants/index.ts';
import type { Dialect, RefuseField } from '../requests/index.ts';
import { isOpenAmount } from './dialect/judge-by-merchant.wire.ts';
import type { GivenTerms, OrderTerms } from './order.ts';
import type { RecordedValue } from './order-history.ts';

/**
 * A name without digits at the end: the checksum has no separators, and the country follows the e-mail. Marks that nobody sees are taken,
 * here and in texts: the contract refuses control characters alone, and some scripts need them. What shows a text takes care of them.
 */
const EMAIL = /^(?:[^\s@\p{Cc}]+@[^\s@.\p{Cc}]+(?:\.[^\s@.\p{Cc}]+)*\.[^\s@.\p{Cc}\p{Nd}]+)?$/u;
const PERCENTAGE = /^(?:(?:0*100(?:\.0{1,4})?|0*[0-9]{1,2}(?:\.[0-9]{1,4})?))?$/;
const ANY_TEXT = {
  es: 'un texto sin caracteres de control',
  en: 'a text without control characters',
  pt: 'um texto sem caracteres de controle',
} as const;

export const merchantField = text({
  required: true,
  max: 50,
  pattern: /^[A-Za-z0-9_.-]+$/,
  description: 'The id of the merchant.',
  example: 'demo',
  form: { es: '1 a 50 letras, dígitos o _ . -', en: '1 to 50 letters, digits or _ . -', pt: '1 a 50 letras, dígitos ou _ . -' },
  refusal: 'merchant_invalid',
  refusesAbsence: true,
});
export const checksumField = text({
  required: true,
  max: 512,
  description: 'The SHA-512 checksum of the request, in hexadecimal digits.',
  example:
    'b63653af77d50d07905e0191fdf163b3f0edaf29d6db98011c329be8f0b47a935751fbd499cddc0e47e9fc9bf96b475e13aa917b665220fb4637ec80c90fdcb0',
  form: { es: 'dígitos hexadecimales', en: 'hexadecimal digits', pt: 'dígitos hexadecimais' },
});
/** An order's id: as a JSON value in a body, and as a text in a path. A refund's has the same form. */
export const ORDER_ID = {
  required: true,
  max: 200,
  pattern: /^[A-Za-z0-9_-]+$/,
  example: 'A-1001',
  form: { es: '1 a 200 letras, dígitos, _ o -', en: '1 to 200 letters, digits, _ or -', pt: '1 a 200 letras, dígitos, _ ou -' },
} as const;
export const orderInPath = text({ ...ORDER_ID, description: 'The merchant’s id of the order.' });
/** The reference that an order has: as a JSON value in a body, and as a text in a query. */
export const REFERENCE = {
  required: true,
  max: 25,
  pattern: /^[0-9]+$/,
  example: '900100200',
  form: { es: 'solo dígitos', en: 'digits only', pt: 'somente dígitos' },
} as const;
export const referenceInQuery = text({ ...REFERENCE, description: 'The reference of the order. Part of the checksum.' });
export const currencyField = text({
  required: true,
  max: 3,
  pattern: /^[A-Z]{3}$/,
  check: (code) => currencyExponent(code) !== undefined,
  description: 'The currency, ISO 4217: one of the merchant’s. Part of the checksum.',
  example: 'COP',
  form: { es: 'un código de moneda ISO 4217', en: 'a currency code of ISO 4217', pt: 'um código de moeda ISO 4217' },
  refusal: 'currency_invalid',
});
export const amountField = textOrNumber({
  required: true,
  // Old PHP writes a float with all its digits: 50 of them for 39.3294. The family's dialect rounds them.
  max: 80,
  pattern: /^[0-9]{1,13}(?:\.[0-9]+)?$/,
  description:
    'The amount to pay, a plain decimal with no more decimals than the currency has. Zeros at its end carry no value: `50.000` of COP is fifty, not fifty thousand; a merchant may have such refused (`merchants strict-amounts`). 0 leaves it to the payer, where the merchant may have such orders. Part of the checksum, as sent.',
  example: '45000.0',
  form: {
    es: 'un decimal mayor que cero, de hasta 13 dígitos antes del punto y los decimales de la moneda, sin signo ni exponente',
    en: 'a decimal above zero: up to 13 digits before the point, the decimals of the currency, no sign, no exponent',
    pt: 'um decimal maior que zero, com até 13 dígitos antes do ponto e os decimais da moeda, sem sinal nem expoente',
  },
  refusal: 'amount_invalid',
});
/** A language, as part of an order and of what a network sends. */
export const LANGUAGE = {
  required: false,
  max: 2,
  pattern: /^(?:es|en|pt)?$/,
  example: 'es',
  form: { es: 'es, en o pt', en: 'es, en or pt', pt: 'es, en ou pt' },
} as const;

/** The body of an update and of a creation: contract §3.1. A field that sets a term of the order also shows it in the history. */
export const orderFields = {
  merchant: merchantField,
  email: sets(
    'email',
    text({
      required: true,
      max: 100,
      pattern: EMAIL,
      description:
        'The e-mail address of the customer: one @, a dot in the domain, no spaces, no digits after the last dot. Empty where the merchant may have such orders: no mail is sent. Part of the checksum.',
      example: 'ana@example.com',
      form: {
        es: 'una dirección con una @ y un dominio con punto, sin espacios ni dígitos al final',
        en: 'an address with one @ and a domain with a dot, without spaces, its last part without digits',
        pt: 'um endereço com uma @ e um domínio com ponto, sem espaços nem dígitos no final',
      },
    }),
  ),
  country: sets(
    'country',
    textOrNumber({
      required: true,
      max: 3,
      pattern: /^[0-9]{3}$/,
      check: (code) => findCountry(code) !== undefined,
      description: 'The country, three digits: the merchant’s own. Part of the checksum, as sent.',
      example: '343',
      form: { es: 'tres dígitos de un país admitido', en: 'three digits of a known country', pt: 'três dígitos de um país admitido' },
      refusal: 'country_invalid',
    }),
  ),
  order: textOrNumber({ ...ORDER_ID, description: 'The merchant’s id of the order. Part of the checksum.' }),
  money: sets('currency', currencyField),
  amount: amountField,
  checksum: checksumField,
  reference: sets(
    'reference',
    textOrNumber({
      ...REFERENCE,
      required: false,
      pattern: /^[0-9]*$/,
      description: 'The digits that the customer pays with. Empty leaves them; in a creation the service makes one.',
    }),
    { empty: 'leaves' },
  ),
  description: sets(
    'description',
    text({
      required: false,
      max: 500,
      pattern: noControlCharacters,
      description: 'What is paid for. Empty clears it.',
      example: 'Books',
      form: ANY_TEXT,
    }),
    { empty: 'clears' },
  ),
  method: sets(
    'method',
    text({
      required: false,
      max: 25,
      pattern: noControlCharacters,
      description: 'The payment method. Empty: the customer chooses at the checkout.',
      example: 'EFECTY',
      form: ANY_TEXT,
      refusal: 'method_invalid',
    }),
  ),
  language: sets('language', text({ ...LANGUAGE, description: 'The language of texts and of the checkout page. Empty leaves it.' }), {
    empty: 'leaves',
  }),
  recurrent: sets(
    'recurrent',
    flag({
      required: false,
      description: 'Whether the order stays open after each payment, without an end. Colombia only.',
      example: false,
    }),
  ),
  expiration: sets(
    'expiresOn',
    text({
      required: false,
      max: 10,
      pattern: /^(?:[0-9]{2}\/[0-9]{2}\/[0-9]{4})?$/,
      check: (day) => day === '' || parseDayFirst(day) !== undefined,
      description: 'The last day on which the order can be paid, DD/MM/YYYY. Empty leaves it; in a creation it is 30 days from today.',
      example: '15/12/2026',
      form: { es: 'un día real, DD/MM/AAAA', en: 'a real day, DD/MM/YYYY', pt: 'um dia real, DD/MM/AAAA' },
      refusal: 'expiration_malformed',
    }),
    { empty: 'leaves', read: parseDayFirst, show: (value) => formatDayFirst(Temporal.PlainDate.from(value as string)) },
  ),
  iva: sets(
    'vatRatePpm',
    textOrNumber({
      required: false,
      max: 12,
      pattern: PERCENTAGE,
      description: 'The percentage of VAT, 0 to 100 with up to four decimals. Empty clears it.',
      example: '19',
      form: {
        es: 'un porcentaje de 0 a 100, con hasta 4 decimales',
        en: 'a percentage from 0 to 100, with up to 4 decimals',
        pt: 'uma porcentagem de 0 a 100, com até 4 decimais',
      },
    }),
    { empty: 'clears', read: (text) => parsePercent(text) as number, show: (value) => formatPercent(Number(value)) },
  ),
  user_di: sets(
    'userDocument',
    textOrNumber({
      required: false,
      max: 20,
      pattern: noControlCharacters,
      description: 'The customer’s identity document. Empty clears it.',
      example: '1020304050',
      form: ANY_TEXT,
    }),
    { empty: 'clears' },
  ),
  user_type_di: sets(
    'userDocumentType',
    textOrNumber({
      required: false,
      max: 10,
      pattern: noControlCharacters,
      description: 'The kind of that document. Empty clears it.',
      example: 'CC',
      form: ANY_TEXT,
    }),
    { empty: 'clears' },
  ),
  user_name: sets(
    'userName',
    textOrNumber({
      required: false,
      max: 100,
      pattern: noControlCharacters,
      description: 'The customer’s name. Empty clears it.',
      example: 'Ana',
      form: ANY_TEXT,
    }),
    { empty: 'clears' },
  ),
  redirect_timeout: sets(
    'redirectTimeoutMs',
    textOrNumber({
      required: false,
      max: 7,
      pattern: /^[0-9]*$/,
      description: 'Milliseconds until the checkout leads back to the shop. Empty clears it.',
      example: '300000',
      form: { es: '1 a 7 dígitos (milisegundos)', en: '1 to 7 digits (milliseconds)', pt: '1 a 7 dígitos (milissegundos)' },
    }),
    { empty: 'clears', read: Number },
  ),
};

/** What a field does to its term. Source: contract §2.10, §3.1. */
type Setting = {
  /** What an empty text means: the term becomes null, or stays as it is. Absent: an empty text is a value. */
  readonly empty?: 'clears' | 'leaves';
  /** The term's value; the text itself where absent. */
  readonly read?: (sent: string) => unknown;
  /** The recorded value as a request would send it; the text of the value where absent. */
  readonly show?: (recorded: RecordedValue) => string;
};
type TermField<Value, Required extends boolean> = Field<Value, Required> & { readonly sets: keyof OrderTerms; readonly setting: Setting };

/** Says which term of the order a field sets, and how. */
function sets<Value, Required extends boolean>(
  term: keyof OrderTerms,
  field: Field<Value, Required>,
  setting: Setting = {},
): TermField<Value, Required> {
  return { ...field, sets: term, setting };
}

/** The fields that set a term, with their names on the wire. */
export const TERM_FIELDS = Object.entries<Field>(orderFields).flatMap(([name, field]) =>
  'sets' in field ? [{ name, ...(field as TermField<unknown, boolean>) }] : [],
);

type Sent = PartialFieldValues<typeof orderFields>;

/** What a request says of an order. The signed terms are always given. */
export type SentTerms = GivenTerms & Pick<OrderTerms, 'email' | 'country' | 'currency' | 'amountMinor'>;

/**
 * Judges the amount by its currency, and gives the terms that a request sets; undefined: left as it is. Whether the amount may be open the
 * merchant decides.
 * Refuses: amount_invalid.
 * Source: contract §2.10, §3.1.
 */
export function parseTerms(
  sent: Sent,
  refuse: RefuseField<'amount_invalid'>,
  { amountDecimals }: Pick<Dialect, 'amountDecimals'>,
): SentTerms {
  const given: Record<string, unknown> = {
    amountMinor: isOpenAmount(sent.amount) ? 0n : readAmount(sent.amount, sent.money, refuse, amountDecimals),
  };
  for (const { name, sets: term, setting } of TERM_FIELDS) {
    const value = sent[name as keyof Sent];
    if (value !== undefined) given[term] = value === '' && setting.empty !== undefined ? emptied(setting) : valueOf(value, setting);
  }
  // Where a required field is missing the request is refused, and nobody reads this.
  return given as SentTerms;
}

const emptied = ({ empty }: Setting): null | undefined => (empty === 'clears' ? null : undefined);
const valueOf = (value: string | boolean, { read }: Setting): unknown => (read === undefined ? value : read(value as string));

/** Judges an amount by its currency; without one only the form of the amount is judged. Refuses: amount_invalid. */
export function readAmount(
  amount: string | undefined,
  currency: string | undefined,
  refuse: RefuseField<'amount_invalid'>,
  decimals: Dialect['amountDecimals'] = 'exact',
): bigint | undefined {
  if (amount === undefined) return undefined;
  const [parse, isAmount] = decimals === 'exact' ? [parseWireAmount, isAmountText] : [parseAmountHalfUp, isLongAmountText];
  if (currency === undefined) return isAmount(amount) ? undefined : refuse('amount_invalid', 'amount');
  return parse(amount, currency) ?? refuse('amount_invalid', 'amount');
}
