import { formatAllDecimals } from '../../src/kit/money.ts';
import {
  actorOf,
  actsForMerchant,
  inActs,
  inHistory,
  problemAnswer,
  readBy,
  stopOf,
  type Actors,
  type By,
  type ModelActor,
} from './actors.ts';
import { doneAct, refusedAct } from './acts.ts';
import {
  isHeld,
  isOpen,
  MAX_RESENDS,
  nameOf,
  put,
  type CashoutCell,
  type CashoutCommand,
  type Ended,
  type ModelCashout,
  type OfCashout,
} from './cashout-state.ts';
import { cancel, nullify, register, renew } from './cashout-terms.ts';
import { instantText, merchantOf, type Answer, type Merchants, type Seen } from './model.ts';

/** Commands that actors send too. */
export type ManagedCashoutCommand = Extract<
  CashoutCommand,
  { do: 'register cashout' | 'cancel cashout' | 'query cashout' | 'renew password' | 'nullify cashout' }
> & { readonly by: By };

const OPERATIONS: Readonly<
  Record<ManagedCashoutCommand['do'], { readonly operation: string; readonly permission: string; readonly isOfService?: boolean }>
> = {
  'register cashout': { operation: 'registerCashout', permission: 'cashouts:write' },
  'cancel cashout': { operation: 'cancelCashout', permission: 'cashouts:write' },
  'query cashout': { operation: 'readCashout', permission: 'cashouts:read' },
  'renew password': { operation: 'resendOneTimePassword', permission: 'notices:send' },
  'nullify cashout': { operation: 'nullifyCashout', permission: 'cashouts:write', isOfService: true },
};

export const NULLIFY_REASON = 'Simulated';

/** Names and statuses of the refusals that the merchants' API answers with a code. */
export type Refused = readonly [name: string, status: number];
export const PROBLEMS: Readonly<Record<string, Refused>> = {
  '0004': ['amount_out_of_limits', 422],
  '0013': ['cashout_locked', 409],
  '0014': ['not_found', 404],
  '0019': ['currency_not_allowed', 422],
  '0020': ['document_limit_reached', 409],
  '0021': ['cashout_not_pending', 409],
  '0025': ['fund_too_small', 409],
  '0037': ['expire_out_of_range', 422],
  '0042': ['cashout_exists', 409],
  cashout_not_registered: ['not_found', 404],
  cashout_not_pending: ['cashout_not_pending', 409],
  cashout_locked: ['cashout_locked', 409],
};

/** Why an actor is stopped before the cashout is looked at. */
export const stopOfCashout = (actors: Actors, { by, merchantId, do: what }: ManagedCashoutCommand, now: number) =>
  stopOf(actorOf(actors, by), { merchantId, ...OPERATIONS[what] }, now);

/** Why a command is refused before its key is looked at. The refusal is an act. */
function refusalBefore(merchants: Merchants, cell: CashoutCell, actor: ModelActor, command: ManagedCashoutCommand): Refused | undefined {
  const { isFrozen, isDisabled } = merchantOf(merchants, command.merchantId);
  if (command.do !== 'nullify cashout' && (isFrozen || isDisabled)) return ['merchant_frozen', 409];
  if (command.do === 'renew password' && cell.cashouts[nameOf(command)] === undefined) return ['not_found', 404];
  const showsPassword = command.do === 'register cashout' || command.do === 'renew password';
  return showsPassword && !actsForMerchant(actor) ? ['password_for_merchant', 403] : undefined;
}

/**
 * Carries out a command that an actor may send.
 * `once`: looks at the key of the request, after what comes before it.
 */
export function applyManaged(
  merchants: Merchants,
  actors: Actors,
  cell: CashoutCell,
  command: ManagedCashoutCommand,
  now: number,
  seen: Seen,
  once: (decide: () => readonly Ended[]) => readonly Ended[],
): readonly Ended[] {
  const actor = actorOf(actors, command.by);
  const { do: what, by } = command;
  if (what === 'query cashout') return [read(merchants, cell, command, actor, now)];
  const { operation } = OPERATIONS[what];
  const on = { operation, merchantId: command.merchantId, target: `cashout ${command.operationId}` };
  const refuse = (...[name, status]: Refused): Ended => ({
    state: withAct(cell, by, refusedAct(inActs(actor), on, name)),
    answer: problemAnswer({ name, status }),
  });
  const before = refusalBefore(merchants, cell, actor, command);
  if (before !== undefined) return [refuse(...before)];
  const stored = cell.cashouts[nameOf(command)];
  const decided = (): readonly Ended[] =>
    decide(merchants, cell, command, inHistory(actor), now, learnable(seen)).map(({ state, answer }) => {
      const isLimit = what === 'renew password' && stored !== undefined && stored.resends >= MAX_RESENDS;
      if (answer['code'] === '0013' && isLimit && now >= stored.heldUntil) return refuse('resend_limit_reached', 409);
      const problem = PROBLEMS[String(answer['code'])];
      if (problem !== undefined) return refuse(...problem);
      const after = state.cashouts[nameOf(command)] as ModelCashout;
      const marked = after === stored ? state : put(state, markedBy(after, by));
      const reason = what === 'nullify cashout' ? { reason: NULLIFY_REASON } : {};
      const parts = { ...on, ...reason };
      const act = doneAct(inActs(actor), parts, stored === undefined ? { otpResends: '0' } : facts(stored), facts(after));
      const isNew = what === 'register cashout' || what === 'renew password';
      const password = isNew && after.otp !== null ? { oneTimePassword: after.otp } : {};
      const status = what === 'register cashout' ? '201' : '200';
      return { state: withAct(marked, by, act), answer: { code: '0000', status, ...shown(cell, after, now), ...password } };
    });
  return once(decided).map((one) => (one.answer['code'] === '0922' ? refuse('key_reused', 422) : one));
}

