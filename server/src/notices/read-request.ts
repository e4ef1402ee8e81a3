import { systemClock, type Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { readNoticeSigners } from '../merchants/index.ts';
import type { Dialect } from '../requests/index.ts';
import { makeRequest, type NoticeRequest } from './notice-request.ts';
import type { Notice } from './notice.ts';
import { readReported, type ReadUpdates } from './read-reported.ts';

/** What the body of a notice is made with: the dialect, and what updates changed. */
export type NoticeRendering = { readonly dialect: Dialect; readonly readUpdates: ReadUpdates };

type Deps = NoticeRendering & { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock };

/**
 * Makes the request of a notice as it would be sent now.
 * Refuses: notice_unreadable, where there is no notice hash that can be read, or the history lacks what an update changed.
 */
export async function readRequest(
  { db, keys, clock, dialect, readUpdates }: Deps,
  notice: Notice,
): Promise<NoticeRequest | Refusal<'notice_unreadable'>> {
  const signer = (await readNoticeSigners(db, keys, [notice.merchantId], clock.now())).get(notice.merchantId);
  if (signer === undefined || signer instanceof Error) return refuse('notice_unreadable');
  const reported = (await readReported([notice], readUpdates)).get(notice.noticeId);
  if (notice.status === 'updated' && reported === undefined) return refuse('notice_unreadable');
  // Receivers compare the time of a signature with the real time.
  return makeRequest(notice, { ...signer, dialect, reported, at: systemClock.now() });
}

/** The body of a notice as it would be sent now. Null: it cannot be made. */
export async function readBody(deps: Deps, notice: Notice): Promise<string | null> {
  const made = await readRequest(deps, notice);
  return 'refusal' in made ? null : made.body;
}
