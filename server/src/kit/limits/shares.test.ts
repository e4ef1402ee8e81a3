import { expect, test } from 'vitest';
import { Overloaded } from '../http.ts';
import { openShares } from './shares.ts';

/** Shares whose time a test moves, and works that end when they are told to. */
function sharing(options: { readonly atOnce: number; readonly perOwner: number; readonly rests?: (tookMs: number) => number }) {
  let now = 0;
  const timers: { readonly at: number; readonly work: () => void }[] = [];
  const later = (work: () => void, ms: number) => {
    timers.push({ at: now + ms, work });
    return { unref: () => undefined };
  };
  const share = openShares({ rests: () => 3, ...options, later, nowMs: () => now });
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  return {
    begun,
    run: (owner: string, id: string) =>
      share(owner, () => {
        begun.push(id);
        return new Promise<string>((resolve, reject) => ends.set(id, (error) => (error ? reject(error) : resolve(id))));
      }),
    end: async (id: string, error?: Error) => {
      ends.get(id)?.(error);
      await new Promise(setImmediate);
    },
    pass: async (ms: number) => {
      now += ms;
      for (const timer of timers.splice(0)) {
        if (timer.at <= now) timer.work();
        else timers.push(timer);
      }
      await new Promise(setImmediate);
    },
  };
}

test('an owner has its share, the others have theirs, and they take turns', async () => {
  const { begun, run, end } = sharing({ atOnce: 3, perOwner: 2 });
  const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('a', 'a4'), run('b', 'b1'), run('b', 'b2'), run('c', 'c1')];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a1');
  expect(begun.at(-1), 'who has least under way').toBe('c1');
  await end('b1');
  expect(begun.at(-1)).toBe('b2');
  const failed = expect(all[1]).rejects.toThrow('a fault');
  await end('a2', new Error('a fault'));
  await failed;
  expect(begun.at(-1)).toBe('a3');
  for (const id of ['c1', 'a3', 'b2', 'a4']) await end(id);
  expect((await Promise.allSettled(all)).filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('who waits too long is refused, and takes no place', async () => {
  const { begun, run, end, pass } = sharing({ atOnce: 2, perOwner: 1 });
  const first = run('a', 'a1');
  await pass(0);
  const refused = expect(run('a', 'a2')).rejects.toThrow(Overloaded);
  await pass(2_000);
  await refused;
  await end('a1');
  await first;
  // What took so long is followed by a rest.
  await pass(5_000);
  const next = run('a', 'a3');
  await new Promise(setImmediate);
  await end('a3');
  expect(await next).toBe('a3');
  expect(begun).toEqual(['a1', 'a3']);
});

test('a heavy work is followed by a rest of its owner; the others go on', async () => {
  const { begun, run, end, pass } = sharing({ atOnce: 2, perOwner: 1 });
  const heavy = run('a', 'a1');
  await pass(0);
  await pass(200);
  await end('a1');
  expect(await heavy, 'its answer does not wait for the rest').toBe('a1');
  const waiting = run('a', 'a2');
  const other = run('b', 'b1');
  await pass(0);
  await pass(599);
  expect(begun).toEqual(['a1', 'b1']);
  await pass(1);
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  await end('b1');
  await end('a2');
  await Promise.all([waiting, other]);
});

test('how long a place rests is asked after each work, by how long that took', async () => {
  const { begun, run, end, pass } = sharing({ atOnce: 1, perOwner: 1, rests: (tookMs) => (tookMs < 25 ? 0 : 10) });
  const works = ['a1', 'a2', 'a3'].map((id) => run('a', id));
  await pass(24);
  await end('a1');
  expect(begun, 'a light work').toEqual(['a1', 'a2']);
  await pass(100);
  await end('a2');
  await pass(999);
  expect(begun).toEqual(['a1', 'a2']);
  await pass(1);
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await end('a3');
  await Promise.all(works);
});
