import { expect, test } from 'vitest';
import { createHttpServer } from '../../kit/http.ts';
import { createLog } from '../../kit/log.ts';
import { keepWayBack, redirectBack } from './way-back.ts';

const app = createHttpServer({ log: createLog('silent'), faultEnvelopes: [{ prefix: '/', renderFault: () => ({}) }] });
app.get('/came', (request, reply) => {
  keepWayBack(request, reply);
  return reply.send('');
});
app.get('/done', (_request, reply) => redirectBack(reply, { leadsTo: '/console' }));

const kept = async (next: string): Promise<string | undefined> =>
  [(await app.inject(`/came?next=${encodeURIComponent(next)}`)).headers['set-cookie']].flat()[0];
const ledTo = async (cookie: string): Promise<unknown> => (await app.inject({ url: '/done', headers: { cookie } })).headers.location;

test('who signed in comes back to the page of the console', async () => {
  const cookie = await kept('/console/orders?state=pending,expired&merchant=demo');
  expect(cookie).toMatch(/^__Host-caudal-next=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=900$/);
  expect(await ledTo(cookie?.split(';')[0] ?? '')).toBe('/console/orders?state=pending,expired&merchant=demo');
  expect(await ledTo('')).toBe('/console');
});

test.each([
  'https://evil.example/console',
  '//evil.example/console',
  '/console.evil.example',
  '/console\\evil',
  '/console/\r\nset-cookie: a=b',
  '/consoles',
  '/checkout',
  '/console/../checkout',
  '/console/orders/.%2E/%2e%2e/checkout?token=x',
  '/console/../..//evil.example',
  'javascript:alert(1)',
  `/console/${'x'.repeat(3_000)}`,
])('no link leads elsewhere: %s', async (next) => {
  expect(await kept(next)).toBeUndefined();
  expect(await ledTo(`__Host-caudal-next=${encodeURIComponent(next)}`)).toBe('/console');
});

test('a cookie that is no text leads to the console', async () => {
  expect(await ledTo('__Host-caudal-next=%E0%A4%A')).toBe('/console');
});
