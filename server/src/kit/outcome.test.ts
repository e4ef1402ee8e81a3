import { describe, expect, expectTypeOf, test } from 'vitest';

import { isRefusal, refuse } from './outcome.ts';
import type { Refusal } from './outcome.ts';

type Outcome = { readonly version: number } | Refusal<'order_not_open'> | Refusal<'content_invalid'>;

/** Compiles only if the guard narrows both ways. */
function versionOrName(outcome: Outcome): string {
  if (!isRefusal(outcome)) return String(outcome.version);
  expectTypeOf(outcome.refusal).toEqualTypeOf<'order_not_open' | 'content_invalid'>();
  return outcome.refusal;
}

describe('refusals', () => {
  test('carry their name and the field they are about', () => {
    expect(refuse('order_not_open')).toEqual({ refusal: 'order_not_open' });
    expect(refuse('content_invalid', { field: 'email', rule: 'length', limit: 100 })).toEqual({
      refusal: 'content_invalid',
      field: 'email',
      rule: 'length',
      limit: 100,
    });
  });

  test('are distinguished from other outcomes, by the compiler too', () => {
    expect(versionOrName({ version: 3 })).toBe('3');
    expect(versionOrName(refuse('order_not_open'))).toBe('order_not_open');
  });

  test.each([undefined, null, 'refusal', 0, [], new Map([['refusal', 'x']])])('are not %j', (value) => {
    expect(isRefusal<unknown>(value)).toBe(false);
  });
});
