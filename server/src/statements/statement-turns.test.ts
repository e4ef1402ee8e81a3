import { expect, test } from 'vitest';
import { Overloaded } from '../kit/http.ts';
import { openStatementTurns } from './statement-turns.ts';

const closed = (file: { once(event: 'close', listener: () => void): unknown; destroy(): unknown } | undefined): Promise<void> =>
  new Promise((resolve) => {
    file?.once('close', resolve);
    file?.destroy();
  });

test('an owner has three files that it does not read, and leaves room for others; one that it closes makes room for one', async () => {
  const { openFile } = openStatementTurns();
  const [first] = [openFile('shop'), openFile('shop'), openFile('shop')];
  expect(openFile('shop')).toBeUndefined();
  const others = Array.from({ length: 7 }, (_, number) => [1, 2, 3].map(() => openFile(`shop-${number}`))).flat();
  expect(others.every((file) => file !== undefined)).toBe(true);
  expect(openFile('one-more')).toBeUndefined();
  await closed(first);
  expect(openFile('shop')).toBeDefined();
  expect(openFile('shop')).toBeUndefined();
});

test('an owner who asks for many at once is refused at once, while others have their turn', async () => {
  const { inTurn } = openStatementTurns();
  const held = Promise.withResolvers<void>();
  const asked = Array.from({ length: 6 }, () => inTurn('shop', () => held.promise));
  await expect(inTurn('shop', async () => undefined)).rejects.toBeInstanceOf(Overloaded);
  await inTurn('other', async () => undefined);
  held.resolve();
  await Promise.all(asked);
});
