import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caudal } from '../main/rooms.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

// Who may use the pages and routes of a sandbox: contract §7.6.

let local: TestCaudal;
let open: Caudal;
beforeAll(async () => {
  local = await startTestCaudal();
  open = await local.openAnother({ isSandboxPublic: true });
});
afterAll(async () => {
  await open.close();
  await local.close();
});

const ROUTES = [
  '/sandbox/inbox',
  '/sandbox/v1/inbox',
  '/sandbox/v1/clock',
  '/checkout?token=x',
  '/docs',
  '/openapi.json',
  '/openapi/networks.json',
  '/%73andbox/v1/inbox',
];
const HERE = { host: '127.0.0.1:3000' };

/** The status of a request. 400 with 0011 means that it is somebody else's. */
const get = async (url: string, headers: Record<string, string>, app = local.app): Promise<number> =>
  (await app.inject({ url, headers })).statusCode;

const clockMoved = async (headers: Record<string, string>): Promise<boolean> => {
  const before = local.clock.now();
  const answer = await local.app.inject({ method: 'POST', url: '/sandbox/v1/clock', headers, payload: '{"advance":"PT1S"}' });
  expect(Temporal.Instant.compare(local.clock.now(), before)).toBe(0);
  return answer.statusCode === 200;
};

describe('a sandbox of this machine', () => {
  test.each(ROUTES)('answers %s only under names that can be of this machine alone', async (url) => {
    for (const host of ['localhost', 'localhost:3000', 'shop.localhost', '127.0.0.1:3000', '127.8.8.8', '[::1]:3000', 'pay.example'])
      expect(await get(url, { host }), host).not.toBe(400);
    for (const host of [
      'evil.example',
      'evil.example:3000',
      '127.0.0.1.evil.example',
      '192.168.1.7',
      '[fd00::1]',
      'a@127.0.0.1',
      'printer',
    ])
      expect(await get(url, { host }), host).toBe(400);
  });

  test('keeps its clock for itself: a page elsewhere does not move it', async () => {
    expect(await clockMoved(HERE)).toBe(true);
    for (const origin of ['http://127.0.0.1:3000', 'https://pay.example']) expect(await clockMoved({ ...HERE, origin }), origin).toBe(true);
    for (const origin of ['https://evil.example', 'http://127.0.0.1:8080', 'http://localhost:3000', 'null', 'file://'])
      expect(await clockMoved({ ...HERE, origin }), origin).toBe(false);
    expect(await clockMoved({ ...HERE, origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(true);
    expect(await clockMoved({ ...HERE, origin: 'null', 'sec-fetch-site': 'cross-site' })).toBe(false);
  });

  test('says what is wrong, in its envelope', async () => {
    const answer = await local.app.inject({ url: '/sandbox/v1/clock', headers: { host: 'evil.example' } });
    expect(answer.json()).toEqual({ code: '0011', text: expect.stringMatching(/Host or the Origin/) as string, data: {} });
  });

  test('serves operations and probes under every name: their callers prove themselves', async () => {
    const shop = orderCalls(local, await local.merchant());
    const strange = { host: 'evil.example', origin: 'https://evil.example' };
    expect(await shop.create({ order: 'H-1' }, strange)).toMatchObject({ code: '0000' });
    for (const url of ['/healthz', '/readyz']) expect(await get(url, strange), url).toBe(200);
  });
});

describe('a public sandbox', () => {
  test('answers to addresses and to names of its network, not to names that anybody may own', async () => {
    for (const host of ['192.168.1.7:3000', '[fd00::1]:3000', 'caudal:3000', 'localhost', 'pay.example'])
      expect(await get('/sandbox/v1/inbox', { host }, open.app), host).toBe(200);
    for (const host of ['evil.example', '192.168.1.7.evil.example'])
      expect(await get('/sandbox/v1/inbox', { host }, open.app), host).toBe(400);
  });

  test('says on every page that it is public, and a sandbox of one machine does not', async () => {
    for (const url of ['/sandbox/inbox', '/docs', '/checkout?token=x', '/sandbox/inbox/mail/1']) {
      const [shown, quiet] = await Promise.all([open.app.inject(url), local.app.inject(url)]);
      expect(shown.body, url).toMatch(/<body[^>]*><p role="note"><strong>(Public sandbox|Sandbox pública): /);
      expect(shown.headers['content-length'], url).toBe(String(Buffer.byteLength(shown.body)));
      expect(quiet.body, url).not.toContain('role="note"');
    }
    expect((await open.app.inject('/sandbox/v1/inbox')).body).not.toContain('role="note"');
  });
});
