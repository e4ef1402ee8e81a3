import { HISTORY_HEADING, historyRows } from '../../kit/changes/show-history.ts';
import { localText, sentInstant, type Cell } from '../../kit/command-line.ts';
import { entriesAbout } from '../../ledger/index.ts';
import { messagesAbout } from '../../messages/index.ts';
import { noticesAbout } from '../../notices/index.ts';
import type { ShownCashout } from '../manage/cashout-forms.ts';

// How `caudal cashouts show` prints a cashout.

export function cashoutLines(cashout: ShownCashout, zone: string): [string, Cell][] {
  const { lockedBy, lockedUntil } = cashout;
  const hold = lockedUntil === null ? 'none' : `${lockedBy}, until ${localText(Temporal.Instant.from(lockedUntil), zone)}`;
  return [
    ['cashout', cashout.operation],
    ['merchant', cashout.merchant],
    ['service id', cashout.cashoutId],
    ['state', cashout.state],
    ['amount', cashout.amount],
    ['transaction cost', cashout.transactionCost],
    ['fee', cashout.fee],
    ['tax', cashout.tax],
    ['taken from the fund', cashout.reserved],
    ['description', cashout.description],
    ['end user', [cashout.document, cashout.cellphone].filter(Boolean).join(', ')],
    [
      'one-time password',
      `${cashout.sms ? 'by SMS' : 'by its merchant'}, ${cashout.otpWrongTries} wrong tries, renewed ${cashout.otpResends} times`,
    ],
    ['held by a network', hold],
    ['last day', cashout.expiresOn],
    ['created', sentInstant(cashout.createdAt)],
    ['updated', sentInstant(cashout.updatedAt)],
    ['version', cashout.version],
  ];
}

type Tables = readonly (readonly [heading: readonly string[], rows: readonly (readonly Cell[])[]])[];

/** What its reader may not see is absent, like what does not exist. */
export const cashoutTables = ({ history, payment, notices, messages, entries }: ShownCashout): Tables => [
  [HISTORY_HEADING, history.flatMap(historyRows)],
  [
    ['PAID BY', 'TRANSACTION', 'TELLER', 'PAID', 'REVERSED'],
    payment === null
      ? []
      : [[payment.network, payment.transaction, payment.teller, sentInstant(payment.paidAt), sentInstant(payment.reversedAt)]],
  ],
  [noticesAbout.heading, (notices ?? []).map(noticesAbout.cells)],
  [messagesAbout.heading, (messages ?? []).map(messagesAbout.cells)],
  [entriesAbout.heading, (entries ?? []).map(entriesAbout.cells)],
];
