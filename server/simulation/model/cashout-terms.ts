import { formatAmount } from '../../src/kit/money.ts';
import { day, daysBetween, feeFor, merchantOf, today, type Answer, type Merchants, type Seen } from './model.ts';
import {
  MAX_RESENDS,
  STATES,
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
  type OfCashout,
  type CashoutCommand,
  type Ended,
} from './cashout-state.ts';

export function register(
  merchants: Merchants,
  cell: CashoutCell,
  command: CashoutCommand & { do: 'register cashout' },
  now: number,
  seen: Seen,
  actor = 'merchant',
  refundId: string | null = null,
): Ended[] {
  const merchant = merchantOf(merchants, command.merchantId);
  const { merchantId, operationId, amountMinor, currency, description } = command;
  const first = today(now, merchant.timeZone);
  if (!merchant.currencies.includes(currency)) return [refuse(cell, '0019')];
  const expiresOn = command.expiresOn ?? first.add({ days: 30 }).toString();
  const ahead = daysBetween(first, day(expiresOn));
  if (ahead < 0 || ahead > 365) return [refuse(cell, '0037')];
  if (cell.cashouts[nameOf(command)] !== undefined) return [refuse(cell, '0042')];
  const { limits } = merchant;
  if (limits !== undefined && (amountMinor < limits.leastMinor || amountMinor > limits.mostMinor)) return [refuse(cell, '0004')];
  const ofToday = Object.values(cell.cashouts).filter(
    (one) => one.merchantId === merchantId && one.currency === currency && today(one.createdAt, merchant.timeZone).equals(first),
  );
  if (limits !== undefined && ofToday.length >= limits.perDocumentAndDay) return [refuse(cell, '0020')];
  const cashout: ModelCashout = {
    merchantId,
    operationId,
    refundId,
    amountMinor,
    currency,
    description,
    expiresOn,
    state: 'pending',
    createdAt: now,
    updatedAt: now,
    history: [{ event: 'cashout.registered', actor, at: now }],
    wrongTries: 0,
    resends: 0,
    renewals: [],
    heldBy: null,
    heldUntil: 0,
    payment: null,
    ...feeFor(merchant.fees.cashout, amountMinor),
    serviceId: seen?.['svCode'] ?? null,
    otp: seen?.['otp'] ?? null,
  };
  const answer = {
    code: '0000',
    amount: formatAmount(amountMinor, currency),
    transactionCost: '0.0',
    currency,
    description,
    document: cell.document,
    operation: operationId,
    expire: expiresOn,
    ...(seen === undefined
      ? {}
      : {
          svCode: String(seen['svCode']),
          otp: String(seen['otp']),
        }),
  };
  // Whether a small fund suffices depends on other cells: books.ts checks it for the whole round.
  return [{ state: put(cell, cashout), answer }, ...(merchant.isAmple ? [] : [refuse(cell, '0025')])];
}

export const item = (merchants: Merchants, cell: CashoutCell, cashout: ModelCashout, now: number): Answer => ({
  code: '0000',
  amount: formatAmount(cashout.amountMinor, cashout.currency),
  transactionCost: '0.0',
  currency: cashout.currency,
  description: cashout.description,
  document: cell.document,
  sms: 'false',
  operation: cashout.operationId,
  expire: cashout.expiresOn.replaceAll('-', ''),
  update: today(cashout.updatedAt, zoneOf(merchants, cashout)).toString().replaceAll('-', ''),
  status: STATES[cashout.state === 'pending' && now >= endsAt(merchants, cashout) ? 'expired' : cashout.state],
});

export function cancel(
  merchants: Merchants,
  cell: CashoutCell,
  command: CashoutCommand & { do: 'cancel cashout' },
  now: number,
  actor = 'merchant',
): Ended {
  const cashout = cell.cashouts[nameOf(command)];
  if (cashout === undefined || command.document !== cell.document) return refuse(cell, '0014');
  if (cashout.state === 'cancelled') return { state: cell, answer: item(merchants, cell, cashout, now) };
  if (!isOpen(merchants, cashout, now)) return refuse(cell, '0021');
  if (isHeld(cashout, now)) return refuse(cell, '0013');
  const next = changed(cashout, { state: 'cancelled' }, 'cancelled', actor, now);
  return { state: put(cell, next), answer: item(merchants, cell, next, now) };
}

export function renew(
  merchants: Merchants,
  cell: CashoutCell,
  command: CashoutCommand & { do: 'renew password' },
  now: number,
  seen: Seen,
  actor = 'merchant',
): Ended {
  const cashout = cell.cashouts[nameOf(command)];
  if (cashout === undefined || command.document !== cell.document) return refuse(cell, '0014');
  // A checksum renews once. With another fixed hash the same id has another checksum.
  const { signsWith } = merchantOf(merchants, command.merchantId);
  const renewal = command.renewal === undefined ? undefined : `${command.renewal} ${signsWith}`;
  if (renewal !== undefined && cashout.renewals.includes(renewal)) return refuse(cell, '0009');
  if (!isOpen(merchants, cashout, now)) return refuse(cell, '0021');
  if (isHeld(cashout, now)) return refuse(cell, '0013');
  if (cashout.resends >= MAX_RESENDS) return refuse(cell, '0013');
  const renewals = renewal === undefined ? cashout.renewals : [...cashout.renewals, renewal];
  const fields = { otp: seen?.['otp'] ?? null, resends: cashout.resends + 1, renewals, wrongTries: 0 };
  const next = changed(cashout, fields, 'password_renewed', actor, now);
  const password = seen === undefined ? {} : { otp: String(seen['otp']) };
  return {
    state: put(cell, next),
    answer: { code: '0000', operation: cashout.operationId, document: cell.document, '#resends': String(next.resends), ...password },
  };
}

export function nullify(cell: CashoutCell, command: OfCashout, now: number, actor = 'operator'): Ended {
  const cashout = cell.cashouts[nameOf(command)];
  if (cashout === undefined) return refuse(cell, 'cashout_not_registered');
  if (cashout.state !== 'pending') return refuse(cell, 'cashout_not_pending');
  if (isHeld(cashout, now)) return refuse(cell, 'cashout_locked');
  return { state: put(cell, changed(cashout, { state: 'nullified' }, 'nullified', actor, now)), answer: { code: '0000' } };
}
