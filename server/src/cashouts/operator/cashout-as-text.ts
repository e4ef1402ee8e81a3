import { HISTORY_HEADING, historyJson, historyRows } from '../../kit/changes/show-history.ts';
import { localText, type Cell } from '../../kit/command-line.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import { entriesAbout } from '../../ledger/index.ts';
import { messagesAbout } from '../../messages/index.ts';
import { noticesAbout } from '../../notices/index.ts';
import type { Cashout, CashoutState } from '../cashout.ts';
import type { WholeCashout } from './read-whole-cashout.ts';

// How `caudal cashouts show` prints a cashout.

export function toLines(cashout: Cashout, state: CashoutState, zone: string): [string, Cell][] {
  const { currency, feeMinor, taxMinor, transactionCostMinor, reservedMinor, lockedBy, lockedUntil } = cashout;
  const money = (amountMinor: bigint): Cell => `${formatAllDecimals(amountMinor, currency)} ${currency}`;
  const hold = lockedUntil === null ? 'none' : `${lockedBy}, until ${localText(lockedUntil, zone)}`;
  return [
    ['cashout', cashout.operationId],
    ['merchant', cashout.merchantId],
    ['service id', cashout.cashoutId.toString()],
    ['state', state],
    ['amount', money(cashout.amountMinor)],
    ['transaction cost', money(transactionCostMinor)],
    ['fee and tax', money(feeMinor + taxMinor)],
    ['taken from the fund', money(reservedMinor)],
    ['description', cashout.description],
    ['end user', [cashout.document, cashout.cellphone].filter(Boolean).join(', ')],
    [
      'one-time password',
      `${cashout.sms ? 'by SMS' : 'by its merchant'}, ${cashout.otpWrongTries} wrong tries, renewed ${cashout.otpResends} times`,
    ],
    ['held by a network', hold],
    ['last day', cashout.expiresOn.toString()],
    ['created', cashout.createdAt],
    ['updated', cashout.updatedAt],
    ['version', cashout.version],
  ];
}

type Tables = readonly (readonly [heading: readonly string[], rows: readonly (readonly Cell[])[]])[];

export const toTables = ({ history, payment, notices, messages, entries }: WholeCashout): Tables => [
  [HISTORY_HEADING, history.flatMap(historyRows)],
  [
    ['PAID BY', 'TRANSACTION', 'TELLER', 'PAID', 'REVERSED'],
    payment === undefined ? [] : [[payment.network, payment.transactionId, payment.teller, payment.paidAt, payment.reversedAt]],
  ],
  [noticesAbout.heading, notices.map(noticesAbout.cells)],
  [messagesAbout.heading, messages.map(messagesAbout.cells)],
  [entriesAbout.heading, entries.map(entriesAbout.cells)],
];

export function toJson({ cashout, history, payment, notices, messages, entries }: WholeCashout, state: CashoutState): object {
  const money = (amountMinor: bigint): string => formatAllDecimals(amountMinor, cashout.currency);
  const { transactionId: transaction, ...paid } = payment ?? {};
  return {
    merchant: cashout.merchantId,
    cashout: cashout.operationId,
    serviceId: cashout.cashoutId.toString(),
    state,
    amount: money(cashout.amountMinor),
    currency: cashout.currency,
    transactionCost: money(cashout.transactionCostMinor),
    fee: money(cashout.feeMinor + cashout.taxMinor),
    reserved: money(cashout.reservedMinor),
    description: cashout.description,
    document: cashout.document,
    cellphone: cashout.cellphone,
    sms: cashout.sms,
    otpWrongTries: cashout.otpWrongTries,
    otpResends: cashout.otpResends,
    lockedBy: cashout.lockedBy,
    lockedUntil: cashout.lockedUntil,
    expiresOn: cashout.expiresOn,
    createdAt: cashout.createdAt,
    updatedAt: cashout.updatedAt,
    version: cashout.version,
    history: history.map(historyJson),
    payment: payment === undefined ? null : { transaction, ...paid },
    notices: notices.map(noticesAbout.toJson),
    messages: messages.map(messagesAbout.toJson),
    entries: entries.map(entriesAbout.toJson),
  };
}
