import { Type } from 'typebox';
import type { Db } from '../kit/db.ts';
import { cutPage, managed, schemas, type Managed } from '../manage/index.ts';
import { listStates, type MessageStateRow } from './message-rows.ts';

type Deps = { readonly db: Db };

const { instant, merchantId, oneOf, orNull, shown, showInstant } = schemas;
const state = oneOf(['pending', 'sent', 'given_up', 'kept'], 'kept: a sandbox without this channel shows it in its inbox.');

const show = ({ merchantId: merchant, subjectId, messageId, createdAt, endedAt, ...rest }: MessageStateRow): object => ({
  id: String(messageId),
  merchant,
  subject: subjectId,
  ...rest,
  createdAt: showInstant(createdAt),
  endedAt: showInstant(endedAt),
});

const list = managed({
  name: 'listMessages',
  route: 'GET /manage/v1/messages',
  tag: 'Messages',
  summary: 'List messages to payers and end users',
  description: 'The newest first. Neither the recipient nor the text is shown.',
  permission: 'messages:read',
  scope: 'merchant',
  query: Type.Object({
    merchant: Type.Optional(merchantId),
    subject: Type.Optional(Type.String({ maxLength: 100, description: 'The merchant’s id of the order or the cashout.' })),
    state: Type.Optional(state),
  }),
  shows: shown({
    id: Type.String({ examples: ['17'] }),
    merchant: merchantId,
    subject: Type.String({ examples: ['A-1001'] }),
    kind: oneOf(['order_created', 'order_paid', 'one_time_password'], 'What it tells.'),
    channel: oneOf(['mail', 'sms'], 'How it is sent.'),
    state,
    attempts: Type.Integer(),
    problem: orNull(Type.String({ description: 'Codes of the last failure.' })),
    createdAt: instant,
    endedAt: orNull(instant),
  }),
  run: async ({ merchantId: only, query: { subject, state: wanted }, page: { after, limit } }, { db }: Deps) => ({
    found: await listStates(db, { merchantId: only, subjectId: subject, state: wanted, after: after && placeOf(after), limit: limit + 1 }),
  }),
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, show, (last) => [last.createdAt.toString(), String(last.messageId)]),
});

/** The position of a cursor. The service has sealed it, so it has the form that `page` gave it. */
const placeOf = ([createdAt, messageId]: readonly (string | null)[]) => ({
  createdAt: Temporal.Instant.from(createdAt ?? ''),
  messageId: BigInt(messageId ?? '0'),
});

/** The room's operations of the management API. */
export const messageManaged: readonly Managed<Deps>[] = [list];
