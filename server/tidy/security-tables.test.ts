import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles, ROOT } from './sources.ts';

test('every test that a table of docs/security.md names is there, under that name', () => {
  const page = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| (API[0-9]+|[0-9]+\.[0-9]+\.[0-9]+) /.test(line));
  const files = readFiles(/\.test\.ts$/);
  const unknown = rows.filter((row) => {
    const [, path = '-', name = '-'] = /`([\w./-]+\.test\.ts)`: “([^”]+)” \|$/.exec(row) ?? [];
    return !files.some((file) => `/${file.path}`.endsWith(`/${path}`) && file.text.includes(name));
  });
  expect(unknown, 'name the file and the whole name of a test').toEqual([]);
  expect(rows.filter((row) => row.startsWith('| API'))).toHaveLength(10);
});
