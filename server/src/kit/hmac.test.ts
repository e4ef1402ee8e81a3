import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import * as fc from '../testing/fast-check.ts';
import { hmacSha256 } from './checksum.ts';

test('is HMAC-SHA256, for any key and any message', () => {
  const keys = fc.uint8Array({ minLength: 0, maxLength: 64 }).map((bytes) => Buffer.from(bytes));
  const messages = fc.array(
    fc.uint8Array({ maxLength: 512 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(keys, messages, (key, texts) => {
      for (const text of texts) {
        const expected = createHmac('sha256', key).update(text, 'latin1').digest();
        expect(hmacSha256(key, text, 'base64url')).toBe(expected.toString('base64url'));
        expect(hmacSha256(key, text, 'latin1')).toBe(expected.toString('latin1'));
      }
    }),
  );
});

test('refuses what it cannot hash in two steps', () => {
  expect(() => hmacSha256(Buffer.alloc(65), '', 'latin1')).toThrow(RangeError);
  expect(() => hmacSha256(Buffer.alloc(32), 'x'.repeat(513), 'base64url')).toThrow(RangeError);
});
