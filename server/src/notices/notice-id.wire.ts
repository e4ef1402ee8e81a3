import type { Notice } from './notice.ts';

/**
 * The id of a notice, the same in all its retries and redeliveries.
 * A restored backup may give its number to another notice. The time distinguishes the two.
 * Source: contract §7.5.
 */
export const noticeIdOnWire = ({ noticeId, at }: Pick<Notice, 'noticeId' | 'at'>): string => `msg_${noticeId}_${at.epochMilliseconds}`;

/** Reads the number of a notice from its id, which a merchant quotes or the command line lists. */
export function parseNoticeId(text: string): bigint | undefined {
  const [, digits] = /^(?:msg_)?([0-9]{1,18})(?:_[0-9]{1,15})?$/.exec(text) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}
