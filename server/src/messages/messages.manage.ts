import { Type, type Static } from 'typebox';
import { actOf, type OpenActing } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { CREATED_PARAMETERS, daysBetween, refusingParameters } from '../kit/lists/list-parameters.ts';
import { latestFirst } from '../kit/lists/merges.ts';
import { mergeSummaries } from '../kit/lists/sums.ts';
import { refuse } from '../kit/outcome.ts';
import { cellOfNumber } from '../kit/per-cell.ts';
import { countsShown, cutPage, managementOperation, mergeFound, schemas, showCounts, type ManagementOperation } from '../manage/index.ts';
import { zoneOfDays, type TimeZoneOf } from '../merchants/index.ts';
import { MESSAGE_STATES } from './message.ts';
import { addCounts, countMessages, countStates, listStates, type MessageStateRow } from './message-rows.ts';
import { findWaiting, sendMessageNow } from './send-message-now.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly acting: OpenActing; readonly timeZoneOf: TimeZoneOf };

const { instant, merchantId, oneOf, orNull, answerObject, showInstant } = schemas;
const state = oneOf(MESSAGE_STATES, 'kept: a sandbox without this channel shows it in its inbox.');

const channel = oneOf(['mail', 'sms'], 'How it is sent.');
const problem = orNull(Type.String({ description: 'Codes of the last failure.' }));

const show = ({ merchantId: merchant, subjectId, messageId, createdAt, endedAt, ...rest }: MessageStateRow): object => ({
  id: String(messageId),
  merchant,
  subject: subjectId,
  ...rest,
  createdAt: showInstant(createdAt),
  endedAt: showInstant(endedAt),
});

const QUERY = Type.Object({
  merchant: Type.Optional(merchantId),
  subject: Type.Optional(Type.String({ maxLength: 100, description: 'The merchant’s id of the order or the cashout.' })),
  state: Type.Optional(state),
  ...CREATED_PARAMETERS,
});

/** The order of the list. */
const newestFirst = (one: MessageStateRow, other: MessageStateRow): number =>
  latestFirst(one.createdAt, other.createdAt) || Number(other.messageId - one.messageId);

/** Reads the filter of a query. Its days are of the merchant's time zone. Throws: WrongParameter. */
async function filterOf(query: Static<typeof QUERY>, only: string | undefined, deps: Deps) {
  const created = await daysBetween(zoneOfDays(deps, only), 'created', query.createdFrom, query.createdTo);
  return { merchantId: only, subjectId: query.subject, state: query.state, created };
}

const list = managementOperation({
  name: 'listMessages',
  route: 'GET /manage/v1/messages',
  tag: 'Messages',
  summary: 'List messages to payers and end users',
  description: 'The newest first. Neither the recipient nor the text is shown.',
  permission: 'messages:read',
  scope: 'merchant',
  query: QUERY,
  shows: answerObject({
    id: Type.String({ examples: ['17'] }),
    merchant: merchantId,
    subject: Type.String({ examples: ['A-1001'] }),
    kind: oneOf(['order_created', 'order_paid', 'one_time_password'], 'What it tells.'),
    channel,
    state,
    attempts: Type.Integer(),
    problem,
    createdAt: instant,
    endedAt: orNull(instant),
  }),
  run: ({ merchantId: only, query, page: { after, limit } }, deps: Deps) =>
    refusingParameters(async () => {
      const filter = await filterOf(query, only, deps);
      return { found: await listStates(deps.db, { ...filter, after: after && placeOf(after), limit: limit + 1 }) };
    }),
  cells: { merge: mergeFound(newestFirst) },
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, show, (last) => [last.createdAt.toString(), String(last.messageId)]),
});

