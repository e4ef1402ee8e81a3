import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Overloaded } from '../../kit/http.ts';
import { base32, codeAt, otpauthUri, stepOf } from './one-time-code.ts';
import { openPasswordHasher } from './password-hash.ts';
import { faultOfPassword } from './password-rule.ts';

describe('codes', () => {
  const secret = Buffer.from('12345678901234567890');

  test.each([
    ['1970-01-01T00:00:59Z', '287082'],
    ['2005-03-18T01:58:29Z', '081804'],
    ['2005-03-18T01:58:31Z', '050471'],
    ['2009-02-13T23:31:30Z', '005924'],
    ['2033-05-18T03:33:20Z', '279037'],
    ['2603-10-11T11:33:20Z', '353130'],
  ])('are those of RFC 6238: at %s it is %s', (at, code) => {
    expect(codeAt(secret, stepOf(Temporal.Instant.from(at)))).toBe(code);
  });

  test('have their secret in the form of RFC 4648 in the address for the app', () => {
    expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(otpauthUri(secret, 'ana@example.com')).toBe(
      'otpauth://totp/Caudal%3Aana%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Caudal',
    );
  });
});

describe('passwords', () => {
  test('match what is kept of them, however the keyboard wrote an accent; without one kept nothing matches', async () => {
    const { hash, matches } = openPasswordHasher();
    const kept = await hash('contraseña larga'.normalize('NFD'), 'a');
    expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect([
      await matches('contraseña larga', kept, 'a'),
      await matches('contrasena larga', kept, 'a'),
      await matches('', undefined, 'a'),
    ]).toEqual([true, false, false]);
  });

  test('that the world uses most cannot be chosen: 5,000 of those that are long enough, in any case', () => {
    const [, list = ''] = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n----\n');
    const common = new Set(list.trimEnd().split('\n'));
    expect(common.size).toBe(5_000);
    for (const password of common)
      for (const typed of [password, password.toUpperCase()])
        expect([typed, faultOfPassword(typed, 'ana@example.com')]).toEqual([typed, 'too_common']);
    expect(faultOfPassword('nine blue herons at dusk', 'ana@example.com')).toBeUndefined();
  });

  test('wait in a short line, and beyond it are refused at once; whoever else asks has the next turn', async () => {
    const { matches } = openPasswordHasher();
    const done: string[] = [];
    let refused = 0;
    const flood = Array.from({ length: 20 }, () =>
      matches('x', undefined, 'flood').then(
        () => done.push('flood'),
        (error: unknown) => (error instanceof Overloaded ? refused++ : done.push('a fault')),
      ),
    );
    await new Promise(setImmediate);
    expect(refused).toBe(3);
    await matches('x', undefined, 'somebody').then(() => done.push('somebody'));
    expect(done.indexOf('somebody')).toBeLessThanOrEqual(2);
    await Promise.all(flood);
    expect(done).not.toContain('a fault');
  });
});
