import { Type, type Static } from 'typebox';
import { sentInstant, type Cell } from '../kit/command-line.ts';
import { schemas } from '../manage/index.ts';
import type { ListedEntry } from './entry.ts';

const { amount, instant, orNull, answerObject, showAmount } = schemas;

export const inSettlement = orNull(
  Type.String({ description: 'The settlement that it is in. Null: it is free, or not on `collected`.', examples: ['12'] }),
);

const schema = answerObject({
  transaction: Type.String({ examples: ['cashout/W-77/paid'] }),
  kind: Type.String({ examples: ['cashout_paid'] }),
  account: Type.String({ examples: ['collected'] }),
  amount,
  postedAt: instant,
  settlement: inSettlement,
});

/** How an order or a cashout shows its entries. In the management API, and in a table of a command. */
export const entriesAbout = {
  schema,
  show: ({ transactionId, kind, account, amountMinor, currency, postedAt, settlementId }: ListedEntry) => ({
    transaction: transactionId,
    kind,
    account,
    amount: showAmount(amountMinor, currency),
    postedAt: postedAt.toString(),
    settlement: settlementId === null ? null : String(settlementId),
  }),
  heading: ['POSTED', 'TRANSACTION', 'ACCOUNT', 'AMOUNT'],
  cells: (one: Static<typeof schema>): readonly Cell[] => [sentInstant(one.postedAt), one.transaction, one.account, one.amount],
} as const;
