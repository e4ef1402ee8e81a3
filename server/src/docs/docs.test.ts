import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings, BROWSER_TIMEOUT_MS, closePages, sharedBrowser } from '../testing/browser.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { renderMarkdown } from './markdown.ts';
import { seed } from '../testing/seed.ts';
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
    expect(pages.get(type)?.body).toContain('Not signed in');
    const missing = await service.app.inject('/docs/problems/no-such');
    expect([missing.statusCode, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test('the search finds words, codes and fields, with accents or without, and takes any text', async () => {
    expect(await get('/docs/search?q=Idempotency-Key')).toMatch(/class="results">\s*<li>/);
    // What people call money that goes back.
    expect(await get('/docs/search?q=refund')).toContain('/docs/glossary');
    expect(await get('/docs/search?q=refund')).toContain('/docs/guides/go-live');
    for (const language of ['es', 'pt'])
      expect(await get(`/docs/search?q=reembolso&language=${language}`)).toContain(`/docs/guides/go-live.${language}`);
    const hits = async (query: string): Promise<{ path: string; title: string }[]> =>
      JSON.parse(await get(`/docs/search?${query}`, { accept: 'application/json' })) as { path: string; title: string }[];
    expect((await hits('q=glossary'))[0]?.path).toMatch(/^\/docs\/glossary/);
    expect((await hits('q=register%20a%20cashout'))[0]?.path).toBe('/docs/reference/register-cashout');
    expect((await hits('q=PAYMNENT_METHOD')).map(({ path }) => path)).toContain('/docs/reference/query-order#members');
    for (const query of ['open%20amounts', 'set-return-url', 'woocommerce', 'sha512', 'CAUDAL_DIALECT'])
      expect((await hits(`q=${query}`)).map(({ path }) => path).join(' '), query).toContain('/docs/dialect');
    expect((await hits('q=migrate&language=en'))[0]?.path).toMatch(/^\/docs\/guides\/move-here\.en/);
    expect((await hits('q=refund')).map(({ path }) => path)).toContain('/docs/contract#3.10');
    for (const elsewhere of ['callback', 'subscription', 'pagination', 'authentication'])
      expect((await hits(`q=${elsewhere}`)).map(({ path }) => path).join(' '), elsewhere).toContain('/docs/glossary#');
    expect(await hits('q=')).toEqual([]);
    for (const query of ['q=%00', 'q=%ff', 'q=a&q=b', 'q=(((', `q=${'a'.repeat(5000)}`, 'q=<script>', '&&&', 'q=.*%5B'])
      expect((await service.app.inject(`/docs/search?${query}`)).statusCode, query).toBe(200);
    expect(await get('/docs/search?q=%3Cscript%3Ealert(1)')).not.toContain('<script>alert');
  });
});

test('a Markdown file brings no markup, no script and no link but to pages and to the Internet', () => {
  const text =
    '# A <b>b</b>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) [y](data:text/html,z) [z](../x.md) `<i>` ![p](https://example.com/p.png)';
  const { markup } = renderMarkdown(text, () => undefined).body;
  expect(markup.replace(/<\/?(h1|p|code)( id="[a-z-]*")?>/g, '')).not.toMatch(/[<>]/);
});

test('a guide is in the language of the reader, or of its address', async () => {
  const titleOf = async (url: string, language: string): Promise<string | undefined> =>
    /<html lang="(..)">[^]*<h1 [^>]*>(.*)<\/h1>/
      .exec(await get(url, { 'accept-language': language }))
      ?.slice(1)
      .join(' ');
  expect(await titleOf('/docs', 'es-CO,es;q=0.9')).toBe('es Inicio');
  expect(await titleOf('/docs', 'pt-BR')).toBe('pt Início');
  expect(await titleOf('/docs', 'en')).toBe('en Start');
  expect(await titleOf('/docs/guides/change-an-order', 'pt')).toBe('pt Mudar um pedido com segurança');
  expect(await titleOf('/docs/guides/change-an-order.es', 'pt')).toBe('es Cambiar una orden con seguridad');
  expect(await get('/docs/search?q=segurança&language=pt')).toContain('Mudar um pedido com seguran');
});

const post = async (form: Readonly<Record<string, string>>): Promise<string> =>
  (
    await service.app.inject({
      method: 'POST',
      url: '/docs/workbench?operation=createOrder',
      payload: new URLSearchParams(form).toString(),
    })
  ).body;
const hash = (text: string): string => createHash('sha512').update(text).digest('hex');

