import { Type, type Static } from 'typebox';
import { parseIsoDay } from '../../kit/calendar.ts';
import { parseCost } from '../../kit/money.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { plainDocument } from '../../kit/written/written-document.ts';
import { ROOM_PROBLEMS, schemas, type Actor } from '../../manage/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import { DEFAULT_OTP_LENGTH } from '../cashout-changes.ts';
import type { Cashout } from '../cashout.ts';
import { CONTENT_FIELDS } from '../cashout-fields.wire.ts';
import { isDocumentOf } from '../end-users/documents.ts';
import { cashoutSchema, operationId, showCashout } from './cashout-forms.ts';

// How the management API takes a registration, and shows a cashout that has a new password.

const { day, merchantId, readMoney, sentAmount, answerObject, wrong } = schemas;

export const SMS = {
  sms_unavailable: {
    status: 409,
    title: 'This service sends no SMS',
    meaning: 'No SMS gateway is configured.',
    words: { es: 'Este servicio no envía SMS', en: 'This service sends no SMS', pt: 'Este serviço não envia SMS' },
    line: ['The one-time password goes by SMS, and CAUDAL_SMS_URL is not set.', 1],
  },
  password_for_merchant: {
    status: 403,
    title: 'Only the merchant may do this',
    meaning:
      'Whoever registers a cashout, or sees its one-time password, can end up with the money. Only people and programs of the merchant may.',
    words: {
      es: 'Solo el comercio registra sus retiros y ve sus claves',
      en: 'Only the merchant may register its cashouts and see their passwords',
      pt: 'Só o estabelecimento registra seus saques e vê as senhas',
    },
  },
} as const;
export const NOT_MOBILE = {
  status: 422,
  title: 'Not a mobile number',
  meaning: 'Give a mobile number of the merchant’s country, or one of another country with + and its calling code.',
  words: {
    es: 'A ese celular no llega ningún SMS: no es un celular del país del comercio, ni de otro con + y su indicativo',
    en: 'No SMS can reach this number: write a mobile of the merchant’s country, or one of another country with + and its code',
    pt: 'Nenhum SMS chega a esse celular: não é um celular do país do estabelecimento, nem de outro com + e o código do país',
  },
} as const;
const passwordSchema = Type.Optional(
  Type.String({
    description: 'The one-time password, where it does not go by SMS. Shown once: a replay is without it.',
    examples: ['048213'],
  }),
);

/** A hold whose minutes are over is stored until the next one. */
export const NOT_HELD = { lockedBy: null, lockedUntil: null };

const money = Type.String({ maxLength: 20, pattern: '^(0|[1-9][0-9]{0,15})([.][0-9]{1,4})?$', examples: ['45000.00'] });
export const newCashout = Type.Object({
  merchant: merchantId,
  operation: operationId,
  amount: sentAmount,
  document: Type.String({
    maxLength: 30,
    pattern: '^[0-9A-Za-z., /_-]+$',
    description: 'Of the end user, as people write it: `1.020.304.050`, and `12.345.670-K` where the merchant has documents with letters.',
    examples: ['1020304050'],
  }),
  transactionCost: Type.Optional(money),
  description: Type.Optional(Type.Unsafe<string>(CONTENT_FIELDS.description.schema)),
  sms: Type.Optional(Type.Boolean({ description: 'Whether the one-time password goes to the cellphone; false where absent.' })),
  cellphone: Type.Optional(
    Type.String({
      maxLength: 20,
      pattern: '^[+() .-]*[0-9][0-9+() .-]*$',
      description: 'A mobile number of the merchant’s country, as people there write it; or one of any country, with + or 00.',
      examples: ['3001234567'],
    }),
  ),
  expiresOn: Type.Optional(day),
  otpLength: Type.Optional(Type.Integer({ minimum: 4, maximum: 12, examples: [DEFAULT_OTP_LENGTH] })),
});

type Sent = Static<typeof newCashout>;

