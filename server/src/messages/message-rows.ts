import { columnsOf, statement, type Db, type Tx } from '../kit/db.ts';
import type { Sealer } from '../kit/keys/sealer.ts';
import { latestFirst, byText } from '../kit/lists/merges.ts';
import { namedStatement } from '../kit/lists/named-parameters.ts';
import { addSame, countsOfWalk, MOST_SUMMED, summaryOf, type Summary, type SumRow } from '../kit/lists/sums.ts';
import type { From } from '../kit/lists/walks.ts';
import { findCountry } from '../merchants/index.ts';
import {
  channelOf,
  giveUpTime,
  isToUser,
  MESSAGE_STATES,
  subjectOfMessage,
  type AfterAttempt,
  type Channel,
  type ClaimedMessage,
  type MessageKind,
  type MessageState,
  type NewMessage,
} from './message.ts';
import { MESSAGE_PROBLEMS } from './message-problems.ts';

type MessageRow = {
  readonly merchantId: string;
  readonly subjectId: string;
  readonly messageId: bigint;
  readonly kind: MessageKind;
  readonly createdAt: Temporal.Instant;
  readonly sealed: Buffer | null;
};

export type ClaimedRow = MessageRow & ClaimedMessage & { readonly sealed: Buffer };

export type ListedMessageRow = MessageRow & {
  readonly channel: Channel;
  readonly state: MessageState;
  readonly attempts: number;
  readonly problem: string | null;
  readonly endedAt: Temporal.Instant | null;
};

const INSERT = statement(
  'messages.insert',
  `insert into messages (merchant_id, subject_id, kind, channel, state, sealed, created_at, due_at, gives_up_at, ended_at)
   select merchant_id, subject_id, kind, channel, state, sealed, created_at, created_at, gives_up_at, case when state = 'kept' then created_at end
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::timestamptz[], $8::timestamptz[])
       as new (merchant_id, subject_id, kind, channel, state, sealed, created_at, gives_up_at)`,
);

/** Holds the rows until $3. If this server dies, another one claims them then. A newer password supersedes an older one. */
const CLAIM = statement(
  'messages.claim',
  `with due as (
     select merchant_id, subject_id, message_id from messages
      where channel = $1 and state = 'pending' and due_at <= $2 order by due_at limit $4 for update skip locked
   )
   update messages m set attempts = m.attempts + 1, due_at = $3 from due
    where m.merchant_id = due.merchant_id and m.subject_id = due.subject_id and m.message_id = due.message_id
   returning m.merchant_id as "merchantId", m.subject_id as "subjectId", m.message_id as "messageId", m.kind, m.channel, m.sealed, m.attempts,
     m.problem, m.created_at as "createdAt", m.gives_up_at as "givesUpAt",
     m.kind = 'one_time_password' and exists (
       select from messages newer where newer.merchant_id = m.merchant_id and newer.subject_id = m.subject_id and newer.kind = m.kind
         and newer.message_id > m.message_id
     ) as "isSuperseded"`,
);

/** Changes only what this server still holds: after the end of its lease, another server's attempt counts. */
const RECORD = statement(
  'messages.record',
  `update messages m set state = after.state, problem = after.problem, due_at = after.due_at, ended_at = after.ended_at,
     sealed = case when after.state = 'pending' or $9 then m.sealed end
    from unnest($1::text[], $2::text[], $3::bigint[], $4::integer[], $5::text[], $6::text[], $7::timestamptz[], $8::timestamptz[])
      as after (merchant_id, subject_id, message_id, attempts, state, problem, due_at, ended_at)
   where m.merchant_id = after.merchant_id and m.subject_id = after.subject_id and m.message_id = after.message_id
     and m.attempts = after.attempts and m.state = 'pending'`,
);