describe('the workbench', () => {
  const SECRET = '9f1c7b52e0a84d6bb3a1c5d0e7f24688';
  const VALUES = { email: 'ana@example.com', country: '068', order: 'A-1001', money: 'BOB', amount: '45000' };
  const texts = Object.values(VALUES);
  const ask = (sent: string): Promise<string> =>
    post({
      make: 'checksum',
      ...Object.fromEntries(Object.entries(VALUES).map(([name, value]) => [`value-${name}`, value])),
      secret: SECRET,
      sent,
    });

  test.each([
    ['right', texts.join('') + SECRET, 'Yours is right.'],
    ['without the secret', texts.join(''), 'without the secret'],
    ['with commas', [...texts, SECRET].join(','), 'between the values'],
    ['with two decimals', [...texts.slice(0, 4), '45000.00', SECRET].join(''), 'two decimals'],
    ['without the zero of the country', ['ana@example.com', '68', ...texts.slice(2), SECRET].join(''), 'lost zeros'],
    ['of something else', 'something else', 'none of the common mistakes'],
  ])('judges a checksum that is %s', async (_what, text, words) => {
    const page = await ask(hash(text));
    expect(page).toContain(checksumOf(texts, SECRET));
    expect(page).toContain(`${texts.join('')}${'•'.repeat(SECRET.length)}</code>`);
    expect(/<p role="status">(.*)<\/p>/.exec(page)?.[1]).toContain(words);
  });

  test('makes the signatures of the contract, and names a key that was decoded', async () => {
    const { secret, vectors } = JSON.parse(readFileSync(new URL('../../../contract/signed-requests.json', import.meta.url), 'utf8')) as {
      secret: string;
      vectors: { id: string; timestamp: number; method: string; path: string; body: string; signature: string }[];
    };
    for (const { timestamp, signature, ...one } of vectors)
      expect(await post({ make: 'signature', ...one, timestamp: String(timestamp), key: secret, signature })).toContain('Yours is right.');
    const notice = { make: 'signature', id: 'msg_1', timestamp: '1795273200', body: '{}', key: 'c0ffee11aa22bb33cc44dd55ee66ff77' };
    const decoded = createHmac('sha256', Buffer.from(notice.key, 'hex')).update('msg_1.1795273200.{}').digest('base64');
    expect(await post({ ...notice, signature: `v1,${decoded}` })).toContain('decoded from hexadecimal');
    // Half a minute, where the zeros are looked through from each of them.
    const zeros = `make=checksum&sent=y&value-amount=1.${'0'.repeat(250_000)}1`;
    for (const payload of ['', '%', 'make=checksum', 'make=signature&body=%ff', '{"a":1}', zeros])
      expect((await service.app.inject({ method: 'POST', url: '/docs/workbench', payload })).statusCode, payload).toBe(200);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await sharedBrowser();
  }, BROWSER_TIMEOUT_MS);
  afterAll(() => closePages(browser));

  test.each([
    [390, 'dark', 'es-CO', 0],
    [800, 'light', 'pt-BR', 1],
    [1440, 'light', 'en-US', 2],
  ] as const)(
    'pages are accessible and as wide as the window, the search answers while one types, and the language can be changed: %i, %s, %s',
    { timeout: 180_000 },
    async (width, colorScheme, locale, turn) => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, locale });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('console', (message) => faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(error.message));
      for (const [place, path] of [
        '/docs',
        '/docs/guides/first-order',
        '/docs/reference/update-order',
        '/docs/contract',
        '/docs/search?q=checksum',
        '/docs/workbench',
      ].entries()) {
        await page.goto(`${origin}${path}`);
        expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), `${path} at ${width}`).toBeLessThanOrEqual(
          0,
        );
        // The pages take turns: in a run each has its turn at one width, and the seed says at which.
        if ((place + turn + seed) % 3 !== 0) continue;
        expect(await axeFindings(page), path).toEqual([]);
      }
      await page.goto(`${origin}/docs`);
      expect(await page.getAttribute('html', 'lang')).toBe(locale.slice(0, 2));
      await page.locator('.languages a').first().click();
      await page.waitForURL(/start\.(en|es)$/);
      expect(await page.getAttribute('html', 'lang')).not.toBe(locale.slice(0, 2));
      await page.getByRole('searchbox').fill('glossary');
      await page.locator('.hits a').first().click();
      expect(new URL(page.url()).pathname).toBe('/docs/glossary');
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});
