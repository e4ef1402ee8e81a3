import { HISTORY_HEADING, historyRows } from '../../kit/changes/show-history.ts';
import { localText, sentInstant, type Cell } from '../../kit/command-line.ts';
import { entriesAbout } from '../../ledger/index.ts';
import { messagesAbout } from '../../messages/index.ts';
import { noticesAbout } from '../../notices/index.ts';
import type { ShownOrder } from '../manage/whole-order.ts';
import { REFUSED_HEADING, refusedCells } from '../payments/refused.cli.ts';
import { REFUND_HEADING, refundCells } from '../refunds/refunds.cli.ts';

// How `caudal orders show` prints an order.

type Shown = Omit<ShownOrder, 'checkoutUrl'>;

export function orderLines(order: Shown, zone: string): [string, Cell][] {
  const { state, email, userName, userDocument, userDocumentType, recurrent } = order;
  const document = [userDocumentType, userDocument].filter(Boolean).join(' ');
  const end = order.expiresAt === null ? 'never' : localText(Temporal.Instant.from(order.expiresAt), zone);
  return [
    ['order', order.order],
    ['merchant', order.merchant],
    ['service id', order.serviceOrderId],
    ['state', recurrent ? `${state}, recurrent` : state],
    ['amount', order.amount],
    ['description', order.description],
    ['reference', order.reference],
    ['payer', [email, userName, document].filter(Boolean).join(', ')],
    ['country', order.country],
    ['last day', order.expiresOn],
    ['expires', end],
    [
      'checkout link',
      state === 'pending' ? `valid ${order.expiresAt === null ? 'without end' : `until ${end}`}` : `not payable: the order is ${state}`,
    ],
    ['created', sentInstant(order.createdAt)],
    ['updated', sentInstant(order.updatedAt)],
    ['version', order.version],
  ];
}

type Tables = readonly (readonly [heading: readonly string[], rows: readonly (readonly Cell[])[]])[];

/** What its reader may not see is absent, like what does not exist. */
export const orderTables = ({ history, paymentList, refunds, refusedPayments, notices, messages, entries }: Shown): Tables => [
  [HISTORY_HEADING, history.flatMap(historyRows)],
  [
    ['PAYMENT', 'BY', 'TRANSACTION', 'AMOUNT', 'FEE', 'TAX', 'STATE', 'PAID', 'GIVEN BACK', 'REFUNDED'],
    paymentList.map(({ number, source, transaction, amount, fee, tax, state, paidAt, givenBackAt, refunded }) => [
      number,
      source,
      transaction,
      amount,
      fee,
      tax,
      state,
      sentInstant(paidAt),
      sentInstant(givenBackAt),
      refunded,
    ]),
  ],
  [REFUND_HEADING, refunds.map(refundCells)],
  [REFUSED_HEADING, refusedPayments.map(refusedCells)],
  [noticesAbout.heading, (notices ?? []).map(noticesAbout.cells)],
  [messagesAbout.heading, (messages ?? []).map(messagesAbout.cells)],
  [entriesAbout.heading, (entries ?? []).map(entriesAbout.cells)],
];
