import { expect, test } from 'vitest';
import type { Rules } from '../api/rules.ts';
import { filterNames } from './filter.ts';
import { LIST } from './words.ts';

const files = import.meta.glob<Readonly<Record<string, Rules>>>('../api/generated/rules/*.ts', { eager: true });
/** The audit log's chain is for programs alone. */
const lists = Object.values(files)
  .flatMap((rules) => Object.entries(rules))
  .filter(([name]) => name.startsWith('list') && name !== 'listChain');

// A list shows each filter of its operation as a chip, also one that is new.
test.each(lists)('each filter of %s has a text in `parameters` of console/src/list/words.ts', (_name, rules) => {
  expect(filterNames(rules).filter((name) => !Object.hasOwn(LIST.en.parameters, name))).toEqual([]);
});
