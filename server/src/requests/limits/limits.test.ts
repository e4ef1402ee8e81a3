import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpRequest, TooManyRequests } from '../../kit/http.ts';
import type { Caudal } from '../../main/rooms.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls, type OrderAnswer, type OrderCalls } from '../../testing/order-calls.ts';
import { openAddressLimit } from './address-limit.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';

let service: TestCaudal;
/** By default 100 a second and 1,000 at once for an address. */
let usual: Caudal;
/** One of 400 processes, which has a 400th of every limit. A caller has 50 requests a second, 100 at once, and three at the same time. */
let small: Caudal;
let merchant: TestMerchant;
let shop: OrderCalls;
let order: string;

const on = (server: Caudal): TestCaudal => ({ ...service, app: server.app });
const times = <Answer>(count: number, ask: () => Promise<Answer>): Promise<Answer[]> => Promise.all(Array.from({ length: count }, ask));
const wrong = { checksum: 'f'.repeat(128) };
const openLink = (remoteAddress: string, forwarded: string) =>
  usual.app.inject({ url: '/checkout?token=x', remoteAddress, headers: { 'x-forwarded-for': forwarded } });
const limited = (answers: readonly OrderAnswer[]): readonly OrderAnswer[] => answers.filter(({ status }) => status === 429);
/** Asks until one is refused. A machine that is slow gets more through: 100 a second. */
async function untilLimited<Answer extends { readonly status: number } | { readonly statusCode: number }>(
  ask: () => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const isLimited = (answer: Answer): boolean => ('statusCode' in answer ? answer.statusCode : answer.status) === 429;
  while (!answers.some(isLimited)) answers.push(...(await times(500, ask)));
  return answers;
}

beforeAll(async () => {
  service = await startTestCaudal();
  usual = await service.openAnother({ unprovedPerSecond: 100, trustedProxies: ['192.0.2.0/24'] });
  small = await service.openAnother({ processes: 20, servers: 20, unprovedPerSecond: 1_000_000 });
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
  order = await shop.newOrder();
});
afterAll(async () => {
  await usual.close();
  await small.close();
  await service.close();
});

describe('an address that proves nobody', () => {
  test('is answered at once where it is refused first, and then later and later, for a second at most; no other address waits', () => {
    const count = openAddressLimit(1, 1, () => undefined);
    const heldMs = (ip: string): number => {
      try {
        count({ ip } as HttpRequest);
        return -1;
      } catch (error) {
        return (error as TooManyRequests).afterMs;
      }
    };
    const flood = Array.from({ length: 500 }, () => heldMs('192.0.2.1'));
    const refused = flood.filter((ms) => ms >= 0);
    expect(flood.slice(0, 10)).toEqual(Array(10).fill(-1));
    expect(refused[0]).toBe(0);
    expect(Math.max(...refused)).toBe(1_000);
    // 100 a second, but for the time that this test itself takes.
    expect(refused[50]).toBeGreaterThan(250);
    expect(refused[50]).toBeLessThanOrEqual(500);
    expect(Array.from({ length: 11 }, () => heldMs('192.0.2.77')).at(-1)).toBe(0);
  });

  test('is refused after a thousand requests, and learns when to try again; proved requests of the same address are served', async () => {
    const here = orderCalls(on(usual), merchant);
    const begun = performance.now();
    const answers = await untilLimited(() => here.update({ order, ...wrong }));
    const judged = answers.filter(({ code }) => code === '0025').length;
    expect(judged).toBeGreaterThanOrEqual(1_000);
    expect(judged).toBeLessThanOrEqual(1_001 + (performance.now() - begun) / 10);
    const [refused] = limited(answers);
    expect(refused).toMatchObject({ code: '0929', data: {} });
    expect(refused?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"address";q=1000;w=10',
      ratelimit: expect.stringMatching(/^"address";r=0;t=10$/) as string,
    });
    expect((await here.update({ order })).code).toBe('0000');
    const malformed = await untilLimited(() => here.send('PATCH', '{'));
    expect(limited(malformed).length, 'what is malformed proves nobody either').toBeGreaterThan(0);
    const links = await untilLimited(() => usual.app.inject('/checkout?token=x'));
    const page = links.find(({ statusCode }) => statusCode === 429);
    expect(page?.headers['content-type'], 'nor does a wrong link').toBe('text/html; charset=utf-8');
    expect(page?.headers).toHaveProperty('retry-after');
  });

  test('is that of the connection; a named proxy says whose it is, and nobody else does', async () => {
    let forged = 0;
    const stranger = await untilLimited(() => openLink('198.51.100.1', `203.0.113.${++forged % 250}`));
    expect(stranger.some(({ statusCode }) => statusCode === 429)).toBe(true);
    const proxied = await untilLimited(() => openLink('192.0.2.1', '203.0.113.9'));
    expect(proxied.some(({ statusCode }) => statusCode === 429)).toBe(true);
    expect((await openLink('192.0.2.1', '203.0.113.10')).statusCode).toBe(404);
  });

  test('is a whole network of IPv6', async () => {
    let host = 0;
    const ask = () => usual.app.inject({ url: '/checkout?token=x', remoteAddress: `2001:db8:0:1::${(++host).toString(16)}` });
    expect((await untilLimited(ask)).some(({ statusCode }) => statusCode === 429)).toBe(true);
    const other = await usual.app.inject({ url: '/checkout?token=x', remoteAddress: '2001:db8:0:2::1' });
    expect(other.statusCode).toBe(404);
  });
});

