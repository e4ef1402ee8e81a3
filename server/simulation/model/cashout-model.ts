import { keyed, once, sumUp, type Rules, type Merchants, type Seen } from './model.ts';
import {
  nameOf,
  endsAt,
  refuse,
  put,
  type ModelCashout,
  type CashoutCell,
  type OfCashout,
  type CashoutCommand,
  type Ended,
} from './cashout-state.ts';
import { lookUp, pay, reverse } from './cashout-collection.ts';
import { cancel, item, nullify, register, renew } from './cashout-terms.ts';

/** Takes over what a lost answer to a registration had shown, when it is repeated. The password is shown once, and so stays unknown. */
function learnFrom(cell: CashoutCell, command: OfCashout, seen: Seen): CashoutCell {
  const cashout = cell.cashouts[nameOf(command)];
  if (cashout === undefined || seen === undefined) return cell;
  const serviceId = cashout.serviceId ?? seen['svCode'] ?? null;
  return put(cell, { ...cashout, serviceId });
}

const pending = (cell: CashoutCell): ModelCashout[] => Object.values(cell.cashouts).filter(({ state }) => state === 'pending');

/** The rules of cashouts. Source: contract §4. */
export function cashoutRules(merchants: Merchants): Rules<CashoutCell, CashoutCommand> {
  function apply(cell: CashoutCell, command: CashoutCommand, now: number, seen: Seen): readonly Ended[] {
    switch (command.do) {
      case 'register cashout': {
        const { key, ...body } = command;
        const decide = (): Ended[] => register(merchants, cell, command, now, seen);
        return once(cell, keyed(command.merchantId, key, body), decide, (state) => learnFrom(state, command, seen));
      }
      case 'renew password': {
        const { key, ...body } = command;
        return once(
          cell,
          keyed(command.merchantId, key, body),
          () => [renew(merchants, cell, command, now, seen)],
          (state) => state,
        );
      }
      case 'cancel cashout':
        return [cancel(merchants, cell, command, now)];
      case 'query cashout': {
        const cashout = cell.cashouts[nameOf(command)];
        if (cashout === undefined || command.document !== cell.document) return [refuse(cell, '0001')];
        return [{ state: cell, answer: item(merchants, cell, cashout, now) }];
      }
      case 'look up cashout':
        return [lookUp(merchants, cell, command, now, seen)];
      case 'pay cashout':
        return [pay(merchants, cell, command, now)];
      case 'reverse cashout payment':
        return [reverse(merchants, cell, command, now)];
      case 'nullify cashout':
        return [nullify(cell, command, now)];
    }
  }
  return {
    apply,
    due: (cell, now) =>
      pending(cell)
        .filter((cashout) => now >= endsAt(merchants, cashout))
        .map(nameOf),
    sweep: (cell, key, now) => put(cell, { ...(cell.cashouts[key] as ModelCashout), state: 'expired', updatedAt: now }, 'VENCIDA'),
    nextDue: (cell) => Math.min(Infinity, ...pending(cell).map((cashout) => endsAt(merchants, cashout))),
    money: (cell) => sumUp(Object.values(cell.cashouts).flatMap(moneyOf)),
  };
}

/** The balances of a cashout. Positive: owed to the owner. Source: server/src/ledger/README.md. */
function moneyOf({ merchantId, currency, state, amountMinor, fee, tax, payment }: ModelCashout): (readonly [string, bigint])[] {
  const of = (account: string): string => `${merchantId} ${account} ${currency}`;
  const total = amountMinor + fee + tax;
  if (state === 'pending') {
    return [
      [of('available'), -total],
      [of('reserved'), total],
    ];
  }
  if (state !== 'approved' || payment === null) return [];
  return [
    [of('available'), -total],
    [of(`network:${payment.netname}`), amountMinor],
    [of('service:fees'), fee],
    [of('service:tax'), tax],
  ];
}
