import { describe, expect, test } from 'vitest';
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
