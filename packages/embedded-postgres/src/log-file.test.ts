import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';

const NINE_MEBIBYTES = 9 * 2 ** 20;
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'log-file-'));
  path = join(directory, 'postgres.log');
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test('keeps what earlier starts wrote, closed to other users', () => {
  for (const text of ['first\n', 'second\n']) {
    const log = openLogFile(path);
    log.write(text);
    log.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('keeps one full file beside the current one, however much is written', () => {
  const log = openLogFile(path);
  for (const letter of ['a', 'b', 'c']) log.write(letter.repeat(NINE_MEBIBYTES));
  log.write('last');
  log.close();
  expect(readdirSync(directory).sort()).toEqual(['postgres.log', 'postgres.log.1']);
  expect(readFileSync(path, 'utf8')).toBe('last');
  expect(readFileSync(`${path}.1`, 'utf8').startsWith('c')).toBe(true);
});

test('ignores what it cannot write', () => {
  const log = openLogFile(path);
  log.close();
  expect(() => log.write('too late')).not.toThrow();
  expect(readFileSync(path, 'utf8')).toBe('');
});
