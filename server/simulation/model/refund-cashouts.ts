import { actorOf, actsForMerchant, inActs, inHistory, problemAnswer, stopOf, type Actors, type By, type Problem } from './actors.ts';
import { doneAct, refusedAct } from './acts.ts';
import { learnFrom } from './cashout-model.ts';
import { nameOf, put as putCashout, type CashoutCell, type CashoutCommand, type ModelCashout } from './cashout-state.ts';
import { register } from './cashout-terms.ts';
import { learnable, markedBy as cashoutMarkedBy, PROBLEMS, shown, type Refused } from './managed-cashouts.ts';
import { markedBy } from './managed-orders.ts';
import { keyedByActor, merchantOf, once, sumUp, type Merchants, type Outcome, type Rules, type Seen } from './model.ts';
import { isOpen, refundOf, withRefund, type FoundRefund } from './order-refunds.ts';
import { put, type ModelOrder, type OrderCell, type OrderCommand } from './order-state.ts';

// Refunds that their payers collect in cash. Source: docs/decisions/0084.

/** Orders, and the cashouts with which their payers collect what is refunded. */
export type RefundCell = OrderCell & CashoutCell;

/** `amountMinor`, `currency`: of the refund. They are not sent. */
export type RegisterRefundCashout = {
  readonly do: 'register refund cashout';
  readonly by: By;
  readonly merchantId: string;
  readonly refundId: string;
  readonly operationId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly description: string;
  readonly document: string;
  readonly expiresOn?: string | undefined;
  readonly key?: string | undefined;
};
export type RefundCommand = OrderCommand | CashoutCommand | RegisterRefundCashout;

export const isRefundCashout = (command: { readonly do: string }): command is RegisterRefundCashout =>
  command.do === 'register refund cashout';
export const isCashoutCommand = (command: RefundCommand): command is CashoutCommand =>
  !isRefundCashout(command) && /cashout|password/.test(command.do);

/** When no server's clock lets a network take back any more what it has paid out. */
const FINAL_MS = 120_000;

/** Why an actor is stopped, or may not register a cashout of the merchant. */
export function stopOfRefundCashout(actors: Actors, { by, merchantId }: RegisterRefundCashout, now: number): Problem | undefined {
  const actor = actorOf(actors, by);
  const stop = stopOf(actor, { permission: 'cashouts:write', merchantId }, now);
  return stop ?? (actsForMerchant(actor) ? undefined : { name: 'password_for_merchant', status: 403 });
}

type Given = Outcome<RefundCell>;

function give(
  merchants: Merchants,
  actors: Actors,
  cell: RefundCell,
  command: RegisterRefundCashout,
  now: number,
  seen: Seen,
): readonly Given[] {
  const { by, key, merchantId, refundId } = command;
  const actor = actorOf(actors, by);
  const stop = stopOfRefundCashout(actors, command, now);
  if (stop !== undefined && stop.name !== 'password_for_merchant') return [{ state: cell, answer: problemAnswer(stop) }];
  const on = { operation: 'registerRefundCashout', merchantId, target: `refund ${refundId}` };
  const withAct = (state: RefundCell, act: ReturnType<typeof doneAct>): RefundCell => ({
    ...state,
    acts: { ...state.acts, [by.request]: act },
  });
  const refuse = (...[name, status]: Refused): Given => ({
    state: withAct(cell, refusedAct(inActs(actor), on, name)),
    answer: problemAnswer({ name, status }),
  });
  const { isFrozen, isDisabled } = merchantOf(merchants, merchantId);
  if (isFrozen || isDisabled) return [refuse('merchant_frozen', 409)];
  const found = refundOf(cell, merchantId, refundId);
  if (found === undefined) return [refuse('not_found', 404)];
  if (stop !== undefined) return [refuse(stop.name, stop.status)];
  const decide = (): readonly Given[] => {
    const problem = problemOf(found);
    if (problem !== undefined) return [refuse(problem, 409)];
    const { amountMinor } = found.refund;
    const registering = { ...command, do: 'register cashout', amountMinor, currency: found.payment.currency } as const;
    return register(merchants, cell, registering, now, learnable(seen), inHistory(actor), refundId).map(({ state, answer }) => {
      const refused = PROBLEMS[String(answer['code'])];
      if (refused !== undefined) return refuse(...refused);
      const cashout = cashoutMarkedBy(state.cashouts[nameOf(command)] as ModelCashout, by);
      const order = withRefund(found, { ...found.refund, operationId: command.operationId }, inHistory(actor), now, 'REEMBOLSO_EN_RETIRO');
      const password = cashout.otp === null ? {} : { oneTimePassword: cashout.otp };
      return {
        state: withAct(withBoth(cell, cashout, markedBy(order, by)), doneAct(inActs(actor), on, {}, {})),
        answer: { code: '0000', status: '201', ...shown(state, cashout, now), ...password },
      };
    });
  };
  const { by: _, ...body } = command;
  return once(cell, keyedByActor(merchants, by, key, body), decide, (state) => learnFrom(state, command, learnable(seen))).map((one) =>
    one.answer['code'] === '0922' ? refuse('key_reused', 422) : one,
  );
}

