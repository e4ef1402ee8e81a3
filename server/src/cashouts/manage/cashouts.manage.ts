import { actOf } from '../../kit/changes/act.ts';
import { Type, type Static } from 'typebox';
import { dayOf, parseIsoDay } from '../../kit/calendar.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { parseCost } from '../../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { historyActor, managementOperation, ROOM_PROBLEMS, schemas, type Actor, type ManagementOperation } from '../../manage/index.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import { plainDocument } from '../../kit/written/written-document.ts';
import type { createCancel } from '../cancel-cashout.ts';
import { DEFAULT_OTP_LENGTH, stateOn } from '../cashout-changes.ts';
import { isLocked, type Cashout } from '../cashout.ts';
import { isDocumentOf } from '../end-users/documents.ts';
import { CONTENT_FIELDS } from '../cashout-fields.wire.ts';
import type { createNullify } from '../operator/nullify-cashout.ts';
import type { createUnlock } from '../operator/unlock-cashout.ts';
import type { renewPasswordOnce } from '../password/renew-password.ts';
import type { createRegister } from '../register-cashout.ts';
import { cashoutSchema, operationId, showCashout, showWholeCashout, wholeCashout } from './cashout-forms.ts';
import { findCashout, readWholeCashout } from '../operator/read-whole-cashout.ts';

export type CashoutManagementDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly isSandbox: boolean;
  readonly registerCashout: ReturnType<typeof createRegister>;
  readonly cancelCashout: ReturnType<typeof createCancel>;
  readonly nullifyCashout: ReturnType<typeof createNullify>;
  readonly unlockCashout: ReturnType<typeof createUnlock>;
  readonly renewPassword: ReturnType<typeof renewPasswordOnce>;
};

const { day, merchantId, readMoney, reason, REASON_TAKES, sentAmount, answerObject, wrong } = schemas;
const path = Type.Object({ merchant: merchantId, operation: operationId });
const tag = 'Cashouts';

const UNKNOWN = ['{operation} of {merchant} is not registered here.', 1] as const;
const CHANGES = {
  cashout_not_pending: {
    status: 409,
    title: 'The cashout is not pending',
    meaning: 'Only a pending cashout changes. Its last day may be over.',
    words: { es: 'El retiro ya no está pendiente', en: 'The cashout is not pending any more', pt: 'O saque já não está pendente' },
    line: ['{operation} of {merchant} is not pending any more.', 1],
  },
  cashout_locked: {
    status: 409,
    title: 'A network holds the cashout',
    meaning: 'It may be counting the money. Try again in a few minutes.',
    words: {
      es: 'Una red tiene el retiro en este momento. Intente en unos minutos',
      en: 'A network holds the cashout now. Try again in a few minutes',
      pt: 'Uma rede está com o saque neste momento. Tente em alguns minutos',
    },
    line: ['{operation} of {merchant} is held by a network at this moment: try again in a few minutes.', 1],
  },
} as const;
const SMS = {
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
const CELLPHONE_IMPOSSIBLE = {
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
const NOT_HELD = { lockedBy: null, lockedUntil: null };

const cashoutTarget = (merchant: string, operation: string) => ({ kind: 'cashout', merchantId: merchant, id: operation });

async function findMerchant({ merchants }: CashoutManagementDeps, id: string): Promise<Merchant | Refusal<'not_found'>> {
  return (await merchants.find(id)) ?? refuse('not_found');
}

/** Finds a merchant for which something may be written. */
async function findOpen(deps: CashoutManagementDeps, id: string): Promise<Merchant | Refusal<'not_found' | 'merchant_frozen'>> {
  const merchant = await findMerchant(deps, id);
  return !isRefusal(merchant) && (merchant.isFrozen || merchant.isDisabled) ? refuse('merchant_frozen') : merchant;
}

/** No checksum and no length of a password is asked for here, so none is refused. */
type Unused = 'cashout_not_registered' | 'checksum_invalid' | 'password_too_short';
const forManagement = <Name extends string>(refused: Refusal<Name>): Refusal<Exclude<Name, Unused> | 'not_found'> =>
  refused.refusal === 'cashout_not_registered' ? refuse('not_found') : (refused as Refusal<Exclude<Name, Unused>>);

export const readCashout = managementOperation({
  name: 'readCashout',
  route: 'GET /manage/v1/cashouts/{merchant}/{operation}',
  tag,
  summary: 'Show a cashout with all that is stored of it',
  description:
    'The newest hundred versions, notices and messages. A one-time password is never shown. `notices`, `messages` and `entries` are null ' +
    'without their own permissions: notices:read, messages:read, ledger:read.',
  permission: 'cashouts:read',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  shows: wholeCashout,
  run: async ({ path: { merchant: id, operation } }, deps: CashoutManagementDeps) => {
    const merchant = await findMerchant(deps, id);
    if (isRefusal(merchant)) return merchant;
    const whole = await readWholeCashout(deps.db, { merchantId: id, operationId: operation });
    if (whole === undefined) return refuse('not_found');
    const now = deps.clock.now();
    const state = stateOn(whole.cashout, dayOf(now, merchant.country.timeZone));
    return { ...whole, cashout: { ...whole.cashout, state, ...(!isLocked(whole.cashout, now) && NOT_HELD) } };
  },
  answer: (whole, { actor }) => ({ etag: String(whole.cashout.version), body: showWholeCashout(whole, actor) }),
});

const money = Type.String({ maxLength: 20, pattern: '^(0|[1-9][0-9]{0,15})([.][0-9]{1,4})?$', examples: ['45000.00'] });
const newCashout = Type.Object({
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
      pattern: '^[0-9+() .-]*[0-9][0-9+() .-]*$',
      description: 'A mobile number of the merchant’s country, as people there write it; or one of any country, with + or 00.',
      examples: ['3001234567'],
    }),
  ),
  expiresOn: Type.Optional(day),
  otpLength: Type.Optional(Type.Integer({ minimum: 4, maximum: 12, examples: [DEFAULT_OTP_LENGTH] })),
});

