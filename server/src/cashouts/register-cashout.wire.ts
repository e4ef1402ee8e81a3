import { Type } from 'typebox';
import { formatIsoDay, parseIsoDay } from '../kit/calendar.ts';
import { readFields, text, toSchema } from '../kit/fields.ts';
import { sendJson, type HttpServer } from '../kit/http.ts';
import { currencyExponent, formatAmount, parseAmount, parseCost } from '../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import {
  CONTENT_FIELDS,
  DEFAULT_OTP_LENGTH,
  firstRefusal,
  KEY_FIELDS,
  OTP_LENGTH,
  PRECEDENCE,
  refusalOf,
  type EarlyRefusal,
} from './cashout-fields.wire.ts';
import { refusalRules } from './cashout-refusals.wire.ts';
import { languageField, readIdempotencyKey, type Answer, type KeyRefusal } from '../requests/index.ts';
import { refusalAnswer, renderRefusal, successAnswer } from './cashout.wire.ts';
import type { CashoutDeps } from './cashout-deps.ts';
import { createRegister, type RegisteredCashout, type RegisterOutcome, type RegisterRequest } from './register-cashout.ts';
import { languageOf, readObject } from './read-request.wire.ts';

const fields = {
  ...KEY_FIELDS,
  ...CONTENT_FIELDS,
  expire: text({
    required: false,
    max: 10,
    pattern: /^([0-9]{4}-[0-9]{2}-[0-9]{2})?$/,
    description: 'The last day on which it can be collected, YYYY-MM-DD, today to 365 days after it; 30 days after today where absent.',
    example: '2026-12-31',
  }),
  otpLength: OTP_LENGTH,
};

type Command = {
  readonly merchantId: string;
  readonly checksum: string;
  /** The values of the checksum, as sent: merchant, operation, amount, currency, document (contract §2.2). */
  readonly signed: readonly string[];
  readonly request: Omit<RegisterRequest, 'merchant' | 'requestId'>;
};

/**
 * Reads the body of a registration.
 * Refuses, the first that applies: parameter_invalid (not a JSON object), merchant_invalid, parameter_invalid, operation_invalid,
 * amount_invalid, expire_malformed, checksum_invalid (missing or misshapen). An empty text stands for "not given" in optional fields.
 * Source: contract §2, §4.3.
 */
export function parseRegister(body: unknown): Command | Refusal<EarlyRefusal> {
  const object = readObject(body);
  if (isRefusal(object)) return object;
  const read = readFields(fields, object);
  const { values } = read;
  const refusals = read.ok ? [] : read.violations.map(refusalOf);
  const { currency } = values;
  if (currency !== undefined && currencyExponent(currency) === undefined) {
    refusals.push(refuse('parameter_invalid', { field: 'currency', rule: 'unknown' }));
  }
  const amountMinor = values.amount === undefined || currency === undefined ? undefined : parseAmount(values.amount, currency);
  if (values.amount !== undefined && amountMinor === undefined) refusals.push(refuse('amount_invalid', { field: 'amount', rule: 'shape' }));
  const transactionCostMinor = currency === undefined ? undefined : parseCost(values.transactionCost || '0', currency);
  if (transactionCostMinor === undefined) refusals.push(refuse('parameter_invalid', { field: 'transactionCost', rule: 'shape' }));
  if (values.sms === true && !/[0-9]/.test(values.cellphone ?? '')) {
    refusals.push(refuse('parameter_invalid', { field: 'cellphone', rule: 'required' }));
  }
  const expiresOn = values.expire ? parseIsoDay(values.expire) : undefined;
  if (values.expire && expiresOn === undefined) refusals.push(refuse('expire_malformed', { field: 'expire', rule: 'shape' }));

  const first = firstRefusal(refusals);
  if (first !== undefined) return first;
  if (!read.ok || amountMinor === undefined || transactionCostMinor === undefined) throw new Error('a broken rule was not refused');
  const { merchant, operation, amount, document, checksum, description, sms, cellphone, otpLength } = read.values;
  return {
    merchantId: merchant,
    checksum,
    signed: [merchant, operation, amount, read.values.currency, document],
    request: {
      operationId: operation,
      amountMinor,
      transactionCostMinor,
      currency: read.values.currency,
      description: description ?? '',
      document,
      sms: sms ?? false,
      cellphone: cellphone ?? '',
      expiresOn,
      otpLength: otpLength ? Number(otpLength) : DEFAULT_OTP_LENGTH,
    },
  };
}

