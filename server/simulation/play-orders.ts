import type { Play } from './cell.ts';
import { CONSOLE, drawActor, MANAGED_SHARE } from './draw-actor.ts';
import type { Actors } from './model/actors.ts';
import { stopOfOrder, type ManagedOrderCommand } from './model/managed-orders.ts';
import { sendOrder, type Callers } from './send-commands.ts';
import { merchantOf, today } from './model/model.ts';
import { orderRules } from './model/order-model.ts';
import { collectedOfPayment } from './model/order-refunds.ts';
import { orderRows } from './model/review-rows.ts';
import { REFUNDERS, type ModelOrder, type OrderCell, type OrderCommand } from './model/order-state.ts';
import { ownedBy } from './owned-by.ts';
import type { Random } from './random.ts';

/** Few values, so that commands often share one. */
const AMOUNTS: Readonly<Record<string, readonly bigint[]>> = {
  COP: [4_500_000n, 1_234_567n, 1n],
  PEN: [12_345n, 999n],
  CLP: [45_000n, 17n, 123_456_789n],
  USD: [1_050n, 3_333_333n],
};
/** Not a currency of any merchant. */
const FOREIGN = 'BRL';
const DESCRIPTIONS = ['', 'Books', 'Two books and a pen'] as const;
const METHODS = ['', 'efectivo'] as const;
/** No order has this id. */
const NOBODYS_ID = '999999999';
/** Days from today: some are refused, some end an order at once, some are the bounds of what is allowed. */
const DAYS_AHEAD = [-2, -1, 0, 0, 1, 2, 5, 30, 31, 32] as const;

/** The values that a cell's commands use. */
type CellParts = {
  readonly callers: Callers;
  readonly cell: number;
  readonly slots: readonly { readonly merchantId: string; readonly orderId: string }[];
  readonly references: readonly string[];
  /** The first sends most commands. */
  readonly networks: readonly string[];
  /** By network and transaction: the cell in which it was sent first. */
  readonly owners: Map<string, number>;
};

const amountIn = (random: Random, currency: string): bigint => random.pick(AMOUNTS[currency] ?? [100n]);
const netname = ({ networks: [first = '', second = ''] }: CellParts, random: Random): string => (random.chance(0.8) ? first : second);
const transaction = ({ cell }: CellParts, random: Random): string => `O${cell}-${random.below(8)}`;
/** The order's version, or an earlier one. */
const ifMatch = (random: Random, order: ModelOrder | undefined): number | undefined =>
  random.chance(0.2) ? (order?.history.length ?? 1) - (random.chance(0.4) ? 1 : 0) : undefined;

function terms({ callers, references }: CellParts, random: Random, merchantId: string, now: number, order: ModelOrder | undefined) {
  const { timeZone, currencies, mayRecur } = merchantOf(callers.merchants, merchantId);
  const currency = random.chance(0.03) ? FOREIGN : order !== undefined && random.chance(0.8) ? order.currency : random.pick(currencies);
  const maybe = <T>(share: number, make: () => T): T | undefined => (random.chance(share) ? make() : undefined);
  const day = (): string =>
    today(now, timeZone)
      .add({ days: random.pick(DAYS_AHEAD) })
      .toString();
  const isSame = order !== undefined && random.chance(0.4);
  return {
    merchantId,
    currency,
    amountMinor: isSame ? order.amountMinor : amountIn(random, currency),
    description: maybe(0.4, () => random.pick(DESCRIPTIONS)),
    method: maybe(0.2, () => random.pick(METHODS)),
    recurrent: maybe(mayRecur ? 0.25 : 0.03, () => random.chance(0.5)),
    expiresOn: maybe(order === undefined ? 0.7 : 0.3, day),
    reference: maybe(order === undefined ? 0.6 : 0.3, () => random.pick(references)),
  };
}

