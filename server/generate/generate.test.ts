import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from './generated-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const REMEDY = 'run `npm run generate` and commit what it writes';

describe('generated files', () => {
  const files = generatedFiles();

  test.each([...files])('%s is fresh', (path, text) => {
    expect(existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '', REMEDY).toBe(text);
  });

  test('docs/reference has no page of an operation that is gone', () => {
    const pages = readdirSync(join(ROOT, 'docs', 'reference')).map((name) => `docs/reference/${name}`);
    expect(pages.filter((page) => !files.has(page))).toEqual([]);
  });
});
