import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../src/testing/captured.ts';

test('an option that is wrong is named first, and the usage follows', async () => {
  const { stderr, exitCode } = await runProgram(process.execPath, [join(import.meta.dirname, 'bench.ts'), 'update', 'list'], process.env);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/one benchmark at a time: "list" is one more\n\s*npm run bench \[--/);
});
