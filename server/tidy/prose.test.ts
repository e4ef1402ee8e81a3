import { expect, test } from 'vitest';
import { readFiles } from './sources.ts';

const MOST_COLUMNS = 120;

test(`Markdown is wrapped at ${MOST_COLUMNS} columns, except tables, code and addresses`, () => {
  const wide = readFiles(/\.md$/).flatMap(({ path, text }) => {
    let isFenced = false;
    return text.split('\n').flatMap((line, index) => {
      if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
      if (isFenced || /^\s*\|/.test(line) || /https?:\/\/\S+$/.test(line) || line.length <= MOST_COLUMNS) return [];
      return [`${path}:${index + 1} has ${line.length} columns: wrap it`];
    });
  });
  expect(wide).toEqual([]);
});
