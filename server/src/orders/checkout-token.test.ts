import { createHmac } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import * as fc from '../testing/fast-check.ts';
import { fixedKey } from '../testing/fixed-key.ts';
import { seededBytes } from '../testing/seed.ts';
import { testClock } from '../testing/test-caudal.ts';
import { checkoutLinks, verifyCheckoutToken } from './checkout-token.ts';
import type { Order } from './order.ts';

const key = seededBytes(32);
const clock = testClock();
const end = Temporal.Instant.from('2026-11-22T05:00:00Z');
const order = (serviceOrderId: bigint, expiresAt: Temporal.Instant | null = end) => ({ serviceOrderId, expiresAt }) as Order;
const tokenOf = (one: Order, signingKey = key): string => checkoutLinks(fixedKey(signingKey), () => '', clock)(one).replace('?token=', '');

const encode = (text: string) => Buffer.from(text).toString('base64url');

describe('a checkout token', () => {
  test('is a JWT that others can verify, with nothing about the payer', async () => {
    const token = tokenOf(order(42n));
    const currentDate = new Date(clock.now().epochMilliseconds);
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], issuer: 'caudal', audience: 'checkout', currentDate });
    expect(payload).toEqual({
      iss: 'caudal',
      aud: 'checkout',
      sub: '42',
      iat: clock.now().epochMilliseconds / 1000,
      exp: end.epochMilliseconds / 1000,
    });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
  });

  test('of a recurrent order has no end', async () => {
    const { payload } = await jwtVerify(tokenOf(order(42n, null)), key);
    expect(payload.exp).toBeUndefined();
  });

  test('names its order, whatever the order’s number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 9_223_372_036_854_775_807n }), (id) => {
        expect(verifyCheckoutToken(key, tokenOf(order(id)))).toBe(id);
      }),
    );
  });

  test('is appended to the address exactly as it is set', () => {
    const link = checkoutLinks(fixedKey(key), () => 'pay.example/c/#/x', clock)(order(1n));
    expect(link).toBe(`pay.example/c/#/x?token=${tokenOf(order(1n))}`);
  });

  test('made elsewhere by the same rules is as good', async () => {
    const made = await new SignJWT({ sub: '7', iss: 'caudal', aud: 'checkout' }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key);
    expect(verifyCheckoutToken(key, made)).toBe(7n);
  });

  test('is refused when anything about it is not ours', async () => {
    const good = tokenOf(order(42n));
    const [header = '', claims = '', signature = ''] = good.split('.');
    const sign = (head: string, body: string) =>
      `${head}.${body}.${createHmac('sha256', key).update(`${head}.${body}`).digest('base64url')}`;
    const claim = (more: object) => sign(header, encode(JSON.stringify({ iss: 'caudal', aud: 'checkout', sub: '42', ...more })));
    expect(verifyCheckoutToken(key, claim({}))).toBe(42n);
    const bad = [
      '',
      'x',
      good.slice(0, -1),
      `${good}A`,
      `${header}.${claims}.`,
      `${header}.${encode('{"iss":"caudal","aud":"checkout","sub":"43"}')}.${signature}`,
      tokenOf(order(42n), seededBytes(32)),
      `${encode('{"alg":"none","typ":"JWT"}')}.${claims}.${signature}`,
      sign(encode('{"alg":"HS512","typ":"JWT"}'), claims),
      claim({ aud: 'console' }),
      claim({ iss: 'other' }),
      claim({ sub: 42 }),
      claim({ sub: '-1' }),
      claim({ sub: '9'.repeat(40) }),
    ];
    for (const token of bad) expect([token, verifyCheckoutToken(key, token)]).toEqual([token, undefined]);
  });

  test('of any other text is refused without a fault', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(verifyCheckoutToken(key, text)).toBeUndefined();
      }),
    );
  });
});
