import { expect, test } from 'vitest';

const files = import.meta.glob<string>('../../**/*.tsx', { eager: true, query: '?raw', import: 'default' });

test('each form of the console is a `Form`, which asks before what was typed is lost', () => {
  // A filter that is being chosen is not work that could be lost. The page that changes an order asks for its form and its merge alike.
  const others = Object.keys(files).filter((path) => !/\/(form|open-chip|edit-page)\.tsx$/.test(path));
  expect(others.filter((path) => /<form\b/.test(files[path] as string))).toEqual([]);
});
