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
