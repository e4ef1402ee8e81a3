import { formatAmount } from '../../src/kit/money.ts';
import { localTime, merchantOf, type Answer, type Merchants, type Seen } from './model.ts';
import {
  HOLD_MS,
  REVERSAL_MS,
  MAX_WRONG_TRIES,
  MAX_WRONG_TRIES_OF_NETWORK,
  WINDOW_MS,
  changed,
  nameOf,
  zoneOf,
  endsAt,
  isOpen,
  isHeld,
  refuse,
  put,
  type ModelCashout,
  type CashoutCell,
  type OfTransaction,
  type CashoutCommand,
  type Ended,
} from './cashout-state.ts';

export function lookUp(
  merchants: Merchants,
  cell: CashoutCell,
  command: CashoutCommand & { do: 'look up cashout' },
  now: number,
  seen: Seen,
): Ended {
  const { netname, otp } = command;
  const tries = cell.tries[netname];
  const isSameWindow = tries !== undefined && now < tries.since + WINDOW_MS;
  if (isSameWindow && tries.count >= MAX_WRONG_TRIES_OF_NETWORK) return refuse(cell, '0013');
  const open = Object.values(cell.cashouts).filter((one) => isOpen(merchants, one, now));
  const usable = open.filter(({ wrongTries }) => wrongTries < MAX_WRONG_TRIES);
  const found = usable.find((one) => one.otp === otp);
  if (found === undefined) {
    const count = isSameWindow ? tries.count + 1 : 1;
    const wrong = usable.map((one) => [nameOf(one), { ...one, wrongTries: one.wrongTries + 1 }] as const);
    const next = {
      ...cell,
      cashouts: { ...cell.cashouts, ...Object.fromEntries(wrong) },
      tries: { ...cell.tries, [netname]: { count, since: isSameWindow ? tries.since : now } },
    };
    return { state: next, answer: { code: '0002' } };
  }
  if (found.heldBy !== netname && isHeld(found, now)) return refuse(cell, '0013');
  // What is refused is not held.
  if (merchantOf(merchants, found.merchantId).isFrozen) return refuse(cell, '0013');
  const serviceId = found.serviceId ?? seen?.['idoperation'] ?? null;
  const held = { ...found, serviceId, heldBy: netname, heldUntil: Math.min(now + HOLD_MS, endsAt(merchants, found)) };
  const answer = {
    code: '0000',
    ...(serviceId === null ? {} : { idoperation: serviceId }),
    operation: found.operationId,
    merchant: merchantOf(merchants, found.merchantId).name,
    amount: formatAmount(found.amountMinor, found.currency),
    currency: found.currency,
    description: found.description,
    document: cell.document,
    expire: found.expiresOn,
  };
  return { state: put(cell, held), answer };
}

/**
 * What a look-up in several cells may leave where a database or its process went away: each try is counted before the password is compared,
 * at home and in each cell, and taken off again where it fits. Shape: the states beside that of the whole look-up.
 */
export function cutOffLookUps(
  merchants: Merchants,
  cell: CashoutCell,
  command: CashoutCommand & { do: 'look up cashout' },
  now: number,
  whole: CashoutCell,
  seen: Seen,
): readonly CashoutCell[] {
  const { netname } = command;
  const tries = cell.tries[netname];
  // A wrong password is said to be wrong once all has counted.
  if (seen?.['code'] === '0002') return [];
  const isSameWindow = tries !== undefined && now < tries.since + WINDOW_MS;
  const counted = { count: isSameWindow ? tries.count + 1 : 1, since: isSameWindow ? tries.since : now };
  if (isSameWindow && tries.count >= MAX_WRONG_TRIES_OF_NETWORK) return [];
  const usable = Object.values(cell.cashouts).filter((one) => isOpen(merchants, one, now) && one.wrongTries < MAX_WRONG_TRIES);
  const cellOf = ({ merchantId }: ModelCashout): number => merchantOf(merchants, merchantId).cell;
  let subsets: number[][] = [[]];
  for (const one of new Set(usable.map(cellOf))) subsets = subsets.flatMap((subset) => [subset, [...subset, one]]);
  const left: CashoutCell[] = [];
  for (const base of seen === undefined ? [cell, whole] : [whole])
    for (const subset of subsets)
      for (const atHome of [counted, tries]) {
        const cashouts = { ...base.cashouts };
        for (const one of usable) {
          const wrongTries = one.wrongTries + (subset.includes(cellOf(one)) ? 1 : 0);
          cashouts[nameOf(one)] = { ...(cashouts[nameOf(one)] as ModelCashout), wrongTries };
        }
        const { [netname]: _, ...others } = base.tries;
        left.push({ ...base, cashouts, tries: atHome === undefined ? others : { ...others, [netname]: atHome } });
      }
  return left;
}

