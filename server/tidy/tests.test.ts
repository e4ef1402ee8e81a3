import { expect, test } from 'vitest';
import { readCode } from './sources.ts';

// Tests wait, draw, sign and capture by the tools of server/src/testing/.

const tests = readCode().filter(
  ({ path }) =>
    /^(server\/(src|simulation|torture|acceptance|bench)|scripts)\/.*\.test\.ts$/.test(path) || path.startsWith('server/src/testing/'),
);

/** What a test does not do by itself, the files that may, and what to do instead. */
const RULES: readonly (readonly [pattern: RegExp, allowed: RegExp, remedy: string])[] = [
  [/\bvi\.waitFor\(|\bexpect\.poll\(|\bPromise\.race\(/, /\/deadlines\.ts$/, 'wait with a deadline: testing/deadlines.ts'],
  [/\bsetTimeout\(|node:timers/, /\/deadlines\.ts$/, 'wait for what you need, not for a time: testing/deadlines.ts'],
  [/\bMath\.random\b|\brandom(Bytes|Int|UUID)\(/, /\/(test|run)-database\.ts$/, 'draw from the seed of the run: testing/seed.ts'],
  [/from 'fast-check'/, /\/testing\/fast-check\.ts$/, 'import testing/fast-check.ts: it draws from the seed of the run'],
  [/\bchecksum\b[^;]*from '[^']*kit\/checksum\.ts'/, /^$/, 'make checksums from the text of the contract: testing/checksum-of.ts'],
  [/spyOn\(process\.std|createLog\([^)]*\bwrite\b/, /\/(captured|test-caudal)\.ts$/, 'capture output by testing/captured.ts'],
  [/\bstatement\(\s*`/, /\/kit\/db\.test\.ts$/, 'name a statement by a plain text: only those are compared with the names of other files'],
];

test.each(RULES)('tests keep from %s', (pattern, allowed, remedy) => {
  const found = tests.filter(({ path, bare }) => pattern.test(bare) && !allowed.test(path));
  expect(found.map(({ path }) => `${path}: ${remedy}`)).toEqual([]);
});

test('no two files name a statement alike: which tests share a process changes from run to run', () => {
  const files = new Map<string, string[]>();
  for (const { path, bare } of readCode())
    for (const name of new Set(Array.from(bare.matchAll(/\bstatement\(\s*'([^']+)'/g), ([, one]) => one as string)))
      files.set(name, [...(files.get(name) ?? []), path]);
  expect(files.size).toBeGreaterThan(500);
  expect([...files].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
