import { describe, expect, test } from 'vitest';
import * as fc from '../../testing/fast-check.ts';
import { fixedKey } from '../../testing/fixed-key.ts';
import { seededBytes } from '../../testing/seed.ts';
import { openSealer } from './sealer.ts';
import { decrypt, fingerprintOf, SecretUnreadable } from '../secrets.ts';
import type { KeyGeneration } from './service-keys.ts';

const PLACE = 'kept_answers/shop create K-1';
const generation = (number: number, key = seededBytes(32)): KeyGeneration => ({ generation: number, id: fingerprintOf(key), key });
/** The bytes that say under which derived key a value is. */
const headOf = (sealed: Buffer): string => sealed.toString('hex', 0, 22);

describe('a sealed value', () => {
  const key = seededBytes(32);
  const sealer = openSealer(fixedKey(key));

  test('opens with the original text, also by another process', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (plain, place) => {
        expect(openSealer(fixedKey(key)).unseal(sealer.seal(plain, place), place).toString()).toBe(Buffer.from(plain).toString());
      }),
    );
  });

  test('is under a derived key: the key of the service opens no part of it', () => {
    const sealed = sealer.seal('an answer', PLACE);
    for (let start = 0; start < sealed.length; start++) expect(() => decrypt(key, sealed.subarray(start), PLACE)).toThrow(SecretUnreadable);
  });

  test('does not open at another place, nor when any one bit is changed, nor when it is cut', () => {
    const sealed = sealer.seal('an answer', PLACE);
    expect(() => sealer.unseal(sealed, 'messages/1')).toThrow(SecretUnreadable);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => sealer.unseal(changed, PLACE)).toThrow(SecretUnreadable);
    }
    for (let length = 0; length < sealed.length; length++)
      expect(() => sealer.unseal(sealed.subarray(0, length), PLACE)).toThrow(SecretUnreadable);
  });
});

describe('a derived key', () => {
  test('is another one in each process, and after as many values as one key seals', () => {
    const key = fixedKey(seededBytes(32));
    const sealer = openSealer(key, 3);
    const heads = Array.from({ length: 9 }, () => headOf(sealer.seal('x', PLACE)));
    expect(new Set(heads).size).toBe(3);
    expect(heads).toEqual(heads.toSorted((one, other) => heads.indexOf(one) - heads.indexOf(other)));
    expect(heads).not.toContain(headOf(openSealer(key).seal('x', PLACE)));
  });

  test('is derived again when it left the memory', () => {
    const key = fixedKey(seededBytes(32));
    const values = Array.from({ length: 300 }, (_, index) => openSealer(key).seal(`value ${index}`, PLACE));
    const sealer = openSealer(key);
    for (const round of [0, 1])
      for (const [index, value] of values.entries())
        expect([round, sealer.unseal(value, PLACE).toString()]).toEqual([round, `value ${index}`]);
  });
});

test('a rotation changes what seals, and what was sealed before opens until its key has ended', () => {
  const valid = [generation(1)];
  const sealer = openSealer({ current: () => valid[0] as KeyGeneration, valid: () => valid });
  const before = sealer.seal('before', PLACE);
  valid.unshift(generation(2));
  const after = sealer.seal('after', PLACE);
  expect(sealer.keyOf(before)).toBe(valid[1]?.key);
  expect(sealer.keyOf(after)).toBe(valid[0]?.key);
  expect(sealer.unseal(before, PLACE).toString()).toBe('before');
  valid.pop();
  expect(() => sealer.unseal(before, PLACE)).toThrow('has ended');
  expect(sealer.unseal(after, PLACE).toString()).toBe('after');
});
