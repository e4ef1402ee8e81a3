import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { checksumOf } from '../testing/checksum-of.ts';
import * as fc from '../testing/fast-check.ts';
import { checksum, checksumMatches } from './checksum.ts';
import type { ChecksumAlgorithm } from './checksum.ts';

type Vector = {
  name: string;
  values: string[];
  secret: string;
  algorithm: string;
  checksum: string;
};

const contract = JSON.parse(readFileSync(new URL('../../../contract/vectors.json', import.meta.url), 'utf8')) as {
  secrets: Record<string, string>;
  vectors: Vector[];
};

const vectors = contract.vectors.map((vector) => ({
  ...vector,
  key: contract.secrets[vector.secret] ?? '',
}));
const values = fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 });

describe('checksum', () => {
  test.each(vectors)('makes the vector $name', ({ algorithm, values: parts, key, checksum: expected }) => {
    const named = algorithm.replace('-', '').toLowerCase() as ChecksumAlgorithm;
    expect(checksum(named, parts, key)).toBe(expected);
    expect(checksumOf(parts, key, named), 'the helper of the tests').toBe(expected);
  });

  test('is the hex of the UTF-8 of the values and then the secret, with nothing between', () => {
    fc.assert(
      fc.property(values, fc.string({ unit: 'binary' }), (parts, secret) => {
        expect(checksum('sha512', parts, secret)).toBe(checksumOf(parts, secret));
      }),
    );
  });
});

describe('checksumMatches', () => {
  test.each(vectors.filter(({ algorithm }) => algorithm === 'SHA-512'))(
    'accepts the vector $name in any case, and without its leading zeros',
    ({ values: parts, key, checksum: sent }) => {
      for (const form of [sent, sent.toUpperCase(), sent.replace(/^0+/, '')]) {
        expect(checksumMatches(form, parts, [key])).toBe(true);
        expect(checksumMatches(form, parts, ['another', key])).toBe(true);
        expect(checksumMatches(form, parts, [key, 'another'])).toBe(true);
        expect(checksumMatches(form, parts, ['another'])).toBe(false);
        expect(checksumMatches(form, [...parts, ' '], [key])).toBe(false);
      }
    },
  );

  test('refuses a checksum with any one digit changed', () => {
    fc.assert(
      fc.property(values, fc.nat(127), fc.integer({ min: 1, max: 15 }), (parts, at, change) => {
        const right = checksumOf(parts, 'secret');
        const digit = (Number.parseInt(right.charAt(at), 16) ^ change).toString(16);
        expect(checksumMatches(right, parts, ['secret'])).toBe(true);
        expect(checksumMatches(right.slice(0, at) + digit + right.slice(at + 1), parts, ['secret'])).toBe(false);
      }),
    );
  });

  test('never matches more than 128 digits, none at all, or anything but hex digits', () => {
    const right = checksumOf(['a'], 'secret');
    const wrong = ['', `0${right}`, right + right, '0'.repeat(512), ` ${right}`, `${right}\n`, `0x${right.slice(2)}`];
    wrong.push(`${right.slice(1)}g`, `${right.slice(1)}０`, 'ñ'.repeat(128));
    for (const sent of wrong) expect(checksumMatches(sent, ['a'], ['secret'])).toBe(false);
  });

  test('drops zeros on the left only', () => {
    const right = contract.vectors.find(({ name }) => name === 'update-order-leading-zeros');
    const key = contract.secrets['fixed'] ?? '';
    expect(checksumMatches(right?.checksum.slice(2) ?? '', right?.values ?? [], [key])).toBe(true);
    expect(checksumMatches(right?.checksum.slice(0, -2) ?? '', right?.values ?? [], [key])).toBe(false);
  });

  test('matches nothing without a secret', () => {
    expect(checksumMatches(checksumOf([], ''), [], [])).toBe(false);
  });
});
