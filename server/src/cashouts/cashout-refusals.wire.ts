import type { DeclaredRefusal } from '../requests/index.ts';

// The refusals that several operations on cashouts share: contract §4.4. Each operation lists its own in order of precedence.
// The codes never change meaning; the texts may improve (contract §2.1).

export const MERCHANT_INVALID = {
  code: '0023',
  text: {
    es: 'El comercio no es válido',
    en: 'The merchant is not valid',
    pt: 'O estabelecimento não é válido',
  },
} as const satisfies DeclaredRefusal;
export const PARAMETER_INVALID = {
  code: '0019',
  text: {
    es: 'Falta un parámetro o no es válido',
    en: 'A parameter is missing or not valid',
    pt: 'Falta um parâmetro ou ele não é válido',
  },
} as const satisfies DeclaredRefusal;
export const OPERATION_INVALID = {
  code: '0024',
  text: {
    es: 'El identificador de la operación no es válido',
    en: 'The operation id is not valid',
    pt: 'O identificador da operação não é válido',
  },
} as const satisfies DeclaredRefusal;
export const CASHOUT_AMOUNT_INVALID = {
  code: '0004',
  text: {
    es: 'El monto no es válido',
    en: 'The amount is not valid',
    pt: 'O valor não é válido',
  },
} as const satisfies DeclaredRefusal;
export const CURRENCY_NOT_ALLOWED = {
  code: '0019',
  text: {
    es: 'La moneda no está permitida para este comercio',
    en: 'The currency is not allowed for this merchant',
    pt: 'A moeda não é permitida para este estabelecimento',
  },
} as const satisfies DeclaredRefusal;
export const CELLPHONE_IMPOSSIBLE = {
  code: '0019',
  text: {
    es: 'Ningún SMS puede llegar a este celular',
    en: 'Not a mobile number',
    pt: 'Nenhum SMS pode chegar a este celular',
  },
} as const satisfies DeclaredRefusal;
export const CHECKSUM_INVALID = {
  code: '0009',
  text: {
    es: 'El checksum no corresponde a los valores enviados',
    en: 'The checksum does not match the values sent',
    pt: 'O checksum não corresponde aos valores enviados',
  },
} as const satisfies DeclaredRefusal;
export const DATE_MALFORMED = {
  code: '0036',
  text: {
    es: 'La fecha no es un día válido en la forma AAAAMMDD',
    en: 'The date is not a real day in the form YYYYMMDD',
    pt: 'A data não é um dia válido na forma AAAAMMDD',
  },
} as const satisfies DeclaredRefusal;
export const RANGE_INVALID = {
  code: '0037',
  text: {
    es: 'La fecha start no puede ser posterior a la fecha end',
    en: 'The date start must not be later than the date end',
    pt: 'A data start não pode ser posterior à data end',
  },
} as const satisfies DeclaredRefusal;
export const PAGE_INVALID = {
  code: '0028',
  text: {
    es: 'La página debe estar entre 1 y 9999',
    en: 'The page must be between 1 and 9999',
    pt: 'A página deve estar entre 1 e 9999',
  },
} as const satisfies DeclaredRefusal;
export const LIMIT_INVALID = {
  code: '0026',
  text: {
    es: 'El límite debe estar entre 10 y 100',
    en: 'The limit must be between 10 and 100',
    pt: 'O limite deve estar entre 10 e 100',
  },
} as const satisfies DeclaredRefusal;
export const NOT_REGISTERED = {
  code: '0014',
  text: {
    es: 'La operación no está registrada con estos datos',
    en: 'No operation is registered with these values',
    pt: 'A operação não está registrada com estes dados',
  },
} as const satisfies DeclaredRefusal;
export const NOT_PENDING = {
  code: '0021',
  text: {
    es: 'La operación no está PENDIENTE',
    en: 'The operation is not PENDIENTE (pending)',
    pt: 'A operação não está PENDIENTE (pendente)',
  },
} as const satisfies DeclaredRefusal;
export const LOCKED = {
  code: '0013',
  text: {
    es: 'La operación está reservada por una red; intente de nuevo en unos minutos',
    en: 'The operation is held by a network; try again in a few minutes',
    pt: 'A operação está reservada por uma rede; tente de novo em alguns minutos',
  },
} as const satisfies DeclaredRefusal;
export const SMS_UNAVAILABLE = {
  code: '0020',
  text: {
    es: 'Este servicio no envía SMS; registre la operación con sms en false',
    en: 'This service sends no SMS; register the operation with sms false',
    pt: 'Este serviço não envia SMS; registre a operação com sms false',
  },
} as const satisfies DeclaredRefusal;

/** What is wrong with a request about one cashout in the path, and who sends it: contract §4.3. */
export const FIND_REFUSALS = {
  merchant_invalid: MERCHANT_INVALID,
  parameter_invalid: PARAMETER_INVALID,
  operation_invalid: OPERATION_INVALID,
  checksum_invalid: CHECKSUM_INVALID,
} as const satisfies Readonly<Record<string, DeclaredRefusal>>;

/** The network is not one for this cashout. */
export const CASHOUT_NOT_SERVED = {
  code: '0010',
  text: {
    es: 'La red no atiende el país y la moneda de la operación',
    en: 'The network does not serve the country and currency of the operation',
    pt: 'A rede não atende o país e a moeda da operação',
  },
} as const satisfies DeclaredRefusal;

/** Why a cashout cannot change. */
export const CHANGE_REFUSALS = {
  cashout_not_registered: NOT_REGISTERED,
  cashout_not_pending: NOT_PENDING,
  cashout_locked: LOCKED,
} as const satisfies Readonly<Record<string, DeclaredRefusal>>;
