import { expect, test } from 'vitest';
import { Overloaded } from '../kit/http.ts';
import { createLog } from '../kit/log.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { openLater } from './later.ts';

const log = createLog('silent');

test('work begins at a moment that says nothing of when it was asked for, and one piece at a time', async () => {
  const chances = [0.9, 0.1, 0.5];
  const later = openLater({ log, chance: () => chances.shift() ?? 0, mostWaiting: 3, withinMs: 300 });
  const done: string[] = [];
  for (const name of ['first', 'second', 'third'])
    later.add(async () => {
      done.push(`${name} begins`);
      await new Promise((resolve) => void setImmediate(resolve));
      done.push(`${name} ends`);
      if (name === 'second') throw new Error('the next one is done all the same');
    });
  expect(done).toEqual([]);
  expect(() => later.add(async () => undefined)).toThrow(Overloaded);
  await eventually(SOON_MS, () =>
    expect(done).toEqual(['second begins', 'second ends', 'third begins', 'third ends', 'first begins', 'first ends']),
  );
  await later.close();
});

test('a server that ends does what waits, until something fails', async () => {
  const later = openLater({ log, chance: () => 0.9, mostWaiting: 4, withinMs: 3_600_000 });
  let done = 0;
  for (let count = 0; count < 4; count++)
    later.add(async () => {
      if (++done === 3) throw new Error('the database is away');
    });
  await later.close();
  expect(done).toBe(3);
});
