import { actOf } from '../../kit/changes/act.ts';
import { Type } from 'typebox';
import { dayOf } from '../../kit/calendar.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { historyActor, managementOperation, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../../manage/index.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import type { createCancel } from '../cancel-cashout.ts';
import { stateOn } from '../cashout-changes.ts';
import { isLocked } from '../cashout.ts';
import type { createNullify } from '../operator/nullify-cashout.ts';
import type { createUnlock } from '../operator/unlock-cashout.ts';
import type { renewPasswordOnce } from '../password/renew-password.ts';
import type { createRegister } from '../register-cashout.ts';
import { cashoutSchema, operationId, showWholeCashout, wholeCashout } from './cashout-forms.ts';
import {
  NOT_MOBILE,
  contentOf,
  mayRegister,
  newCashout,
  NOT_HELD,
  present,
  presentWithPassword,
  REGISTER_REFUSALS,
  SMS,
  withPassword,
} from './registration-forms.ts';
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

const { merchantId, reason, REASON_TAKES } = schemas;
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
    ...REGISTER_REFUSALS,
  },
  shows: withPassword,
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
  answer: presentWithPassword,
  keptAnswer: ({ cashout }) => present(cashout),
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
    cellphone_impossible: NOT_MOBILE,
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
  shows: withPassword,
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
  answer: presentWithPassword,
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
