import { Type } from 'typebox';
import { refuse } from '../kit/outcome.ts';
import { managementOperation, mergeFound, schemas, type ManagementOperation } from '../manage/index.ts';
import { cellOfNumber } from '../kit/per-cell.ts';
import { newestFirst, placeAfter, readInbox, readInboxEntry, type InboxEntry, type InboxPlace, type InboxRoom } from './inbox.ts';

const { instant, merchantId, oneOf, orNull, answerObject } = schemas;
const shared = { tag: 'Sandbox', permission: 'sandbox:use', scope: 'service' } as const;

const channel = oneOf(['mail', 'sms', 'notice'], 'How it is sent.');
const entryId = Type.String({ maxLength: 18, pattern: '^[1-9][0-9]{0,17}$', description: 'Unique in its channel.', examples: ['17'] });

const entrySchema = answerObject({
  id: entryId,
  channel,
  merchant: merchantId,
  about: Type.String({ description: 'The merchant’s id of the order or the cashout.', examples: ['A-1001'] }),
  kind: Type.String({ examples: ['order_created'] }),
  at: instant,
  state: Type.String({ description: 'Of its delivery.', examples: ['kept'] }),
  problem: orNull(Type.String()),
  to: orNull(Type.String({ description: 'An address, a number or a URL.' })),
  subject: orNull(Type.String({ description: 'Of a mail.' })),
  text: orNull(Type.String({ description: 'What it says; of a notice its very body.' })),
  otp: orNull(Type.String({ description: 'The one-time password of an SMS.', examples: ['095452'] })),
  headers: orNull(Type.Record(Type.String(), Type.String(), { description: 'Of a notice: what proves it, as of its last attempt.' })),
  html: orNull(Type.String({ description: 'Of a mail.' })),
  answer: orNull(Type.Object({ status: Type.Integer(), text: Type.String() }, { description: 'Of the receiver of a notice.' })),
});

const show = ({ id, merchantId: merchant, subjectId: about, at, ...rest }: InboxEntry): object => ({
  id: id.toString(),
  merchant,
  about,
  at: at.toString(),
  ...rest,
});

export const listInbox = managementOperation({
  ...shared,
  name: 'listInbox',
  route: 'GET /manage/v1/sandbox/inbox',
  summary: 'List the inbox of a sandbox',
  description: 'The mails, SMS and notices that were sent, or would have been, with their texts. The newest first.',
  query: Type.Object({ merchant: Type.Optional(merchantId) }),
  shows: entrySchema,
  run: async ({ merchantId: only, page: { after, limit } }, room: InboxRoom) => {
    const place = after && placeOf(after);
    return { place, found: await readInbox(room, { merchantId: only, limit: limit + 1, after: place }) };
  },
  cells: { merge: mergeFound(newestFirst) },
  page: ({ place, found }, { page: { limit } }) => {
    const items = found.slice(0, limit);
    return { items: items.map(show), next: found.length > limit ? positionOf(placeAfter(items, place)) : undefined };
  },
});

const positionOf = ({ message, notices }: InboxPlace): readonly (string | null)[] => [
  message?.createdAt.toString() ?? null,
  message?.messageId.toString() ?? null,
  ...notices,
];

/** The position of a cursor. The service has sealed it, so it has the form that `positionOf` gave it. */
const placeOf = ([createdAt, messageId, ...notices]: readonly (string | null)[]): InboxPlace => ({
  message: createdAt && messageId ? { createdAt: Temporal.Instant.from(createdAt), messageId: BigInt(messageId) } : undefined,
  notices,
});

const readEntry = managementOperation({
  ...shared,
  name: 'readInboxEntry',
  route: 'GET /manage/v1/sandbox/inbox/{channel}/{id}',
  summary: 'Show one entry of the inbox of a sandbox',
  cells: ({ path: { id } }) => cellOfNumber(id),
  path: Type.Object({ channel, id: entryId }),
  shows: entrySchema,
  run: async ({ path }, room: InboxRoom) => (await readInboxEntry(room, path.channel, BigInt(path.id))) ?? refuse('not_found'),
  answer: (entry) => ({ body: show(entry) }),
});

/** The inbox of a sandbox. */
export const inboxManagement: readonly ManagementOperation<InboxRoom>[] = [listInbox, readEntry];
