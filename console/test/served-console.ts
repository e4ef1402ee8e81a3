import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { ROLES, type Role } from '../../server/src/manage/index.ts';
import { axeFindings, BROWSER_TIMEOUT_MS, closePages, sharedBrowser } from '../../server/src/testing/browser.ts';
import { orderCalls, type OrderCalls } from '../../server/src/testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../server/src/testing/test-caudal.ts';
import type { TestDatabase } from '../../server/src/testing/test-database.ts';
import { openSession } from '../../server/src/users/sessions.ts';
import { insertUser, updateUser } from '../../server/src/users/user-rows.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** For one step of a page: a click, a load, an element that is waited for. */
const STEP_MS = 10_000;

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** The page of a mail, or of a payer, runs no script inside the console. A check of accessibility tries to. */
const OF_FRAMES = /^Blocked script execution in .* the document's frame is sandboxed/;

type SignInOptions = BrowserContextOptions & {
  /** The merchant of a merchant's role: the shop where absent. */
  readonly merchantId?: string;
  readonly language?: 'es' | 'en' | 'pt';
};

/** A console that is served, and a browser to open it. */
export type ServedConsole = {
  readonly service: TestCaudal;
  readonly origin: string;
  readonly browser: Browser;
  /** A merchant with orders. */
  readonly shop: TestMerchant;
  /** The merchants' API, as the shop. */
  readonly orders: OrderCalls;
  /** Creates an order of the shop, which the network of the sandbox pays, and gives its reference. */
  payOrder(order: string, fields?: Readonly<Record<string, unknown>>): Promise<string>;
  /** What no page may do: fail in its script, break its policy, ask for what is refused. A test that expects some takes them out. */
  readonly faults: string[];
  /** Opens a page as a new user of a role. */
  signIn(role: Role, path?: string, options?: SignInOptions): Promise<Page>;
  close(): Promise<void>;
};

const payOrder =
  ({ app }: TestCaudal, { create }: OrderCalls): ServedConsole['payOrder'] =>
  async (order, fields) => {
    const { data } = await create({ order, email: 'ana@example.com', amount: '32000.00', ...fields });
    const reference = String(data['Referencia']);
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference }) });
    expect(statusCode, body).toBe(200);
    return reference;
  };

/** Builds and serves the console with a merchant that has orders in some states, at home. One for each file of tests. */
export async function serveConsoleForTest({ cells }: { readonly cells?: readonly TestDatabase[] } = {}): Promise<ServedConsole> {
  const failure = buildConsole(ROOT, process.execPath);
  if (failure !== undefined) throw new Error(`the console is not built: ${failure}`);
  const browser = await sharedBrowser();
  const service = await startTestCaudal({
    consoleFolder: join(ROOT, 'console', 'dist'),
    config: { databaseConnections: 4 },
    ...(cells && { cells }),
  });
  const shop = await service.merchant({ merchantId: 'panaderia', name: 'Panadería La Espiga' });
  const orders = orderCalls(service, shop);
  for (const order of ['A-1001', 'A-1002', 'A-1003']) await orders.create({ order, email: 'ana@example.com', amount: '32000.00' });
  await service.app.listen({ port: 0, host: 'localhost' });
  const origin = `http://localhost:${(service.app.server.address() as AddressInfo).port}`;
  const faults: string[] = [];
  let users = 0;

  const sessionOf = async (role: Role, merchantId: string): Promise<string> => {
    const now = service.clock.now();
    const email = `${role}-${++users}@example.com`;
    const bound = ROLES[role].side === 'merchant' ? merchantId : null;
    return service.db.transaction(async (tx) => {
      const user = await insertUser(tx, { email, name: `${role} ${users}`, role, merchantId: bound, language: 'es' }, email, now);
      if (user === undefined) throw new Error('the user exists');
      await updateUser(tx, { ...user, state: 'active' }, now);
      return openSession(tx, user.userId, { address: '127.0.0.1', browser: 'test' }, now).text;
    });
  };

  const signIn: ServedConsole['signIn'] = async (role, path = '/console', options = {}) => {
    const { merchantId = shop.merchantId, language = 'es', ...rest } = options;
    const context = await browser.newContext({ viewport: DESKTOP, locale: language, ...rest });
    await context.addCookies([
      {
        name: '__Host-caudal',
        value: await sessionOf(role, merchantId),
        url: origin.replace('http:', 'https:'),
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
      },
    ]);
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS);
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && !OF_FRAMES.test(message.text()) && faults.push(message.text()));
    page.on('requestfailed', (request) => request.failure()?.errorText !== 'net::ERR_ABORTED' && faults.push(`${request.url()} failed`));
    await page.goto(origin + path);
    return page;
  };

  return {
    service,
    origin,
    browser,
    shop,
    orders,
    payOrder: payOrder(service, orders),
    faults,
    signIn,
    close: async () => {
      await closePages(browser);
      await service.close();
    },
  };
}

/**
 * Serves the console to the tests of a file. `prepare` makes what they look at.
 * After each test its pages are closed, and no page did what no page may do.
 */
export function useServedConsole(prepare: (served: ServedConsole) => Promise<void> = async () => {}): ServedConsole {
  const served = {} as ServedConsole;
  beforeAll(async () => {
    Object.assign(served, await serveConsoleForTest());
    await prepare(served);
    return () => served.close();
  }, BROWSER_TIMEOUT_MS);
  afterEach(async () => {
    await closePages(served.browser);
    expect(served.faults.splice(0)).toEqual([]);
  });
  return served;
}

/** A page is no wider than the screen. */
export async function expectNoOverflow(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

/** A page breaks no rule of axe, and is no wider than the screen. A payer's page inside it has tests of its own. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page, ['iframe'])).toEqual([]);
  await expectNoOverflow(page);
}
