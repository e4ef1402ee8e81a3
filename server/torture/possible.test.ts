import { describe, expect, test } from 'vitest';
import { Contradiction, openPossible, type Act } from './possible.ts';

/** A counter that refuses beyond three. */
const add = (name: string): Act<number> => ({
  name,
  outcomes: (count) => [count < 3 ? { isDone: true, next: count + 1 } : { isDone: false, next: count }],
});
const same = (count: number): number => count;

describe('what may be', () => {
  test('follows answers: each was done, and done once', () => {
    const counter = openPossible('a counter', 0);
    counter.answered(add('one'), true);
    counter.answered(add('two'), true);
    expect(() => counter.observed(1, same)).toThrow(Contradiction);
  });

  test('has no place for a refusal of what may be done', () => {
    expect(() => openPossible('a counter', 0).answered(add('one'), false)).toThrow('a counter: one was refused. Before that it could be 0');
  });

  test.each([0, 1, 2])('a lost answer is whole or absent, also late: %i of two', (count) => {
    const counter = openPossible('a counter', 0);
    counter.lost(add('one'));
    counter.lost(add('two'));
    counter.observed(0, same);
    counter.observed(count, same);
    expect(counter.lostActs()).toBe(2);
  });

  test('a lost answer is carried out once', () => {
    const counter = openPossible('a counter', 0);
    counter.lost(add('one'));
    counter.observed(1, same);
    expect(() => counter.observed(2, same)).toThrow(Contradiction);
  });

  test('what was seen stays', () => {
    const counter = openPossible('a counter', 0);
    counter.lost(add('one'));
    counter.observed(1, same);
    expect(() => counter.observed(0, same)).toThrow(Contradiction);
  });
});
