import { createHmac, timingSafeEqual } from 'node:crypto';
import { openWith, type ServiceKey } from '../kit/keys/service-keys.ts';
import type { PagePosition } from './management-operation.ts';

/** Half of SHA-256: nobody guesses 128 bits, and the text stays short. */
const MAC_BYTES = 16;
export const MAX_CURSOR_CHARACTERS = 2_000;

/** What a cursor is bound to without carrying it: operation, actor's merchant, path and filters. */
export type CursorScope = readonly unknown[];

const macOf = (key: Buffer, scope: CursorScope, text: string): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['caudal cursor of the management API', ...scope, text]))
    .digest()
    .subarray(0, MAC_BYTES);

/** Writes a cursor: opaque, base64url, signed under the service's own key. */
export function sealPosition(key: ServiceKey, scope: CursorScope, position: PagePosition): string {
  const text = JSON.stringify(position);
  return Buffer.concat([macOf(key.current().key, scope, text), Buffer.from(text)]).toString('base64url');
}

/** Reads a cursor; undefined for a text that sealPosition did not write for the same scope. */
export function openPosition(key: ServiceKey, scope: CursorScope, cursor: string): PagePosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const [mac, text] = [bytes.subarray(0, MAC_BYTES), bytes.toString('utf8', MAC_BYTES)];
  return openWith(key, (one) => (timingSafeEqual(mac, macOf(one, scope, text)) ? (JSON.parse(text) as PagePosition) : undefined));
}