function propose(parts: CellParts, random: Random, state: OrderCell, now: number, again: readonly OrderCommand[]): OrderCommand {
  const repeatable = again.filter(({ do: what }) => what === 'create order' || what === 'pay order' || what === 'reverse order payment');
  if (repeatable.length > 0 && random.chance(0.12)) return random.pick(repeatable);
  const slot = random.pick(parts.slots);
  const order = state.orders[`${slot.merchantId}/${slot.orderId}`];
  const isOpen = order?.state === 'pending';
  const paid = order?.payments.at(random.below(order.payments.length));
  const serviceId = order?.serviceId ?? NOBODYS_ID;
  const create = (): OrderCommand => ({
    do: 'create order',
    ...slot,
    ...terms(parts, random, slot.merchantId, now, undefined),
    key: random.chance(0.5) ? `K-${parts.cell}-${random.below(3)}` : undefined,
  });
  const own = (by: string, drawn: string): string => {
    const isPaid = Object.values(state.orders).some(({ payments }) =>
      payments.some((one) => one.netname === by && one.transaction === drawn),
    );
    return isPaid ? drawn : ownedBy(parts.owners, merchantOf(parts.callers.merchants, slot.merchantId).cell, by, drawn);
  };
  const payBy = (by: string, drawn: string): OrderCommand => ({
    do: 'pay order',
    netname: by,
    transaction: own(by, drawn),
    serviceId,
    amountMinor: order !== undefined && random.chance(0.85) ? order.amountMinor : amountIn(random, order?.currency ?? 'COP'),
    currency: order?.currency ?? 'COP',
  });
  const pay = (): OrderCommand => payBy(netname(parts, random), transaction(parts, random));
  const reverse = (): OrderCommand => ({
    do: 'reverse order payment',
    netname: paid !== undefined && random.chance(0.9) ? paid.netname : netname(parts, random),
    transaction: paid !== undefined && random.chance(0.9) ? paid.transaction : transaction(parts, random),
    serviceId,
  });
  const update = (): OrderCommand => ({
    do: 'update order',
    ...slot,
    ...terms(parts, random, slot.merchantId, now, order),
    ifMatch: ifMatch(random, order),
  });
  const lookUp = (): OrderCommand => ({
    do: 'look up order',
    netname: netname(parts, random),
    reference: order?.reference ?? random.pick(parts.references),
  });
  return random.weighted<() => OrderCommand>([
    [order === undefined ? 12 : 0.3, create],
    [isOpen ? 3 : 0.6, update],
    [isOpen ? 0.8 : 0.3, () => ({ do: 'cancel order', ...slot, ifMatch: ifMatch(random, order) })],
    [0.6, () => ({ do: 'query order', ...slot })],
    [0.4, () => ({ do: 'read order history', ...slot })],
    [order === undefined ? 0.2 : 1, lookUp],
    [isOpen ? 3 : 0.5, pay],
    [paid === undefined ? 0.1 : 2, reverse],
    ...refunding(random, slot, order),
  ])();
}

/** What bears a refund, mostly what was collected. */
const BEARERS = ['collected', 'collected', 'fund'] as const;
/**
 * Who bears the refunds of an order: always the same. Of requests that race, the shares of the fee go by their order. Where the bearers differ,
 * so do their balances, and no answer tells which was first.
 */
export const bearerOf = (orderId: string): (typeof BEARERS)[number] =>
  BEARERS[Number(orderId.replaceAll(/[^0-9]/g, '')) % BEARERS.length] ?? 'collected';

