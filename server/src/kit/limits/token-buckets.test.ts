import { describe, expect, test } from 'vitest';
import * as fc from '../../testing/fast-check.ts';
import { createBuckets, takeToken, tokensLeft } from './token-buckets.ts';

const rate = { perSecond: 10, burst: 3 };

describe('a bucket', () => {
  test('gives its burst at once, then one token each time that one has come', () => {
    const bucket = { fullAtMs: 0 };
    expect([1, 2, 3].map(() => takeToken(bucket, rate, 1_000))).toEqual([0, 0, 0]);
    expect(tokensLeft(bucket, rate, 1_000)).toBe(0);
    expect(takeToken(bucket, rate, 1_000)).toBe(100);
    expect(takeToken(bucket, rate, 1_060)).toBe(40);
    expect(takeToken(bucket, rate, 1_100)).toBe(0);
    expect(takeToken(bucket, rate, 1_100)).toBe(100);
  });

  test('holds no more than its burst, however long it rests', () => {
    const bucket = { fullAtMs: 0 };
    takeToken(bucket, rate, 0);
    expect(tokensLeft(bucket, rate, 0)).toBe(2);
    expect(tokensLeft(bucket, rate, 1_000_000)).toBe(3);
    expect([1, 2, 3, 4].map(() => takeToken(bucket, rate, 1_000_000) > 0)).toEqual([false, false, false, true]);
  });
});

test('at any time of the clock a full bucket gives its whole burst at once, and no more', () => {
  const bursts = fc.integer({ min: 1, max: 200 });
  const rates = fc.double({ min: 1 / 400, max: 20_000, noNaN: true });
  const times = fc.double({ min: 0, max: 1e10, noNaN: true });
  fc.assert(
    fc.property(bursts, rates, times, (burst, perSecond, nowMs) => {
      // A token that comes sooner than the clock counts is not a token that is refused.
      fc.pre(1_000 / perSecond > 0.01);
      const bucket = { fullAtMs: 0 };
      const waits = Array.from({ length: burst + 1 }, () => takeToken(bucket, { perSecond, burst }, nowMs));
      expect(waits.findIndex((wait) => wait > 0)).toBe(burst);
    }),
  );
});

describe('buckets by key', () => {
  test('keep each key apart, and remember what was taken for the time of a refill', () => {
    const take = createBuckets(rate);
    expect([1, 2, 3].map(() => take('a', 0))).toEqual([0, 0, 0]);
    expect(take('b', 0)).toBe(0);
    expect(take('a', 50)).toBe(50);
    expect(take('a', 299)).toBe(0);
    expect(take('a', 300), 'a new generation begins').toBe(0);
    expect(take('a', 300)).toBe(0);
    expect(take('a', 300), 'what was taken before it is not forgotten').toBeGreaterThan(0);
  });

  test('do not grow without end', () => {
    const take = createBuckets({ perSecond: 1, burst: 1 }, 100);
    take('first', 0);
    for (let key = 0; key < 1_000; key++) take(`stranger ${key}`, 1);
    expect(take('first', 1), 'it was forgotten').toBe(0);
  });
});
