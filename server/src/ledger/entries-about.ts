import { Type, type Static } from 'typebox';
import { sentInstant, type Cell } from '../kit/command-line.ts';
import { schemas } from '../manage/index.ts';
import type { LedgerEntry } from './entry.ts';

const { amount, instant, answerObject, showAmount } = schemas;

const schema = answerObject({
  transaction: Type.String({ examples: ['cashout/W-77/paid'] }),
  kind: Type.String({ examples: ['cashout_paid'] }),
  account: Type.String({ examples: ['collected'] }),
  amount,
  postedAt: instant,
});

/** How an order or a cashout shows its entries. In the management API, and in a table of a command. */
export const entriesAbout = {
  schema,
  show: ({ transactionId, kind, account, amountMinor, currency, postedAt }: LedgerEntry) => ({
    transaction: transactionId,
    kind,
    account,
    amount: showAmount(amountMinor, currency),
    postedAt: postedAt.toString(),
  }),
  heading: ['POSTED', 'TRANSACTION', 'ACCOUNT', 'AMOUNT'],
  cells: (one: Static<typeof schema>): readonly Cell[] => [sentInstant(one.postedAt), one.transaction, one.account, one.amount],
} as const;
