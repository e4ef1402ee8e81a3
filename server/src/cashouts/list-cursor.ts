import { timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from '../kit/checksum.ts';
import type { ListPosition } from '../kit/lists/numbered-pages.ts';
import type { ListKey } from './list-statements.ts';

/**
 * What a link of the list remembers. It alone decides which page is shown. The parameter `page` beside it is for people to read:
 * it stays within 1–9999 where the walk goes on beyond.
 */
export type ListCursor = {
  /** The range as days, from the start of the walk: "today" keeps its meaning across midnight. */
  readonly startOn: Temporal.PlainDate;
  readonly endOn: Temporal.PlainDate;
  readonly position: ListPosition<ListKey>;
};

/**
 * What a cursor is bound to without carrying it: the merchant, and range and filters of the request, as sent.
 * With any of these changed the cursor does not open. The limit may change within a walk.
 */
export type ListScope = {
  readonly merchantId: string;
  readonly start: string;
  readonly end: string;
  readonly states: readonly string[];
  readonly document: string | undefined;
};

const FORM = 1;
const KINDS = ['page', 'last', 'after', 'before'] as const;
/** Form and kind, page, start and end. */
const HEAD_BYTES = 14;
/** Day, microseconds, our id. */
const KEY_BYTES = 20;
/** Half of SHA-256: nobody guesses 128 bits, and the link stays short. */
const MAC_BYTES = 16;
const MAX_BYTES = HEAD_BYTES + KEY_BYTES + MAC_BYTES;
/** Length of the longest cursor. */
export const MAX_LIST_CURSOR_CHARACTERS = Math.ceil((MAX_BYTES * 4) / 3);
/** Where a cursor is written. It is kept, as those of checksums are (decision 0007). A page has up to four cursors. */
const written = Buffer.alloc(MAX_BYTES);

/**
 * Writes a cursor: opaque, base64url, signed under the service's own key.
 * Shape: the service's key, what the cursor is bound to, what it remembers → at most MAX_LIST_CURSOR_CHARACTERS.
 * Source: contract §4.2.
 */
export function sealCursor(key: Buffer, scope: ListScope, { startOn, endOn, position }: ListCursor): string {
  const hasKey = position.at === 'after' || position.at === 'before';
  const end = HEAD_BYTES + (hasKey ? KEY_BYTES : 0);
  written.writeUInt8(FORM, 0);
  written.writeUInt8(KINDS.indexOf(position.at), 1);
  written.writeUInt32BE(position.at === 'last' ? 0 : position.page, 2);
  written.writeUInt32BE(dayNumber(startOn), 6);
  written.writeUInt32BE(dayNumber(endOn), 10);
  if (hasKey) {
    written.writeUInt32BE(dayNumber(position.key.updatedOn), 14);
    written.writeBigInt64BE(position.key.updatedAt.epochNanoseconds / 1000n, 18);
    written.writeBigInt64BE(position.key.cashoutId, 26);
  }
  written.write(mac(key, scope, written.toString('latin1', 0, end)), end, 'latin1');
  return written.toString('base64url', 0, end + MAC_BYTES);
}

/**
 * Reads a cursor.
 * Refuses (undefined): a text that sealCursor did not write under this key for the same scope.
 * Source: contract §4.2.
 */
export function openCursor(key: Buffer, scope: ListScope, text: string): ListCursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const end = bytes.length - MAC_BYTES;
  // Decoding accepts characters that encoding never writes. A cursor has one text only.
  if ((end !== HEAD_BYTES && end !== HEAD_BYTES + KEY_BYTES) || bytes.toString('base64url') !== text) return undefined;
  if (!timingSafeEqual(Buffer.from(mac(key, scope, bytes.toString('latin1', 0, end)), 'latin1'), bytes.subarray(end))) return undefined;
  return { startOn: dayOfNumber(bytes.readUInt32BE(6)), endOn: dayOfNumber(bytes.readUInt32BE(10)), position: readPosition(bytes) };
}

function readPosition(bytes: Buffer): ListPosition<ListKey> {
  const at = KINDS[bytes.readUInt8(1)]!;
  const page = bytes.readUInt32BE(2);
  if (at === 'last') return { at };
  return at === 'page' ? { at, page } : { at, page, key: readKey(bytes) };
}

function readKey(bytes: Buffer): ListKey {
  return {
    updatedOn: dayOfNumber(bytes.readUInt32BE(14)),
    updatedAt: new Temporal.Instant(bytes.readBigInt64BE(18) * 1000n),
    cashoutId: bytes.readBigInt64BE(26),
  };
}

function mac(key: Buffer, { merchantId, start, end, states, document }: ListScope, payload: string): string {
  // The shapes of these texts were checked: none holds a line break. So two different pairs of scope and payload never give one text.
  const head = `${merchantId}\n${start}\n${end}\n${states.join(',')}\n${document ?? ''}\n`;
  return hmacSha256(key, head + payload, 'latin1').slice(0, MAC_BYTES);
}

const dayNumber = ({ year, month, day }: Temporal.PlainDate): number => year * 10_000 + month * 100 + day;
const dayOfNumber = (number: number): Temporal.PlainDate =>
  new Temporal.PlainDate(Math.trunc(number / 10_000), Math.trunc(number / 100) % 100, number % 100);
