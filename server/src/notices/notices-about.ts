import { Type } from 'typebox';
import type { Cell } from '../kit/command-line.ts';
import { schemas } from '../manage/index.ts';
import { noticeIdOnWire } from './notice-id.wire.ts';
import type { ListedNotice } from './notice-rows.ts';

const { instant, orNull, shown, showInstant } = schemas;

/** How an order or a cashout shows the notices about it. In the management API, in a table of a command, in its JSON. */
export const noticesAbout = {
  schema: shown({
    id: Type.String({ description: 'The webhook-id of the notice.', examples: ['msg_42_1763737200000'] }),
    status: Type.String({ examples: ['approved'] }),
    state: Type.String({ description: 'Of its delivery.', examples: ['delivered'] }),
    attempts: Type.Integer(),
    answerStatus: orNull(Type.Integer({ description: 'The HTTP status of the last answer.' })),
    problem: orNull(Type.String()),
    writtenAt: instant,
    attemptedAt: orNull(instant),
    deliveredAt: orNull(instant),
  }),
  show: ({ notice, delivery: { state, attempts, answerStatus, problem, attemptedAt, deliveredAt } }: ListedNotice): object => ({
    id: noticeIdOnWire(notice),
    status: notice.status,
    state,
    attempts,
    answerStatus,
    problem,
    writtenAt: notice.at.toString(),
    attemptedAt: showInstant(attemptedAt),
    deliveredAt: showInstant(deliveredAt),
  }),
  heading: ['NOTICE', 'STATUS', 'STATE', 'ATTEMPTS', 'WRITTEN', 'LAST ATTEMPT', 'ANSWER', 'PROBLEM'],
  cells: ({ notice, delivery: { state, attempts, attemptedAt, answerStatus, problem } }: ListedNotice): readonly Cell[] => [
    String(notice.noticeId),
    notice.status,
    state.replace('_', '-'),
    attempts,
    notice.at,
    attemptedAt,
    answerStatus,
    problem,
  ],
  toJson: ({ notice: { noticeId, status, at }, delivery }: ListedNotice): object => ({
    id: String(noticeId),
    status,
    writtenAt: at,
    ...delivery,
  }),
} as const;
