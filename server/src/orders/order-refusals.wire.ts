import type { DeclaredRefusal } from '../requests/index.ts';

// The refusals that several operations on orders share: contract §3.1. Each operation lists its own in order of precedence.

const CONTENT_INVALID = {
  code: '0011',
  meaning:
    'The body is not a JSON object in UTF-8, or the query is malformed, or a name is in it twice. Or a required field is missing, or a field has a wrong type, is too long or malformed.',
} as const satisfies DeclaredRefusal;
const MERCHANT_INVALID = { code: '0017', meaning: '`merchant` is missing or malformed.' } as const satisfies DeclaredRefusal;
export const AMOUNT_INVALID = {
  code: '0021',
  meaning: '`amount` is not a plain decimal above zero with the decimals of its currency.',
} as const satisfies DeclaredRefusal;
export const CURRENCY_INVALID = { code: '0023', meaning: '`money` is not an ISO 4217 currency.' } as const satisfies DeclaredRefusal;
const CHECKSUM_INVALID = {
  code: '0025',
  text: {
    es: 'El comercio no existe o checksum no corresponde a los valores enviados',
    en: 'The merchant does not exist, or checksum does not match the values sent',
    pt: 'O estabelecimento não existe ou checksum não corresponde aos valores enviados',
  },
} as const satisfies DeclaredRefusal;

/** What is wrong with the body of an update or a creation, and who sends it. */
export const BODY_REFUSALS = {
  content_invalid: CONTENT_INVALID,
  merchant_invalid: MERCHANT_INVALID,
  amount_invalid: AMOUNT_INVALID,
  country_invalid: { code: '0022', meaning: '`country` is not three digits of a known country.' },
  currency_invalid: CURRENCY_INVALID,
  method_invalid: { code: '0027', meaning: '`method` is too long or malformed.' },
  expiration_malformed: { code: '0031', meaning: '`expiration` is not a real day, DD/MM/YYYY.' },
  checksum_invalid: CHECKSUM_INVALID,
} as const satisfies Readonly<Record<string, DeclaredRefusal>>;

export const COUNTRY_NOT_ALLOWED = {
  code: '0022',
  text: {
    es: 'country no es el país del comercio',
    en: 'country is not the merchant’s own',
    pt: 'country não é o país do estabelecimento',
  },
} as const satisfies DeclaredRefusal;
export const ORDER_NOT_OPEN = {
  code: '0041',
  text: {
    es: 'La orden no existe o no está pendiente: solo una orden PENDIENTE puede cambiar',
    en: 'The order does not exist or is not pending: only a PENDIENTE order can change',
    pt: 'O pedido não existe ou não está pendente: somente um pedido PENDIENTE pode mudar',
  },
} as const satisfies DeclaredRefusal;
export const VERSION_MISMATCH = {
  code: '0910',
  status: 412,
  text: {
    es: 'La orden cambió: If-Match no contiene su versión actual',
    en: 'The order has changed: If-Match does not hold its current version',
    pt: 'A ordem mudou: If-Match não contém a versão atual',
  },
} as const satisfies DeclaredRefusal;

/** For merchants with the replay guard: contract §7.1. */
export const TERMS_REPEATED = {
  code: '0911',
  text: {
    es: 'La orden tiene o tuvo ya esos valores de email, country, money y amount: envíe If-Match con su versión',
    en: 'The order has or had these values of email, country, money and amount already: send If-Match with its version',
    pt: 'A ordem já tem ou teve esses valores de email, country, money e amount: envie If-Match com a sua versão',
  },
} as const satisfies DeclaredRefusal;

const ID_AMBIGUOUS_TEXT = {
  es: 'order y un pago de una orden recurrente tendrían un mismo id: el de ella, _ y un número',
  en: 'order and a payment of a recurrent order would have one id: its own, _ and a number',
  pt: 'order e um pagamento de um pedido recorrente teriam um mesmo id: o dele, _ e um número',
};
/** A creation answers 0042, an update that makes its order recurrent 0020: contract §3.5. */
export const idAmbiguous = (code: '0020' | '0042') => ({ code, text: ID_AMBIGUOUS_TEXT }) as const satisfies DeclaredRefusal;

/** What a merchant may not set, and what another order holds. */
export const TERM_REFUSALS = {
  currency_not_allowed: {
    code: '0026',
    text: {
      es: 'money no está permitida para el comercio',
      en: 'money is not allowed for the merchant',
      pt: 'money não é permitida para o estabelecimento',
    },
  },
  recurrent_not_allowed: {
    code: '0020',
    text: {
      es: 'recurrent solo se admite en Colombia',
      en: 'recurrent is for Colombia only',
      pt: 'recurrent é admitido somente na Colômbia',
    },
  },
  expiration_out_of_range: {
    code: '0032',
    text: {
      es: 'expiration está fuera de rango: demasiado lejos de hoy, o antes del registro de la orden',
      en: 'expiration is out of range: too far from today, or before the order was registered',
      pt: 'expiration está fora do intervalo: longe demais de hoje, ou antes do registro do pedido',
    },
    meaning:
      'expiration is out of range: more than 30 days after today (as this service is set up, some days more), or before the order was registered.',
  },
  reference_taken: {
    code: '0043',
    text: {
      es: 'reference la tiene otra orden abierta, o la tuvo una orden de otro comercio',
      en: 'reference belongs to another open order, or belonged to an order of another merchant',
      pt: 'reference pertence a outro pedido aberto, ou pertenceu a um pedido de outro estabelecimento',
    },
  },
} as const satisfies Readonly<Record<string, DeclaredRefusal>>;

const NOT_FOUND_TEXT = { es: 'No hay una orden con ese order', en: 'There is no order of that id', pt: 'Não há ordem com esse order' };
/** A query answers 0001, a cancellation 0018: contract §3.3, §3.4. */
export const orderNotFound = (code: '0001' | '0018') => ({ code, text: NOT_FOUND_TEXT }) as const satisfies DeclaredRefusal;

/** What is wrong with the parameters of a request about one order, and who sends it: contract §3.3. */
export const PARAMETER_REFUSALS = {
  content_invalid: CONTENT_INVALID,
  merchant_invalid: MERCHANT_INVALID,
  checksum_invalid: CHECKSUM_INVALID,
} as const satisfies Readonly<Record<string, DeclaredRefusal>>;
