import { DatabaseError } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBatch } from './batch.ts';
import { Unavailable } from '../db.ts';
import { Held, HOLD_MS } from './retry.ts';
import { openOwners } from './queue.ts';

/** A `run` whose batches wait until they are let go, one after the other. */
function gate<Item>(answer: (item: Item) => unknown = (item) => `answer to ${String(item)}`) {
  const batches: { readonly items: readonly Item[]; go(): void; fail(error: unknown): void }[] = [];
  let arrived = Promise.withResolvers<void>();
  return {
    batches,
    run: (items: readonly Item[]): Promise<unknown[]> => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
      batches.push({ items, go: () => resolve(items.map(answer)), fail: reject });
      arrived.resolve();
      return promise;
    },
    /** The items of the batch of that number, as soon as it has left. */
    items: async (number: number): Promise<readonly Item[]> => {
      while (batches.length < number) {
        arrived = Promise.withResolvers();
        await arrived.promise;
      }
      return batches[number - 1]!.items;
    },
  };
}

const settle = (promises: readonly Promise<unknown>[]) =>
  Promise.allSettled(promises).then((outcomes) =>
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message)),
  );

const lostRace = (message: string): Error => Object.assign(new DatabaseError(message, 0, 'error'), { code: '40001' });

describe('a batch', () => {
  test('carries those who come together, in the order of arrival, and answers each its own', async () => {
    const { run, items, batches } = gate<number>();
    const join = createBatch({ writers: 1, run });
    const answers = settle([join(1), join(2), join(3)]);
    expect(await items(1)).toEqual([1, 2, 3]);
    batches[0]!.go();
    expect(await answers).toEqual(['answer to 1', 'answer to 2', 'answer to 3']);
  });

  test('grows while another one is being written, and leaves when that one is done', async () => {
    const { run, items, batches } = gate<number>();
    const join = createBatch({ writers: 1, run });
    const answers = [join(1)];
    await items(1);
    answers.push(join(2), join(3));
    await new Promise(setImmediate);
    answers.push(join(4));
    await new Promise(setImmediate);
    expect(batches).toHaveLength(1);
    batches[0]!.go();
    expect(await items(2)).toEqual([2, 3, 4]);
    batches[1]!.go();
    expect(await settle(answers)).toEqual([1, 2, 3, 4].map((item) => `answer to ${item}`));
  });

  test('is sent before those of the one before it have their answers', async () => {
    const happened: string[] = [];
    const first = Promise.withResolvers<void>();
    const join = createBatch({
      writers: 1,
      run: async (items: readonly number[]) => {
        // A connection and its pipeline take a few ticks before they send.
        for (let tick = 0; tick < 3; tick++) await new Promise<void>((resolve) => process.nextTick(resolve));
        happened.push(`sent ${items.join(' ')}`);
        await (happened.length === 1 ? first.promise : new Promise(setImmediate));
        return items;
      },
    });
    const answers = [1, 2].map((item) => join(item).then(() => happened.push(`answered ${item}`)));
    await vi.waitUntil(() => happened.length === 1);
    answers.push(join(3).then(() => happened.push('answered 3')));
    first.resolve();
    await Promise.all(answers);
    expect(happened).toEqual(['sent 1 2', 'sent 3', 'answered 1', 'answered 2', 'answered 3']);
  });

  test('holds maxItems at most; the rest goes next, in order', async () => {
    const { run, items, batches } = gate<number>();
    const join = createBatch({ writers: 1, run, maxItems: 2 });
    const answers = settle([1, 2, 3, 4, 5].map(join));
    for (const [index, expected] of [[1, 2], [3, 4], [5]].entries()) {
      expect(await items(index + 1)).toEqual(expected);
      batches[index]!.go();
    }
    expect(await answers).toHaveLength(5);
  });

  test('runs beside as many as there are writers, not more', async () => {
    const { run, items, batches } = gate<number>();
    const join = createBatch({ run, maxItems: 1, writers: 2 });
    const answers = settle([1, 2, 3].map(join));
    await items(2);
    await new Promise(setImmediate);
    expect(batches).toHaveLength(2);
    batches[1]!.go();
    expect(await items(3)).toEqual([3]);
    batches[0]!.go();
    batches[2]!.go();
    await answers;
  });

  test('leaves the other writers their share', async () => {
    const { run, items, batches } = gate<number>();
    const join = createBatch({ run, writers: 2 });
    const all = Array.from({ length: 64 }, (_, index) => index);
    const answers = settle(all.map(join));
    expect(await items(2)).toEqual(all.slice(32));
    expect(batches[0]!.items).toEqual(all.slice(0, 32));
    for (const { go } of batches) go();
    await answers;
  });

  test('of few waits for the large one under way, but not for long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { run, items, batches } = gate<number>();
    const join = createBatch({ run, writers: 2 });
    const large = settle(Array.from({ length: 16 }, (_, index) => join(index)));
    await items(1);
    const few = [join(100)];
    await new Promise(setImmediate);
    expect(batches).toHaveLength(1);
    batches[0]!.go();
    expect(await items(2)).toEqual([100]);
    batches[1]!.go();
    const others = settle(Array.from({ length: 16 }, (_, index) => join(200 + index)));
    await items(3);
    few.push(join(300));
    await new Promise(setImmediate);
    expect(batches).toHaveLength(3);
    vi.advanceTimersByTime(5);
    expect(await items(4)).toEqual([300]);
    batches[2]!.go();
    batches[3]!.go();
    await Promise.all([large, others, settle(few)]);
  });

  test('can be joined again after it failed and after it was answered', async () => {
    let calls = 0;
    const join = createBatch<number, number>({
      writers: 1,
      run: async (items) => {
        if (++calls === 1) throw new Unavailable('gone');
        return items.map((item) => item * 2);
      },
    });
    await expect(join(1)).rejects.toBeInstanceOf(Unavailable);
    expect(await join(2)).toBe(4);
    expect(await join(3)).toBe(6);
  });
});

