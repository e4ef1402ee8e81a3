import { AxeBuilder } from '@axe-core/playwright';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER_TIMEOUT_MS } from '../../server/src/testing/browser.ts';
import { DESKTOP, PHONE, serveConsoleForTest, type ServedConsole } from './served-console.ts';

let served: ServedConsole;

beforeAll(async () => {
  served = await serveConsoleForTest();
  return () => served.close();
}, BROWSER_TIMEOUT_MS);
afterEach(async () => {
  await Promise.all(served.browser.contexts().map((context) => context.close()));
  expect(served.faults.splice(0)).toEqual([]);
});

describe('the console', () => {
  test('leads who is not signed in to the page of signing in, and back', async () => {
    const context = await served.browser.newContext({ locale: 'es' });
    const page = await context.newPage();
    await page.goto(`${served.origin}/console/orders?state=pending`);
    await page.waitForURL(/sign-in\?next=%2Fconsole%2Forders%3Fstate%3Dpending/);
    expect((await context.cookies()).map(({ name, value }) => [name, decodeURIComponent(value)])).toEqual([
      ['__Host-caudal-next', '/console/orders?state=pending'],
    ]);
  });

  test.each([
    [DESKTOP, 'light'],
    [PHONE, 'dark'],
  ] as const)('shows orders by the filter of its address, at %o in %s', async (viewport, colorScheme) => {
    const page = await served.signIn('owner', '/console/orders?state=pending&reference=0000', { viewport, colorScheme });
    await page.getByText('No hay nada que mostrar').waitFor();
    await page.getByRole('button', { name: 'Quitar: Referencia' }).click();
    await page.getByText('A-1002').waitFor();
    expect(new URL(page.url()).search).toBe('?state=pending');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
