import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles, ROOT } from './sources.ts';

/** How many requirements of levels 1 and 2 each section of OWASP ASVS 5.0 has: `section:number`. They count from 1. */
const REQUIREMENTS = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2
  8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4
  11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7
  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2
`;
/** A line without a test begins with one of these. */
const REASON = /^(Does not apply|The operator|Not met): /;

const requirementsOf = (page: string): string[] => linesOf(page).filter((line) => /^\| [0-9]+(\.[0-9]+){0,2} /.test(line));
const linesOf = (page: string): string[] => readFileSync(join(ROOT, 'docs', page), 'utf8').split('\n');
/** A line of a table that names a test. */
const isRow = (line: string): boolean => /^\| .*\.test\.ts\b/.test(line);

test('every test that a table of docs/security.md, docs/asvs.md or docs/operations/promises.md names is there, under that name', () => {
  const [promises, requirements] = [linesOf('security.md').filter(isRow), requirementsOf('asvs.md')];
  const operations = linesOf('operations/promises.md').filter((line) => /^\| (?!Promise |---)/.test(line));
  const files = readFiles(/\.test\.ts$/);
  const unknown = [...promises, ...requirements, ...operations].filter((row) => {
    const [how = '', shown = ''] = row.slice(2, -2).split(' | ').slice(-2);
    if (shown === '–') return !REASON.test(how);
    const [, path = '-', name = '-'] = /^`([\w./-]+\.test\.ts)`: “([^”]+)”$/.exec(shown) ?? [];
    return !files.some((file) => `/${file.path}`.endsWith(`/${path}`) && file.text.includes(name));
  });
  expect(unknown, 'name the file and the whole name of a test, or a reason').toEqual([]);
  expect(promises.filter((row) => row.startsWith('| API'))).toHaveLength(10);
  expect(operations.length).toBeGreaterThan(70);
});

test('docs/asvs.md has every requirement of levels 1 and 2 once', () => {
  const all = [...REQUIREMENTS.matchAll(/(\S+):(\d+)/g)].flatMap(([, section, count]) =>
    Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
  );
  const named = requirementsOf('asvs.md').flatMap((row) => {
    const [, name = '', level = ''] = /^\| (\S+)( \(level 3\))? /.exec(row) ?? [];
    if (level !== '') return [];
    return all.includes(name) || !all.some((one) => one.startsWith(`${name}.`)) ? [name] : all.filter((one) => one.startsWith(`${name}.`));
  });
  expect(named.toSorted()).toEqual(all.toSorted());
});
