import { expect, test } from 'vitest';
import { captureLog } from '../testing/captured.ts';
import { Unavailable } from './db.ts';
import { testClock } from '../testing/test-caudal.ts';
import { inRounds, runJobs, type Job } from './jobs.ts';

/** A job of the given steps; `done` resolves when the last one is asked for again. */
function jobOf(name: string, steps: (() => boolean)[]): Job & { readonly done: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    name,
    done: promise,
    step: async () => {
      const next = steps.shift();
      if (next === undefined) resolve();
      return next?.() ?? false;
    },
  };
}

test('goes on at once while there is more to do, and rests when there is none', async () => {
  let portions = 0;
  const restedAfter: number[] = [];
  const job = jobOf('sweep', [() => ++portions > 0, () => ++portions > 0, () => ++portions > 99]);
  const stop = runJobs([job], captureLog('info').log, { now: () => 0, worked: () => 0, rest: async () => restedAfter.push(portions) });
  await job.done;
  await stop();
  expect(portions).toBe(3);
  expect(restedAfter[0]).toBe(3);
});

test('asks again within a second where nothing was due', async () => {
  const rested: number[] = [];
  const job = jobOf('quiet', [() => false]);
  const stop = runJobs([job], captureLog('info').log, { now: () => 0, worked: () => 0, rest: async (ms) => rested.push(ms) });
  await job.done;
  await stop();
  expect(rested[0]).toBeLessThan(1_000);
});

test.each([
  ['some', 4],
  ['much', 32],
] as const)(
  'with %s patience a job rests up to %d times as long as its portion took, and not where the process has nothing else to do',
  async (patience, times) => {
    let [now, worked] = [0, 7];
    const portions = [
      { took: 40, busy: 1 },
      { took: 40, busy: 0.5 },
      { took: 40, busy: 0 },
      { took: 0, busy: 0 },
    ];
    const rested: number[] = [];
    const job = jobOf(
      'sweep',
      portions.map(({ took, busy }) => () => {
        now += took;
        worked += took * busy;
        return true;
      }),
    );
    const rests = { now: () => now, worked: () => worked, rest: async (ms: number) => rested.push(ms) };
    const stop = runJobs([{ ...job, patience }], captureLog('info').log, rests);
    await job.done;
    await stop();
    expect(rested.slice(0, 4)).toEqual([times * 40, times * 10, 0, 0]);
  },
);

const fail = (error: Error) => (): boolean => {
  throw error;
};

test('a failing job is logged, runs again and leaves the others alone', async () => {
  const failing = jobOf('broken', [fail(new Error('a fault of ours')), fail(new Unavailable('the database is away'))]);
  const sound = jobOf('sound', [() => true]);
  const { log, lines } = captureLog('info');
  const stop = runJobs([failing, sound], log, { now: () => 0, worked: () => 0, rest: async () => undefined });
  await Promise.all([failing.done, sound.done]);
  await stop();
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['a job failed', 'a job could not reach what it needs']);
});

test('stopping waits for the portion under way', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const started = Promise.withResolvers<void>();
  let isDone = false;
  const job: Job = {
    name: 'slow',
    step: async () => {
      started.resolve();
      await promise;
      isDone = true;
      return false;
    },
  };
  const stop = runJobs([job], captureLog('info').log);
  await started.promise;
  const stopped = stop();
  resolve(false);
  await stopped;
  expect(isDone).toBe(true);
});

test('a job in rounds rests after each round, and not inside of one', async () => {
  const clock = testClock();
  const steps = [true, true, false, false];
  const job = inRounds(clock, 600, { name: 'prune', step: async () => steps.shift() ?? true });
  const asked = async (): Promise<boolean[]> => [await job.step(), await job.step(), await job.step(), await job.step()];
  expect(await asked()).toEqual([true, true, false, false]);
  expect(steps).toHaveLength(1);
  clock.advance({ seconds: 599 });
  await asked();
  expect(steps).toHaveLength(1);
  clock.advance({ seconds: 1 });
  await asked();
  expect(steps).toHaveLength(0);
});

test('rounds go on at once where the clock was set back by more than a round', async () => {
  const clock = testClock();
  let rounds = 0;
  const job = inRounds(clock, 600, {
    name: 'sum',
    step: async () => {
      rounds += 1;
      return false;
    },
  });
  const startedAt = clock.now().toString();
  clock.advance({ days: 1 });
  await job.step();
  clock.turnBack(startedAt);
  await job.step();
  await job.step();
  expect(rounds).toBe(2);
});