/** Renders what was registered, all texts; the one-time password only where it went to nobody else. Source: contract §4.3. */
export function renderRegistered({ cashout, otp, balanceMinor }: RegisteredCashout): object {
  return {
    amount: formatAmount(cashout.amountMinor, cashout.currency),
    transactionCost: formatAmount(cashout.transactionCostMinor, cashout.currency),
    currency: cashout.currency,
    description: cashout.description,
    document: cashout.document,
    operation: cashout.operationId,
    expire: formatIsoDay(cashout.expiresOn),
    svCode: cashout.cashoutId.toString(),
    balance: formatAmount(balanceMinor, cashout.currency),
    ...(cashout.sms ? {} : { otp }),
  };
}

const answer = Type.Object({
  code: Type.String({ description: 'Result code; 0000 is success.', examples: ['0000'] }),
  text: Type.String({ examples: ['OK'] }),
  data: Type.Object(
    {
      amount: Type.Optional(Type.String({ examples: ['45000.0'] })),
      transactionCost: Type.Optional(Type.String({ examples: ['0.0'] })),
      currency: Type.Optional(Type.String({ examples: ['COP'] })),
      description: Type.Optional(Type.String({ examples: ['Prize'] })),
      document: Type.Optional(Type.String({ examples: ['1020304050'] })),
      operation: Type.Optional(Type.String({ examples: ['W-77'] })),
      expire: Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', examples: ['2026-12-31'] })),
      svCode: Type.Optional(Type.String({ description: 'Our id of the operation.', pattern: '^[0-9]+$', examples: ['4711'] })),
      balance: Type.Optional(Type.String({ description: 'What the fund of this currency holds afterwards.', examples: ['955000.0'] })),
      otp: Type.Optional(
        Type.String({ description: 'The one-time password; only when sms is false.', pattern: '^[0-9]{4,12}$', examples: ['048213'] }),
      ),
    },
    { description: 'Empty on a refusal.' },
  ),
});

const schema = {
  operationId: 'registerCashout',
  ...refusalRules(
    ['merchant', 'operation', 'amount', 'currency', 'document'],
    [
      ...PRECEDENCE,
      'key_in_flight',
      'key_reused',
      'currency_not_allowed',
      'sms_unavailable',
      'expire_out_of_range',
      'cashout_exists',
      'amount_out_of_limits',
      'document_limit_reached',
      'fund_too_small',
    ],
  ),
  summary: 'Register a cashout',
  description:
    'Registers a payout in cash to an end user, who collects it with a one-time password. Takes the amount, and the fee of the merchant, ' +
    'from its fund. Contract §4.3.',
  tags: ['Cashouts'],
  body: toSchema({ ...fields, ...languageField }),
  response: { 200: answer },
};

/** Adds the registration of cashouts. Source: contract §4.3. */
export function addRegisterCashout(app: HttpServer, prefixes: readonly string[], deps: CashoutDeps): void {
  const { callers, answerOnce } = deps.requests;
  const register = createRegister(deps);
  for (const [index, prefix] of prefixes.entries()) {
    app.post(`${prefix}/operation`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const command = parseRegister(request.body);
      const key = readIdempotencyKey(request, 'parameter_invalid');
      if (isRefusal(command) || isRefusal(key)) {
        return sendJson(reply, renderRefusal(firstRefusal([command, key].filter(isRefusal)) as Refusal<EarlyRefusal>, languageOf(request)));
      }
      const { merchantId } = command;
      const merchant = await callers.authenticate(request, merchantId, command.checksum, command.signed);
      if (isRefusal(merchant)) return sendJson(reply, renderRefusal(merchant, languageOf(request)));
      const render = (outcome: RegisterOutcome | Refusal<KeyRefusal>): Answer =>
        isRefusal(outcome) ? refusalAnswer(outcome, languageOf(request, merchant)) : successAnswer(renderRegistered(outcome));
      return answerOnce(reply, { request, merchantId, operation: 'register-cashout', key }, render, (once) =>
        register({ ...command.request, merchant, requestId: request.id, once }),
      );
    });
  }
}
