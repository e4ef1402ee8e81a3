import { Type, type Static } from 'typebox';
import { sentInstant, type Cell } from '../kit/command-line.ts';
import { schemas } from '../manage/index.ts';
import { noticeIdOnWire } from './notice-id.wire.ts';
import type { ListedNotice } from './notice-rows.ts';

const { instant, orNull, answerObject, showInstant } = schemas;

const schema = answerObject({
  id: Type.String({ description: 'The webhook-id of the notice.', examples: ['msg_42_1763737200000'] }),
  status: Type.String({ examples: ['approved'] }),
  state: Type.String({ description: 'Of its delivery.', examples: ['delivered'] }),
  attempts: Type.Integer(),
  answerStatus: orNull(Type.Integer({ description: 'The HTTP status of the last answer.' })),
  problem: orNull(Type.String()),
  writtenAt: instant,
  attemptedAt: orNull(instant),
  deliveredAt: orNull(instant),
});

/** How an order or a cashout shows the notices about it. In the management API, and in a table of a command. */
export const noticesAbout = {
  schema,
  show: ({ notice, delivery: { state, attempts, answerStatus, problem, attemptedAt, deliveredAt } }: ListedNotice) => ({
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
  cells: ({ id, status, state, attempts, writtenAt, attemptedAt, answerStatus, problem }: Static<typeof schema>): readonly Cell[] => [
    id,
    status,
    state.replace('_', '-'),
    attempts,
    sentInstant(writtenAt),
    sentInstant(attemptedAt),
    answerStatus,
    problem,
  ],
} as const;
