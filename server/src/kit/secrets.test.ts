import { describe, expect, test } from 'vitest';
import * as fc from '../testing/fast-check.ts';
import { seededBytes } from '../testing/seed.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { testClock, testKeys } from '../testing/test-caudal.ts';
import { openDb } from './db.ts';
import { createLog } from './log.ts';
import { countKeyUse, reseal } from './keys/reseal.ts';
import { masterKey, MasterKeyMissing, parseMasterKey, randomSecret, seal, unseal } from './secrets.ts';
import { openServiceKeys, SERVICE_SECRETS } from './keys/service-keys.ts';

const keys = testKeys();

describe('a sealed secret', () => {
  test('opens at its own place with the original bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (plain, place) => {
        expect(unseal(keys, seal(keys, Buffer.from(plain), place), place)).toEqual(Buffer.from(plain));
      }),
    );
  });

  test('does not open at another place', () => {
    expect(() => unseal(keys, seal(keys, 'secret', 'one/1'), 'one/2')).toThrow('A secret does not open at one/2');
  });

  test('does not open when any one bit is changed', () => {
    const made = seal(keys, 'secret', 'place');
    for (let bit = 0; bit < made.sealed.length * 8; bit++) {
      const sealed = Buffer.from(made.sealed);
      sealed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => unseal(keys, { ...made, sealed }, 'place')).toThrow('does not open');
    }
  });

  test('does not open when it is cut to any shorter length, a shorter tag included', () => {
    const made = seal(keys, 'secret', 'place');
    for (let length = 0; length < made.sealed.length; length++) {
      expect(() => unseal(keys, { ...made, sealed: made.sealed.subarray(0, length) }, 'place')).toThrow('does not open');
    }
  });

  test('names the key that is missing', () => {
    const made = seal(keys, 'secret', 'place');
    expect(() => unseal(testKeys(), made, 'place')).toThrow(MasterKeyMissing);
    expect(() => unseal(testKeys(), made, 'place')).toThrow(made.masterKeyId);
  });

  test('looks different each time, so that nobody can see which secrets are equal', () => {
    const many = Array.from({ length: 1000 }, () => seal(keys, 'secret', 'place').sealed.toString('hex'));
    expect(new Set(many).size).toBe(1000);
  });
});

describe('a master key', () => {
  const key = seededBytes(32);

  test('is read from hex in either case, and from base64 with or without its padding', () => {
    const { id } = masterKey(key);
    const base64 = key.toString('base64');
    for (const text of [key.toString('hex'), key.toString('hex').toUpperCase(), ` ${base64}\n`, base64.replace('=', '')]) {
      expect(parseMasterKey(text)).toEqual({ id, key });
    }
  });

  test('of another length or alphabet is refused', () => {
    for (const text of ['', key.toString('hex').slice(2), `${key.toString('hex')}00`, seededBytes(31).toString('base64'), 'x'.repeat(64)]) {
      expect(parseMasterKey(text)).toBeUndefined();
    }
    expect(() => masterKey(seededBytes(16))).toThrow('32 bytes');
  });

  test('has an id that is no part of it', () => {
    expect(key.toString('hex')).not.toContain(masterKey(key).id);
    expect(masterKey(key).id).toMatch(/^[0-9a-f]{12}$/);
  });
});

test('a merchant’s secret has 128 bits in 32 hex digits', () => {
  const many = Array.from({ length: 1000 }, randomSecret);
  expect(new Set(many).size).toBe(1000);
  for (const secret of many) expect(secret).toMatch(/^[0-9a-f]{32}$/);
});

describe('a key of the service', () => {
  test('is the same for all who ask at once, and under another master key', async () => {
    const database = await createTestDatabase();
    const db = openDb({ url: database.url, log: createLog('silent'), connections: 4, statementTimeoutMs: null });
    try {
      const clock = testClock();
      const ask = async (masterKeys = keys): Promise<Buffer> =>
        (await openServiceKeys({ db, keys: masterKeys, clock }, ['cursor'])).byName.cursor.current().key;
      const asked = await Promise.all(Array.from({ length: 8 }, () => ask()));
      expect(new Set(asked.map((secret) => secret.toString('hex'))).size).toBe(1);
      expect(asked[0]).toHaveLength(32);

      const next = testKeys();
      const both = { current: next.current, find: (id: string) => next.find(id) ?? keys.find(id) };
      expect(await reseal(db, both, SERVICE_SECRETS)).toBe(1);
      expect(await ask(next)).toEqual(asked[0]);
      expect(await countKeyUse([db], [SERVICE_SECRETS])).toEqual([{ masterKeyId: next.current().id, secrets: 1n }]);
      await expect(reseal(db, testKeys(), SERVICE_SECRETS)).rejects.toThrow(MasterKeyMissing);
    } finally {
      await db.close();
      await database.drop();
    }
  });
});