describe('when a batch fails', () => {
  test('its items are run one by one: only those fail that fail alone', async () => {
    const runs: (readonly number[])[] = [];
    const join = createBatch<number, number>({
      writers: 1,
      run: async (items) => {
        runs.push(items);
        if (items.includes(2)) throw new Error('two is bad');
        return items;
      },
    });
    expect(await settle([1, 2, 3].map(join))).toEqual([1, 'two is bad', 3]);
    expect(runs).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  test('an item that lost a race is tried again, and not without end', async () => {
    const tries = new Map<number, number>();
    const join = createBatch<number, string>({
      writers: 1,
      run: async (items) => {
        for (const item of items) tries.set(item, (tries.get(item) ?? 0) + 1);
        if (items.includes(1) && tries.get(1)! < 3) throw lostRace('lost once more');
        if (items.includes(2)) throw lostRace('always lost');
        return items.map((item) => `wrote ${item}`);
      },
    });
    expect(await settle([1, 2, 3].map(join))).toEqual(['wrote 1', 'lost every race for the same rows', 'wrote 3']);
    expect(tries).toEqual(
      new Map([
        [1, 3],
        [2, 5],
        [3, 2],
      ]),
    );
  });

  test('a lone item is not run a second time for nothing', async () => {
    let runs = 0;
    const join = createBatch<number, number>({
      writers: 1,
      run: async () => {
        runs++;
        throw new Error('bad');
      },
    });
    await expect(join(1)).rejects.toThrow('bad');
    expect(runs).toBe(1);
  });

  test('because the database is away, fails all of its items and all that wait, at once', async () => {
    const { run, items, batches } = gate<number>();
    const join = createBatch({ writers: 1, run, maxItems: 2 });
    const answers = settle([1, 2, 3, 4, 5].map(join));
    await items(1);
    batches[0]!.fail(new Unavailable('gone'));
    expect(await answers).toEqual(['gone', 'gone', 'gone', 'gone', 'gone']);
    expect(batches).toHaveLength(1);
  });

  test('and the database goes away while its items run one by one, fails the rest at once', async () => {
    const runs: (readonly number[])[] = [];
    const join = createBatch<number, number>({
      writers: 1,
      maxItems: 3,
      run: async (items) => {
        runs.push(items);
        if (items.length > 1) throw new Error('not together');
        if (items[0] === 2) throw new Unavailable('gone');
        return items;
      },
    });
    expect(await settle([1, 2, 3, 4].map(join))).toEqual([1, 'gone', 'gone', 'gone']);
    expect(runs).toEqual([[1, 2, 3], [1], [2]]);
  });

  test('with fewer answers than items, nobody waits for ever', async () => {
    const join = createBatch<number, number>({ writers: 1, run: async (items) => items.slice(1) });
    expect(await settle([1, 2].map(join))).toEqual([expect.stringContaining('answers'), expect.stringContaining('answers')]);
  });
});

test('more than may wait are refused as unavailable, and those before them are served', async () => {
  const { run, items, batches } = gate<number>();
  const join = createBatch({ writers: 1, run, maxWaiting: 2 });
  const first = join(1);
  await items(1);
  const answers = settle([2, 3, 4].map(join));
  batches[0]!.go();
  await items(2);
  batches[1]!.go();
  expect(await first).toBe('answer to 1');
  expect(await answers).toEqual(['answer to 2', 'answer to 3', 'too many requests wait for the database']);
});

test('an item waits while another batch changes its row, and the others go on', async () => {
  const { run, items, batches } = gate<string>();
  const join = createBatch({ run, keysOf: ([row = '']) => [row] });
  const first = join('a1');
  expect(await items(1)).toEqual(['a1']);
  const others = settle([join('a2'), join('b1')]);
  expect(await items(2)).toEqual(['b1']);
  batches[1]!.go();
  batches[0]!.go();
  expect(await first).toBe('answer to a1');
  expect(await items(3)).toEqual(['a2']);
  batches[2]!.go();
  expect(await others).toEqual(['answer to a2', 'answer to b1']);
});

test('those who waited for one row are not more in a batch than others', async () => {
  let isHeld = true;
  const batches: (readonly number[])[] = [];
  const join = createBatch<number, string>({
    keysOf: () => ['row'],
    maxItems: 1,
    run: async (items) => {
      batches.push(items);
      return items.map((item) => (isHeld ? (new Held('row') as never) : `answer to ${item}`));
    },
  });
  const answers = settle([1, 2, 3].map(join));
  await vi.waitUntil(() => batches.length > 0);
  isHeld = false;
  expect(await answers).toEqual([1, 2, 3].map((item) => `answer to ${item}`));
  expect(batches.every(({ length }) => length === 1)).toBe(true);
});

test('items that need the same two rows, and wait for another one of them each, do not wait for each other', async () => {
  const tries = new Map<string, number>();
  // Each has found another one of the rows held. Both are free from then on.
  const join = createBatch<string, string>({
    keysOf: () => ['order', 'funds'],
    run: async (items) =>
      items.map((item) => {
        tries.set(item, (tries.get(item) ?? 0) + 1);
        return (tries.get(item) === 1 ? new Held(item) : `answer to ${item}`) as never;
      }),
  });
  expect(await settle([join('order'), join('funds')])).toEqual(['answer to order', 'answer to funds']);
});

test('a row that stays held is tried more and more rarely', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const triedMs: number[] = [];
  const join = createBatch<number, number>({
    keysOf: () => ['row'],
    run: async (items) => {
      triedMs.push(performance.now());
      return items.map(() => new Held('row') as never);
    },
  });
  const startedMs = performance.now();
  const answers = settle([join(1), join(2)]);
  while (performance.now() < startedMs + HOLD_MS + 64) {
    await vi.advanceTimersByTimeAsync(1);
    await new Promise(setImmediate);
  }
  expect(await answers).toEqual(Array(2).fill('another transaction holds a row that the request needs'));
  const pauses = triedMs.slice(1).map((at, index) => at - triedMs[index]!);
  expect(pauses.slice(0, 8).map((ms) => Math.log2(ms))).toEqual([0, 1, 2, 3, 4, 5, 6, 6].map((power) => expect.closeTo(power, 0)));
  expect(triedMs.length).toBeLessThan(45);
});

const ownerOf = (item: string): string => item.slice(0, 1);
const many = (owner: string, count: number) => Array.from({ length: count }, (_, index) => `${owner}${index}`);
/** How many of these items each owner has. */
const owned = (items: readonly string[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(items, ownerOf)).map(([owner, of]) => [owner, of?.length]));

describe('owners', () => {
  test('take turns, and one with many requests has its share of a batch', async () => {
    const { run, items, batches } = gate<string>();
    let nowMs = 0;
    const join = createBatch({ run, ownerOf, owners: openOwners(() => nowMs), writers: 1 });
    const answers = settle([...many('a', 300), ...many('b', 2), ...many('c', 1)].map(join));
    expect((await items(1)).slice(0, 5)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1']);
    expect(owned(await items(1))).toEqual({ a: 32, b: 2, c: 1 });
    batches[0]!.go();
    expect(owned(await items(2)), 'the others were here just now').toEqual({ a: 32 });
    nowMs = 60;
    batches[1]!.go();
    expect(owned(await items(3)), 'nobody else is there').toEqual({ a: 128 });
    batches[2]!.go();
    await items(4);
    batches[3]!.go();
    expect(new Set((await answers).map((answer) => String(answer).slice(0, 11)))).toEqual(
      new Set(['answer to a', 'answer to b', 'answer to c']),
    );
  });

  test('whose turn is longest ago come first, where a batch has no room for all', async () => {
    const { run, items, batches } = gate<string>();
    const join = createBatch({ run, ownerOf, writers: 1, maxItems: 2 });
    const answers = settle([...many('a', 3), ...many('b', 2), ...many('c', 1)].map(join));
    const left: (readonly string[])[] = [];
    for (const number of [1, 2, 3]) {
      left.push(await items(number));
      batches[number - 1]!.go();
    }
    expect(left).toEqual([
      ['a0', 'b0'],
      ['c0', 'a1'],
      ['b1', 'a2'],
    ]);
    await answers;
  });

  test('with as many requests as the others have as much of a batch', async () => {
    const { run, items, batches } = gate<string>();
    const join = createBatch({ run, ownerOf, writers: 1 });
    const answers = settle(
      'abcdefgh'
        .split('')
        .flatMap((owner) => many(owner, 16))
        .map(join),
    );
    expect(owned(await items(1))).toEqual(Object.fromEntries('abcdefgh'.split('').map((owner) => [owner, 16])));
    batches[0]!.go();
    await answers;
  });

  test('with many requests in another operation do not stop one that comes', async () => {
    const owners = openOwners();
    for (let other = 0; other < 32; other++) owners.enter(`other ${other}`);
    const { run, items, batches } = gate<string>();
    const join = createBatch({ run, ownerOf, owners, writers: 2 });
    const answers = settle(many('a', 4).map(join));
    expect(await items(1)).toEqual(['a0', 'a1']);
    await new Promise(setImmediate);
    expect(batches, 'its share is under way').toHaveLength(1);
    const late = join('b0');
    expect(await items(2)).toEqual(['b0']);
    batches[1]!.go();
    expect(await late).toBe('answer to b0');
    batches[0]!.go();
    await items(3);
    batches[2]!.go();
    await answers;
  });
});
