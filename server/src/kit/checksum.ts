import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-512 is what merchants and networks send; SHA-256 signs the order notice (contract §2.2). */
export type ChecksumAlgorithm = 'sha512' | 'sha256';

/** A SHA-512 in hex; fewer digits come from clients that drop leading zeros (contract §2.2). */
const SHA512_DIGITS = 128;
const HEX = /^[0-9a-fA-F]{1,128}$/;

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
  const claimed = Buffer.from(sent.toLowerCase().padStart(SHA512_DIGITS, '0'));
  const message = values.join('');
  let matches = false;
  for (const secret of secrets) {
    // Hex, because a digest as bytes takes twice the time (decision 0007).
    const isEqual = timingSafeEqual(claimed, Buffer.from(hash('sha512', message + secret, 'hex')));
    matches = isEqual || matches;
  }
  return matches;
}
