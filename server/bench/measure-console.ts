import type { Browser, Page } from 'playwright-core';
import { openDb, type Db } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { axeFindings, startBrowser } from '../src/testing/browser.ts';
import { openSession } from '../src/users/sessions.ts';
import { insertUser, updateUser } from '../src/users/user-rows.ts';
import type { Sizes } from './bench-data.ts';
import type { Bench, Figure } from './measurement.ts';

/** K1 to K6: enough orders for a full first page. */
export const LOOKED_AT: Sizes = { orders: 10_000, cashouts: 1_000, cashoutsOfOne: 100 };

/** What Lighthouse simulates of a phone: four times slower than this machine, on slow 4G. */
const PROCESSOR_SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 675_000 / 8 } as const;
const PHONE = { width: 390, height: 844 };
const SETTLE_MS = 1_500;

/** What a load of the first screen took. */
type Loaded = {
  readonly shownMs: number;
  readonly largestMs: number;
  readonly blockedMs: number;
  readonly shift: number;
  readonly scripts: readonly string[];
};

/** K1 to K6: the first screen of the console on a phone, with nothing in the browser's cache. Shape: rounds → one figure for each. */
export async function measureConsole({ database, servers, say }: Bench, rounds: number): Promise<Figure[]> {
  const origin = (servers[0]?.origin ?? '').replace('127.0.0.1', 'localhost');
  const db = openDb({ url: database.url, log: createLog('silent'), connections: 1, statementTimeoutMs: 5_000 });
  const browser = await startBrowser();
  try {
    const session = await openOwnSession(db);
    const loads: Loaded[] = [];
    for (let round = 0; round < rounds; round++) {
      say(`the first screen on a phone, ${round + 1} of ${rounds}`);
      loads.push(await loadFirstScreen(browser, origin, session));
    }
    const scripts = loads[0]?.scripts ?? [];
    const sizes = await Promise.all(scripts.map(async (address) => gzipBytes(address)));
    const findings = await countFindings(browser, origin, session);
    const of = (name: keyof Omit<Loaded, 'scripts'>): number[] => loads.map((load) => load[name]);
    return [
      {
        name: 'K1',
        what: 'first screen of the console: rows of the list are there',
        unit: 'ms',
        ours: of('shownMs'),
        target: { atMost: 1_500 },
      },
      {
        name: 'K2',
        what: 'its JavaScript, gzip',
        unit: 'kB',
        ours: [sizes.reduce((sum, one) => sum + one, 0) / 1_000],
        target: { atMost: 180 },
      },
      { name: 'K3', what: 'its largest content is painted', unit: 'ms', ours: of('largestMs'), target: { atMost: 2_500 } },
      { name: 'K4', what: 'its main thread is blocked', unit: 'ms', ours: of('blockedMs'), target: { atMost: 200 } },
      { name: 'K5', what: 'its layout shifts', unit: '', ours: of('shift'), target: { atMost: 0.1 } },
      { name: 'K6', what: 'findings of axe on it', unit: '', ours: [findings], target: { atMost: 0 } },
    ];
  } finally {
    await browser.close();
    await db.close();
  }
}

/** A session of an owner. Shape: → the text of its cookie. */
const openOwnSession = (db: Db): Promise<string> =>
  db.transaction(async (tx) => {
    const now = Temporal.Now.instant();
    const email = `bench-${now.epochMilliseconds}@example.com`;
    const user = await insertUser(tx, { email, name: 'Bench', role: 'owner', merchantId: null, language: 'es' }, email, now);
    if (user === undefined) throw new Error('the user of the bench exists');
    await updateUser(tx, { ...user, state: 'active' }, now);
    return openSession(tx, user.userId, { address: '127.0.0.1', browser: 'bench' }, now).text;
  });

async function openPhone(browser: Browser, origin: string, session: string): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, locale: 'es', isMobile: true, hasTouch: true });
  const url = origin.replace('http:', 'https:');
  await context.addCookies([{ name: '__Host-caudal', value: session, url, httpOnly: true, secure: true, sameSite: 'Lax' }]);
  return context.newPage();
}

/** Notes what the browser says of a load, from its begin. */
const OBSERVE = `
  globalThis.seen = { largestMs: 0, blockedMs: 0, shift: 0 };
  const observe = (type, add) => new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => { seen.largestMs = startTime; });
  observe('longtask', ({ duration }) => { seen.blockedMs += Math.max(0, duration - 50); });
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value; });`;

async function loadFirstScreen(browser: Browser, origin: string, session: string): Promise<Loaded> {
  const page = await openPhone(browser, origin, session);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWDOWN });
  await page.addInitScript(OBSERVE);
  const scripts: string[] = [];
  page.on('response', (answer) => answer.url().endsWith('.js') && scripts.push(answer.url()));
  await page.goto(`${origin}/console/orders`, { waitUntil: 'commit' });
  await page.locator('tbody tr').first().waitFor();
  const shownMs = (await page.evaluate('performance.now()')) as number;
  const needed = [...scripts];
  // A late shift, and a late paint, count too.
  await page.waitForTimeout(SETTLE_MS);
  const seen = (await page.evaluate('seen')) as Omit<Loaded, 'shownMs' | 'scripts'>;
  await page.context().close();
  return { shownMs, ...seen, scripts: needed };
}

async function gzipBytes(address: string): Promise<number> {
  const answer = await fetch(address, { method: 'GET', headers: { 'accept-encoding': 'gzip' } });
  return Number(answer.headers.get('content-length'));
}

async function countFindings(browser: Browser, origin: string, session: string): Promise<number> {
  const page = await openPhone(browser, origin, session);
  await page.goto(`${origin}/console/orders`);
  await page.locator('tbody tr').first().waitFor();
  const findings = await axeFindings(page);
  await page.context().close();
  return findings.length;
}
