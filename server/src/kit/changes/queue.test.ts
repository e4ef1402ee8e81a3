import { expect, test } from 'vitest';
import { createBatch } from './batch.ts';
import { openKeysInUse, openOwners } from './queue.ts';

type Item = { readonly id: string; readonly rows: readonly string[] };

/** Until all that may leave has left. */
const quiet = (): Promise<void> => new Promise((done) => void setImmediate(() => setImmediate(done)));

/** Operations that share their rows. Each of their batches ends when it is told to. */
function operations(names: readonly string[]) {
  const under: { readonly ids: readonly string[]; end(): void }[] = [];
  const left: string[] = [];
  const shared = { inUse: openKeysInUse(), owners: openOwners(), keysOf: ({ rows }: Item) => rows, ownerOf: () => 'shop' };
  const run = async (items: readonly Item[]): Promise<readonly string[]> => {
    const ids = items.map(({ id }) => id);
    const { promise, resolve: end } = Promise.withResolvers<void>();
    under.push({ ids, end });
    left.push(...ids);
    await promise;
    return ids;
  };
  const joins = Object.fromEntries(names.map((name) => [name, createBatch<Item, string>({ ...shared, run })]));
  return {
    /** What has left, in this order. */
    left,
    join: (name: string, id: string, rows: readonly string[]) => joins[name]!({ id, rows }),
    /** Ends the batches under way, the oldest first, and lets the next ones leave. */
    endBatches: async () => {
      for (const { end } of under.splice(0)) {
        end();
        await quiet();
      }
    },
  };
}

test.each([
  ['was opened first', ['register', 'collect']],
  ['was opened last', ['collect', 'register']],
])('a row goes to whoever came first, also beside an operation that never stops asking and %s', async (_, names) => {
  const { join, left, endBatches } = operations(names);
  const answers: Promise<string>[] = [];
  const registers = (round: number): void => {
    for (let number = 0; number < 8; number++) answers.push(join('register', `R${round}.${number}`, [`new ${round}.${number}`, 'fund']));
  };
  registers(0);
  await quiet();
  registers(1);
  await quiet();
  answers.push(join('collect', 'C', ['cashout', 'fund']));
  for (let round = 2; round < 10; round++) {
    registers(round);
    await quiet();
    await endBatches();
  }
  const before = left.slice(0, left.indexOf('C'));
  expect(left).toContain('C');
  expect(new Set(before.map((id) => id.split('.')[0])), 'what came before it, and what leaves with that in one batch').toEqual(
    new Set(['R0', 'R1', 'R2']),
  );
  while (left.length < answers.length) await endBatches();
  await endBatches();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(left));
});

test('a row that was promised to an item is given on while that item waits for another row', async () => {
  const { join, left, endBatches } = operations(['one', 'two', 'three']);
  const answers = [join('one', 'A', ['x']), join('two', 'B', ['y'])];
  await quiet();
  answers.push(join('three', 'C', ['x', 'y']), join('one', 'D', ['y', 'x']), join('two', 'E', ['x']), join('three', 'F', ['y']));
  await quiet();
  expect(left).toEqual(['A', 'B']);
  while (left.length < answers.length) await endBatches();
  await endBatches();
  expect((await Promise.all(answers)).toSorted()).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
  expect(left.indexOf('C')).toBeLessThan(left.indexOf('D'));
});

test('an item that waits too long for a row which another batch changes is refused, and leaves the row to others', async () => {
  const { join, left, endBatches } = operations(['one', 'two']);
  const first = join('one', 'A', ['x']);
  await quiet();
  await expect(join('two', 'B', ['x'])).rejects.toThrow('another transaction holds a row');
  const later = join('two', 'C', ['x']);
  await quiet();
  await endBatches();
  await endBatches();
  expect(await Promise.all([first, later])).toEqual(['A', 'C']);
  expect(left).toEqual(['A', 'C']);
});
