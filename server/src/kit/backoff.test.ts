import { expect, test } from 'vitest';
import { pauseAfter, type Pauses } from './backoff.ts';

const PAUSES: Pauses = { firstSeconds: 5, longestSeconds: 60 };

test.each([
  [1, 0, 2.5],
  [1, 0.5, 3.75],
  [2, 0, 5],
  [4, 0.999, 39.98],
  [5, 0, 30],
  [2_000, 0.5, 45],
])('after %i failures and by chance %d the pause is %d s', (failures, chance, seconds) => {
  expect(pauseAfter(failures, PAUSES, chance).total('seconds')).toBe(seconds);
});