function problemOf({ refund }: FoundRefund): string | undefined {
  if (!isOpen(refund)) return 'refund_ended';
  if (refund.state === 'requested') return 'refund_not_approved';
  if (refund.operationId !== null) return 'refund_has_cashout';
  return refund.refundedBy === 'cashout' ? undefined : 'refund_not_for_cashout';
}

const withBoth = (cell: RefundCell, cashout: ModelCashout, order: ModelOrder): RefundCell => ({
  ...cell,
  ...putCashout(cell, cashout),
  orders: put(cell, order).orders,
});

/** Open refunds that have a cashout, and when its end becomes theirs; Infinity: it has not ended. */
function cashedOut(cell: RefundCell): readonly (FoundRefund & { readonly cashout: ModelCashout; readonly dueAt: number })[] {
  const refunds = Object.values(cell.orders).flatMap((order) =>
    order.payments.flatMap((payment) => payment.refunds.map((refund) => ({ order, payment, refund }))),
  );
  return refunds.flatMap((one) => {
    const { operationId } = one.refund;
    const cashout = operationId === null ? undefined : cell.cashouts[nameOf({ merchantId: one.order.merchantId, operationId })];
    if (cashout === undefined || !isOpen(one.refund)) return [];
    const dueAt = cashout.state === 'pending' ? Infinity : cashout.state === 'approved' ? cashout.updatedAt + FINAL_MS + 1 : -Infinity;
    return [{ ...one, cashout, dueAt }];
  });
}

/** The key by which a sweep settles the refund of a cashout. */
export const settlingKey = (cashout: string): string => `refund of ${cashout}`;

function settle(cell: RefundCell, key: string, now: number): RefundCell {
  const one = cashedOut(cell).find(({ cashout }) => settlingKey(nameOf(cashout)) === key);
  if (one === undefined) return cell;
  const order =
    one.cashout.state === 'approved'
      ? withRefund(one, { ...one.refund, state: 'paid' }, 'service', now)
      : withRefund(one, { ...one.refund, operationId: null }, 'service', now, 'REEMBOLSO_REABIERTO');
  return { ...cell, orders: put(cell, order).orders };
}

/** The rules of both together. Each keeps what of a cell is the other's. */
export function refundRules(
  merchants: Merchants,
  actors: Actors,
  orders: Rules<OrderCell, OrderCommand>,
  cashouts: Rules<CashoutCell, CashoutCommand>,
): Rules<RefundCell, RefundCommand> {
  return {
    apply: (cell, command, now, seen) => {
      if (isRefundCashout(command)) return give(merchants, actors, cell, command, now, seen);
      const outcomes = isCashoutCommand(command) ? cashouts.apply(cell, command, now, seen) : orders.apply(cell, command, now, seen);
      return outcomes as readonly Given[];
    },
    due: (cell, now) => [
      ...orders.due(cell, now),
      ...cashouts.due(cell, now),
      ...cashedOut(cell).flatMap(({ cashout, dueAt }) => (dueAt <= now ? [settlingKey(nameOf(cashout))] : [])),
    ],
    sweep: (cell, key, now) => {
      if (key in cell.orders) return orders.sweep(cell, key, now) as RefundCell;
      return key in cell.cashouts ? (cashouts.sweep(cell, key, now) as RefundCell) : settle(cell, key, now);
    },
    nextDue: (cell) => Math.min(orders.nextDue(cell), cashouts.nextDue(cell), ...cashedOut(cell).map(({ dueAt }) => dueAt)),
    money: (cell) => sumUp([...orders.money(cell), ...cashouts.money(cell)]),
  };
}
