import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer, type HttpServer } from '../kit/http.ts';
import { createLog } from '../kit/log.ts';
import { serveConsole } from './index.ts';

const SCRIPT = 'console.log(1)';

/** A server with a small build, or without one. */
function serve(isBuilt: boolean): HttpServer {
  const folder = mkdtempSync(join(tmpdir(), 'caudal-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (isBuilt) {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Caudal</title>');
    writeFileSync(join(folder, 'assets/index-abc.js'), SCRIPT);
    writeFileSync(join(folder, 'assets/index-abc.js.br'), brotliCompressSync(SCRIPT));
    writeFileSync(join(folder, 'stamp'), 'secret');
  }
  const app = createHttpServer({ log: createLog('silent'), faultEnvelopes: [{ prefix: '/', renderFault: () => ({}) }] });
  serveConsole(app, isBuilt ? folder : join(folder, 'none'));
  return app;
}

const get = async (app: HttpServer, url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

test('every address of the console is its one page, with a policy that admits files of this server alone', async () => {
  const app = serve(true);
  for (const url of [
    '/console',
    '/console/',
    '/console/orders',
    '/console/orders/demo/A-1?tab=x',
    '/console/index.html',
    '/console/stamp',
  ]) {
    const { statusCode, body, headers } = await get(app, url);
    expect([url, statusCode, body]).toEqual([url, 200, '<!doctype html><title>Caudal</title>']);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:/);
    expect(headers['x-frame-options']).toBe('DENY');
  }
});

test('files of the build are kept by browsers for ever, and sent as they take them', async () => {
  const app = serve(true);
  const plain = await get(app, '/console/assets/index-abc.js', { 'accept-encoding': 'gzip' });
  expect([plain.body, plain.headers['content-encoding'], plain.headers['content-type']]).toEqual([
    SCRIPT,
    undefined,
    'text/javascript; charset=utf-8',
  ]);
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const small = await get(app, '/console/assets/index-abc.js', { 'accept-encoding': 'gzip, deflate, br' });
  expect([small.headers['content-encoding'], small.headers['vary']]).toEqual(['br', 'Accept-Encoding']);
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(SCRIPT);
  // The file of an earlier build is gone: the page in its place would be no script.
  expect((await get(app, '/console/assets/index-old.js')).statusCode).toBe(404);
  expect((await get(app, '/console/assets/../../package.json')).body).not.toContain('dependencies');
});

test('without a build its address leads to the page of signing in', async () => {
  const { statusCode, headers } = await get(serve(false), '/console');
  expect([statusCode, headers.location]).toEqual([303, '/console/sign-in']);
});
