import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as fc from './fast-check.ts';
import { seed, seededBytes, seededRandom } from './seed.ts';

const draws = (from: number): number[] => Array.from({ length: 5 }, seededRandom(from).next);

test('the same seed draws the same numbers, and another seed others', () => {
  expect(draws(seed)).toEqual(draws(seed));
  expect(draws(seed + 1)).not.toEqual(draws(seed));
});

test('properties draw from the seed of the run, and keys differ from each other', () => {
  expect(fc.sample(fc.nat(), 5)).toEqual(fc.sample(fc.nat(), { numRuns: 5, seed }));
  expect(seededBytes(32)).toHaveLength(32);
  expect(seededBytes(32)).not.toEqual(seededBytes(32));
});

const first = seededBytes(32);

test('a file draws the same keys, whatever ran before it in its process', () => {
  expect(first).toEqual(createHash('shake256', { outputLength: 32 }).update(`${seed}/1`).digest());
});
