import { expect, test } from 'vitest';
import { readCode } from './sources.ts';
import { BANNED_WORDS } from './words.ts';

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
];

test.each(RULES)('tests keep from %s', (pattern, allowed, remedy) => {
  const found = tests.filter(({ path, bare }) => pattern.test(bare) && !allowed.test(path));
  expect(found.map(({ path }) => `${path}: ${remedy}`)).toEqual([]);
});

/** The name of a test or of a group, in one of the forms that the formatter writes. */
const NAME = /^\s*(?:(?:test|describe)(?:\.each(?:<[^\n]*>)?\([^\n]*\))?\(|\]\)\()\s*(['"`])((?:(?!\1)[^\n])+)\1/gm;

test('names of tests use plain words', () => {
  const named = tests.flatMap(({ path, text }) => [...text.matchAll(NAME)].map(([, , name]) => ({ path, name: name as string })));
  expect(named.length).toBeGreaterThan(500);
  const found = named.flatMap(({ path, name }) =>
    BANNED_WORDS.filter(({ word }) => word.test(name)).map(({ remedy }) => `${path}: "${name}": write ${remedy}`),
  );
  expect(found).toEqual([]);
});
