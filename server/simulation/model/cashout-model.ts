import { problemAnswer, type Actors } from './actors.ts';
import { applyManaged, learnable, stopOfCashout, type ManagedCashoutCommand } from './managed-cashouts.ts';
import { keyed, keyedByActor, merchantOf, once, sumUp, type Rules, type Merchants, type Seen, type Weather } from './model.ts';
import {
  changed,
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
import { cutOffLookUps, lookUp, pay, reverse } from './cashout-collection.ts';
import { cancel, item, nullify, register, renew } from './cashout-terms.ts';

/** Takes over what a lost answer to a registration had shown, when it is repeated. The password is shown once, and so stays unknown. */
export function learnFrom<Cell extends CashoutCell>(cell: Cell, command: OfCashout, seen: Seen): Cell {
  const cashout = cell.cashouts[nameOf(command)];
  if (cashout === undefined || seen === undefined) return cell;
  const serviceId = cashout.serviceId ?? seen['svCode'] ?? null;
  return { ...cell, ...put(cell, { ...cashout, serviceId }) };
}

/** The answer to a merchant that is disabled, or frozen and writes. Networks and the operator are answered. */
function stopOfMerchant(merchants: Merchants, command: CashoutCommand): string | undefined {
  if (!('merchantId' in command) || command.do === 'nullify cashout') return undefined;
  const { isFrozen, isDisabled } = merchantOf(merchants, command.merchantId);
  return isDisabled || (isFrozen && command.do !== 'query cashout') ? '0009' : undefined;
}

export const isManagedCashout = (command: CashoutCommand): command is ManagedCashoutCommand => 'by' in command && command.by !== undefined;

const pending = (cell: CashoutCell): ModelCashout[] => Object.values(cell.cashouts).filter(({ state }) => state === 'pending');

/** In several cells a try is counted before its password is compared: until it is taken off again, people see it. */
const withTryUnderWay = ({ state, answer }: Ended): readonly Ended[] =>
  answer['otpWrongTries'] === undefined
    ? []
    : [{ state, answer: { ...answer, otpWrongTries: String(Number(answer['otpWrongTries']) + 1) } }];

/** A look-up, and what is left of one where something went away. */
function withCutOff(
  merchants: Merchants,
  { hasCells, isStormy }: Weather,
  cell: CashoutCell,
  command: CashoutCommand & { do: 'look up cashout' },
  now: number,
  seen: Seen,
): readonly Ended[] {
  const whole = lookUp(merchants, cell, command, now, seen);
  if (!hasCells || (seen !== undefined && !isStormy)) return [whole];
  const left = cutOffLookUps(merchants, cell, command, now, whole.state, seen);
  return [whole, ...left.map((state) => ({ ...whole, state }))];
}

/** The rules of cashouts. Source: contract §4. */
export function cashoutRules(merchants: Merchants, actors: Actors, weather: Weather): Rules<CashoutCell, CashoutCommand> {
  function apply(cell: CashoutCell, command: CashoutCommand, now: number, seen: Seen): readonly Ended[] {
    if (isManagedCashout(command)) return manage(cell, command, now, seen);
    const code = stopOfMerchant(merchants, command);
    if (code !== undefined) return [refuse(cell, code)];
    switch (command.do) {
      case 'register cashout': {
        const { key, ...body } = command;
        const decide = (): Ended[] => register(merchants, cell, command, now, seen);
        return once(
          cell,
          keyed(command.merchantId, key, { ...body, signsWith: merchantOf(merchants, command.merchantId).signsWith }),
          decide,
          (state) => learnFrom(state, command, seen),
        );
      }
      case 'renew password': {
        const { key, ...body } = command;
        return once(
          cell,
          keyed(command.merchantId, key, { ...body, signsWith: merchantOf(merchants, command.merchantId).signsWith }),
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
        return withCutOff(merchants, weather, cell, command, now, seen);
      case 'pay cashout':
        return [pay(merchants, cell, command, now)];
      case 'reverse cashout payment':
        return [reverse(merchants, cell, command, now)];
      case 'nullify cashout':
        return [nullify(cell, command, now)];
    }
  }

  function manage(cell: CashoutCell, command: ManagedCashoutCommand, now: number, seen: Seen): readonly Ended[] {
    const stop = stopOfCashout(actors, command, now);
    if (stop !== undefined) return [{ state: cell, answer: problemAnswer(stop) }];
    const { key, by, ...body } = { key: undefined, ...command };
    const underKey = (decide: () => readonly Ended[]): readonly Ended[] =>
      once(cell, keyedByActor(merchants, by, key, body), decide, (state) => learnFrom(state, command, learnable(seen)));
    const outcomes = applyManaged(merchants, actors, cell, command, now, seen, underKey);
    return weather.hasCells ? outcomes.flatMap((one) => [one, ...withTryUnderWay(one)]) : outcomes;
  }

  return {
    apply,
    due: (cell, now) =>
      pending(cell)
        .filter((cashout) => now >= endsAt(merchants, cashout))
        .map(nameOf),
    sweep: (cell, key, now) =>
      put(cell, changed(cell.cashouts[key] as ModelCashout, { state: 'expired' }, 'expired', 'service', now), 'VENCIDA'),
    nextDue: (cell) => Math.min(Infinity, ...pending(cell).map((cashout) => endsAt(merchants, cashout))),
    money: (cell) => sumUp(Object.values(cell.cashouts).flatMap(moneyOf)),
  };
}

/** The balances of a cashout. Positive: owed to the owner. Source: server/src/ledger/README.md. */
function moneyOf({ merchantId, refundId, currency, state, amountMinor, fee, tax, payment }: ModelCashout): (readonly [string, bigint])[] {
  const of = (account: string): string => `${merchantId} ${account} ${currency}`;
  const total = amountMinor + fee + tax;
  const taken: readonly (readonly [string, bigint])[] =
    refundId === null
      ? [[of('available'), -total]]
      : [
          [of('available'), -fee - tax],
          [of('refunds'), -amountMinor],
        ];
  if (state === 'pending') return [...taken, [of('reserved'), total]];
  if (state !== 'approved' || payment === null) return [];
  return [...taken, [of(`network:${payment.netname}`), amountMinor], [of('service:fees'), fee], [of('service:tax'), tax]];
}
