import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { readNoticeSigners, type NoticeSigner } from '../merchants/index.ts';
import type { ListedMessage, Messages } from '../messages/index.ts';
import { listNotices, readReported, renderNotice, type ListedNotice, type ReadUpdates, type ReportedUpdate } from '../notices/index.ts';

export type InboxRoom = {
  readonly db: Db;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'list'>;
  readonly servicePrefix: string;
  readonly readUpdates: ReadUpdates;
};

export type InboxFilter = { readonly merchantId: string | undefined; readonly limit: number };

/** A mail, an SMS or a notice: its text and the state of its delivery. */
export type InboxEntry = {
  readonly channel: 'mail' | 'sms' | 'notice';
  /** Unique in its channel. */
  readonly id: bigint;
  readonly merchantId: string;
  /** The merchant's id of the order or the cashout. */
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
  /** For a mail only. */
  readonly html: string | null;
  /** The last answer of a notice's receiver. */
  readonly answer: { readonly status: number; readonly text: string } | null;
};

/** Reads mails, SMS and notices that were sent, or would have been sent; the newest first. */
export async function readInbox(room: InboxRoom, filter: InboxFilter): Promise<readonly InboxEntry[]> {
  const { db, keys, clock, messages, servicePrefix, readUpdates } = room;
  const { merchantId, limit } = filter;
  const [listed, notices] = await Promise.all([
    messages.list({ limit, ...(merchantId === undefined ? {} : { merchantId }) }),
    listNotices(db, filter),
  ]);
  const signers = await readNoticeSigners(db, keys, [...new Set(notices.map(({ notice }) => notice.merchantId))], clock.now());
  const reported = await readReported(
    notices.map(({ notice }) => notice),
    readUpdates,
  );
  const entries = [
    ...listed.map(messageEntry),
    ...notices.map((listedNotice) => {
      const { merchantId: ofMerchant, noticeId } = listedNotice.notice;
      return noticeEntry(listedNotice, signers.get(ofMerchant), servicePrefix, reported.get(noticeId));
    }),
  ];
  return entries.toSorted((one, other) => Temporal.Instant.compare(other.at, one.at)).slice(0, limit);
}

function messageEntry(message: ListedMessage): InboxEntry {
  const { content, messageId, createdAt, channel, merchantId, subjectId, kind, state, problem } = message;
  const to = content?.to ?? null;
  const subject = content?.mail?.subject ?? null;
  const [text, html] = [content?.text ?? null, content?.mail?.html ?? null];
  return { channel, id: messageId, merchantId, subjectId, kind, at: createdAt, state, problem, to, subject, text, html, answer: null };
}

function noticeEntry(
  { notice, delivery }: ListedNotice,
  signer: NoticeSigner | Error | undefined,
  servicePrefix: string,
  reported: ReportedUpdate | undefined,
): InboxEntry {
  const { noticeId: id, merchantId, kind, status, at } = notice;
  const { state, problem, answerStatus, answer } = delivery;
  const isOpen = signer !== undefined && !(signer instanceof Error);
  return {
    channel: 'notice',
    id,
    merchantId,
    at,
    state,
    problem,
    subjectId: notice.kind === 'order' ? notice.orderId : notice.operationId,
    kind: `${kind}_${status}`,
    to: isOpen ? signer.url : null,
    subject: null,
    text: isOpen ? renderNotice(notice, signer.noticeHashes.ofChecksum, servicePrefix, reported) : null,
    html: null,
    answer: answerStatus === null ? null : { status: answerStatus, text: answer ?? '' },
  };
}
