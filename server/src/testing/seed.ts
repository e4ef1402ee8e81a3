import { createHash } from 'node:crypto';
import { inject } from 'vitest';

/**
 * The seed of this run, for everything that a test draws. The run prints it.
 * CAUDAL_TEST_SEED gives the same draws again.
 */
export const seed = inject('testServer').seed;

/** Draws numbers; the same seed gives the same ones. */
export type Random = {
  /** A number of at least 0 and below 1. */
  next(): number;
  /** A whole number below the given one. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  /** True once in so many times. */
  oneIn(times: number): boolean;
};

/** Makes a source of draws from the lower 32 bits of a seed (mulberry32). */
export function seededRandom(from: number): Random {
  let state = from >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (choices) => choices[below(choices.length)] as never, oneIn: (times) => below(times) === 0 };
}

let count = 0;

/** Each test file begins its draws again. So what it draws does not depend on the files that ran before it in the same process. */
export const restartDraws = (): void => void (count = 0);

/** Draws bytes for a key. They follow from the seed and the number of earlier draws in the test file. */
export function seededBytes(size: number): Buffer {
  return createHash('shake256', { outputLength: size }).update(`${seed}/${++count}`).digest();
}