const LIST = statement(
  'messages.list',
  `select merchant_id as "merchantId", subject_id as "subjectId", message_id as "messageId", kind, channel, state, attempts, problem, sealed,
     created_at as "createdAt", ended_at as "endedAt"
     from messages where ($2::text is null or merchant_id = $2) and ($3::text is null or subject_id = $3)
      and ($4::bigint is null or message_id = $4) and ($5::timestamptz is null or (created_at, message_id) < ($5, $6::bigint))
    order by created_at desc, message_id desc limit $1`,
);

const COUNT = statement(
  'messages.count',
  `select channel, kind, state, problem, count(*) as messages, max(created_at) as "newestAt" from messages
    where not $1 or state = 'given_up' or (state = 'pending' and problem is not null)
    group by channel, kind, state, problem order by channel collate "C", kind collate "C", state collate "C", problem collate "C"`,
);

const PRUNE = statement(
  'messages.prune',
  `delete from messages m using (
     select merchant_id, subject_id, message_id from messages where created_at < $1 and state <> 'pending'
      order by created_at, message_id limit $2 for update skip locked
   ) old where m.merchant_id = old.merchant_id and m.subject_id = old.subject_id and m.message_id = old.message_id
   returning m.message_id as "messageId"`,
);

const ERASE = statement(
  'messages.erase',
  `update messages m set sealed = null, ended_at = coalesce(m.ended_at, m.due_at),
     state = case when m.state = 'pending' then 'given_up' else m.state end,
     problem = case when m.state = 'pending' then '${MESSAGE_PROBLEMS.erased}' else m.problem end
    from unnest($2::text[], $3::text[]) as k (merchant_id, subject_id)
   where m.merchant_id = k.merchant_id and m.subject_id = k.subject_id and m.kind = any ($1::text[]) and m.sealed is not null`,
);

type Placed = Pick<MessageRow, 'merchantId' | 'subjectId' | 'kind' | 'createdAt'>;

const placeOf = ({ merchantId, subjectId, kind, createdAt }: Placed): string =>
  `messages/${merchantId}/${subjectId}/${kind}/${createdAt.epochMilliseconds}`;

/** Sends one statement that writes messages. Each is pending, or kept for the inbox only. */
export function insertMessages(
  tx: Tx,
  sealer: Sealer,
  messages: readonly NewMessage[],
  stateOf: (channel: Channel) => 'pending' | 'kept',
): void {
  const rows = messages.map((message) => {
    const { kind, at: createdAt } = message;
    const { merchantId, subjectId } = subjectOfMessage(message);
    const channel = channelOf(kind);
    const sealed = sealer.seal(writeFacts(message), placeOf({ merchantId, subjectId, kind, createdAt }));
    const givesUpAt = giveUpTime(channel, createdAt);
    return { merchantId, subjectId, kind, channel, state: stateOf(channel), sealed, createdAt, givesUpAt };
  });
  tx.send(INSERT, columnsOf(rows, 'merchantId', 'subjectId', 'kind', 'channel', 'state', 'sealed', 'createdAt', 'givesUpAt'));
}

/** Opens the sealed message of a row. Undefined: it is erased. */
export function openMessage(sealer: Sealer, row: Placed & { readonly sealed: Buffer | null }): NewMessage | undefined {
  if (row.sealed === null) return undefined;
  return readFacts(sealer.unseal(row.sealed, placeOf(row)).toString());
}

/** A country is stored as its code, so that changes in the table of countries reach stored messages. */
function writeFacts(message: NewMessage): string {
  if (isToUser(message)) return JSON.stringify(message);
  return JSON.stringify({ ...message, amountMinor: message.amountMinor.toString(), country: message.country.codes[0] });
}

function readFacts(text: string): NewMessage {
  return JSON.parse(text, (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (name === 'amountMinor') return BigInt(value);
    if (name === 'country') return findCountry(value);
    if (name === 'at' || name === 'endsAt') return Temporal.Instant.from(value);
    return name === 'expiresOn' ? Temporal.PlainDate.from(value) : value;
  }) as NewMessage;
}

