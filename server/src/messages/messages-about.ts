import { Type } from 'typebox';
import type { Cell } from '../kit/command-line.ts';
import { schemas } from '../manage/index.ts';
import type { MessageStateRow } from './message-rows.ts';

const { instant, orNull, shown, showInstant } = schemas;

/** How an order or a cashout shows the messages about it. In the management API, in a table of a command, in its JSON. */
export const messagesAbout = {
  schema: shown({
    kind: Type.String({ examples: ['order_created'] }),
    state: Type.String({ examples: ['sent'] }),
    attempts: Type.Integer(),
    problem: orNull(Type.String()),
    createdAt: instant,
    endedAt: orNull(instant),
  }),
  show: ({ kind, state, attempts, problem, createdAt, endedAt }: MessageStateRow): object => ({
    kind,
    state,
    attempts,
    problem,
    createdAt: createdAt.toString(),
    endedAt: showInstant(endedAt),
  }),
  heading: ['MESSAGE', 'STATE', 'ATTEMPTS', 'WRITTEN', 'ENDED', 'PROBLEM'],
  cells: (one: MessageStateRow): readonly Cell[] => [one.kind, one.state, one.attempts, one.createdAt, one.endedAt, one.problem],
  toJson: ({ kind, state, attempts, problem, createdAt: writtenAt, endedAt }: MessageStateRow): object => ({
    kind,
    state,
    attempts,
    problem,
    writtenAt,
    endedAt,
  }),
} as const;
