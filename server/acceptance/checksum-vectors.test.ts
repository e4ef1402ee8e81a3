import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Vector = { name: string; note: string; values: string[]; secret: string; algorithm: 'SHA-512' | 'SHA-256'; checksum: string };
const { secrets, vectors } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'contract', 'vectors.json'), 'utf8')) as {
  secrets: Record<string, string>;
  vectors: Vector[];
};

describe('the checksum vectors (§2.2)', () => {
  test.each(vectors)('$name: $note', ({ values, secret, algorithm, checksum }) => {
    const hash = createHash(algorithm.replace('-', '').toLowerCase());
    expect(hash.update(`${values.join('')}${secrets[secret]}`, 'utf8').digest('hex')).toBe(checksum);
  });
});