function decide(
  merchants: Merchants,
  cell: CashoutCell,
  command: Exclude<ManagedCashoutCommand, { do: 'query cashout' }>,
  actor: string,
  now: number,
  seen: Seen,
): readonly Ended[] {
  switch (command.do) {
    case 'register cashout':
      return register(merchants, cell, command, now, seen, actor);
    case 'cancel cashout':
      return [cancel(merchants, cell, { ...command, document: cell.document }, now, actor)];
    case 'renew password':
      return [renew(merchants, cell, { ...command, document: cell.document, renewal: undefined }, now, seen, actor)];
    case 'nullify cashout':
      return [nullify(cell, command, now, actor)];
  }
}

const withAct = (cell: CashoutCell, { request }: By, act: ReturnType<typeof doneAct>): CashoutCell => ({
  ...cell,
  acts: { ...cell.acts, [request]: act },
});

/** The last change has the id of the request that made it. */
export const markedBy = (cashout: ModelCashout, { request }: By): ModelCashout => ({
  ...cashout,
  history: cashout.history.map((event, index) => (index === cashout.history.length - 1 ? { ...event, request } : event)),
});

/** What the service chose, by the names of the merchants' API. */
export const learnable = (seen: Seen): Seen =>
  seen?.['cashoutId'] === undefined
    ? undefined
    : {
        ...seen,
        svCode: seen['cashoutId'],
        ...(seen['oneTimePassword'] === undefined ? {} : { otp: seen['oneTimePassword'] }),
      };

/** What the act of a change shows before and after. */
const facts = ({ state, amountMinor, currency, expiresOn, fee, tax, resends }: ModelCashout) => ({
  state,
  amountMinor: String(amountMinor),
  currency,
  expiresOn,
  feeMinor: String(fee),
  taxMinor: String(tax),
  otpResends: String(resends),
});

/** Fields of cashouts that the model compares in acts. Of new passwords an act shows the count. */
export const CASHOUT_FACTS = ['state', 'amountMinor', 'currency', 'expiresOn', 'feeMinor', 'taxMinor', 'otpResends'];

export const shown = ({ document }: CashoutCell, cashout: ModelCashout, now: number): Answer => ({
  etag: `"${cashout.history.length}"`,
  merchant: cashout.merchantId,
  operation: cashout.operationId,
  refund: String(cashout.refundId),
  ...(cashout.serviceId === null ? {} : { cashoutId: cashout.serviceId }),
  state: cashout.state,
  version: String(cashout.history.length),
  'amount.amount': formatAllDecimals(cashout.amountMinor, cashout.currency),
  'amount.currency': cashout.currency,
  'fee.amount': formatAllDecimals(cashout.fee, cashout.currency),
  'tax.amount': formatAllDecimals(cashout.tax, cashout.currency),
  document,
  expiresOn: cashout.expiresOn,
  otpWrongTries: String(cashout.wrongTries),
  otpResends: String(cashout.resends),
  lockedBy: String(cashout.state === 'pending' && isHeld(cashout, now) ? cashout.heldBy : null),
  createdAt: instantText(cashout.createdAt),
  updatedAt: instantText(cashout.updatedAt),
});

/** No such member is seen. */
const ABSENT = undefined as never;

/** The whole cashout, with its history and payment. */
function read(merchants: Merchants, cell: CashoutCell, command: OfCashout, reader: ModelActor, now: number): Ended {
  const found = cell.cashouts[nameOf(command)];
  if (found === undefined) return { state: cell, answer: problemAnswer({ name: 'not_found', status: 404 }) };
  const isOver = found.state === 'pending' && !isOpen(merchants, found, now);
  const history = found.history.flatMap(({ event, actor, at, request }, index) => [
    [`history.${index}.version`, String(index + 1)],
    [`history.${index}.event`, event],
    [`history.${index}.actor`, readBy(reader, actor)],
    [`history.${index}.at`, instantText(at)],
    ...(request === undefined ? [] : [[`history.${index}.requestId`, request]]),
  ]);
  const { payment } = found;
  const paid =
    payment === null
      ? { payment: 'null' }
      : {
          'payment.network': payment.netname,
          'payment.transaction': payment.transaction,
          'payment.teller': payment.teller,
          'payment.paidAt': instantText(payment.paidAt),
          'payment.reversedAt': payment.reversedAt === null ? 'null' : instantText(payment.reversedAt),
        };
  const answer = {
    code: '0000',
    status: '200',
    ...shown(cell, isOver ? { ...found, state: 'expired' } : found, now),
    ...Object.fromEntries(history),
    [`history.${found.history.length}.version`]: ABSENT,
    ...paid,
  };
  return { state: cell, answer };
}
