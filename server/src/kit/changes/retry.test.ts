import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { Unavailable } from '../db.ts';
import { LostEveryRace, retryOnRace } from './retry.ts';

const lostRace = (code: string): Error => Object.assign(new DatabaseError('lost', 0, 'error'), { code });

/** Work that fails with these errors, one for each try, and then succeeds. */
function workThatFails(...errors: readonly Error[]) {
  let tries = 0;
  const work = async (): Promise<string> => {
    const error = errors[tries++];
    if (error !== undefined) throw error;
    return 'done';
  };
  return { work, tries: () => tries };
}

test.each(['40001', '40P01', '23505'])('work that lost a race (%s) runs again', async (code) => {
  const { work, tries } = workThatFails(lostRace(code), lostRace(code), lostRace(code));
  expect(await retryOnRace(work)).toBe('done');
  expect(tries()).toBe(4);
});

test('work that lost four races is unavailable, and says why', async () => {
  const race = lostRace('40001');
  const { work, tries } = workThatFails(race, race, race, race);
  const error = await retryOnRace(work).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LostEveryRace);
  expect(error).toBeInstanceOf(Unavailable);
  expect((error as Error).cause).toBe(race);
  expect(tries()).toBe(4);
});

test.each([new Error('a fault of ours'), new Unavailable('gone'), lostRace('23514')])('%s ends the work at once', async (error) => {
  const { work, tries } = workThatFails(error);
  await expect(retryOnRace(work)).rejects.toBe(error);
  expect(tries()).toBe(1);
});
