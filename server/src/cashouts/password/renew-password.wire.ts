import { Type } from 'typebox';
import { textOrNumber } from '../../kit/fields.ts';
import type { Merchant } from '../../merchants/index.ts';
import { KEY_REFUSALS, operation, proofOf, type ParseContext } from '../../requests/index.ts';
import { cashoutAnswer, cashoutEnvelope } from '../answers.wire.ts';
import { KEY_FIELDS, OTP_LENGTH_FIELD, readOtpLength } from '../cashout-fields.wire.ts';
import { CELLPHONE_IMPOSSIBLE, CHANGE_REFUSALS, FIND_REFUSALS, SMS_UNAVAILABLE } from '../cashout-refusals.wire.ts';
import { judgeDocument } from '../end-users/judge-document.wire.ts';
import type { renewPasswordOnce } from './renew-password.ts';

type Deps = { readonly renewPassword: ReturnType<typeof renewPasswordOnce> };

export const renewPasswordOperation = operation({
  name: 'renewOneTimePassword',
  route: 'POST /cashout/v1/operation/:merchant/:operation/otp',
  tag: 'Cashouts',
  summary: 'Send a new one-time password',
  description:
    'Gives a pending cashout a new one-time password, at most three times. The old one ends. The password is shown once: each renewal ' +
    'needs a new `renewal`.',
  section: '§4.3',
  example: 'renew-one-time-password/usual',
  envelope: cashoutEnvelope,
  path: { merchant: KEY_FIELDS.merchant, operation: KEY_FIELDS.operation },
  from: 'body',
  fields: {
    document: KEY_FIELDS.document,
    renewal: textOrNumber({
      required: true,
      max: 40,
      // No text of another checksum has a full stop there: that of a query or a cancellation, also of an order, opens no password.
      pattern: /^otp\.[A-Za-z0-9_-]+$/,
      description: '`otp.` and an id of this renewal that is new each time. Part of the checksum.',
      example: 'otp.1',
      form: {
        es: 'otp. y 1 a 36 letras, dígitos, _ o -',
        en: 'otp. and 1 to 36 letters, digits, _ or -',
        pt: 'otp. e 1 a 36 letras, dígitos, _ ou -',
      },
    }),
    otpLength: OTP_LENGTH_FIELD,
    checksum: KEY_FIELDS.checksum,
  },
  keepsAnswersAs: 'renew-password',
  caller: 'merchant',
  effect: 'writes',
  proof: ['document', 'operation', 'merchant', 'renewal'],
  refusals: {
    ...FIND_REFUSALS,
    ...KEY_REFUSALS,
    ...CHANGE_REFUSALS,
    resend_limit_reached: {
      code: '0013',
      text: {
        es: 'La clave de esta operación ya se renovó 3 veces',
        en: 'The password of this operation was renewed 3 times already',
        pt: 'A senha desta operação já foi renovada 3 vezes',
      },
    },
    password_too_short: {
      code: '0019',
      text: {
        es: 'La clave nueva no puede tener menos dígitos que la primera',
        en: 'The new password cannot have fewer digits than the first one',
        pt: 'A nova senha não pode ter menos dígitos que a primeira',
      },
    },
    cellphone_impossible: CELLPHONE_IMPOSSIBLE,
    sms_unavailable: SMS_UNAVAILABLE,
  },
  parse: (sent, refuse, context: ParseContext<Deps, Merchant>) =>
    judgeDocument(sent, refuse, context, ['document', 'operation', 'merchant', 'renewal']),
  run: ({ values: { operation: operationId, document, otpLength, checksum }, caller, isSigned, requestId, once }, deps: Deps) =>
    deps.renewPassword({
      merchant: caller,
      operationId,
      document,
      otpLength: readOtpLength(otpLength),
      proof: isSigned ? undefined : proofOf(checksum),
      actor: 'merchant',
      requestId,
      once,
    }),
  // Where the password went out by SMS nobody else sees it.
  answer: ({ cashout, otp }) =>
    cashoutAnswer({ operation: cashout.operationId, document: cashout.document, ...(cashout.sms ? {} : { otp }) }),
  keptAnswer: ({ cashout }) => cashoutAnswer({ operation: cashout.operationId, document: cashout.document }),
  data: () =>
    Type.Object({
      operation: Type.String({ examples: ['W-77'] }),
      document: Type.String({ examples: ['1020304050'] }),
      otp: Type.Optional(
        Type.String({ description: 'Only when sms is false. A replay is without it.', pattern: '^[0-9]{4,12}$', examples: ['048213'] }),
      ),
    }),
});
