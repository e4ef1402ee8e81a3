import { Type, type Static } from 'typebox';
import { sentInstant, type Cell } from '../kit/command-line.ts';
import { schemas } from '../manage/index.ts';
import type { MessageStateRow } from './message-rows.ts';

const { instant, orNull, answerObject, showInstant } = schemas;

const schema = answerObject({
  kind: Type.String({ examples: ['order_created'] }),
  state: Type.String({ examples: ['sent'] }),
  attempts: Type.Integer(),
  problem: orNull(Type.String()),
  createdAt: instant,
  endedAt: orNull(instant),
});

/** How an order or a cashout shows the messages about it. In the management API, and in a table of a command. */
export const messagesAbout = {
  schema,
  show: ({ kind, state, attempts, problem, createdAt, endedAt }: MessageStateRow) => ({
    kind,
    state,
    attempts,
    problem,
    createdAt: createdAt.toString(),
    endedAt: showInstant(endedAt),
  }),
  heading: ['MESSAGE', 'STATE', 'ATTEMPTS', 'WRITTEN', 'ENDED', 'PROBLEM'],
  cells: (one: Static<typeof schema>): readonly Cell[] => [
    one.kind,
    one.state,
    one.attempts,
    sentInstant(one.createdAt),
    sentInstant(one.endedAt),
    one.problem,
  ],
} as const;
