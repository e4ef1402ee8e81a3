import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BinariesUnavailable, packageRoot, preparePackage } from './binaries.ts';
import { chooseRunAs } from './run-as.ts';
import { NAME } from './testing/name.ts';

const runAs = chooseRunAs(NAME);
let directory: string;
let root: string;
let copies: string;

/** A package as npm leaves it without install scripts: it has no library links. */
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'binaries-'));
  chmodSync(directory, 0o711);
  root = join(directory, 'package');
  copies = join(directory, 'copies');
  cpSync(await packageRoot(), root, { recursive: true, verbatimSymlinks: true });
  for (const { target } of links()) rmSync(join(root, target), { force: true });
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

function links(): { target: string }[] {
  return JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[];
}

test('makes the library links that a blocked install script did not make', () => {
  expect(preparePackage(root, runAs, copies)).toEqual({
    postgres: join(root, 'native/bin/postgres'),
    initdb: join(root, 'native/bin/initdb'),
    major: 18,
  });
  expect(links().every(({ target }) => existsSync(join(root, target)))).toBe(true);
});

test.runIf(process.getuid?.() === 0)('copies a package that only root may read, once', () => {
  chmodSync(root, 0o700);
  const first = preparePackage(root, runAs, copies);
  expect(dirname(dirname(dirname(dirname(first.postgres))))).toBe(copies);
  const madeAt = statSync(first.postgres).ctimeMs;
  expect(preparePackage(root, runAs, copies)).toEqual(first);
  expect(statSync(first.postgres).ctimeMs).toBe(madeAt);
  expect(readdirSync(copies)).toHaveLength(1);
});

test.runIf(process.getuid?.() === 0)('makes a copy that others can run where the umask closes new directories', () => {
  chmodSync(root, 0o700);
  const umask = process.umask(0o077);
  try {
    expect(preparePackage(root, runAs, copies).major).toBe(18);
  } finally {
    process.umask(umask);
  }
});

test('refuses programs that do not run here, in one line', () => {
  rmSync(join(root, 'native/bin/postgres'));
  const prepare = () => preparePackage(root, runAs, copies);
  expect(prepare).toThrow(BinariesUnavailable);
  expect(prepare).toThrow(/^The embedded PostgreSQL does not run on this system \(.*\)\.$/);
});
