import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER_TIMEOUT_MS, startBrowser } from '../testing/browser.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

// The documents at /docs: every page, its links, the search, and what a browser makes of them.

const MOST_BYTES = 100_000;

type Page = { readonly status: number; readonly body: string; readonly policy: unknown };

let service: TestCaudal;
const pages = new Map<string, Page>();
beforeAll(async () => {
  service = await startTestCaudal();
  const waiting = ['/docs', '/docs/search?q=checksum', '/docs/problems/not_signed_in'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const { statusCode, body, headers } = await service.app.inject(path);
    pages.set(path, { status: statusCode, body, policy: headers['content-security-policy'] });
    waiting.push(
      ...linksOf(body)
        .map(([target]) => target)
        .filter((target) => target.startsWith('/docs')),
    );
  }
});
afterAll(() => service.close());

/** The links of a page to this server. Shape: path and fragment. */
const linksOf = (body: string): (readonly [path: string, fragment: string | undefined])[] =>
  [...body.matchAll(/ href="([^"]*)"/g)].flatMap(([, href = '']) => {
    const [path = '', fragment] = href.split('#');
    return href.startsWith('http') || href.startsWith('data:') ? [] : [[path, fragment] as const];
  });

const operationPage = (name: string): string => pages.get(`/docs/reference/${name}`)?.body ?? '';

const get = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await service.app.inject({ url, headers })).body;

const readPaths = async (url: string) =>
  (await service.app.inject(url)).json<{ paths: Record<string, Record<string, { operationId: string }>> }>().paths;

describe('the documents', () => {
  test('every page exists, is small, and loads nothing of another place', () => {
    expect(pages.size).toBeGreaterThan(40);
    for (const [path, { status, body, policy }] of pages) {
      expect(status, path).toBe(200);
      if (/\.(css|js)$/.test(path)) continue;
      expect(Buffer.byteLength(body), path).toBeLessThan(MOST_BYTES);
      expect(policy, path).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
      expect(body, path).not.toMatch(
        /<script(?! src="\/docs\/docs\.[0-9a-f]+\.js" defer><\/script>)|<style|<img|<iframe|\son\w+=|\sstyle=/,
      );
    }
  });

  test('every link leads to a page and to a place on it', () => {
    const broken = [...pages].flatMap(([from, { body }]) =>
      linksOf(body)
        .filter(([path]) => path === '' || path.startsWith('/docs'))
        .filter(([path, fragment]) => fragment !== undefined && pages.get(path || from)?.body.includes(` id="${fragment}"`) !== true)
        .map(([path, fragment]) => `${from}: ${path}#${fragment}`),
    );
    expect(broken).toEqual([]);
  });

  test('every operation and every notice has a page with its checksum, headers, answer and refusals', async () => {
    const paths = [await readPaths('/openapi.json'), await readPaths('/openapi/networks.json')].flatMap((one) => Object.values(one));
    const ids = paths.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    for (const id of ids) expect([...pages.keys()]).toContain(`/docs/reference/${id.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}`);
    expect(operationPage('receive-order-notice')).toMatch(/<code>webhook-signature<\/code>/);
    expect(operationPage('update-order')).toMatch(
      /<code>If-Match<\/code>[^]*<code>webhook-id<\/code>[^]*<code>ETag<\/code>[^]*<h2 id="refusals">/,
    );
    expect(operationPage('query-order')).toMatch(
      /<code>PENDIENTE<\/code>[^]*<code>ANULADA<\/code>[^]*<code>DATA\.TRANSACTION\.GIVEN_BACK<\/code>/,
    );
    expect(operationPage('pay-order')).toMatch(/the network’s secret[^]*&quot;\$NETWORK_SECRET&quot; \| sha512sum/);
    expect(operationPage('create-order')).toMatch(/the fixed hash[^]*&quot;\$FIXED_HASH&quot; \| sha512sum/);
    expect(operationPage('move-clock')).not.toContain('sha512sum');
    expect(operationPage('create-order')).toContain('href="/docs/contract#3.2"');
  });

  test('a problem of the management API has a page under its type, and an unknown one is said to be missing', async () => {
    const { type } = (await service.app.inject('/manage/v1/me')).json<{ type: string }>();
    expect(pages.get(type)?.body).toContain('Nobody is signed in');
    const missing = await service.app.inject('/docs/problems/no-such');
    expect([missing.statusCode, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test('the search finds words, codes and fields, with accents or without, and takes any text', async () => {
    expect(await get('/docs/search?q=Idempotency-Key')).toMatch(/class="results">\s*<li>/);
    const hits = async (query: string): Promise<{ path: string; title: string }[]> =>
      JSON.parse(await get(`/docs/search?${query}`, { accept: 'application/json' })) as { path: string; title: string }[];
    expect((await hits('q=glossary'))[0]?.path).toMatch(/^\/docs\/glossary/);
    expect((await hits('q=register%20a%20cashout'))[0]?.path).toBe('/docs/reference/register-cashout');
    expect((await hits('q=PAYMNENT_METHOD')).map(({ path }) => path)).toContain('/docs/reference/query-order');
    expect(await hits('q=')).toEqual([]);
    for (const query of ['q=%00', 'q=%ff', 'q=a&q=b', 'q=(((', `q=${'a'.repeat(5000)}`, 'q=<script>', '&&&', 'q=.*%5B'])
      expect((await service.app.inject(`/docs/search?${query}`)).statusCode, query).toBe(200);
    expect(await get('/docs/search?q=%3Cscript%3Ealert(1)')).not.toContain('<script>alert');
  });
});

describe('in a browser', () => {
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser();
  }, BROWSER_TIMEOUT_MS);
  afterAll(() => browser.close());

  test(
    'pages are accessible and as wide as the window, light and dark; the search answers while one types',
    { timeout: 60_000 },
    async () => {
      for (const [width, colorScheme] of [
        [390, 'dark'],
        [1440, 'light'],
      ] as const) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, locale: 'en-US' });
        const page = await context.newPage();
        const faults: string[] = [];
        page.on('console', (message) => faults.push(message.text()));
        page.on('pageerror', (error) => faults.push(error.message));
        for (const path of ['/docs/guides/first-order', '/docs/reference/update-order']) {
          await page.goto(`${origin}${path}`);
          expect(
            await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
            `${path} at ${width}`,
          ).toBeLessThanOrEqual(0);
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`)).toEqual([]);
        }
        await page.getByRole('searchbox').fill('glossary');
        await page.locator('.hits a').first().click();
        expect(new URL(page.url()).pathname).toBe('/docs/glossary');
        expect(faults).toEqual([]);
        await context.close();
      }
    },
  );
});
