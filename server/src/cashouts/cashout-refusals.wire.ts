import type { FieldRule, RefusalDetail } from '../kit/outcome.ts';
import type { Language } from '../merchants/index.ts';

/** Every refusal of the merchant's cashout operations, and its code (contract §4.4). */
export const CODES = {
  cashout_unknown: '0001',
  amount_invalid: '0004',
  checksum_invalid: '0009',
  cashout_not_registered: '0014',
  parameter_invalid: '0019',
  currency_not_allowed: '0019',
  cashout_not_pending: '0021',
  merchant_invalid: '0023',
  operation_invalid: '0024',
  limit_invalid: '0026',
  page_invalid: '0028',
  date_malformed: '0036',
  expire_malformed: '0036',
  range_invalid: '0037',
  expire_out_of_range: '0037',
  cashout_exists: '0042',
} as const satisfies Record<string, string>;

export type CashoutRefusal = keyof typeof CODES;

/** What was refused. The codes never change meaning; these texts may improve (contract §2.1). */
const REFUSED: Readonly<Record<Language, Readonly<Record<CashoutRefusal, string>>>> = {
  es: {
    cashout_unknown: 'No hay una operación con estos datos',
    amount_invalid: 'El monto no es válido',
    checksum_invalid: 'El checksum no es válido para este comercio',
    cashout_not_registered: 'La operación no está registrada con estos datos',
    parameter_invalid: 'Falta un parámetro o no es válido',
    currency_not_allowed: 'La moneda no está permitida para este comercio',
    cashout_not_pending: 'La operación no está PENDIENTE',
    merchant_invalid: 'El comercio no es válido',
    operation_invalid: 'El identificador de la operación no es válido',
    limit_invalid: 'El límite debe estar entre 10 y 100',
    page_invalid: 'La página debe estar entre 1 y 9999',
    date_malformed: 'La fecha no es un día válido en la forma YYYYMMDD',
    expire_malformed: 'La fecha expire no es un día válido en la forma YYYY-MM-DD',
    range_invalid: 'La fecha start no puede ser posterior a la fecha end',
    expire_out_of_range: 'La fecha expire debe estar entre hoy y 365 días después',
    cashout_exists: 'Ya existe una operación con este identificador',
  },
  en: {
    cashout_unknown: 'There is no operation with these values',
    amount_invalid: 'The amount is not valid',
    checksum_invalid: 'The checksum is not valid for this merchant',
    cashout_not_registered: 'No operation is registered with these values',
    parameter_invalid: 'A parameter is missing or not valid',
    currency_not_allowed: 'The currency is not allowed for this merchant',
    cashout_not_pending: 'The operation is not PENDIENTE (pending)',
    merchant_invalid: 'The merchant is not valid',
    operation_invalid: 'The operation id is not valid',
    limit_invalid: 'The limit must be between 10 and 100',
    page_invalid: 'The page must be between 1 and 9999',
    date_malformed: 'The date is not a real day in the form YYYYMMDD',
    expire_malformed: 'The date expire is not a real day in the form YYYY-MM-DD',
    range_invalid: 'The date start must not be later than the date end',
    expire_out_of_range: 'The date expire must be between today and 365 days after it',
    cashout_exists: 'An operation with this id already exists',
  },
  pt: {
    cashout_unknown: 'Não há uma operação com estes dados',
    amount_invalid: 'O valor não é válido',
    checksum_invalid: 'O checksum não é válido para este comércio',
    cashout_not_registered: 'A operação não está registrada com estes dados',
    parameter_invalid: 'Falta um parâmetro ou ele não é válido',
    currency_not_allowed: 'A moeda não é permitida para este comércio',
    cashout_not_pending: 'A operação não está PENDIENTE (pendente)',
    merchant_invalid: 'O comércio não é válido',
    operation_invalid: 'O identificador da operação não é válido',
    limit_invalid: 'O limite deve estar entre 10 e 100',
    page_invalid: 'A página deve estar entre 1 e 9999',
    date_malformed: 'A data não é um dia válido na forma YYYYMMDD',
    expire_malformed: 'A data expire não é um dia válido na forma YYYY-MM-DD',
    range_invalid: 'A data start não pode ser posterior à data end',
    expire_out_of_range: 'A data expire deve estar entre hoje e 365 dias depois',
    cashout_exists: 'Já existe uma operação com este identificador',
  },
};

/** Which rule a field broke; `#` stands for the rule's limit. */
const RULES: Readonly<Record<Language, Readonly<Record<FieldRule, string>>>> = {
  es: {
    required: 'es obligatorio',
    type: 'no es del tipo esperado',
    length: 'tiene más de # caracteres',
    shape: 'no tiene la forma esperada',
    range: 'está fuera de los límites',
    unknown: 'no es un parámetro de esta operación',
    repeated: 'está repetido',
  },
  en: {
    required: 'is required',
    type: 'is not of the expected type',
    length: 'has more than # characters',
    shape: 'does not have the expected form',
    range: 'is out of range',
    unknown: 'is not a parameter of this operation',
    repeated: 'is repeated',
  },
  pt: {
    required: 'é obrigatório',
    type: 'não é do tipo esperado',
    length: 'tem mais de # caracteres',
    shape: 'não tem a forma esperada',
    range: 'está fora dos limites',
    unknown: 'não é um parâmetro desta operação',
    repeated: 'está repetido',
  },
};

/** Writes a refusal for a person: what was refused, the field, and the rule it broke. Source: contract §2.1. */
export function refusalText(language: Language, name: CashoutRefusal, { field, rule, limit }: RefusalDetail): string {
  const what = REFUSED[language][name];
  if (field === undefined) return what;
  return rule === undefined ? `${what}: ${field}` : `${what}: ${field} ${RULES[language][rule].replace('#', String(limit))}`;
}

/** Extensions of the OpenAPI document: what the checksum covers, and the refusals in order of precedence. */
export const refusalRules = (checksum: readonly string[], names: readonly CashoutRefusal[]) => ({
  'x-checksum': checksum,
  'x-refusals': names.map((name) => ({ code: CODES[name], meaning: refusalText('en', name, {}) })),
});
