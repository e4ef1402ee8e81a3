import { expect, test } from 'vitest';
import { startCaudalForTest } from '../../testing/test-caudal.ts';
import { prepareDemo } from './demo.ts';

/** As a browser asks. */
const ROOT = { url: '/', headers: { accept: 'text/html,application/xhtml+xml' } };

test('a sandbox shows the secrets of its demo merchant, first commands that work, and where to go', async () => {
  const service = await startCaudalForTest();
  const before = await service.app.inject(ROOT);
  expect([before.statusCode, before.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(before.body).not.toContain('fixed hash');
  const printed = await prepareDemo({
    service: await service.openAnother(),
    url: service.url,
    keys: service.keys,
    origin: 'http://127.0.0.1',
  });
  const { body, headers } = await service.app.inject(ROOT);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; base-uri 'none'/);
  const fixedHash = /fixed hash (\w+)/.exec(printed)?.[1] ?? '';
  expect(body).toContain(fixedHash);
  expect(body).toMatch(/<dt>notice hash<\/dt>\s*<dd><code>[0-9a-f]{32}<\/code>/);
  expect(body).toContain('whsec_');
  for (const path of ['/sandbox/inbox', '/console', '/docs', 'https://pay.example/checkout?token='])
    expect(body).toContain(`href="${path}`);
  const change = /-X PATCH[^<]*-d &#39;(?<sent>[^<]*)&#39;/.exec(body)?.groups?.['sent']?.replaceAll('&quot;', '"') ?? '';
  const changed = await service.app.inject({ method: 'PATCH', url: '/api/v3/porders', payload: change });
  expect(changed.json()).toMatchObject({ CODE: '0000', DATA: { Operacion: 'ACTUALIZADO' } });
});

test('a sandbox that everybody reaches shows no secret', async () => {
  const service = await startCaudalForTest({ config: { isSandboxPublic: true } });
  await prepareDemo({ service: await service.openAnother(), url: service.url, keys: service.keys, origin: 'http://127.0.0.1' });
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
    });
});
