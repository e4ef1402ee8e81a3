import { expect, test } from 'vitest';
import { isOwnOrigin } from './own-origin.ts';

test.each([
  [true, 'https://pay.example', 'pay.example', 'same-origin'],
  [true, 'https://pay.example:8443', 'PAY.example:8443', undefined],
  [true, 'http://localhost:3000', 'localhost:3000', 'same-origin'],
  [true, 'http://127.0.0.1:3000', '127.0.0.1:3000', undefined],
  [true, 'http://[::1]:3000', '[::1]:3000', undefined],
  [false, undefined, 'pay.example', undefined],
  [false, 'null', 'pay.example', undefined],
  [false, 'http://pay.example', 'pay.example', undefined],
  [false, 'http://127.evil.example', '127.evil.example', undefined],
  [false, 'https://pay.example:8443', 'pay.example', undefined],
  [false, 'https://evil.example', 'pay.example', 'cross-site'],
  [false, 'https://pay.example', 'pay.example', 'same-site'],
  [false, 'ws://localhost', 'localhost', undefined],
])('%s: a request of a page of %s to %s, site %s, comes from a page of the own', (isOwn, origin, host, site) => {
  expect(isOwnOrigin({ origin, 'sec-fetch-site': site }, host)).toBe(isOwn);
});
