import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BROWSER_TIMEOUT_MS } from '../../server/src/testing/browser.ts';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { answering, startNoticeReceiver } from '../../server/src/testing/notice-receiver.ts';
import { DESKTOP, PHONE, serveConsoleForTest, type ServedConsole } from './served-console.ts';

// Takes the pictures of docs/console.md and README.md again: CAUDAL_PICTURES=yes npm test -- console/test/pictures

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'pictures');

const DAYS = 29;

/** A month of orders, of which most are paid some hours later. */
async function fillMonth({ service, shop, orders }: ServedConsole, noticeUrl: string): Promise<void> {
  const staff = await manageCalls(service, { name: 'pictures' });
  await staff.send('PUT', `/merchants/${shop.merchantId}/notice-url`, { noticeUrl });
  let number = 1900;
  for (let day = 0; day < DAYS; day++) {
    const open: string[] = [];
    for (let one = 0; one < 2 + ((day * 5) % 7); one++) {
      const { data } = await orders.create({
        order: `P-${number++}`,
        email: 'cliente@example.com',
        amount: `${18 + ((number * 7) % 60)}500.00`,
      });
      open.push(String(data['Referencia']));
    }
    service.clock.advance({ hours: 5 });
    for (const [place, reference] of open.entries())
      if ((place + day) % 4 !== 0)
        await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference }) });
    service.clock.advance({ hours: 19 });
    await service.runJobs();
  }
}

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

test.runIf(process.env['CAUDAL_PICTURES'] === 'yes')(
  'the pictures of docs/console.md and README.md',
  { timeout: BROWSER_TIMEOUT_MS },
  async () => {
    mkdirSync(FOLDER, { recursive: true });
    const served = await serveConsoleForTest();
    const receiver = await startNoticeReceiver();
    receiver.answer(answering(200, 'noted'));
    await fillMonth(served, receiver.url);
    await fillShop(served);
    const desktop = { viewport: { width: 1200, height: 720 }, language: 'en' } as const;
    const home = await served.signIn('owner', '/console', { ...desktop, viewport: { width: 1200, height: 800 } });
    await home.locator('canvas').waitFor();
    await take(home, 'console-home');
    const list = await served.signIn('owner', '/console/orders', desktop);
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
    await receiver.close();
  },
);
