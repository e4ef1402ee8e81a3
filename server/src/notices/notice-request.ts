import type { NoticeEndpoint } from '../merchants/index.ts';
import type { Dialect } from '../requests/index.ts';
import { noticeIdOnWire } from './notice-id.wire.ts';
import { renderNotice, webhookHeaders } from './notice.wire.ts';
import type { Notice, ReportedUpdate } from './notice.ts';

/** What a receiver is sent, byte for byte. */
export type NoticeRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

type Making = Pick<NoticeEndpoint, 'noticeHashes'> & {
  readonly dialect: Dialect;
  readonly reported: ReportedUpdate | undefined;
  /** When it is signed. */
  readonly at: Temporal.Instant;
};

/** Makes the request that delivers a notice. */
export function makeRequest(notice: Notice, { noticeHashes, dialect, reported, at }: Making): NoticeRequest {
  const body = renderNotice(notice, noticeHashes, dialect, reported);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Caudal',
    ...webhookHeaders(noticeIdOnWire(notice), body, at, noticeHashes.ofSignature),
  };
  return { headers, body };
}