type Sent = Static<typeof newCashout>;

/** Judges amounts by their currency, and what belongs together. */
function contentOf(
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
const mayRegister = (actor: Actor, isSms: boolean, isSandbox: boolean): boolean =>
  actor.actsForMerchant || (isSms && (isSandbox || actor.kind === 'command'));

export const registerCashout = managementOperation({
  name: 'registerCashout',
  route: 'POST /manage/v1/cashouts',
  tag,
  summary: 'Register a cashout',
  names: { es: 'Registrar un retiro', pt: 'Registrar um saque' },
  description: 'Takes the amount and the fee from the merchant’s fund. Without `expiresOn` it can be collected for 30 days.',
  permission: 'cashouts:write',
  scope: 'merchant',
  body: newCashout,
  keepsAnswersAs: 'manage-register-cashout',
  refusals: {
    merchant_frozen: ROOM_PROBLEMS.merchant_frozen,
    ...SMS,
    cashout_exists: {
      status: 409,
      title: 'The id was already used',
      meaning: 'A merchant never reuses the id of a cashout.',
      words: { es: 'Ya existe un retiro con ese id', en: 'There is a cashout with this id already', pt: 'Já existe um saque com esse id' },
    },
    currency_not_allowed: ROOM_PROBLEMS.currency_not_allowed,
    cellphone_impossible: CELLPHONE_IMPOSSIBLE,
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
  },
  shows: answerObject({ ...cashoutSchema.properties, oneTimePassword: passwordSchema }),
  status: 201,
  run: async ({ body, actor, origin, requestId, once }, deps: CashoutManagementDeps) => {
    const merchant = await findOpen(deps, body.merchant);
    if (isRefusal(merchant)) return merchant;
    const content = contentOf(body, merchant);
    if (isRefusal(content)) return content;
    if (!mayRegister(actor, content.sms, deps.isSandbox)) return refuse('password_for_merchant');
    const outcome = await deps.registerCashout({
      ...content,
      operationId: body.operation,
      merchant,
      proof: undefined,
      requestId,
      actor: historyActor(actor),
      act: actOf(origin, { target: cashoutTarget(body.merchant, body.operation) }),
      once,
    });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  // Where the password goes out by SMS nobody else sees it.
  answer: ({ cashout, otp }) => present(cashout, cashout.sms ? {} : { oneTimePassword: otp }),
  keptAnswer: ({ cashout }) => present(cashout),
});

/** A cashout that a request has just changed is in the state that is stored, and no network holds it. */
const present = (cashout: Cashout, more: object = {}) => ({
  etag: String(cashout.version),
  body: { ...showCashout({ ...cashout, ...NOT_HELD }), ...more },
});

export const cancelCashout = managementOperation({
  name: 'cancelCashout',
  route: 'POST /manage/v1/cashouts/{merchant}/{operation}/cancel',
  tag,
  summary: 'Cancel a pending cashout',
  names: { es: 'Cancelar un retiro pendiente', pt: 'Cancelar um saque pendente' },
  description: 'Its money goes back to the fund. Cancelling a cancelled one is success again. No notice is sent.',
  permission: 'cashouts:write',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  refusals: { merchant_frozen: ROOM_PROBLEMS.merchant_frozen, ...CHANGES },
  shows: cashoutSchema,
  run: async ({ path: { merchant: id, operation }, actor, origin, requestId }, deps: CashoutManagementDeps) => {
    const merchant = await findOpen(deps, id);
    if (isRefusal(merchant)) return merchant;
    const by = { timeZone: merchant.country.timeZone, actor: historyActor(actor), requestId };
    const act = actOf(origin, { target: cashoutTarget(id, operation) });
    const outcome = await deps.cancelCashout({ merchantId: id, operationId: operation, document: undefined, act, ...by });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  answer: ({ cashout }) => present(cashout),
});

export const nullifyCashout = managementOperation({
  name: 'nullifyCashout',
  route: 'POST /manage/v1/cashouts/{merchant}/{operation}/nullify',
  tag,
  summary: 'Nullify a pending cashout',
  names: { es: 'Anular un retiro pendiente', pt: 'Anular um saque pendente' },
  description: 'The service decides it, also past the last day. The money goes back to the fund. No notice is sent.',
  permission: 'cashouts:write',
  scope: 'service',
  missing: UNKNOWN,
  path,
  body: Type.Object({ reason }),
  takes: { reason: REASON_TAKES },
  refusals: CHANGES,
  shows: cashoutSchema,
  run: async ({ path: { merchant: id, operation }, body, actor, origin, requestId }, deps: CashoutManagementDeps) => {
    const merchant = await findMerchant(deps, id);
    if (isRefusal(merchant)) return merchant;
    const by = { timeZone: merchant.country.timeZone, actor: historyActor(actor), requestId };
    const act = actOf(origin, { target: cashoutTarget(id, operation), reason: body.reason });
    const outcome = await deps.nullifyCashout({ merchantId: id, operationId: operation, reason: body.reason, act, ...by });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  answer: ({ cashout }) => present(cashout),
});

export const unlockCashout = managementOperation({
  name: 'unlockCashout',
  route: 'POST /manage/v1/cashouts/{merchant}/{operation}/unlock',
  tag,
  summary: 'End the hold of a network on a cashout',
  names: { es: 'Liberar un retiro que tiene una red', pt: 'Liberar um saque retido por uma rede' },
  description:
    'A network that has found a cashout holds it for five minutes, in which it may be counting the money. Ask it first. The network must ' +
    'look it up again. Wrong tries stay counted. One that nobody holds stays as it is.',
  permission: 'cashouts:write',
  scope: 'service',
  missing: UNKNOWN,
  path,
  body: Type.Object({ reason }),
  takes: { reason: REASON_TAKES },
  refusals: { cashout_not_pending: CHANGES.cashout_not_pending },
  shows: cashoutSchema,
  run: async ({ path: { merchant, operation }, body, origin }, deps: CashoutManagementDeps) => {
    const act = actOf(origin, { target: cashoutTarget(merchant, operation), reason: body.reason });
    const outcome = await deps.unlockCashout({ merchantId: merchant, operationId: operation, act });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  answer: ({ cashout }) => present(cashout),
});

export const resendPassword = managementOperation({
  name: 'resendOneTimePassword',
  route: 'POST /manage/v1/cashouts/{merchant}/{operation}/resend',
  tag,
  summary: 'Give a pending cashout a new one-time password',
  names: { es: 'Dar una clave nueva a un retiro', pt: 'Dar uma senha nova a um saque' },
  description: 'By SMS, where the first one went by SMS. The earlier password ends. A cashout gets three new ones at most.',
  permission: 'notices:send',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  keepsAnswersAs: 'manage-resend-password',
  refusals: {
    merchant_frozen: ROOM_PROBLEMS.merchant_frozen,
    ...SMS,
    ...CHANGES,
    cellphone_impossible: CELLPHONE_IMPOSSIBLE,
    resend_limit_reached: {
      status: 409,
      title: 'No more new passwords',
      meaning: 'A cashout can get at most three new passwords.',
      words: {
        es: 'El retiro ya tuvo tres claves nuevas, y no puede tener más',
        en: 'The cashout has had three new passwords, and cannot have more',
        pt: 'O saque já teve três senhas novas, e não pode ter mais',
      },
      line: ['{operation} of {merchant} has had its three new passwords.', 1],
    },
  },
  shows: answerObject({ ...cashoutSchema.properties, oneTimePassword: passwordSchema }),
  run: async ({ path: { merchant: id, operation }, actor, origin, requestId, once }, deps: CashoutManagementDeps) => {
    const merchant = await findOpen(deps, id);
    if (isRefusal(merchant)) return merchant;
    // Whether it goes by SMS never changes.
    const stored = await findCashout(deps.db, { merchantId: id, operationId: operation });
    if (stored === undefined) return refuse('not_found');
    // Who is at the machine's command line hands the new one over, and could read the key of all of them.
    if (!stored.sms && !actor.actsForMerchant && actor.kind !== 'command') return refuse('password_for_merchant');
    const command = { merchant, operationId: operation, document: undefined, otpLength: undefined, proof: undefined };
    const act = actOf(origin, { target: cashoutTarget(id, operation) });
    const outcome = await deps.renewPassword({ ...command, act, actor: historyActor(actor), requestId, once });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  answer: ({ cashout, otp }) => present(cashout, cashout.sms ? {} : { oneTimePassword: otp }),
  keptAnswer: ({ cashout }) => present(cashout),
});

/** The room's operations of the management API. */
export const cashoutManagement: readonly ManagementOperation<CashoutManagementDeps>[] = [
  readCashout,
  registerCashout,
  cancelCashout,
  nullifyCashout,
  unlockCashout,
  resendPassword,
];

/** What commands of other rooms do to cashouts. */
export const cashoutWrites = { registerCashout, cancelCashout } as const;