function paymentAnswer(merchants: Merchants, cell: CashoutCell, cashout: ModelCashout): Answer {
  const { transaction, paidAt, reversedAt } = cashout.payment as NonNullable<ModelCashout['payment']>;
  return {
    code: '0000',
    idoperation: String(cashout.serviceId),
    transaction,
    operation: cashout.operationId,
    amount: formatAmount(cashout.amountMinor, cashout.currency),
    currency: cashout.currency,
    document: cell.document,
    date: localTime(reversedAt ?? paidAt, zoneOf(merchants, cashout)),
    status: reversedAt === null ? 'APROBADA' : 'ANULADA',
  };
}

const findPayment = (
  cell: CashoutCell,
  { netname, transaction }: Pick<OfTransaction, 'netname' | 'transaction'>,
): ModelCashout | undefined =>
  Object.values(cell.cashouts).find(({ payment }) => payment?.netname === netname && payment.transaction === transaction);

export function pay(merchants: Merchants, cell: CashoutCell, command: CashoutCommand & { do: 'pay cashout' }, now: number): Ended {
  const { netname, transaction, serviceId, teller } = command;
  const earlier = findPayment(cell, command);
  if (earlier !== undefined) {
    if (earlier.serviceId !== serviceId || earlier.payment?.teller !== teller) return refuse(cell, '0016');
    return earlier.payment.reversedAt === null ? { state: cell, answer: paymentAnswer(merchants, cell, earlier) } : refuse(cell, '0021');
  }
  const cashout = Object.values(cell.cashouts).find((one) => one.serviceId === serviceId);
  // One that no network has found is not known to any.
  if (cashout === undefined || cashout.heldBy === null) return refuse(cell, '0014');
  if (merchantOf(merchants, cashout.merchantId).isFrozen) return refuse(cell, '0013');
  if (cashout.heldBy !== netname) return refuse(cell, isHeld(cashout, now) ? '0013' : '0014');
  if (!isOpen(merchants, cashout, now)) return refuse(cell, '0021');
  if (!isHeld(cashout, now)) return refuse(cell, '0013');
  const payment = { netname, transaction, teller, paidAt: now, reversedAt: null };
  const next = changed(cashout, { state: 'approved', payment }, 'paid', `network:${netname}`, now);
  const paid = put(cell, next, 'APROBADA');
  return { state: paid, answer: paymentAnswer(merchants, paid, next) };
}

export function reverse(merchants: Merchants, cell: CashoutCell, command: OfTransaction, now: number): Ended {
  const cashout = findPayment(cell, command);
  if (cashout === undefined || cashout.payment === null || cashout.serviceId !== command.serviceId) return refuse(cell, '0001');
  if (cashout.payment.reversedAt !== null) return { state: cell, answer: paymentAnswer(merchants, cell, cashout) };
  if (now > cashout.payment.paidAt + REVERSAL_MS) return refuse(cell, '0018');
  const fields = { state: 'nullified', payment: { ...cashout.payment, reversedAt: now } } as const;
  const next = changed(cashout, fields, 'payment_reversed', `network:${cashout.payment.netname}`, now);
  return { state: put(cell, next), answer: paymentAnswer(merchants, cell, next) };
}
