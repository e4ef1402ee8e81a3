import { isIP } from 'node:net';
import { isAllowedAddress } from '../kit/limits/allowed-address.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';

export type UndeliverableRefusal = 'notice_url_not_https' | 'notice_url_private';

/**
 * Refuses a notice URL that production never delivers to. A name is resolved only when a notice is sent.
 * Refuses: notice_url_not_https, notice_url_private.
 */
export function refuseUndeliverable(noticeUrl: string | null | undefined): Refusal<UndeliverableRefusal> | undefined {
  const url = URL.parse(noticeUrl ?? '');
  if (url === null) return undefined;
  if (url.protocol === 'http:') return refuse('notice_url_not_https');
  const address = url.hostname.replaceAll(/[[\]]/g, '');
  const isPrivate = url.hostname === 'localhost' || (isIP(address) !== 0 && !isAllowedAddress(address, false));
  return isPrivate ? refuse('notice_url_private') : undefined;
}