const summarizeMessages = managementOperation({
  name: 'summarizeMessages',
  route: 'GET /manage/v1/messages/summary',
  tag: 'Messages',
  summary: 'Count the messages of a filter',
  description: 'By the filter of `listMessages`, in all and by state. Up to 20,000 are counted, the newest first.',
  permission: 'messages:read',
  scope: 'merchant',
  query: QUERY,
  shows: countsShown(MESSAGE_STATES),
  run: ({ merchantId: only, query }, deps: Deps) => refusingParameters(async () => countStates(deps.db, await filterOf(query, only, deps))),
  cells: { merge: mergeSummaries },
  answer: (summary) => ({ body: showCounts(summary) }),
});

export const messageCounts = managementOperation({
  name: 'countMessages',
  route: 'GET /manage/v1/messages/counts',
  tag: 'Messages',
  summary: 'Count the messages that are kept',
  description: 'By channel, kind, state and problem, mails to users too. Nothing of a person is shown.',
  permission: 'messages:read',
  scope: 'service',
  query: Type.Object({ failed: Type.Optional(Type.Boolean({ description: 'Only those that were given up, or failed and are retried.' })) }),
  shows: answerObject({
    counts: Type.Array(
      answerObject({
        channel,
        kind: oneOf(['order_created', 'order_paid', 'one_time_password', 'user_link', 'user_alert'], 'What it says.'),
        state,
        problem,
        messages: Type.Integer(),
        newestAt: instant,
      }),
    ),
  }),
  run: async ({ query: { failed = false } }, { db }: Deps) => ({ found: await countMessages(db, failed) }),
  cells: { merge: (outcomes) => ({ found: addCounts(outcomes.flatMap(({ found }) => found)) }) },
  answer: ({ found }) => ({
    body: {
      counts: found.map(({ messages, newestAt, ...rest }) => ({ ...rest, messages: Number(messages), newestAt: showInstant(newestAt) })),
    },
  }),
});

export const messageRedelivery = managementOperation({
  name: 'sendMessageNow',
  route: 'POST /manage/v1/messages/{message}/send-now',
  tag: 'Messages',
  summary: 'Send a message that waits now',
  names: { es: 'Enviar ya un mensaje que espera', pt: 'Enviar já uma mensagem que espera' },
  description:
    'Before its next attempt is due, as the mail server or the SMS centre is repaired. A message that is due within two minutes may be under ' +
    'way, and is refused, so that nobody gets it twice. One that ended is not kept.',
  permission: 'notices:send',
  scope: 'merchant',
  cells: ({ path: { message } }) => cellOfNumber(message),
  missing: ['No message {id} waits to be sent.', 1],
  path: Type.Object({ message: Type.String({ pattern: '^[1-9][0-9]{0,17}$', maxLength: 18, description: 'Its id.', examples: ['17'] }) }),
  refusals: {
    message_due: {
      status: 409,
      title: 'The message is being sent',
      meaning: 'It is being sent, or is due within two minutes.',
      words: {
        es: 'El mensaje está saliendo, o sale en menos de dos minutos',
        en: 'The message is being sent, or is due within two minutes',
        pt: 'A mensagem está saindo, ou sai em menos de dois minutos',
      },
      line: ['Message {id} is being sent, or is due within two minutes.', 1],
    },
  },
  run: async ({ path: { message }, merchantId: only, origin }, { db, clock, acting }: Deps) => {
    const found = await findWaiting(db, BigInt(message), only);
    if (found === undefined) return refuse('not_found');
    const merchant = found.merchantId === '' ? {} : { merchantId: found.merchantId };
    return (
      (await sendMessageNow({ db: acting(actOf(origin, { target: { kind: 'message', id: message, ...merchant } })), clock }, found)) ?? {}
    );
  },
  answer: () => ({}),
});

/** The position of a cursor. The service has sealed it, so it has the form that `page` gave it. */
const placeOf = ([createdAt, messageId]: readonly (string | null)[]) => ({
  createdAt: Temporal.Instant.from(createdAt ?? ''),
  messageId: BigInt(messageId ?? '0'),
});

/** The room's operations of the management API. */
export const messageManagement: readonly ManagementOperation<Deps>[] = [list, summarizeMessages, messageCounts, messageRedelivery];