const isLimited = (answer: string): boolean => /HTTP 429.*0929/.test(answer);

describe('a proved caller', () => {
  test('is refused beyond its rate; another merchant is served', async () => {
    const here = orderCalls(on(small), merchant);
    const answers: OrderAnswer[] = [];
    while (limited(answers).length === 0 && answers.length < 1_000) answers.push(await here.query(order));
    expect(answers.length).toBeGreaterThan(100);
    expect(answers[0]?.headers).not.toHaveProperty('ratelimit');
    expect(answers.at(-2)?.headers, 'an answer shows the limit before it is met').toMatchObject({
      'ratelimit-policy': '"merchant";q=100;w=2',
      ratelimit: expect.stringMatching(/^"merchant";r=\d+;t=2$/) as string,
    });
    expect(answers.at(-1)).toMatchObject({ status: 429, code: '0929', data: {} });
    expect(answers.at(-1)?.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-policy': '"merchant";q=100;w=2' });
    const other = await service.merchant();
    expect((await orderCalls(on(small), other).query('none')).code).toBe('0001');
  });

  test('is refused beyond its requests at the same time, and served again after them', async () => {
    const busy = orderCalls(on(small), await service.merchant());
    const answers = await times(10, () => busy.query('none'));
    expect(answers.map(({ code }) => code).toSorted()).toEqual([...Array(3).fill('0001'), ...Array(7).fill('0929')]);
    expect(limited(answers)[0]?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"concurrent";q=3;qu="concurrent-requests"',
    });
    expect((await busy.query('none')).code).toBe('0001');
  });

  test('may be a network', async () => {
    const network = networkOrderCalls(on(small), await service.network());
    const answers: string[] = [];
    // Three at a time come faster than its rate, also on a slow machine.
    while (!answers.some(isLimited) && answers.length < 1_000)
      answers.push(...(await times(3, () => network.lookUp('1').then(({ code }) => code, String))));
    expect(answers.findIndex(isLimited)).toBeGreaterThan(100);
  });
});

describe('what is refused for now alone', () => {
  /** The doors, each asked until its answer is 429 or 503. */
  const doors: readonly (readonly [door: string, ask: () => Promise<{ statusCode: number; headers: object }>])[] = [
    [
      'a merchant’s operation',
      () => small.app.inject({ method: 'PATCH', url: '/api/v3/porders', payload: JSON.stringify(shop.signed({ order })) }),
    ],
    ['a checksum that proves nobody', () => usual.app.inject({ method: 'PATCH', url: '/api/v3/porders', payload: '{}' })],
    [
      'a payment that is simulated, refused as the network’s',
      () => small.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference: '1' }) }),
    ],
    ['the management API', () => usual.app.inject('/manage/v1/me')],
    ['a checkout page', () => usual.app.inject('/checkout?token=x')],
  ];

  test.each(doors)('by %s says when to try again', async (_door, ask) => {
    let refused: { statusCode: number; headers: object } | undefined;
    for (let tries = 0; refused === undefined && tries < 100; tries++)
      refused = (await times(60, ask)).find(({ statusCode }) => statusCode === 429 || statusCode === 503);
    expect(refused?.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^[1-9]\d*$/) as string });
  });
});
