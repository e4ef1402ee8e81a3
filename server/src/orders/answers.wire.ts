import { Type, type TSchema } from 'typebox';
import type { Texts } from '../kit/fields.ts';
import type { Fault } from '../kit/http.ts';
import type { Language } from '../kit/language.ts';
import type { RefusalDetail } from '../kit/outcome.ts';
import { underPrefixes, type Answer, type DeclaredRefusal, type Dialect, type Envelope } from '../requests/index.ts';
import { formatAmount } from '../kit/money.ts';
import type { CheckoutLink } from './checkout-token.ts';
import type { Order, OrderState } from './order.ts';

/** The envelope of every fault under the orders' paths: contract §2.1. */
export const renderFault = ({ code, text }: Pick<Fault, 'code' | 'text'>): object => ({ CODE: code, DESC: text, DATA: {} });

/** contract §3.5. */
export const ORDER_STATE_NAMES: Readonly<Record<OrderState, string>> = {
  pending: 'PENDIENTE',
  approved: 'APROBADA',
  expired: 'VENCIDA',
  cancelled: 'CANCELADA',
  voided: 'ANULADA',
};

/** What an answer needs to know beyond the order. */
export type AnswerSettings = {
  readonly dialect: Dialect;
  /** Our order id as members of a JSON object, under the key of each service prefix: contract §1. */
  readonly serviceIdMembers: (serviceOrderId: bigint) => string;
  /** The address of the checkout page as answers show it. */
  readonly checkoutLink: CheckoutLink;
  /** Where that page is: `pay.example`, or with its port. */
  readonly checkoutHost: () => string;
};

/** The success of an operation on one order; `data` is a JSON object as text. */
export const orderAnswer = (version: number, data: string): Answer => ({
  status: 200,
  etag: `"${version}"`,
  body: `{"CODE":"0000","DESC":"OK","DATA":${data}}`,
});

/** The success of an operation whose answer has no version. */
export const okAnswer = (data: object): Answer => ({
  status: 200,
  etag: null,
  body: JSON.stringify({ CODE: '0000', DESC: 'OK', DATA: data }),
});

const EMPTY: TSchema = Type.Object({}, { additionalProperties: false, description: 'Empty on a refusal.' });

/** How the orders' operations wrap their answers: contract §2.1. */
export const orderEnvelope: Envelope = {
  malformed: 'content_invalid',
  language: 'es',
  refusal: (code, text) => ({ CODE: code, DESC: text, DATA: {} }),
  text: refusalText,
  unreadable: ({ source, rule }) => ({ field: source, rule: rule === 'repeated' ? rule : 'shape' }),
  schema: (...data) =>
    Type.Object({
      CODE: Type.String({ pattern: '^[0-9]{4}$', ...withExample('The result: 0000 is success, anything else a refusal.', '0000') }),
      DESC: Type.String(withExample('OK, or what is wrong: the field and the rule.', 'OK')),
      DATA: data.length === 0 ? EMPTY : Type.Union([...data, EMPTY]),
    }),
};

/** A description with an example, for the OpenAPI document. */
export const withExample = (description: string, example: unknown) => ({ description, examples: [example] });

/** The data of most answers, for the OpenAPI document. */
export const orderIdSchema: TSchema = Type.String(withExample('The merchant’s id of the order.', 'A-1001'));
export const amountSchema: TSchema = Type.String({ pattern: '^[0-9]+\\.[0-9]+$', ...withExample('The amount.', '45000.0') });
export const referenceSchema: TSchema = Type.String({
  pattern: '^[0-9]{1,25}$',
  ...withExample('The digits that the customer pays with.', '900100200'),
});
export const serviceOrderIdSchema: TSchema = Type.String({ pattern: '^[0-9]+$', ...withExample('The service’s id of the order.', '1') });
export const checkoutSchema: TSchema = Type.String(
  withExample('The address at which the customer pays.', 'https://pay.example/checkout?token=eyJhbGciOiJIUzI1NiJ9.e30.AA'),
);

const ANY_TEXT: Texts = {
  es: 'un texto sin caracteres de control',
  en: 'a text without control characters',
  pt: 'um texto sem caracteres de controle',
};

