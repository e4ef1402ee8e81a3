import { Type } from 'typebox';
import type { Cell } from '../kit/command-line.ts';
import { formatAllDecimals } from '../kit/money.ts';
import { schemas } from '../manage/index.ts';
import type { LedgerEntry } from './read-ledger.ts';

const { amount, instant, shown, showAmount } = schemas;

/** How an order or a cashout shows its entries. In the management API, in a table of a command, in its JSON. */
export const entriesAbout = {
  schema: shown({
    transaction: Type.String({ examples: ['cashout/W-77/paid'] }),
    kind: Type.String({ examples: ['cashout_paid'] }),
    account: Type.String({ examples: ['collected'] }),
    amount,
    postedAt: instant,
  }),
  show: ({ transactionId, kind, account, amountMinor, currency, postedAt }: LedgerEntry): object => ({
    transaction: transactionId,
    kind,
    account,
    amount: showAmount(amountMinor, currency),
    postedAt: postedAt.toString(),
  }),
  heading: ['POSTED', 'TRANSACTION', 'ACCOUNT', 'AMOUNT'],
  cells: (one: LedgerEntry): readonly Cell[] => [one.postedAt, one.transactionId, one.account, one],
  toJson: ({ transactionId, account, amountMinor, currency, postedAt }: LedgerEntry): object => ({
    transaction: transactionId,
    account,
    amount: formatAllDecimals(amountMinor, currency),
    currency,
    postedAt,
  }),
} as const;
