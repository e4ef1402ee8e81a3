import { expect, test } from 'vitest';
import { openLoadGauge } from './load-gauge.ts';

type Load = { readonly perMs: number; readonly capacityPerMs: number; readonly forMs: number; readonly ownMs?: number };

/**
 * Plays requests that arrive evenly at a service that answers them in order.
 * Shape: → how many were shed, and the longest time of an answer.
 */
function play(gauge: ReturnType<typeof openLoadGauge>, startMs: number, { perMs, capacityPerMs, forMs, ownMs = 5 }: Load) {
  const waiting: number[] = [];
  let [shed, longestMs, arriving, leaving] = [0, 0, 0, 0];
  for (let nowMs = startMs; nowMs < startMs + forMs; nowMs++) {
    for (arriving += perMs; arriving >= 1; arriving--) {
      if (gauge.isFull(nowMs)) shed++;
      else {
        gauge.enter();
        waiting.push(nowMs);
      }
    }
    for (leaving = Math.min(leaving + capacityPerMs, waiting.length); leaving >= 1 && (waiting[0] ?? nowMs) + ownMs <= nowMs; leaving--) {
      const sinceMs = waiting.shift() as number;
      gauge.leave(sinceMs, nowMs);
      longestMs = Math.max(longestMs, nowMs - sinceMs);
    }
  }
  for (const sinceMs of waiting) gauge.leave(sinceMs, startMs + forMs);
  return { shed, longestMs };
}

const normal: Load = { perMs: 1, capacityPerMs: 5, forMs: 2_000 };

test('below the capacity nothing is shed', () => {
  expect(play(openLoadGauge(), 0, { ...normal, perMs: 4.9 }).shed).toBe(0);
});

test('at four times the capacity nobody waits a second, and it is over at once', () => {
  const gauge = openLoadGauge();
  play(gauge, 0, normal);
  const { shed, longestMs } = play(gauge, 2_000, { perMs: 20, capacityPerMs: 5, forMs: 10_000 });
  expect(shed / (20 * 10_000)).toBeCloseTo(0.75, 1);
  expect(longestMs).toBeLessThan(1_000);
  play(gauge, 12_000, { ...normal, forMs: 500 });
  expect(play(gauge, 12_500, normal).shed).toBe(0);
});

test('a database that is far away is no load', () => {
  const gauge = openLoadGauge();
  expect(play(gauge, 0, { perMs: 4, capacityPerMs: 5, forMs: 10_000, ownMs: 400 }).shed).toBe(0);
});

test('a pause of 400 milliseconds sheds nothing', () => {
  const gauge = openLoadGauge();
  play(gauge, 0, { ...normal, perMs: 2 });
  const { shed } = play(gauge, 2_000, { perMs: 2, capacityPerMs: 0, forMs: 400 });
  expect(shed).toBe(0);
});

test('one request that waits for a row does not count while others are answered', () => {
  const gauge = openLoadGauge();
  for (let held = 0; held < 100; held++) gauge.enter();
  expect(play(gauge, 0, { ...normal, forMs: 5_000 }).shed).toBe(0);
});
