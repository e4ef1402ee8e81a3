import { problemAnswer, type Actors } from './actors.ts';
import { applyManaged, learnable, refuseManaged, stopOfOrder, type ManagedOrderCommand } from './managed-orders.ts';
import { keyed, keyedByActor, merchantOf, once, sumUp, type Rules, type Merchants, type Outcome, type Seen } from './model.ts';
import { lookUp, pay, reverse } from './order-payments.ts';
import { change, moneyOfPayment, request, voidLast } from './order-refunds.ts';
import {
  changed,
  endsAt,
  nameOf,
  orderNotice,
  put,
  type ModelOrder,
  type OfOrder,
  type OrderCell,
  type OrderCommand,
} from './order-state.ts';
import { cancel, create, query, queryByReference, readHistory, update } from './order-terms.ts';

const pending = (cell: OrderCell): ModelOrder[] => Object.values(cell.orders).filter(({ state }) => state === 'pending');

/** The rules of orders. Source: contract §3. */
export function orderRules(merchants: Merchants, actors: Actors): Rules<OrderCell, OrderCommand> {
  function apply(cell: OrderCell, command: OrderCommand, now: number, seen: Seen): readonly Outcome<OrderCell>[] {
    if (isManagedOrder(command)) return manage(cell, command, now, seen);
    const code = stopOfMerchant(merchants, command);
    if (code !== undefined) return [{ state: cell, answer: { code } }];
    switch (command.do) {
      case 'create order': {
        const { key, ...body } = command;
        const learn = (state: OrderCell): OrderCell => learnFrom(state, command, seen);
        return once(
          cell,
          keyed(command.merchantId, key, { ...body, signsWith: merchantOf(merchants, command.merchantId).signsWith }),
          () => [create(merchants, cell, command, now, seen)],
          learn,
        );
      }
      case 'update order':
        return [update(merchants, cell, command, now)];
      case 'cancel order':
        return [cancel(merchants, cell, command, now)];
      case 'query order':
        return [query(merchants, cell, command, now, seen)];
      case 'query order by reference':
        return [queryByReference(merchants, cell, command, now, seen)];
      case 'read order history':
        return [readHistory(merchants, cell, command)];
      case 'look up order':
        return [lookUp(merchants, cell, command.reference, now)];
      case 'pay order':
        return [pay(merchants, cell, command, now)];
      case 'reverse order payment':
        return [reverse(merchants, cell, command, now)];
      case 'request refund':
        return request(merchants, cell, command, now);
      case 'change refund':
        return [change(cell, command, now)];
      case 'void order':
        return [voidLast(cell, command, now)];
    }
  }

  function manage(cell: OrderCell, command: ManagedOrderCommand, now: number, seen: Seen): readonly Outcome<OrderCell>[] {
    const stop = stopOfOrder(actors, command, now);
    if (stop !== undefined) return [{ state: cell, answer: problemAnswer(stop) }];
    const decide = (): Outcome<OrderCell>[] => [applyManaged(merchants, actors, cell, command, now, seen)];
    const { isFrozen, isDisabled } = merchantOf(merchants, command.merchantId);
    if (command.do !== 'create order' || isFrozen || isDisabled) return decide();
    const { key, by, ...body } = command;
    const outcomes = once(cell, keyedByActor(merchants, by, key, body), decide, (state) => learnFrom(state, command, learnable(seen)));
    return outcomes.map((one) => (one.answer['code'] === '0922' ? refuseManaged(actors, cell, command, 'key_reused', 422) : one));
  }

  return {
    apply,
    due: (cell, now) =>
      pending(cell)
        .filter((order) => now >= endsAt(merchants, order))
        .map(nameOf),
    sweep: (cell, key, now) => {
      const order = cell.orders[key] as ModelOrder;
      const expired = changed(order, { state: 'expired' }, 'VENCIDA', 'service', now);
      return put(cell, expired, orderNotice(order, order.orderId, 'cancelled', order.amountMinor, order.currency, ''));
    },
    nextDue: (cell) => Math.min(Infinity, ...pending(cell).map((order) => endsAt(merchants, order))),
    money: (cell) => sumUp(Object.values(cell.orders).flatMap(moneyOf)),
  };
}

/** Commands that only read. */
const READS: ReadonlySet<OrderCommand['do']> = new Set(['query order', 'query order by reference', 'read order history']);

/** Commands of the operator. */
const BY_OPERATOR: ReadonlySet<OrderCommand['do']> = new Set(['void order', 'request refund', 'change refund']);

/** The answer to a merchant that is disabled or frozen. Networks and the operator are answered. */
function stopOfMerchant(merchants: Merchants, command: OrderCommand): string | undefined {
  if (!('merchantId' in command) || BY_OPERATOR.has(command.do)) return undefined;
  const { isFrozen, isDisabled } = merchantOf(merchants, command.merchantId);
  return isDisabled || (isFrozen && !READS.has(command.do)) ? '0025' : undefined;
}

export const isManagedOrder = (command: OrderCommand): command is ManagedOrderCommand => 'by' in command && command.by !== undefined;

function learnFrom(cell: OrderCell, command: OfOrder, seen: Seen): OrderCell {
  const order = cell.orders[nameOf(command)];
  if (order === undefined || order.serviceId !== null || seen?.['SVordenID'] === undefined) return cell;
  return put(cell, { ...order, serviceId: seen['SVordenID'], reference: order.reference ?? seen['Referencia'] ?? null });
}

/** The balances of an order's payments. */
const moneyOf = ({ merchantId, payments }: ModelOrder): (readonly [string, bigint])[] =>
  payments.flatMap((payment) =>
    moneyOfPayment(payment).map(([account, minor]) => [`${merchantId} ${account} ${payment.currency}`, minor] as const),
  );
