import { expect, test } from 'vitest';
import { circlesOf } from './circles.ts';
import { readCode, targetOf } from './sources.ts';

test('no files import each other in a circle, types included', () => {
  const imports = new Map(readCode().map((file) => [file.path, file.imports.flatMap((one) => targetOf(file, one) ?? [])]));
  expect(circlesOf(imports), 'move what the files of a circle share to a file of its own').toEqual([]);
});

const graph = (edges: Record<string, readonly string[]>): ReturnType<typeof circlesOf> => circlesOf(new Map(Object.entries(edges)));

test('finds circles: of two, of many, of one, and none in a diamond', () => {
  expect(graph({ a: ['b'], b: ['a'] })).toEqual([['a', 'b']]);
  expect(graph({ a: ['b'], b: ['c'], c: ['d', 'e'], d: ['b'], e: [] })).toEqual([['b', 'c', 'd']]);
  expect(graph({ a: ['a'] })).toEqual([['a']]);
  expect(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toEqual([]);
});
