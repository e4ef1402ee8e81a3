import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BROWSER_TIMEOUT_MS } from '../../server/src/testing/browser.ts';
import { DESKTOP, PHONE, serveConsoleForTest, type ServedConsole } from './served-console.ts';

// Takes the pictures of docs/console.md again: CAUDAL_PICTURES=yes npm test -- console/test/pictures

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'pictures');

/** A shop as it may be on some day. */
async function fillShop({ service, shop, orders }: ServedConsole): Promise<void> {
  const payers = ['ana', 'beto', 'carla', 'diego', 'elena', 'fabio', 'gloria', 'hugo'];
  for (const [place, payer] of payers.entries()) {
    service.clock.advance({ minutes: 17 });
    const { data } = await orders.create({
      order: `P-${2040 + place}`,
      email: `${payer}@example.com`,
      amount: `${(place + 2) * 13_500}.00`,
    });
    const payload = JSON.stringify({ reference: data['Referencia'] });
    if (place % 3 !== 0) await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload });
  }
  await service.runJobs();
  expect(shop.merchantId).toBe('panaderia');
}

const take = async (page: Page, name: string): Promise<void> => {
  await page.locator('main:not(:has([aria-busy=true]:not([data-example] *))) h1').waitFor();
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
};

test.runIf(process.env['CAUDAL_PICTURES'] === 'yes')('the pictures of docs/console.md', { timeout: BROWSER_TIMEOUT_MS }, async () => {
  mkdirSync(FOLDER, { recursive: true });
  const served = await serveConsoleForTest();
  await fillShop(served);
  const desktop = { viewport: { width: 1200, height: 720 }, language: 'en' } as const;
  const list = await served.signIn('owner', '/console/orders?state=approved,pending', desktop);
  await take(list, 'console-orders');
  await list.keyboard.press('Control+k');
  await list.getByRole('combobox').waitFor();
  await list.keyboard.type('carla@example.com');
  await list.getByRole('option', { name: /carla/ }).waitFor();
  await take(list, 'console-palette');
  await take(await served.signIn('clerk', '/console/orders', { viewport: PHONE, colorScheme: 'dark', language: 'es' }), 'console-phone');
  await take(await served.signIn('owner', '/console/orders/panaderia/P-2042', desktop), 'console-order');
  await take(await served.signIn('owner', '/console/design', { ...desktop, viewport: DESKTOP }), 'console-components');
  await served.close();
});
