import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { latestFirst, mergeSorted } from '../kit/lists/merges.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { askCells, type CellsOf } from '../manage/index.ts';
import { readNoticeSigners, type NoticeSigner } from '../merchants/index.ts';
import type { ListedMessage, Messages } from '../messages/index.ts';
import {
  listNotices,
  noticeIdOnWire,
  placeIn,
  placesAfter,
  readReported,
  renderNotice,
  subjectOfNotice,
  showNotice,
  webhookHeaders,
  type ListedNotice,
  type NoticePlaces,
  type ReadUpdates,
  type ReportedUpdate,
} from '../notices/index.ts';
import type { Dialect } from '../requests/index.ts';

export type InboxRoom = {
  /** The number of its cell. */
  readonly cell: number;
  readonly db: Db;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'list'>;
  readonly dialect: Dialect;
  readonly readUpdates: ReadUpdates;
};

/** The most entries that are read at once. */
export const MOST_ENTRIES = 500;

/** The last message of the pages so far, undefined where none came yet, and how far the notices of each cell are. */
export type InboxPlace = {
  readonly message: { readonly createdAt: Temporal.Instant; readonly messageId: bigint } | undefined;
  readonly notices: NoticePlaces;
};
export type InboxFilter = {
  readonly merchantId: string | undefined;
  readonly limit: number;
  readonly after?: InboxPlace | undefined;
  /** Of one subject, or of one channel: among the newest entries alone. */
  readonly about?: string | undefined;
  readonly channel?: InboxEntry['channel'] | undefined;
};

/** A mail, an SMS or a notice: its text and the state of its delivery. */
export type InboxEntry = {
  readonly channel: 'mail' | 'sms' | 'notice';
  /** Unique in its channel. */
  readonly id: bigint;
  readonly merchantId: string;
  /** The merchant's id of the order or the cashout; the number of the settlement. */
  readonly subjectId: string;
  readonly kind: string;
  readonly at: Temporal.Instant;
  readonly state: string;
  readonly problem: string | null;
  /** An address, a number or a URL; null where there is nowhere to send it. */
  readonly to: string | null;
  readonly subject: string | null;
  /** For a notice: the exact body, which its signature covers. */
  readonly text: string | null;
  /** The one-time password of an SMS. */
  readonly otp: string | null;
  /** Of a notice: what proves it, as of its last attempt. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** For a mail only. */
  readonly html: string | null;
  /** The last answer of a notice's receiver. */
  readonly answer: { readonly status: number; readonly text: string } | null;
};

/**
 * The newest first. A cell's messages keep their order, and so do its notices: two notices are compared where they are of two cells, and
 * two messages then have the order of their places.
 */
export const newestFirst = (one: InboxEntry, other: InboxEntry): number =>
  latestFirst(one.at, other.at) ||
  Number(one.channel === 'notice') - Number(other.channel === 'notice') ||
  (one.channel === 'notice' ? 0 : Number(other.id - one.id));

/** Reads what `readInbox` does, of one merchant or of all cells. `missing`: the names of the cells that could not be asked. */
export async function readInboxes(
  cells: CellsOf<InboxRoom>,
  filter: InboxFilter,
): Promise<{ readonly entries: readonly InboxEntry[]; readonly missing: readonly string[] }> {
  const { deps, cellOf } = cells;
  if (filter.merchantId !== undefined && !deps.isAlone)
    return { entries: await readInbox(deps.of(await cellOf(filter.merchantId)), filter), missing: [] };
  const { answers, missing } = await askCells(cells, (room) => readInbox(room, filter));
  return { entries: mergeSorted(answers, newestFirst, filter.limit), missing };
}

/** Reads mails, SMS and notices of a cell that were sent, or would have been sent; the newest first. */
export async function readInbox(room: InboxRoom, filter: InboxFilter): Promise<readonly InboxEntry[]> {
  const { about, channel, limit } = filter;
  if (about === undefined && channel === undefined) return readNewest(room, filter);
  const newest = await readNewest(room, { ...filter, limit: MOST_ENTRIES });
  return newest
    .filter((entry) => (about === undefined || entry.subjectId === about) && (channel === undefined || entry.channel === channel))
    .slice(0, limit);
}

