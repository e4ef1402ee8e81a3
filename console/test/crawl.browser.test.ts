import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ALL_ROLES, type Role } from '../../server/src/manage/index.ts';
import { axeFindings, BROWSER_TIMEOUT_MS } from '../../server/src/testing/browser.ts';
import { inLane } from '../../server/src/testing/lanes.ts';
import { seed } from '../../server/src/testing/seed.ts';
import { addressesOf } from './example-pages.ts';
import { DESKTOP, PHONE, serveConsoleForTest, type ServedConsole } from './served-console.ts';

// Opens every page of the console: as the owner, and as a role in a language that the seed of the run draws.
// In the long lane: as every role in every language.

const LANGUAGES = ['es', 'en', 'pt'] as const;
type Language = (typeof LANGUAGES)[number];

/** One page of so many is checked by axe on a screen. The seed says which. */
const AXE_TURNS = inLane({ short: 4, long: 2 });

/** The paths of all pages, as the areas declare them. */
const AREAS = join(import.meta.dirname, '..', 'src', 'areas');
const areas = readdirSync(AREAS).map((area) => readFileSync(join(AREAS, area, 'routes.tsx'), 'utf8'));
const patterns = areas.flatMap((text) => Array.from(text.matchAll(/path: '([^']+)',[^{}]*load:/g), ([, path]) => path as string));

let served: ServedConsole;
/** One address for each page. */
let addresses: readonly string[];

beforeAll(async () => {
  served = await serveConsoleForTest();
  addresses = await addressesOf(patterns, served);
  return () => served.close();
}, BROWSER_TIMEOUT_MS);

test('no page of an area is left out', () => {
  expect(patterns).toHaveLength(areas.join('').split('load:').length - 1);
});

/** Marks the title that is shown: the next page has one of its own. */
const LEAVE = `document.querySelector('main h1')?.setAttribute('data-left', '')`;
/** The new page is there, and nothing of it is loaded any more. */
const SETTLED = 'main:not(:has([aria-busy=true]:not([data-example] *))) h1:not([data-left])';

/** Goes to a page as a link does: the console is loaded once. */
async function goTo(page: Page, address: string): Promise<void> {
  // The first page of some roles has led on to it.
  if (new URL(page.url()).pathname === `/console${address}`) return;
  await page.evaluate(
    `${LEAVE}; history.pushState({}, '', '/console${address}'); dispatchEvent(new PopStateEvent('popstate', { state: history.state }))`,
  );
  await page.locator(SETTLED).first().waitFor();
}

/** What a person would call broken. Code and values of the API may look like anything. */
const FINDINGS = `(() => {
  const content = document.querySelector('main').cloneNode(true);
  for (const code of content.querySelectorAll('code, pre, td, dd, time, textarea, input')) code.remove();
  const text = content.textContent + document.title;
  const raw = /undefined|\\[object |NaN|\\b[a-z]+_[a-z_]+\\b/.exec(text);
  return [
    ...(raw === null ? [] : ['says ' + raw[0]]),
    ...(document.documentElement.scrollWidth > innerWidth ? ['is wider than the screen: ' + document.documentElement.scrollWidth] : []),
    ...(document.querySelectorAll('main h1').length === 1 ? [] : ['has no title, or several']),
    ...(document.querySelector('[role=alert]:not([data-example] *)') === null ? [] : ['shows a fault: ' + document.querySelector('[role=alert]:not([data-example] *)').textContent]),
  ];
})()`;

async function findingsOf(page: Page, address: string, hasAxe: boolean): Promise<readonly string[]> {
  await goTo(page, address);
  const found = (await page.evaluate(FINDINGS)) as readonly string[];
  const problems = hasAxe ? await axeFindings(page) : [];
  return [...found, ...problems, ...served.faults.splice(0)].map((one) => `${address}: ${one}`);
}

/** `axe`: the pages that are checked for accessibility too, from this place on. */
async function crawl(
  role: Role,
  language: Language,
  options: { readonly isPhone?: boolean; readonly axe?: 0 | 1 } = {},
): Promise<readonly string[]> {
  const { isPhone = false, axe } = options;
  const colorScheme = isPhone ? 'dark' : 'light';
  const page = await served.signIn(role, '/console/no-page', { language, colorScheme, viewport: isPhone ? PHONE : DESKTOP });
  page.on('response', (answer) => answer.status() >= 400 && served.faults.push(`${answer.status()} ${answer.url()}`));
  await page.locator('main h1').waitFor();
  const findings: string[] = [];
  for (const [place, address] of addresses.entries())
    findings.push(...(await findingsOf(page, address, (place + seed) % AXE_TURNS === axe)));
  expect(await page.evaluate('document.documentElement.lang')).toBe(language);
  await page.context().close();
  return findings.map((one) => `${role}, ${language}: ${one}`);
}

type Visit = Parameters<typeof crawl>;
const OWNER_ON_DESKTOP: Visit = ['owner', 'es', { axe: 0 }];
const everyRoleAndLanguage = ALL_ROLES.flatMap((role) =>
  LANGUAGES.map((language): Visit => [role, language, { isPhone: role === 'clerk' }]),
);
const [drawnRole, drawnLanguage] = everyRoleAndLanguage[seed % everyRoleAndLanguage.length]!;

/** Two at a time: a browser waits for the server half of the time. A phone is in dark. */
const pairs = inLane<readonly (readonly Visit[])[]>({
  short: [[OWNER_ON_DESKTOP, [drawnRole, drawnLanguage, { isPhone: true, axe: 1 }]]],
  long: [
    [OWNER_ON_DESKTOP, ['owner', 'es', { isPhone: true, axe: 1 }]],
    ...everyRoleAndLanguage.flatMap((_, place, all) => (place % 2 === 0 ? [all.slice(place, place + 2)] : [])),
  ],
});

test.each(pairs.map((pair) => [pair.map(([role, language]) => `${role} in ${language}`).join(' and '), pair] as const))(
  'every page is right for %s',
  { timeout: 180_000 },
  async (_names, pair) => {
    const found = await Promise.all(pair.map((visit) => crawl(...visit)));
    expect(found.flat()).toEqual([]);
  },
);
