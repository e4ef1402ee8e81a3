import { Type } from 'typebox';
import { readFields, toSchema } from '../../kit/fields.ts';
import { sendJson, type HttpServer } from '../../kit/http.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import { firstRefusal, KEY_FIELDS, OTP_LENGTH, DEFAULT_OTP_LENGTH, refusalOf, type EarlyRefusal } from '../cashout-fields.wire.ts';
import { languageField, readIdempotencyKey, type Answer, type KeyRefusal } from '../../requests/index.ts';
import { refusalRules } from '../cashout-refusals.wire.ts';
import { refusalAnswer, renderRefusal, successAnswer } from '../cashout.wire.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import { languageOf, readObject } from '../read-request.wire.ts';
import { KEY_PATH, keyParams } from '../query-cashout.wire.ts';
import { renewPasswordOnce, type RenewedPassword, type RenewOutcome } from './renew-password.ts';

const body = { document: KEY_FIELDS.document, otpLength: OTP_LENGTH, checksum: KEY_FIELDS.checksum };
const fields = { merchant: KEY_FIELDS.merchant, operation: KEY_FIELDS.operation, ...body };

type Command = {
  readonly merchantId: string;
  readonly checksum: string;
  readonly operationId: string;
  readonly document: string;
  readonly otpLength: number;
};

/**
 * Reads a request for a new password.
 * Refuses, the first that applies: merchant_invalid, parameter_invalid, operation_invalid, checksum_invalid (missing or misshapen).
 * Source: contract §4.3.
 */
export function parseRenewal(path: unknown, sent: unknown): Command | Refusal<EarlyRefusal> {
  const members = readObject(sent);
  const read = readFields(fields, new Map([...(isRefusal(members) ? [] : members), ...Object.entries(path as Record<string, string>)]));
  const first = firstRefusal([...(isRefusal(members) ? [members] : []), ...(read.ok ? [] : read.violations.map(refusalOf))]);
  if (first !== undefined) return first;
  if (!read.ok) throw new Error('a broken rule was not refused');
  const { merchant, operation, document, checksum, otpLength } = read.values;
  return {
    merchantId: merchant,
    operationId: operation,
    document,
    checksum,
    otpLength: otpLength ? Number(otpLength) : DEFAULT_OTP_LENGTH,
  };
}

/** Renders whose password it is; the password only where it went to nobody else. Source: contract §4.3. */
export function renderRenewed({ cashout, otp }: RenewedPassword): object {
  return { operation: cashout.operationId, document: cashout.document, ...(cashout.sms ? {} : { otp }) };
}

const schema = {
  operationId: 'renewOneTimePassword',
  ...refusalRules(
    ['document', 'operation', 'merchant'],
    [
      'merchant_invalid',
      'parameter_invalid',
      'operation_invalid',
      'checksum_invalid',
      'key_in_flight',
      'key_reused',
      'cashout_not_registered',
      'cashout_not_pending',
      'cashout_locked',
      'resend_limit_reached',
      'sms_unavailable',
    ],
  ),
  summary: 'Send a new one-time password',
  description: 'Gives a pending operation a new one-time password, at most three times; the old one is dead. Contract §4.3.',
  tags: ['Cashouts'],
  params: keyParams,
  body: toSchema({ ...body, ...languageField }),
  response: {
    200: Type.Object({
      code: Type.String({ description: 'Result code; 0000 is success.', examples: ['0000'] }),
      text: Type.String({ examples: ['OK'] }),
      data: Type.Object(
        {
          operation: Type.Optional(Type.String({ examples: ['W-77'] })),
          document: Type.Optional(Type.String({ examples: ['1020304050'] })),
          otp: Type.Optional(Type.String({ description: 'Only when sms is false.', pattern: '^[0-9]{4,12}$', examples: ['048213'] })),
        },
        { description: 'Empty on a refusal.' },
      ),
    }),
  },
};

/** Adds the renewal of one-time passwords. Source: contract §4.3. */
export function addRenewPassword(app: HttpServer, prefixes: readonly string[], deps: CashoutDeps): void {
  const { callers, answerOnce } = deps.requests;
  const renew = renewPasswordOnce(deps);
  for (const [index, prefix] of prefixes.entries()) {
    app.post(`${prefix}${KEY_PATH}/otp`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const command = parseRenewal(request.params, request.body);
      const key = readIdempotencyKey(request, 'parameter_invalid');
      if (isRefusal(command) || isRefusal(key)) {
        return sendJson(reply, renderRefusal(firstRefusal([command, key].filter(isRefusal)) as Refusal<EarlyRefusal>, languageOf(request)));
      }
      const { merchantId, operationId, document, checksum, otpLength } = command;
      const merchant = await callers.authenticate(request, merchantId, checksum, [document, operationId, merchantId]);
      if (isRefusal(merchant)) return sendJson(reply, renderRefusal(merchant, languageOf(request)));
      const render = (outcome: RenewOutcome | Refusal<KeyRefusal>): Answer =>
        isRefusal(outcome) ? refusalAnswer(outcome, languageOf(request, merchant)) : successAnswer(renderRenewed(outcome));
      return answerOnce(reply, { request, merchantId, operation: 'renew-password', key }, render, (once) =>
        renew({ merchant, operationId, document, otpLength, actor: 'merchant', requestId: request.id, once }),
      );
    });
  }
}