async function readNewest(room: InboxRoom, { merchantId, limit, after }: InboxFilter): Promise<readonly InboxEntry[]> {
  const [listed, notices] = await Promise.all([
    room.messages.list({ limit, after: after?.message, ...(merchantId === undefined ? {} : { merchantId }) }),
    listNotices(room.db, { merchantId, limit, before: placeIn(room.cell, after?.notices) }),
  ]);
  return mergeSorted([listed.map(messageEntry), await noticeEntries(room, notices)], newestFirst, limit);
}

/** Reads one of them. Undefined: there is none, or it is not kept any more. */
export async function readInboxEntry(room: InboxRoom, channel: InboxEntry['channel'], id: bigint): Promise<InboxEntry | undefined> {
  if (channel === 'notice') {
    const notice = await showNotice(room.db, id);
    return notice && (await noticeEntries(room, [notice]))[0];
  }
  const [message] = await room.messages.list({ limit: 1, messageId: id });
  return message?.channel === channel ? messageEntry(message) : undefined;
}

/** The place after some entries that follow a place. */
export function placeAfter(entries: readonly InboxEntry[], before: InboxPlace | undefined): InboxPlace {
  const message = entries.findLast(({ channel }) => channel !== 'notice');
  const notices = entries.flatMap(({ channel, id }) => (channel === 'notice' ? [id] : []));
  return {
    message: message === undefined ? before?.message : { createdAt: message.at, messageId: message.id },
    notices: placesAfter(notices, before?.notices ?? []),
  };
}

async function noticeEntries(
  { db, keys, clock, dialect, readUpdates }: InboxRoom,
  notices: readonly ListedNotice[],
): Promise<readonly InboxEntry[]> {
  const signers = await readNoticeSigners(db, keys, [...new Set(notices.map(({ notice }) => notice.merchantId))], clock.now());
  const reported = await readReported(
    notices.map(({ notice }) => notice),
    readUpdates,
  );
  return notices.map((listed) => {
    const { merchantId, noticeId } = listed.notice;
    return noticeEntry(listed, signers.get(merchantId), dialect, reported.get(noticeId));
  });
}

function messageEntry(message: ListedMessage): InboxEntry {
  const { content, messageId, createdAt, channel, merchantId, subjectId, kind, state, problem } = message;
  const to = content?.to ?? null;
  const subject = content?.mail?.subject ?? null;
  const [text, otp, html] = [content?.text ?? null, content?.otp ?? null, content?.mail?.html ?? null];
  return {
    channel,
    id: messageId,
    merchantId,
    subjectId,
    kind,
    at: createdAt,
    state,
    problem,
    to,
    subject,
    text,
    otp,
    headers: null,
    html,
    answer: null,
  };
}

function noticeEntry(
  { notice, delivery }: ListedNotice,
  signer: NoticeSigner | Error | undefined,
  dialect: Dialect,
  reported: ReportedUpdate | undefined,
): InboxEntry {
  const { noticeId: id, merchantId, kind, status, at } = notice;
  const { state, problem, answerStatus, answer, attemptedAt } = delivery;
  const isOpen = signer !== undefined && !(signer instanceof Error);
  const text = isOpen ? renderNotice(notice, signer.noticeHashes, dialect, reported) : null;
  return {
    channel: 'notice',
    id,
    merchantId,
    at,
    state,
    problem,
    subjectId: subjectOfNotice(notice),
    kind: kind === 'test' || status.startsWith('refund_') ? status : `${kind}_${status}`,
    to: isOpen ? signer.url : null,
    subject: null,
    text,
    otp: null,
    headers:
      isOpen && text !== null ? webhookHeaders(noticeIdOnWire(notice), text, attemptedAt ?? at, signer.noticeHashes.ofSignature) : null,
    html: null,
    answer: answerStatus === null ? null : { status: answerStatus, text: answer ?? '' },
  };
}
