import { describe, expect, test } from 'vitest';
import { showsInternals } from './hostile-answers.ts';

const token = (claims: string, signature: string): string =>
  [Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'), Buffer.from(claims).toString('base64url'), signature].join('.');
const answer = (checkout: string, text = 'OK'): string =>
  `{"CODE":"0000","DESC":"${text}","DATA":{"checkout":"https://x/?token=${checkout}"}}`;

const CLAIMS = '{"iss":"caudal","aud":"checkout","sub":"42","iat":1795273200}';
const SIGNATURE = `a-FST_${'x'.repeat(30)}_HPE_-z`;

describe('an answer shows no internals', () => {
  test('where a signature spells one of their words by chance', () => {
    expect(showsInternals(answer(token(CLAIMS, SIGNATURE)))).toBe(false);
    expect(showsInternals(`{"next":"/cashout/v1/operation/demo?page=2&cursor=AQIA${'x'.repeat(32)}FST_"}`)).toBe(false);
    expect(showsInternals(`{"next":"/cashout/v1/operation/demo?page=2&cursor=AQIA${'x'.repeat(59)}HPE_"}`)).toBe(false);
  });
});

describe('an answer shows internals', () => {
  test.each(['FST_ERR_VALIDATION', 'HPE_INVALID_METHOD', 'SQLSTATE 23505', 'TypeError: x', 'select email from orders'])(
    '%s beside a token',
    (leak) => {
      expect(showsInternals(answer(token(CLAIMS, SIGNATURE), leak))).toBe(true);
    },
  );

  test('in the claims of a token', () => {
    expect(showsInternals(answer(token('{"sub":"FST_ERR_VALIDATION"}', SIGNATURE)))).toBe(true);
  });

  test('in what only resembles a token or a cursor', () => {
    expect(showsInternals(answer(token(CLAIMS, `${SIGNATURE}x`)))).toBe(true);
    expect(showsInternals('{"next":"/cashout/v1/operation/demo?cursor=AQ-FST_ERR_VALIDATION"}')).toBe(true);
  });
});
