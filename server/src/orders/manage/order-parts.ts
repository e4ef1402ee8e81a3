import { Type } from 'typebox';
import type { LedgerEntry } from '../../ledger/index.ts';
import { schemas } from '../../manage/index.ts';
import type { MessageStateRow } from '../../messages/index.ts';
import type { ListedNotice } from '../../notices/index.ts';

// What other rooms hold of an order, as one read of the order shows it.

const { amount, instant, orNull, shown, showAmount, showInstant } = schemas;

export const noticeSchema = shown({
  status: Type.String({ examples: ['approved'] }),
  state: Type.String({ description: 'Of its delivery.', examples: ['delivered'] }),
  attempts: Type.Integer(),
  answerStatus: orNull(Type.Integer({ description: 'The HTTP status of the last answer.' })),
  problem: orNull(Type.String()),
  writtenAt: instant,
  deliveredAt: orNull(instant),
});

export const showNotice = ({ notice, delivery: { state, attempts, answerStatus, problem, deliveredAt } }: ListedNotice): object => ({
  status: notice.status,
  state,
  attempts,
  answerStatus,
  problem,
  writtenAt: notice.at.toString(),
  deliveredAt: showInstant(deliveredAt),
});

export const messageSchema = shown({
  kind: Type.String({ examples: ['order_created'] }),
  state: Type.String({ examples: ['sent'] }),
  attempts: Type.Integer(),
  problem: orNull(Type.String()),
  createdAt: instant,
  endedAt: orNull(instant),
});

export const showMessage = ({ kind, state, attempts, problem, createdAt, endedAt }: MessageStateRow): object => ({
  kind,
  state,
  attempts,
  problem,
  createdAt: createdAt.toString(),
  endedAt: showInstant(endedAt),
});

export const entrySchema = shown({
  transaction: Type.String(),
  kind: Type.String(),
  account: Type.String({ examples: ['collected'] }),
  amount,
  postedAt: instant,
});

export const showEntry = ({ transactionId, kind, account, amountMinor, currency, postedAt }: LedgerEntry): object => ({
  transaction: transactionId,
  kind,
  account,
  amount: showAmount(amountMinor, currency),
  postedAt: postedAt.toString(),
});