/** Claims some messages that are due, until an instant. Each counts as attempted from here on. */
export function claimMessages(
  db: Pick<Db, 'query'>,
  channel: Channel,
  now: Temporal.Instant,
  until: Temporal.Instant,
  limit: number,
): Promise<readonly ClaimedRow[]> {
  return db.query<ClaimedRow>(CLAIM, [channel, now, until, limit]);
}

/** Records the state of claimed messages. The content of an ended one is erased, unless the inbox of a sandbox shows it. */
export async function recordMessageAttempts(
  db: Pick<Db, 'query'>,
  attempts: readonly { readonly row: ClaimedRow; readonly after: AfterAttempt }[],
  keepsContent: boolean,
): Promise<void> {
  const rows = attempts.map(({ row, after }) => ({ ...row, ...after }));
  const columns = columnsOf(rows, 'merchantId', 'subjectId', 'messageId', 'attempts', 'state', 'problem', 'dueAt', 'endedAt');
  await db.query(RECORD, [...columns, keepsContent]);
}

export type MessageFilter = {
  /** Most rows. */
  readonly limit: number;
  readonly merchantId?: string;
  /** The merchant's id of an order or a cashout. */
  readonly subjectId?: string;
  /** The message of this id. It is searched through the index by creation, which the inbox of a sandbox can afford. */
  readonly messageId?: bigint;
  /** The last one of the page before. */
  readonly after?: Pick<MessageStateRow, 'createdAt' | 'messageId'> | undefined;
};

/** Lists the messages that match all fields of the filter, the newest first. */
export function selectMessages(
  db: Pick<Db, 'query'>,
  { limit, merchantId, subjectId, messageId, after }: MessageFilter,
): Promise<readonly ListedMessageRow[]> {
  return db.query<ListedMessageRow>(LIST, [
    limit,
    merchantId ?? null,
    subjectId ?? null,
    messageId ?? null,
    after?.createdAt ?? null,
    after?.messageId ?? null,
  ]);
}

/** How a message fares. It holds no personal data. */
export type MessageStateRow = Omit<ListedMessageRow, 'sealed'>;

const SELECT_STATES = `select merchant_id as "merchantId", subject_id as "subjectId", message_id as "messageId", kind, channel, state,
     attempts, problem, created_at as "createdAt", ended_at as "endedAt"
     from messages
    where ($2::text is null or subject_id = $2) and ($3::text is null or state = $3)
      and ($4::timestamptz is null or (created_at, message_id) < ($4, $5::bigint))
      and created_at >= coalesce($6::timestamptz, '-infinity') and created_at < coalesce($7::timestamptz, 'infinity')`;
const LIST_STATES = statement('messages.list_states', `${SELECT_STATES} order by created_at desc, message_id desc limit $1`);
const LIST_STATES_OF_MERCHANT = statement(
  'messages.list_states_of_merchant',
  `${SELECT_STATES} and merchant_id = $8 order by created_at desc, message_id desc limit $1`,
);

type StateFilter = {
  readonly limit: number;
  readonly created?: From<Temporal.Instant> | undefined;
  /** Undefined: of all. */
  readonly merchantId: string | undefined;
  readonly subjectId: string | undefined;
  readonly state: MessageState | undefined;
  /** The last one of the page before. */
  readonly after: Pick<MessageStateRow, 'createdAt' | 'messageId'> | undefined;
};

/** Lists how messages fare, the newest first. */
export function listStates(
  db: Pick<Db, 'query'>,
  { limit, merchantId, subjectId, state, created, after }: StateFilter,
): Promise<readonly MessageStateRow[]> {
  const place = [after?.createdAt ?? null, after?.messageId ?? null];
  const values = [limit, subjectId ?? null, state ?? null, ...place, created?.from ?? null, created?.before ?? null];
  return merchantId === undefined
    ? db.query<MessageStateRow>(LIST_STATES, values)
    : db.query<MessageStateRow>(LIST_STATES_OF_MERCHANT, [...values, merchantId]);
}

