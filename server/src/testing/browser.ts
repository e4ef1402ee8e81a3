import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { chromium, type Browser, type Frame, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { within } from './deadlines.ts';

/** A first run on a bare machine brings a browser; it takes this long at most. */
export const BROWSER_TIMEOUT_MS = 300_000;
const STEP_TIMEOUT_MS = 120_000;

/** No network of the browser's own: it meets the pages of a test and nothing else. */
const FLAGS = ['--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
/**
 * Parts of a browser that no test sees. Each new window loads pages for its address bar and a process in reserve. These take two fifths
 * of what a page costs. A browser reads the last of such flags. So here is also what Playwright turns off.
 */
const WITHOUT = [
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch',
];

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/**
 * Starts a headless Chromium, of CHROMIUM_PATH or wherever it is installed; where there is none it is installed first.
 * Throws one line that says what to do where that fails: browser tests are never skipped.
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser() ?? (await oneAtATime(async () => findBrowser() ?? (await installBrowser())));
  return chromium.launch({ executablePath, args: [...FLAGS, `--disable-features=${WITHOUT.join(',')}`], chromiumSandbox: !isRoot() });
}

let shared: Browser | undefined;

/** The browser of this process, for its files of tests in turn. It ends with the process. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared?.isConnected() !== true) shared = await startBrowser();
  return shared;
}

/** Closes all pages of a browser, and forgets their cookies. */
export const closePages = async (browser: Browser): Promise<void> => {
  await Promise.all(browser.contexts().map((context) => context.close()));
};

/** The short form of axe: a page reads it in half of the time. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Waits for what moves and ends by itself. A movement that another takes the place of is rejected. */
const SHOWN = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished)).then(() => true)`;
/** A frame that may run no script never answers. */
const FRAME_TIMEOUT_MS = 1_000;

/**
 * What axe finds wrong on a page, one line for each rule. Without the parts that `without` selects: they have tests of their own.
 * A page keeps its axe, so that only its first report has to read it. What fades in is judged once it is there: its colours are
 * others meanwhile.
 */
export async function axeFindings(page: Page, without: readonly string[] = []): Promise<readonly string[]> {
  for (const frame of page.frames()) {
    const brought = bringAxe(frame);
    if (frame === page.mainFrame()) await brought;
    else await within(FRAME_TIMEOUT_MS, 'a frame', brought).catch(() => undefined);
  }
  await page.evaluate(SHOWN);
  return page.evaluate<string[]>(`axe.run(${JSON.stringify({ exclude: without })}, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}

async function bringAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate<boolean>(`'axe' in window`))) await frame.evaluate(AXE);
}

function findBrowser(): string | undefined {
  const own = process.env['CHROMIUM_PATH'];
  if (own !== undefined && own !== '') {
    if (!existsSync(own)) throw new Error(`CHROMIUM_PATH: there is no ${own}`);
    return own;
  }
  return ['/usr/bin/chromium', '/usr/bin/google-chrome', chromium.executablePath()].find((path) => existsSync(path));
}

/** Playwright's own download, which needs no rights; then Debian's package, which brings the libraries that a bare machine lacks. */
async function installBrowser(): Promise<string> {
  process.stderr.write('There is no Chromium on this machine: installing one for the browser tests\n');
  const playwright = join(require.resolve('playwright-core/package.json'), '..', 'cli.js');
  const downloaded = chromium.executablePath();
  const failures = [
    await failureOf(async () => {
      await run(process.execPath, [playwright, 'install', '--no-shell', 'chromium'], { timeout: STEP_TIMEOUT_MS });
      await run(downloaded, ['--version'], { timeout: STEP_TIMEOUT_MS });
    }),
  ];
  if (failures[0] === undefined) return downloaded;
  if (isRoot() && existsSync('/usr/bin/apt-get')) {
    const install = (): Promise<unknown> => aptGet('install', '-y', '--no-install-recommends', 'chromium');
    const failure = (await failureOf(install)) && (await failureOf(() => aptGet('update').then(install)));
    if (failure === undefined) return '/usr/bin/chromium';
    failures.push(failure);
  }
  const reasons = failures.map((failure) => failure?.split('\n').findLast((line) => line.trim() !== '')).join('; ');
  throw new Error(`The browser tests need Chromium or Chrome: install one, or set CHROMIUM_PATH to one (${reasons})`);
}

const aptGet = (...words: readonly string[]): Promise<unknown> =>
  run('apt-get', words, { timeout: STEP_TIMEOUT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });

const failureOf = (work: () => Promise<unknown>): Promise<string | undefined> =>
  work().then(
    () => undefined,
    (error: unknown) => String((error as { stderr?: string }).stderr || error),
  );

/** Test files run side by side, and two installations at once break each other. The run's database holds the lock, also past a crash. */
async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: inject('testServer').adminUrl });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtextextended('caudal test browser', 0))`);
    return await work();
  } finally {
    await client.end();
  }
}

const isRoot = (): boolean => process.getuid?.() === 0;
