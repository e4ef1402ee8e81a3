import type { Play } from './cell.ts';
import { drawActor } from './draw-actor.ts';
import type { CashoutCommand } from './model/cashout-state.ts';
import {
  isCashoutCommand,
  isRefundCashout,
  refundRules,
  settlingKey,
  stopOfRefundCashout,
  type RefundCell,
  type RefundCommand,
  type RegisterRefundCashout,
} from './model/refund-cashouts.ts';
import { promisedOf } from './model/order-refunds.ts';
import type { ModelPayment, ModelRefund, OrderCommand } from './model/order-state.ts';
import { playCashouts } from './play-cashouts.ts';
import { bearerOf, playOrders } from './play-orders.ts';
import type { Random } from './random.ts';
import { sendRefundCashout } from './send-managed.ts';
import type { Callers } from './send-commands.ts';

/** The share of registrations that are of a refund. */
const OF_REFUNDS = 0.85;
/** No refund has this id. */
const NOBODYS_ID = 'nobodys';

const paymentsOf = ({ orders }: RefundCell): readonly ModelPayment[] => Object.values(orders).flatMap(({ payments }) => payments);
const isWaiting = ({ state, refundedBy, operationId }: ModelRefund): boolean =>
  state === 'approved' && refundedBy === 'cashout' && operationId === null;

/** Has some of the last payment of an order refunded at a counter. Empty: none has anything left. */
const requests = (random: Random, { orders }: RefundCell): readonly OrderCommand[] =>
  Object.values(orders).flatMap(({ merchantId, orderId, payments }) => {
    const paid = payments.at(-1);
    const leftMinor = paid?.state === 'paid' ? paid.amountMinor - promisedOf(paid) : 0n;
    if (paid === undefined || leftMinor === 0n) return [];
    return [
      {
        do: 'request refund',
        merchantId,
        orderId,
        refundId: `${orderId}-R${random.below(4)}`,
        amountMinor: random.pick([leftMinor, leftMinor / 2n || 1n, leftMinor / 3n || 1n]),
        currency: paid.currency,
        refundedBy: 'cashout',
        takenFrom: bearerOf(orderId),
        isApproved: random.chance(0.9),
      },
    ];
  });

/** The share of commands that bring a refund nearer to its payer. */
const ONWARDS = 0.7;
const MOST_DRAWS = 12;
const PAYING = /^(?:create|pay) order/;
const REGISTERING = /^register /;
const COLLECTING = /^(?:look up|pay) /;

/** Draws mostly until a command is one of those that lead on. */
function drawOnwards<Command extends RefundCommand>(random: Random, draw: () => Command, onwards: RegExp): Command {
  const most = random.chance(ONWARDS) ? MOST_DRAWS : 1;
  let drawn = draw();
  for (let draws = 1; draws < most && !onwards.test(drawn.do); draws++) drawn = draw();
  return drawn;
}

type Registration = CashoutCommand & { readonly do: 'register cashout' };

/** Orders of a merchant whose payers collect what is refunded, all under one document. */
export function playRefunds(callers: Callers, networks: readonly string[], cell: number, drawn: Random): Play<RefundCell, RefundCommand> {
  const { merchants, actors } = callers;
  const merchantIds = [drawn.pick([...merchants.keys()])];
  const orders = playOrders(callers, networks, cell, drawn, merchantIds);
  const cashouts = playCashouts(callers, networks, cell, drawn, merchantIds);

  const register = (random: Random, state: RefundCell, asked: Registration): RegisterRefundCashout => {
    const { merchantId, operationId, document, description, expiresOn, key } = asked;
    const refunds = paymentsOf(state).flatMap((payment) => payment.refunds.map((refund) => ({ refund, currency: payment.currency })));
    const waiting = refunds.filter(({ refund }) => isWaiting(refund));
    const all = waiting.length > 0 && random.chance(0.85) ? waiting : refunds;
    const one = all.length === 0 || random.chance(0.03) ? undefined : random.pick(all);
    const refund = one === undefined ? { refundId: NOBODYS_ID, amountMinor: 1n } : { refundId: one.refund.id, ...one.refund };
    const command = {
      do: 'register refund cashout',
      merchantId,
      operationId,
      refundId: refund.refundId,
      amountMinor: refund.amountMinor,
      currency: one?.currency ?? asked.currency,
      document,
      description,
      expiresOn,
      key,
    } as const;
    return { ...command, by: drawActor(actors, random, (actor, by) => stopOfRefundCashout(actors, { ...command, by }, actor.provedAt)) };
  };

  const propose = (random: Random, state: RefundCell, now: number, again: readonly RefundCommand[]): RefundCommand => {
    const registrations = again.filter(isRefundCashout);
    if (registrations.length > 0 && random.chance(0.06)) return random.pick(registrations);
    const ofOrders = (): OrderCommand =>
      orders.propose(
        random,
        state,
        now,
        again.filter((one): one is OrderCommand => !isRefundCashout(one) && !isCashoutCommand(one)),
      );
    const ofCashouts = (): RefundCommand => {
      const drawnOne = cashouts.propose(random, state, now, again.filter(isCashoutCommand));
      return drawnOne.do === 'register cashout' && !('by' in drawnOne) && random.chance(OF_REFUNDS)
        ? register(random, state, drawnOne)
        : drawnOne;
    };
    const payments = paymentsOf(state);
    const asked = requests(random, state);
    const isCollectable = payments.some(({ refunds }) => refunds.some((one) => isWaiting(one) || one.operationId !== null));
    const isPending = Object.values(state.cashouts).some((one) => one.state === 'pending');
    return random.weighted<() => RefundCommand>([
      [payments.length === 0 ? 9 : 2, () => (payments.length === 0 ? drawOnwards(random, ofOrders, PAYING) : ofOrders())],
      [asked.length === 0 ? 0 : isCollectable ? 1 : 5, () => random.pick(asked)],
      [isCollectable ? 8 : 0.3, () => drawOnwards(random, ofCashouts, isPending ? COLLECTING : REGISTERING)],
    ])();
  };

  return {
    rules: refundRules(merchants, actors, orders.rules, cashouts.rules),
    start: { ...orders.start, ...cashouts.start },
    keys: [...orders.keys, ...cashouts.keys, ...cashouts.keys.map(settlingKey)],
    subjects: [...orders.subjects, ...cashouts.subjects],
    propose,
    reads: (now) => [...orders.reads(now), ...cashouts.reads(now)],
    readsOfRace: [...orders.readsOfRace, ...cashouts.readsOfRace],
    isHidden: () => orders.isHidden(),
    send: (server, command) => {
      if (isRefundCashout(command)) return sendRefundCashout(callers, server, command);
      return isCashoutCommand(command) ? cashouts.send(server, command) : orders.send(server, command);
    },
    rows: (state) => [...orders.rows(state), ...cashouts.rows(state)],
    collected: orders.collected,
  };
}