const COUNTED = { merchant: 'text', subject: 'text', createdFrom: 'timestamptz', createdBefore: 'timestamptz', most: 'bigint' } as const;
const countWhere = (name: string, where: string) =>
  namedStatement(
    name,
    COUNTED,
    countsOfWalk({
      table: 'messages',
      where: `${where} and o.created_at >= coalesce($createdFrom, '-infinity') and o.created_at < coalesce($createdBefore, 'infinity')`,
      order: 'o.created_at desc, o.message_id desc',
      state: 'o.state',
      fits: '($subject is null or o.subject_id = $subject)',
    }),
  );
const COUNT_STATES = countWhere('messages.count_states', 'true');
const COUNT_STATES_OF_MERCHANT = countWhere('messages.count_states_of_merchant', 'o.merchant_id = $merchant');

/** Counts the messages of a filter by state. Effects: none; it reads MOST_SUMMED rows at most. */
export async function countStates(
  db: Pick<Db, 'query'>,
  { merchantId: merchant, subjectId: subject, state, created }: Omit<StateFilter, 'limit' | 'after'>,
): Promise<Summary<MessageState>> {
  const values = { merchant, subject, createdFrom: created?.from, createdBefore: created?.before, most: MOST_SUMMED };
  const rows = await (merchant === undefined ? COUNT_STATES : COUNT_STATES_OF_MERCHANT)<SumRow<MessageState>>(db, values);
  return summaryOf(rows, MESSAGE_STATES, state && [state]);
}

/** Most messages of one order or cashout that are listed. */
const MOST_ABOUT = 100;

/** Lists the messages of these kinds about one order or cashout, the newest first. */
export async function listMessagesAbout(
  db: Pick<Db, 'query'>,
  kinds: readonly MessageKind[],
  merchantId: string,
  subjectId: string,
): Promise<readonly MessageStateRow[]> {
  return (await listStates(db, { limit: MOST_ABOUT, merchantId, subjectId, state: undefined, after: undefined })).filter(({ kind }) =>
    kinds.includes(kind),
  );
}

/** The number of messages of one kind, state and problem. It holds no personal data. */
type MessageCount = Pick<ListedMessageRow, 'channel' | 'kind' | 'state' | 'problem'> & {
  readonly messages: bigint;
  readonly newestAt: Temporal.Instant;
};

/** Counts the messages that are kept by state. `onlyFailed`: only those with a problem. */
export function countMessages(db: Pick<Db, 'query'>, onlyFailed: boolean): Promise<readonly MessageCount[]> {
  return db.query<MessageCount>(COUNT, [onlyFailed]);
}

/** Adds up the counts of several cells, in the order of the database. */
export function addCounts(counts: readonly MessageCount[]): readonly MessageCount[] {
  const keyOf = ({ channel, kind, state, problem }: MessageCount): string => JSON.stringify([channel, kind, state, problem]);
  return addSame(counts, keyOf, (sum, one) => ({
    ...sum,
    messages: sum.messages + one.messages,
    newestAt: latestFirst(sum.newestAt, one.newestAt) <= 0 ? sum.newestAt : one.newestAt,
  })).toSorted(
    (one, other) =>
      byText(one.channel, other.channel) ||
      byText(one.kind, other.kind) ||
      byText(one.state, other.state) ||
      // Null comes last.
      byText(one.problem ?? '\uFFFF', other.problem ?? '\uFFFF'),
  );
}

/** Sends one statement that erases the content of messages of these kinds. Those that wait are not sent any more. */
export function eraseMessages(
  tx: Tx,
  kinds: readonly MessageKind[],
  about: readonly { readonly merchantId: string; readonly id: string }[],
): void {
  tx.send(ERASE, [kinds, about.map(({ merchantId }) => merchantId), about.map(({ id }) => id)]);
}

/** Deletes some ended messages that were written before an instant. Shape: → how many. */
export async function deleteMessages(db: Pick<Db, 'query'>, before: Temporal.Instant, limit: number): Promise<number> {
  return (await db.query(PRUNE, [before, limit])).length;
}
