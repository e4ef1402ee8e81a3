import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { readNoticeSigners } from '../merchants/index.ts';
import { renderNotice } from './notice.wire.ts';
import type { Notice } from './notice.ts';
import { readReported, type ReadUpdates } from './read-reported.ts';

/** What the body of a notice is made with: the service's prefix in it, and what updates changed. */
export type NoticeRendering = { readonly servicePrefix: string; readonly readUpdates: ReadUpdates };

type Deps = NoticeRendering & { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock };

/** Renders the body of a notice as it would be sent now. Null: there is no notice hash that can be read. */
export async function readBody({ db, keys, clock, servicePrefix, readUpdates }: Deps, notice: Notice): Promise<string | null> {
  const signer = (await readNoticeSigners(db, keys, [notice.merchantId], clock.now())).get(notice.merchantId);
  if (signer === undefined || signer instanceof Error) return null;
  const reported = await readReported([notice], readUpdates);
  return renderNotice(notice, signer.noticeHashes.ofChecksum, servicePrefix, reported.get(notice.noticeId));
}
