import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../kit/db.ts';
import { createMerchant } from '../../merchants/index.ts';
import { capturePrinted } from '../../testing/captured.ts';
import { holdRows } from '../../testing/held-rows.ts';
import { startCaudalForTest, type TestCaudal } from '../../testing/test-caudal.ts';
import { enrolUser } from '../../testing/user-calls.ts';
import { fillDemo, showDemo } from './demo.ts';

const printed = capturePrinted();

async function prepareDemo({ openAnother, openAsOf, keys }: TestCaudal): Promise<string> {
  const service = await openAnother();
  await fillDemo({ service, openAsOf, keys });
  return showDemo({ service, keys, origin: 'http://127.0.0.1' });
}

/** As a browser asks. */
const ROOT = { url: '/', headers: { accept: 'text/html,application/xhtml+xml', 'accept-language': 'en' } };

test('a sandbox shows the secrets of its demo merchant, first commands that work, and where to go', async () => {
  const service = await startCaudalForTest();
  const before = await service.app.inject(ROOT);
  expect([before.statusCode, before.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(before.body).not.toContain('fixed hash');
  const printed = await prepareDemo(service);
  const { body, headers } = await service.app.inject(ROOT);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; base-uri 'none'/);
  const fixedHash = /fixed hash (\w+)/.exec(printed)?.[1] ?? '';
  expect(body).toContain(fixedHash);
  expect(body).toMatch(/<dt>notice hash<\/dt>\s*<dd><code>[0-9a-f]{32}<\/code>/);
  expect(body).toContain('whsec_');
  for (const path of ['/sandbox/inbox', '/sandbox/console', '/docs', 'https://pay.example/checkout?token='])
    expect(body).toContain(`href="${path}`);
  const change = /-X PATCH[^<]*-d &#39;(?<sent>[^<]*)&#39;/.exec(body)?.groups?.['sent']?.replaceAll('&quot;', '"') ?? '';
  const changed = await service.app.inject({ method: 'PATCH', url: '/api/v3/porders', payload: change });
  expect(changed.json()).toMatchObject({ CODE: '0000', DATA: { Operacion: 'ACTUALIZADO' } });
});

test('while the database stalls the demo merchant is unavailable, so that a start tries again', async () => {
  const { db, keys, clock, url, openAnother } = await startCaudalForTest();
  await createMerchant({ db, keys, clock }, { merchantId: 'demo', country: '343' });
  const service = await openAnother();
  const show = (): Promise<string> => showDemo({ service, keys, origin: 'http://127.0.0.1' });
  const release = await holdRows(url, 'lock table orders in access exclusive mode', []);
  await expect(show()).rejects.toBeInstanceOf(Unavailable);
  await release();
  expect(await show()).toContain('fixed hash');
});

test('a sandbox that everybody reaches shows no secret', async () => {
  const service = await startCaudalForTest({ config: { isSandboxPublic: true } });
  await prepareDemo(service);
  const { body } = await service.app.inject({ url: '/', headers: { ...ROOT.headers, host: '127.0.0.1' } });
  expect(body).toContain('/sandbox/inbox');
  expect(body).not.toMatch(/fixed hash|whsec_|checksum/);
});

test('production shows a plain page, or nothing by its setting', async () => {
  const service = await startCaudalForTest({ config: { mode: 'production', operatorName: 'Pagos <del> Sur' } });
  const { statusCode, body } = await service.app.inject(ROOT);
  expect([statusCode, body.match(/href="[^"]*"/g)]).toEqual([200, ['href="data:,"', 'href="/console"', 'href="/docs"']]);
  expect(body).toContain('<h1>Pagos &lt;del&gt; Sur</h1>');
  const silent = await service.openAnother({ mode: 'production', hasHome: false });
  expect((await silent.app.inject(ROOT)).statusCode).toBe(404);
});

test('a program that asks for no HTML finds no operation at the root', async () => {
  const service = await startCaudalForTest();
  for (const accept of [undefined, '*/*', 'application/json'])
    expect((await service.app.inject({ url: '/', headers: accept === undefined ? {} : { accept } })).json()).toMatchObject({
      CODE: '0940',
      DESC: 'La ruta no existe; /docs muestra las que hay',
    });
});

const HERE = { host: 'localhost:3000', accept: 'text/html', 'accept-language': 'en' };

const comesIn = async ({ app }: TestCaudal, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { statusCode, headers: answered } = await app.inject({ url: '/sandbox/console', headers: { ...HERE, ...headers } });
  return statusCode === 303 ? String(answered.location) : String(statusCode);
};
/** Presses the button of the page that a link leads to. Returns the cookie. */
const signIn = async ({ app }: TestCaudal, path: string): Promise<string> => {
  const link = new URL(path, 'http://localhost').searchParams.get('link') ?? '';
  expect((await app.inject({ url: path, headers: HERE })).statusCode).toBe(200);
  const headers = { ...HERE, origin: 'http://localhost:3000', 'content-type': 'application/x-www-form-urlencoded' };
  const payload = new URLSearchParams({ act: 'use-link', link }).toString();
  const opened = await app.inject({ method: 'POST', url: '/console/sign-in', headers, payload });
  expect([opened.statusCode, opened.headers.location]).toEqual([303, '/console']);
  return String(opened.headers['set-cookie']).split(';', 1)[0] as string;
};
const me = async ({ app }: TestCaudal, cookie: string): Promise<number> =>
  (await app.inject({ url: '/manage/v1/me', headers: { ...HERE, cookie } })).statusCode;

describe('the owner of a sandbox', () => {
  test('signs in again from the home of the sandbox once the session has ended', async () => {
    const service = await startCaudalForTest();
    const first = await signIn(service, await comesIn(service));
    expect(await me(service, first)).toBe(200);
    expect(await comesIn(service, { cookie: first }), 'who is signed in goes on').toBe('/console');
    service.clock.advance({ hours: 24 * 40 });
    expect(await me(service, first)).toBe(401);
    const { body } = await service.app.inject({ url: '/console/sign-in', headers: HERE });
    expect(body).toContain('href="/sandbox/console"');
    const again = await comesIn(service, { cookie: first });
    expect(await me(service, await signIn(service, again))).toBe(200);
    const spent = await service.app.inject({ url: again, headers: HERE });
    expect(spent.statusCode, 'a link signs in once').toBe(410);
  });

  test('confirms who it is by a link of now, in the language of the browser, and comes back to where that was asked', async () => {
    const service = await startCaudalForTest();
    const cookie = await signIn(service, await comesIn(service));
    const asked = (of: string, headers = {}) =>
      service.app.inject({ url: '/console/sign-in?next=%2Fconsole%2Fusers', headers: { ...HERE, cookie: of, ...headers } });
    expect((await asked(cookie)).body).not.toContain('?again');
    service.clock.advance({ minutes: 20 });
    const { body } = await asked(cookie, { 'accept-language': 'pt-BR' });
    expect(body).toContain('href="/sandbox/console?again"');
    expect(body).toContain('Confirme sua identidade');
    expect(body, 'it has no authenticator app').not.toContain('name="code"');
    const { headers } = await service.app.inject({ url: '/sandbox/console?again', headers: { ...HERE, cookie } });
    const fresh = await signIn(service, String(headers.location));
    expect((await asked(fresh)).body).not.toContain('?again');
  });

  test('is welcomed in the language of the browser', async () => {
    const service = await startCaudalForTest();
    const url = await comesIn(service);
    const read = async (language: string): Promise<string> =>
      (await service.app.inject({ url, headers: { ...HERE, 'accept-language': language } })).body;
    expect(await read('es-CO,es;q=0.9,en;q=0.8')).toContain('<html lang="es">');
    expect(await read('pt-BR')).toContain('<html lang="pt">');
  });

  test('alone gets a link: no page elsewhere, no other machine, nobody through a tunnel or a proxy', async () => {
    const service = await startCaudalForTest({ config: { checkoutUrl: 'https://my-tunnel.example' } });
    const refused = {
      'another host': [{ host: 'evil.example' }, '400'],
      'a page elsewhere': [{ 'sec-fetch-site': 'cross-site' }, '/console'],
      'a page of another port': [{ 'sec-fetch-site': 'same-site' }, '/console'],
      'a tunnel': [{ host: 'my-tunnel.example' }, '/console'],
      'a proxy that writes its own host': [{ 'x-forwarded-for': '203.0.113.7' }, '/console'],
      'a proxy of the standard': [{ forwarded: 'for=203.0.113.7' }, '/console'],
    } as const;
    for (const [what, [headers, answer]] of Object.entries(refused)) expect(await comesIn(service, headers), what).toBe(answer);
    const { statusCode, headers } = await service.app.inject({ url: '/sandbox/console', headers: HERE, remoteAddress: '203.0.113.7' });
    expect([statusCode, headers.location]).toEqual([303, '/console']);
    for (const proxied of [{ host: 'my-tunnel.example' }, { 'x-forwarded-for': '203.0.113.7' }])
      for (const url of ['/', '/console/sign-in'])
        expect((await service.app.inject({ url, headers: { ...HERE, ...proxied } })).body, url).not.toContain('/sandbox/console');
  });

  test.each([{ isSandboxPublic: true }, { mode: 'production' as const }])('has no such way into %o', async (config) => {
    const service = await startCaudalForTest({ config });
    expect(await comesIn(service)).toBe('404');
    for (const url of ['/', '/console/sign-in'])
      expect((await service.app.inject({ url, headers: HERE })).body).not.toContain('/sandbox/console');
  });

  test('who has people of their own signs in as they do', async () => {
    const service = await startCaudalForTest();
    await enrolUser(service, (work) => printed.by(work), 'ana@example.com', 'owner');
    expect(await comesIn(service)).toBe('/console');
    expect((await service.app.inject({ url: '/console/sign-in', headers: HERE })).body).not.toContain('/sandbox/console');
  });
});
