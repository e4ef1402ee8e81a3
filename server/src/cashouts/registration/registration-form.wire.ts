import { Type, type TSchema } from 'typebox';
import { formatIsoDay, parseIsoDay } from '../../kit/calendar.ts';
import { text } from '../../kit/fields.ts';
import { formatAmount } from '../../kit/money.ts';
import type { Answer, DeclaredRefusal, Dialect, RefuseField } from '../../requests/index.ts';
import { cashoutAnswer, cashoutEnvelope } from '../answers.wire.ts';
import { CONTENT_FIELDS, KEY_FIELDS, OTP_LENGTH_FIELD, readOtpLength } from '../cashout-fields.wire.ts';
import {
  CELLPHONE_IMPOSSIBLE,
  CHECKSUM_INVALID,
  CURRENCY_NOT_ALLOWED,
  MERCHANT_INVALID,
  OPERATION_INVALID,
  PARAMETER_INVALID,
  SMS_UNAVAILABLE,
} from '../cashout-refusals.wire.ts';
import { describeEnd } from '../cashout.wire.ts';
import { cashoutShapes, type CashoutShapes } from '../dialect/cashout-shapes.ts';
import { judgeDocument } from '../end-users/judge-document.wire.ts';
import type { RegisteredCashout, RegisterRequest } from '../register-cashout.ts';

// What every registration takes and answers, whatever its amount comes from: contract §3.10, §4.3.

export const EXPIRE_FIELD = text({
  required: false,
  max: 10,
  pattern: /^([0-9]{4}-[0-9]{2}-[0-9]{2})?$/,
  check: (day) => day === '' || parseIsoDay(day) !== undefined,
  description: 'The last day on which it can be collected, YYYY-MM-DD, today to 365 days after it; 30 days after today where absent.',
  example: '2026-12-31',
  refusal: 'expire_malformed',
});

export const EXPIRE_MALFORMED = {
  code: '0036',
  text: {
    es: 'La fecha expire no es un día válido en la forma AAAA-MM-DD',
    en: 'The date expire is not a real day in the form YYYY-MM-DD',
    pt: 'A data expire não é um dia válido na forma AAAA-MM-DD',
  },
} as const satisfies DeclaredRefusal;

/** What a registration that is well-formed and proved may be refused for. */
export const DECIDED_REFUSALS = {
  currency_not_allowed: CURRENCY_NOT_ALLOWED,
  cellphone_impossible: CELLPHONE_IMPOSSIBLE,
  sms_unavailable: SMS_UNAVAILABLE,
  expire_out_of_range: {
    code: '0037',
    text: {
      es: 'La fecha expire debe estar entre hoy y 365 días después',
      en: 'The date expire must be between today and 365 days after it',
      pt: 'A data expire deve estar entre hoje e 365 dias depois',
    },
  },
  cashout_exists: {
    code: '0042',
    text: {
      es: 'Ya existe una operación con este identificador',
      en: 'An operation with this id already exists',
      pt: 'Já existe uma operação com este identificador',
    },
  },
  amount_out_of_limits: {
    code: '0004',
    text: {
      es: 'El monto está fuera de los límites del comercio',
      en: 'The amount is beyond the limits of the merchant',
      pt: 'O valor está fora dos limites do estabelecimento',
    },
  },
  document_limit_reached: {
    code: '0020',
    text: {
      es: 'El documento ya tiene el máximo de operaciones de hoy en este comercio',
      en: 'The document has reached the most operations of a day at this merchant',
      pt: 'O documento já atingiu o máximo de operações de hoje neste estabelecimento',
    },
  },
  fund_too_small: {
    code: '0025',
    text: {
      es: 'El fondo del comercio no alcanza para la operación',
      en: 'The fund of the merchant is too small for the operation',
      pt: 'O fundo do estabelecimento não é suficiente para a operação',
    },
  },
} as const satisfies Readonly<Record<string, DeclaredRefusal>>;

