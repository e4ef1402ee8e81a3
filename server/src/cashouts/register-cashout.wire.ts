import { Type } from 'typebox';
import { formatIsoDay, parseIsoDay } from '../kit/calendar.ts';
import { text, type PartialFieldValues } from '../kit/fields.ts';
import { refuse } from '../kit/outcome.ts';
import { currencyExponent, formatAmount, hasLeadingZero, hasNoMoreDecimals, parseWireAmount, parseWireCost } from '../kit/money.ts';
import type { Merchant } from '../merchants/index.ts';
import { KEY_REFUSALS, operation, proofOf, type ParseContext, type RefuseField } from '../requests/index.ts';
import { cashoutAnswer, cashoutEnvelope } from './answers.wire.ts';
import { CONTENT_FIELDS, KEY_FIELDS, OTP_LENGTH_FIELD, readOtpLength } from './cashout-fields.wire.ts';
import {
  CASHOUT_AMOUNT_INVALID,
  CELLPHONE_IMPOSSIBLE,
  CHECKSUM_INVALID,
  CURRENCY_NOT_ALLOWED,
  MERCHANT_INVALID,
  OPERATION_INVALID,
  PARAMETER_INVALID,
  SMS_UNAVAILABLE,
} from './cashout-refusals.wire.ts';
import { cashoutShapes, type CashoutShapes } from './dialect/cashout-shapes.ts';
import { judgeDocument } from './end-users/judge-document.wire.ts';
import { describeEnd } from './cashout.wire.ts';
import type { createRegister, RegisteredCashout, RegisterRequest } from './register-cashout.ts';

type Deps = { readonly registerCashout: ReturnType<typeof createRegister>; readonly shapes: CashoutShapes };

const fields = {
  ...KEY_FIELDS,
  ...CONTENT_FIELDS,
  expire: text({
    required: false,
    max: 10,
    pattern: /^([0-9]{4}-[0-9]{2}-[0-9]{2})?$/,
    check: (day) => day === '' || parseIsoDay(day) !== undefined,
    description: 'The last day on which it can be collected, YYYY-MM-DD, today to 365 days after it; 30 days after today where absent.',
    example: '2026-12-31',
    refusal: 'expire_malformed',
  }),
  otpLength: OTP_LENGTH_FIELD,
};

export const registerCashoutOperation = operation({
  name: 'registerCashout',
  route: 'POST /cashout/v1/operation',
  tag: 'Cashouts',
  summary: 'Register a cashout',
  description:
    'Registers a payout in cash to an end user, who collects it with a one-time password. Takes the amount, and the fee of the merchant, ' +
    'from its fund.',
  section: '§4.3',
  example: 'register-cashout/usual',
  envelope: cashoutEnvelope,
  from: 'body',
  fields,
  keepsAnswersAs: 'register-cashout',
  caller: 'merchant',
  effect: 'writes',
  proof: ['merchant', 'operation', 'amount', 'currency', 'document'],
  refusals: {
    merchant_invalid: MERCHANT_INVALID,
    parameter_invalid: PARAMETER_INVALID,
    operation_invalid: OPERATION_INVALID,
    amount_invalid: CASHOUT_AMOUNT_INVALID,
    expire_malformed: {
      code: '0036',
      text: {
        es: 'La fecha expire no es un día válido en la forma AAAA-MM-DD',
        en: 'The date expire is not a real day in the form YYYY-MM-DD',
        pt: 'A data expire não é um dia válido na forma AAAA-MM-DD',
      },
    },
    checksum_invalid: CHECKSUM_INVALID,
    ...KEY_REFUSALS,
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
  },
  parse: parseContent,
  run: async ({ values: { operation: operationId, checksum, ...sent }, parsed: content, caller, requestId, once }, deps: Deps) => {
    const amounts = [sent.amount, sent.transactionCost ?? '0'];
    if (caller.strictAmounts && !amounts.every((amount) => hasNoMoreDecimals(amount, sent.currency))) return refuse('amount_invalid');
    return deps.registerCashout({ ...content, operationId, proof: proofOf(checksum), merchant: caller, requestId, once });
  },
  answer: (registered, _, { shapes }) =>
    cashoutAnswer({ ...renderRegistered(registered, shapes), ...(registered.cashout.sms ? {} : { otp: registered.otp }) }),
  keptAnswer: (registered, { shapes }) => cashoutAnswer(renderRegistered(registered, shapes)),
  data: (dialect) =>
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
    }),
});

type Content = Omit<RegisterRequest, 'operationId' | 'proof' | 'merchant' | 'requestId'>;

/** Judges the amounts by their currency. An empty text of an optional field counts as absent. Contract §2, §4.3. */
function parseContent(
  sent: PartialFieldValues<typeof fields>,
  refuse: RefuseField<'parameter_invalid' | 'amount_invalid'>,
  context: ParseContext<Deps, Merchant>,
): Content | undefined | Promise<Content | undefined> {
  const content = readContent(sent, refuse, context);
  const judged = judgeDocument(sent, refuse, context, ['merchant', 'operation', 'amount', 'currency', 'document']);
  return judged instanceof Promise ? judged.then(() => content) : content;
}

function readContent(
  sent: PartialFieldValues<typeof fields>,
  refuse: RefuseField<'parameter_invalid' | 'amount_invalid'>,
  { deps: { shapes } }: ParseContext<Deps, Merchant>,
): Content | undefined {
  const { currency, amount, document, sms = false, cellphone = '' } = sent;
  if (currency !== undefined && currencyExponent(currency) === undefined) refuse('parameter_invalid', 'currency', 'unknown');
  const amountMinor = amount === undefined || currency === undefined ? undefined : parseWireAmount(amount, currency);
  if (amount !== undefined && (amountMinor === undefined || hasLeadingZero(amount))) refuse('amount_invalid', 'amount');
  const transactionCostMinor = currency === undefined ? undefined : parseWireCost(sent.transactionCost || '0', currency);
  if (transactionCostMinor === undefined) refuse('parameter_invalid', 'transactionCost');
  if (sms && !/[0-9]/.test(cellphone)) refuse('parameter_invalid', 'cellphone', 'required');
  if (currency === undefined || amountMinor === undefined || transactionCostMinor === undefined || document === undefined) return undefined;
  return {
    amountMinor,
    transactionCostMinor,
    currency,
    description: sent.description ?? '',
    document,
    sms,
    cellphone,
    expiresOn: sent.expire ? shapes.lastDayOf(parseIsoDay(sent.expire) as Temporal.PlainDate) : undefined,
    otpLength: readOtpLength(sent.otpLength) ?? shapes.dialect.passwordDigits,
  };
}

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
