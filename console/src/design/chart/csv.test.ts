import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('a cell keeps its text, and is no formula', () => {
  expect(toCsv([['a,b', 'say "x"', '-12.50', '=1+1', '-x']])).toBe(`"a,b","say ""x""",-12.50,'=1+1,'-x\r\n`);
});
