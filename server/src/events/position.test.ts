import * as fc from '../testing/fast-check.ts';
import { expect, test } from 'vitest';
import { hasSeen, parsePosition, positionAfter, printPosition, type EventPosition } from './position.ts';

const TRANSACTIONS = Array.from({ length: 40 }, (_, index) => BigInt(index + 1));

const position = (next: number, isOpen: (index: number) => boolean): EventPosition => ({
  next: BigInt(next),
  missing: TRANSACTIONS.filter((transaction, index) => transaction < BigInt(next) && isOpen(index)),
});

/** A position and a later one: what is open later was open before, or began since. */
const twoPositions = fc
  .record({
    first: fc.integer({ min: 1, max: 30 }),
    more: fc.integer({ min: 0, max: 10 }),
    open: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
    ended: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
  })
  .map(({ first, more, open, ended }): readonly [EventPosition, EventPosition] => {
    const isOpenLater = (index: number): boolean => open[index] === true && ended[index] !== true;
    return [position(first, (index) => open[index] === true), position(first + more, isOpenLater)];
  });

test('a portion is seen, and nothing else beside what was seen before', () => {
  fc.assert(
    fc.property(twoPositions, fc.bigInt({ min: 1n, max: 40n }), fc.boolean(), ([at, now], drawn, isWhole) => {
      const unseen = TRANSACTIONS.filter((transaction) => hasSeen(now, transaction) && !hasSeen(at, transaction));
      const last = isWhole ? undefined : (unseen.find((transaction) => transaction >= drawn) ?? unseen.at(-1));
      const after = positionAfter(at, now, last);
      for (const transaction of TRANSACTIONS) {
        const isRead = unseen.includes(transaction) && (last === undefined || transaction <= last);
        expect(hasSeen(after, transaction)).toBe(hasSeen(at, transaction) || isRead);
      }
      expect(parsePosition(printPosition(after))).toEqual(after);
    }),
  );
});

test.each([
  '',
  '5',
  '5:5',
  '6:5:',
  '5:9:7',
  '7:9:7,7',
  '7:9:8,7',
  '7:9:7,9',
  '0:0:',
  '05:05:',
  '5:5:,',
  '1:99999999999999999999:1',
  '٣:٣:',
])('no position: %j', (text) => expect(parsePosition(text)).toBeUndefined());
