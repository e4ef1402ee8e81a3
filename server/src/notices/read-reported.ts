import type { NewUpdateNotice, Notice, ReportedUpdate } from './notice.ts';

/** Reads what updates changed, in the order given. Undefined: the history lacks it. */
export type ReadUpdates = (
  updates: readonly Pick<NewUpdateNotice, 'merchantId' | 'orderId' | 'version'>[],
) => Promise<readonly (ReportedUpdate | undefined)[]>;

/** Reads what the updates among notices changed, by the numbers of the notices. Where there are none it reads nothing. */
export async function readReported(notices: readonly Notice[], readUpdates: ReadUpdates): Promise<ReadonlyMap<bigint, ReportedUpdate>> {
  const updates = notices.filter((notice) => notice.status === 'updated');
  if (updates.length === 0) return new Map();
  const reported = await readUpdates(updates);
  return new Map(updates.flatMap(({ noticeId }, index) => (reported[index] === undefined ? [] : [[noticeId, reported[index]] as const])));
}