export const registeredSchema = (dialect: Dialect): TSchema =>
  Type.Object({
    amount: Type.String({ examples: ['45000.0'] }),
    transactionCost: Type.String({ description: 'What the end user bears.', examples: ['0.0'] }),
    currency: Type.String({ examples: ['COP'] }),
    description: Type.String({ examples: ['Prize'] }),
    document: Type.String({ examples: ['1020304050'] }),
    operation: Type.String({ description: 'The merchant’s id of the cashout.', examples: ['W-77'] }),
    expire: Type.String({
      description: describeEnd(dialect),
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      examples: ['2026-12-31'],
    }),
    ...cashoutShapes(dialect).codeSchema,
    balance: Type.String({ description: 'What the fund of this currency holds afterwards.', examples: ['955000.0'] }),
    otp: Type.Optional(
      Type.String({
        description: 'The one-time password; only when sms is false. A replay is without it.',
        pattern: '^[0-9]{4,12}$',
        examples: ['048213'],
      }),
    ),
  });

type Handover = Pick<RegisterRequest, 'description' | 'sms' | 'cellphone' | 'expiresOn' | 'otpLength'>;
type SentHandover = { readonly [Name in 'description' | 'cellphone' | 'expire' | 'otpLength']?: string | undefined } & {
  readonly sms?: boolean | undefined;
};

/** Reads how a cashout is handed over. An empty text of an optional field counts as absent. Refuses: parameter_invalid. Contract §2, §4.3. */
export function readHandover(
  { description = '', sms = false, cellphone = '', expire, otpLength }: SentHandover,
  refuse: RefuseField<'parameter_invalid'>,
  { lastDayOf, dialect }: CashoutShapes,
): Handover {
  if (sms && !/[0-9]/.test(cellphone)) refuse('parameter_invalid', 'cellphone', 'required');
  return {
    description,
    sms,
    cellphone,
    expiresOn: expire ? lastDayOf(parseIsoDay(expire) as Temporal.PlainDate) : undefined,
    otpLength: readOtpLength(otpLength) ?? dialect.passwordDigits,
  };
}

/** Where the password goes out by SMS nobody else sees it. */
export const registeredAnswer = (registered: RegisteredCashout, shapes: CashoutShapes): Answer =>
  cashoutAnswer({ ...renderRegistered(registered, shapes), ...(registered.cashout.sms ? {} : { otp: registered.otp }) });
export const keptRegisteredAnswer = (registered: RegisteredCashout, shapes: CashoutShapes): Answer =>
  cashoutAnswer(renderRegistered(registered, shapes));

/** All texts. The one-time password is not among them: it is shown once. */
function renderRegistered({ cashout, balanceMinor }: RegisteredCashout, shapes: CashoutShapes): object {
  return {
    amount: formatAmount(cashout.amountMinor, cashout.currency),
    transactionCost: formatAmount(cashout.transactionCostMinor, cashout.currency),
    currency: cashout.currency,
    description: cashout.description,
    document: cashout.document,
    operation: cashout.operationId,
    expire: formatIsoDay(shapes.shownEnd(cashout.expiresOn)),
    ...shapes.code(cashout),
    balance: formatAmount(balanceMinor, cashout.currency),
  };
}

/** How a registration looks whose amount and currency are known already, for an operation of another room. */
export const registrationForm = {
  envelope: cashoutEnvelope,
  merchant: KEY_FIELDS.merchant,
  fields: {
    operation: KEY_FIELDS.operation,
    document: KEY_FIELDS.document,
    description: CONTENT_FIELDS.description,
    sms: CONTENT_FIELDS.sms,
    cellphone: CONTENT_FIELDS.cellphone,
    expire: EXPIRE_FIELD,
    otpLength: OTP_LENGTH_FIELD,
    checksum: KEY_FIELDS.checksum,
  },
  /** In front of what the operation itself refuses, and behind it. */
  malformed: {
    merchant_invalid: MERCHANT_INVALID,
    parameter_invalid: PARAMETER_INVALID,
    operation_invalid: OPERATION_INVALID,
    expire_malformed: EXPIRE_MALFORMED,
    checksum_invalid: CHECKSUM_INVALID,
  },
  decided: DECIDED_REFUSALS,
  judgeDocument,
  readHandover,
  answer: registeredAnswer,
  keptAnswer: keptRegisteredAnswer,
  data: registeredSchema,
} as const;