/** The text of a refusal: its own words, or for a broken rule the form that the field must have. */
function refusalText({ text }: DeclaredRefusal, detail: RefusalDetail, form: Texts = ANY_TEXT, language: Language): string {
  return text !== undefined && detail.rule === undefined ? text[language] : FIELD_TEXTS[language](detail, form[language]);
}

/** A source with a name twice. A header that was sent before only breaks its form. */
const isSource = (field: string | undefined): boolean => field === 'body' || field === 'query';

type FieldText = (detail: RefusalDetail, form: string) => string;

const FIELD_TEXTS: Readonly<Record<Language, FieldText>> = {
  es: ({ field, rule, limit }, form) => {
    if (rule === 'frozen') return `${field} está congelado por el operador: por ahora solo puede consultar`;
    if (rule === 'required') return `Falta ${field}: ${form}`;
    if (rule === 'type') return `${field} tiene un tipo JSON que no corresponde`;
    if (rule === 'length') return `${field} es demasiado largo: ${limit} caracteres como máximo`;
    if (rule === 'unknown') return `${field} no es un parámetro de esta operación`;
    if (rule === 'repeated' && isSource(field)) return `${field} contiene un nombre repetido: cada uno se envía una sola vez`;
    if (rule === 'repeated') return `${field} ya fue usado en otra solicitud: ${form}`;
    return `${field} no es válido: ${form}`;
  },
  en: ({ field, rule, limit }, form) => {
    if (rule === 'frozen') return `${field} is frozen by the operator: it can only read for now`;
    if (rule === 'required') return `${field} is missing: ${form}`;
    if (rule === 'type') return `${field} has the wrong JSON type`;
    if (rule === 'length') return `${field} is too long: ${limit} characters at most`;
    if (rule === 'unknown') return `${field} is not a parameter of this operation`;
    if (rule === 'repeated' && isSource(field)) return `${field} holds a name twice: each is sent once`;
    if (rule === 'repeated') return `${field} was used in another request already: ${form}`;
    return `${field} is not valid: ${form}`;
  },
  pt: ({ field, rule, limit }, form) => {
    if (rule === 'frozen') return `${field} está congelado pelo operador: por enquanto só pode consultar`;
    if (rule === 'required') return `Falta ${field}: ${form}`;
    if (rule === 'type') return `${field} tem um tipo JSON incorreto`;
    if (rule === 'length') return `${field} é longo demais: no máximo ${limit} caracteres`;
    if (rule === 'unknown') return `${field} não é um parâmetro desta operação`;
    if (rule === 'repeated' && isSource(field)) return `${field} contém um nome repetido: cada um é enviado uma só vez`;
    if (rule === 'repeated') return `${field} já foi usado em outra solicitação: ${form}`;
    return `${field} não é válido: ${form}`;
  },
};

/** Makes `serviceIdMembers`. Its texts are made once: an update needs one. */
export function serviceIdMembersOf({ servicePrefixes }: Dialect): AnswerSettings['serviceIdMembers'] {
  const starts = servicePrefixes.map((prefix) => `"${prefix}ordenID":"`);
  const [only] = starts;
  return starts.length === 1 ? (id) => `${only}${id}"` : (id) => starts.map((start) => `${start}${id}"`).join(',');
}

type SavedOperation = 'ACTUALIZADO' | 'CREADA';

/**
 * Renders the data of the answer to an update and to a creation, as JSON. Only the address needs escaping: all else is letters, digits and
 * signs that JSON takes as they are.
 * Source: contract §3.1, §3.2.
 */
export function renderSaved(order: Order, operation: SavedOperation, { serviceIdMembers, checkoutLink }: AnswerSettings): string {
  const { orderId, serviceOrderId, reference, amountMinor, currency } = order;
  return (
    `{"OrdenID":"${orderId}","Monto":"${formatAmount(amountMinor, currency)}",${serviceIdMembers(serviceOrderId)},` +
    `"Referencia":"${reference}","Operacion":"${operation}","checkout":${JSON.stringify(checkoutLink(order))}}`
  );
}

/** The same data in the OpenAPI document. */
export const savedSchema = (dialect: Dialect, operation: SavedOperation): TSchema =>
  Type.Object({
    OrdenID: orderIdSchema,
    Monto: amountSchema,
    ...underPrefixes(dialect, 'ordenID', serviceOrderIdSchema),
    Referencia: referenceSchema,
    Operacion: Type.Literal(operation),
    checkout: checkoutSchema,
  });
