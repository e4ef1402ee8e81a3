import { createHash } from 'node:crypto';

/**
 * Makes the checksum that a client sends, from the text of contract §2.2 and not from the service's code.
 * It is the hash over the values as sent, without separators, then the secret, in UTF-8.
 * Shape: values, secret → lower-case hex digits.
 */
export function checksumOf(values: readonly unknown[], secret: string, algorithm: 'sha512' | 'sha256' = 'sha512'): string {
  return createHash(algorithm)
    .update([...values, secret].map(String).join(''), 'utf8')
    .digest('hex');
}
