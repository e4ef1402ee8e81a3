import { expect, test } from 'vitest';
import { takeTurns } from './take-turns.ts';

test('runs four at a time, the others in the order of their arrival, also after one has failed', async () => {
  const inTurn = takeTurns();
  const started: number[] = [];
  const ends = Array.from({ length: 10 }, () => Promise.withResolvers<number>());
  const all = ends.map(({ promise }, index) =>
    inTurn(() => {
      started.push(index);
      return promise;
    }),
  );
  const settled = Promise.allSettled(all);
  expect(started).toEqual([0, 1, 2, 3]);
  ends[2]!.reject(new Error('a fault'));
  await expect(all[2]).rejects.toThrow('a fault');
  expect(started).toEqual([0, 1, 2, 3, 4]);
  ends.forEach(({ resolve }, index) => resolve(index));
  expect((await settled).map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([0, 1, 'failed', 3, 4, 5, 6, 7, 8, 9]);
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