/** Money that goes back, by the operator. */
function refunding(
  random: Random,
  slot: CellParts['slots'][number],
  order: ModelOrder | undefined,
): (readonly [weight: number, () => OrderCommand])[] {
  const paid = order?.payments.at(-1);
  const refunds = order?.payments.flatMap((one) => one.refunds) ?? [];
  const newId = (): string => `${slot.orderId}-R${random.below(4)}`;
  const anyId = (): string => (refunds.length > 0 && random.chance(0.9) ? random.pick(refunds).id : newId());
  const request = (): OrderCommand => ({
    do: 'request refund',
    ...slot,
    refundId: random.chance(0.9) ? newId() : anyId(),
    amountMinor: ((paid?.amountMinor ?? 3n) * BigInt(1 + random.below(4))) / 3n || 1n,
    currency: random.chance(0.95) ? (paid?.currency ?? 'COP') : FOREIGN,
    refundedBy: random.pick([...REFUNDERS, 'cashout']),
    takenFrom: bearerOf(slot.orderId),
    isApproved: random.chance(0.5),
  });
  const change = (): OrderCommand => ({
    do: 'change refund',
    merchantId: slot.merchantId,
    refundId: anyId(),
    to: random.pick(['approved', 'paid', 'paid', 'failed', 'cancelled'] as const),
    refundedBy: random.chance(0.3) ? random.pick(REFUNDERS) : undefined,
  });
  const voidLast = (): OrderCommand => ({
    do: 'void order',
    ...slot,
    isClaim: random.chance(0.5),
    refundedBy: random.pick(REFUNDERS),
  });
  return [
    [paid === undefined ? 0.1 : 1.5, request],
    [refunds.length === 0 ? 0.1 : 2, change],
    [paid === undefined ? 0.1 : 0.7, voidLast],
  ];
}

const MANAGED: ReadonlySet<OrderCommand['do']> = new Set(['create order', 'update order', 'cancel order', 'query order', 'void order']);

/** Lets an actor send some commands through the management API. It has no empty texts. */
function maybeAsActor(actors: Actors, random: Random, command: OrderCommand): OrderCommand {
  if (!MANAGED.has(command.do) || 'by' in command || !random.chance(MANAGED_SHARE)) return command;
  const managed = command as ManagedOrderCommand;
  const terms = 'description' in managed ? { description: managed.description || undefined, method: managed.method || undefined } : {};
  return { ...managed, ...terms, by: drawActor(actors, random, (actor, by) => stopOfOrder(actors, { ...managed, by }, actor.provedAt)) };
}

/** One or two orders that want the same references. */
export function playOrders(
  callers: Callers,
  networks: readonly string[],
  cell: number,
  drawn: Random,
  merchantIds: readonly string[] = [...callers.merchants.keys()],
): Play<OrderCell, OrderCommand> {
  const slots = Array.from({ length: drawn.chance(0.6) ? 1 : 2 }, (_, slot) => ({
    merchantId: drawn.pick(merchantIds),
    orderId: `O-${cell}-${slot}`,
  }));
  const references = [1, 2].map((number) => `8${cell.toString().padStart(8, '0')}${number}`);
  const parts: CellParts = { callers, cell, slots, references, networks: drawn.shuffle(networks), owners: new Map() };
  return {
    rules: orderRules(callers.merchants, callers.actors),
    start: { orders: {}, kept: {}, notices: [], acts: {} },
    keys: slots.map(({ merchantId, orderId }) => `${merchantId}/${orderId}`),
    subjects: slots.map(({ merchantId, orderId }) => `${merchantId} order ${orderId}`),
    propose: (random, ...situation) => maybeAsActor(callers.actors, random, propose(parts, random, ...situation)),
    reads: () => [
      ...slots.map((slot) => ({ do: 'query order' as const, ...slot })),
      ...slots.map(({ merchantId }, slot) => ({
        do: 'query order by reference' as const,
        merchantId,
        reference: references[slot] as string,
      })),
    ],
    // Only the order of the changes shows which payment a void met.
    readsOfRace: slots.flatMap((slot) => [
      { do: 'read order history' as const, ...slot },
      { do: 'query order' as const, ...slot, by: CONSOLE },
    ]),
    isHidden: () => slots.some(({ merchantId }) => merchantOf(callers.merchants, merchantId).isDisabled),
    send: (server, command) => sendOrder(callers, server, command),
    rows: orderRows,
    collected: ({ orders }) => Object.values(orders).flatMap((order) => order.payments.flatMap((one) => collectedOfPayment(order, one))),
  };
}
