import { expect, test } from 'vitest';
import { cellOfNumber, firstIdOf } from './per-cell.ts';

const onNode = (node: bigint): bigint => (node << 48n) + firstIdOf(7);

test('an id leads to its cell, also where a node of a Citus cluster drew it; one that nobody drew leads home', () => {
  expect([0n, 1n, 31n].map((node) => cellOfNumber(String(onNode(node))))).toEqual([7, 7, 7]);
  expect([1n, onNode(32n), 999_999_999_999_999_999n].map((id) => cellOfNumber(String(id)))).toEqual([0, 0, 0]);
});
