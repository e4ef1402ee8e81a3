import { HISTORY_HEADING, historyJson, historyRows } from '../../kit/changes/show-history.ts';
import { localText, type Cell } from '../../kit/command-line.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import { entriesAbout } from '../../ledger/index.ts';
import { messagesAbout } from '../../messages/index.ts';
import { noticesAbout } from '../../notices/index.ts';
import type { Order, OrderState } from '../order.ts';
import { showRefused } from '../manage/order-forms.ts';
import { OPERATOR, REFUSED_HEADING, refusedCells, toJson as refusedJson } from '../payments/refused.cli.ts';
import type { WholeOrder } from './read-whole-order.ts';

// How `caudal orders show` prints an order.

export function toLines(order: Order, state: OrderState, zone: string): [string, Cell][] {
  const { email, userName, userDocument, userDocumentType, expiresAt, recurrent } = order;
  const document = [userDocumentType, userDocument].filter(Boolean).join(' ');
  const end = expiresAt === null ? 'never' : localText(expiresAt, zone);
  return [
    ['order', order.orderId],
    ['merchant', order.merchantId],
    ['service id', order.serviceOrderId],
    ['state', recurrent ? `${state}, recurrent` : state],
    ['amount', `${formatAllDecimals(order.amountMinor, order.currency)} ${order.currency}`],
    ['description', order.description],
    ['reference', order.reference],
    ['payer', [email, userName, document].filter(Boolean).join(', ')],
    ['country', order.country],
    ['last day', order.expiresOn.toString()],
    ['expires', end],
    [
      'checkout link',
      state === 'pending' ? `valid ${expiresAt === null ? 'without end' : `until ${end}`}` : `not payable: the order is ${state}`,
    ],
    ['created', order.createdAt],
    ['updated', order.updatedAt],
    ['version', order.version],
  ];
}

type Tables = readonly (readonly [heading: readonly string[], rows: readonly (readonly Cell[])[]])[];

export const toTables = ({ history, payments, refused, notices, mails, entries }: WholeOrder): Tables => [
  [HISTORY_HEADING, history.flatMap(historyRows)],
  [
    ['PAYMENT', 'BY', 'TRANSACTION', 'AMOUNT', 'FEE AND TAX', 'STATE', 'PAID', 'GIVEN BACK'],
    payments.map((one) => {
      const fee = { amountMinor: one.feeMinor + one.taxMinor, currency: one.currency };
      return [one.paymentNumber, one.source, one.transactionId, one, fee, one.state, one.paidAt, one.givenBackAt];
    }),
  ],
  [REFUSED_HEADING, refused.map((one) => refusedCells(showRefused(one, OPERATOR)))],
  [noticesAbout.heading, notices.map(noticesAbout.cells)],
  [messagesAbout.heading, mails.map(messagesAbout.cells)],
  [entriesAbout.heading, entries.map(entriesAbout.cells)],
];

export function toJson({ order, history, payments, refused, notices, mails, entries }: WholeOrder, state: OrderState) {
  const {
    merchantId,
    orderId,
    serviceOrderId,
    amountMinor,
    expiresAt,
    payments: _payments,
    paymentsGivenBack: _givenBack,
    ...rest
  } = order;
  return {
    merchant: merchantId,
    order: orderId,
    serviceOrderId: serviceOrderId.toString(),
    ...rest,
    state,
    amount: formatAllDecimals(amountMinor, order.currency),
    expiresAt,
    checkoutLink: { isPayable: state === 'pending', until: expiresAt },
    history: history.map(historyJson),
    payments: payments.map((one) => ({
      payment: one.paymentNumber,
      by: one.source,
      transaction: one.transactionId,
      amount: formatAllDecimals(one.amountMinor, one.currency),
      currency: one.currency,
      fee: formatAllDecimals(one.feeMinor + one.taxMinor, one.currency),
      state: one.state,
      paidAt: one.paidAt,
      givenBackAt: one.givenBackAt,
    })),
    refused: refused.map((one) => refusedJson(showRefused(one, OPERATOR))),
    notices: notices.map(noticesAbout.toJson),
    mails: mails.map(messagesAbout.toJson),
    entries: entries.map(entriesAbout.toJson),
  };
}
