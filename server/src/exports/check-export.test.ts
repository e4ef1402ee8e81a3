import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkExport } from './check-export.ts';
import { trailerParts, type Trailer } from './trailer.ts';

// Whoever alters a file can make its digest again. Its rows and sums are counted apart from it.

const ROWS = [
  ['A-1', '45000.00', 'COP'],
  ['A-2', '-0.50', 'COP'],
  ['A-3', '12.00', 'USD'],
] as const;
const TRUE = {
  list: 'orders',
  filter: { state: 'approved' },
  at: '2026-11-21T15:00:00Z',
  rows: 3,
  sums: { COP: '44999.50', USD: '12.00' },
} as const;
const BODIES = {
  csv: ['order,amount,currency', ...ROWS.map((row) => row.join(','))].map((line) => `${line}\n`).join(''),
  ndjson: ROWS.map(([order, amount, currency]) => `${JSON.stringify({ order, amount, currency })}\n`).join(''),
};

let directory: string;
beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), 'caudal-check-'))));
afterAll(() => rmSync(directory, { recursive: true }));

/** Writes an export whose digest is right, whatever its trailer claims, and checks it. */
async function check(format: 'csv' | 'ndjson', claimed: Partial<Trailer> = {}, body = BODIES[format]) {
  const { head, tail } = trailerParts({ ...TRUE, format, ...claimed }, 3);
  const sha256 = createHash('sha256').update(body).update(head).digest('hex');
  const path = join(directory, `export.${format}`);
  writeFileSync(path, body + head + tail(sha256));
  return checkExport(path);
}

describe.each(['csv', 'ndjson'] as const)('%s', (format) => {
  test('that is true is whole', async () => {
    expect(await check(format)).toMatchObject({ trailer: { ...TRUE, format } });
  });

  test.each([
    ['one row more', { rows: 4 }, 'it has 3 rows, and its trailer says 4'],
    ['one row less', { rows: 2 }, 'it has 3 rows, and its trailer says 2'],
    ['another sum', { sums: { COP: '45000.50', USD: '12.00' } }, 'its amounts do not have the sums of its trailer'],
    ['a sum without its sign', { sums: { COP: '45000.50', USD: '-12.00' } }, 'its amounts do not have the sums of its trailer'],
    ['the sum of one currency alone', { sums: { COP: '44999.50' } }, 'its amounts do not have the sums of its trailer'],
    ['a currency that no row has', { sums: { ...TRUE.sums, EUR: '0.00' } }, 'its amounts do not have the sums of its trailer'],
  ])('that claims %s is none', async (_what, claimed, problem) => {
    expect(await check(format, claimed)).toEqual({ problem });
  });

  test('whose rows are others than its digest’s, or whose filter is, is none', async () => {
    const { head, tail } = trailerParts({ ...TRUE, format }, 3);
    const sha256 = createHash('sha256').update(BODIES[format]).update(head).digest('hex');
    const path = join(directory, `altered.${format}`);
    const other = trailerParts({ ...TRUE, format, filter: {} }, 3);
    for (const text of [BODIES[format] + other.head + other.tail(sha256), BODIES[format].replace('A-1', 'A-9') + head + tail(sha256)]) {
      writeFileSync(path, text);
      expect(await checkExport(path)).toEqual({ problem: 'its bytes do not have the SHA-256 of its trailer' });
    }
  });
});
