import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// These programs use tools of the tests. They run without the test runner, and its modules fail there.
test.each([
  ['simulation/simulate.ts', '--seed', '0'],
  ['bench/bench.ts', '--pairs', '0'],
  ['torture/torture.ts', '--rounds', '0'],
])('%s starts without the test runner, and refuses a wrong option with its usage', (file, ...options) => {
  const program = join(import.meta.dirname, '..', file);
  const { status, stderr } = spawnSync(process.execPath, [program, ...options], { encoding: 'utf8' });
  expect(stderr).toMatch(/^npm run (?:simulate|torture|bench) /m);
  expect(status).toBe(1);
});
