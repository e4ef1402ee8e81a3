import { assert, constantFrom, property, record, type Arbitrary } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differing, merge, NO_TERMS, patchOf, TERM_NAMES, type TermName, type Terms } from './terms.ts';

/** Few values, so that changes meet. */
const anyTerms: Arbitrary<Terms> = record(Object.fromEntries(TERM_NAMES.map((name) => [name, constantFrom('1', '2', '3')]))).map(
  (terms) => ({ ...NO_TERMS, ...terms }),
);

describe('a patch', () => {
  test('has what differs, and nothing else', () => {
    const before = { ...NO_TERMS, amount: '32000.00', currency: 'COP', email: 'ana@example.com', description: 'Pan' };
    expect(patchOf(before, { ...before, amount: '32000' })).toEqual({});
    expect(patchOf(before, { ...before, amount: '32500', description: '', recurrent: 'true', redirectTimeoutMs: '500' })).toEqual({
      amount: { amount: '32500', currency: 'COP' },
      description: null,
      recurrent: true,
      redirectTimeoutMs: 500,
    });
  });
});

describe('two changes of one order', () => {
  test('lose nothing that either of them changed, and ask only where both changed one term differently', () => {
    assert(
      property(anyTerms, anyTerms, anyTerms, (base, theirs, mine) => {
        const { agreed, conflicts, taken } = merge(base, theirs, mine);
        const changed = (by: Terms, name: TermName): boolean => base[name] !== by[name];
        for (const name of TERM_NAMES) {
          const isConflict = changed(theirs, name) && changed(mine, name) && theirs[name] !== mine[name];
          expect(conflicts.includes(name)).toBe(isConflict);
          expect(taken.includes(name)).toBe(changed(theirs, name) && !changed(mine, name));
          if (!isConflict) expect(agreed[name]).toBe(changed(theirs, name) ? theirs[name] : mine[name]);
        }
      }),
    );
  });

  test('of which one changed nothing give the other one', () => {
    assert(
      property(anyTerms, anyTerms, (base, other) => {
        expect(differing(merge(base, base, other).agreed, other)).toEqual([]);
        expect(differing(merge(base, other, base).agreed, other)).toEqual([]);
      }),
    );
  });
});
