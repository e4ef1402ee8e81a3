import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-512 is what merchants and networks send; SHA-256 signs the order notice (contract §2.2). */
export type ChecksumAlgorithm = 'sha512' | 'sha256';

/** A SHA-512 in hex; fewer digits come from clients that drop leading zeros (contract §2.2). */
const SHA512_DIGITS = 128;
const HEX = /^[0-9a-fA-F]{1,128}$/;
/** The two sides of a comparison. They are kept, because two new Buffers cost more than half of the hash. */
const claimed = Buffer.alloc(SHA512_DIGITS / 2);
const expected = Buffer.alloc(SHA512_DIGITS / 2);

/**
 * Makes the checksum of a message.
 * Shape: the values as sent, in the order of contract §2.2, and the secret → lower-case hex over their UTF-8.
 * Source: contract §2.2.
 */
export function checksum(algorithm: ChecksumAlgorithm, values: readonly string[], secret: string): string {
  return hash(algorithm, values.join('') + secret, 'hex');
}

/**
 * Says whether a checksum is the SHA-512 of the values under one of the secrets.
 * Shape: 1–128 hex digits of either case, padded on the left with zeros; any other text matches nothing.
 * The time depends on the values and on the number of secrets. It does not depend on which secret matches, or how nearly.
 * For an unknown merchant the caller passes a made-up secret, so that the answer takes the same time.
 * Source: contract §2.2, §7.4.
 */
export function checksumMatches(sent: string, values: readonly string[], secrets: readonly string[]): boolean {
  if (!HEX.test(sent)) return false;
  claimed.write(sent.padStart(SHA512_DIGITS, '0'), 'hex');
  const message = values.join('');
  let matches = false;
  for (const secret of secrets) {
    expected.write(hash('sha512', message + secret, 'latin1'), 'latin1');
    const isEqual = timingSafeEqual(claimed, expected);
    matches = isEqual || matches;
  }
  return matches;
}

/** Bytes that SHA-256 takes at once. */
const BLOCK = 64;
const SHA256_BYTES = 32;
/** Longer than any token and any cursor. */
const MAX_MESSAGE = 512;

type Pads = { readonly inner: Buffer; readonly outer: Buffer };
const padsOf = new WeakMap<Buffer, Pads>();

/**
 * Makes HMAC-SHA256 of two hashes, as RFC 2104 defines it: half the time of createHmac (decision 0007).
 * Shape: a key of at most 64 bytes, whose bytes stay the same; a message of at most 512 characters, all below U+0100.
 */
export function hmacSha256(key: Buffer, message: string, form: 'base64url' | 'latin1'): string {
  if (message.length > MAX_MESSAGE) throw new RangeError('a message that is longer than any token or cursor');
  let pads = padsOf.get(key);
  if (pads === undefined) padsOf.set(key, (pads = makePads(key)));
  const end = BLOCK + pads.inner.write(message, BLOCK, 'latin1');
  pads.outer.write(hash('sha256', pads.inner.subarray(0, end), 'latin1'), BLOCK, 'latin1');
  return hash('sha256', pads.outer, form);
}

function makePads(key: Buffer): Pads {
  if (key.length > BLOCK) throw new RangeError('a key of more than a block would have to be hashed first');
  const inner = Buffer.alloc(BLOCK + MAX_MESSAGE, 0x36);
  const outer = Buffer.alloc(BLOCK + SHA256_BYTES, 0x5c);
  for (const [at, byte] of key.entries()) {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return { inner, outer };
}