/** Judges amounts by their currency, and what belongs together. */
export function contentOf(
  { amount, transactionCost = '0', expiresOn, sms = false, cellphone = '', description = '', document: written, otpLength }: Sent,
  merchant: Merchant,
) {
  const amountMinor = readMoney('/amount', amount);
  if (isRefusal(amountMinor)) return amountMinor;
  const transactionCostMinor = parseCost(transactionCost, amount.currency);
  if (transactionCostMinor === undefined) return wrong('/transactionCost', 'must have no more decimals than the currency has');
  const lastDay = expiresOn === undefined ? undefined : parseIsoDay(expiresOn);
  if (expiresOn !== undefined && lastDay === undefined) return wrong('/expiresOn', 'is not a real date');
  if (sms && cellphone === '') return wrong('/cellphone', 'is missing');
  const document = plainDocument(written);
  if (document.length > 20 || !isDocumentOf(document, merchant)) return wrong('/document', 'is not a document that this merchant may use');
  const same = { document, sms, cellphone, description, otpLength: otpLength ?? DEFAULT_OTP_LENGTH };
  return { ...same, amountMinor, transactionCostMinor, currency: amount.currency, expiresOn: lastDay };
}

/**
 * Who registers a cashout can end up with its money: the password goes to a cellphone of their choice. So only the merchant's own people
 * and programs may (decision 0060). In a sandbox there is no money. Who has a command line on the machine has everything anyway. Neither is
 * shown the password.
 */
export const mayRegister = (actor: Actor, isSms: boolean, isSandbox: boolean): boolean =>
  actor.actsForMerchant || (isSms && (isSandbox || actor.kind === 'command'));

/** What a registration may be refused for. */
export const REGISTER_REFUSALS = {
  ...SMS,
  cashout_exists: {
    status: 409,
    title: 'The id was already used',
    meaning: 'A merchant never reuses the id of a cashout.',
    words: { es: 'Ya existe un retiro con ese id', en: 'There is a cashout with this id already', pt: 'Já existe um saque com esse id' },
  },
  currency_not_allowed: ROOM_PROBLEMS.currency_not_allowed,
  cellphone_impossible: NOT_MOBILE,
  expire_out_of_range: {
    status: 422,
    title: 'Expiration out of range',
    meaning: 'The last day is between today and 365 days from now.',
    words: {
      es: 'El último día está entre hoy y dentro de 365 días',
      en: 'The last day is between today and 365 days after it',
      pt: 'O último dia está entre hoje e daqui a 365 dias',
    },
  },
  amount_out_of_limits: {
    status: 422,
    title: 'Amount out of limits',
    meaning: 'The merchant has a minimum and a maximum for each currency.',
    words: {
      es: 'El monto está fuera de los límites del comercio',
      en: 'The amount is beyond the limits of the merchant',
      pt: 'O valor está fora dos limites do estabelecimento',
    },
  },
  document_limit_reached: {
    status: 409,
    title: 'Daily limit of the document reached',
    meaning: 'The merchant limits the cashouts of each document per day.',
    words: {
      es: 'Ese documento ya tuvo todos sus retiros de hoy',
      en: 'This document has had all its cashouts of today',
      pt: 'Esse documento já teve todos os seus saques de hoje',
    },
  },
  fund_too_small: ROOM_PROBLEMS.fund_too_small,
} as const;

/** A cashout that a request has just changed is in the state that is stored, and no network holds it. */
export const present = (cashout: Cashout, more: object = {}) => ({
  etag: String(cashout.version),
  body: { ...showCashout({ ...cashout, ...NOT_HELD }), ...more },
});

/** A cashout that has just got a password. */
export const withPassword = answerObject({ ...cashoutSchema.properties, oneTimePassword: passwordSchema });
/** Where the password goes out by SMS nobody else sees it. */
export const presentWithPassword = ({ cashout, otp }: { readonly cashout: Cashout; readonly otp: string }) =>
  present(cashout, cashout.sms ? {} : { oneTimePassword: otp });
