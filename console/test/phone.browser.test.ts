import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, useServedConsole } from './served-console.ts';

// What people with a phone stumbled over.

const TOUCHED = { viewport: PHONE, hasTouch: true };
/** A finger hits it: twice what WCAG 2.2 asks for is 48, and its least is 24. */
const LEAST_TARGET = 32;
const PAYER = 'maria.fernanda.rodriguez.castellanos@example.com';

const served = useServedConsole(async ({ orders }) => {
  await orders.create({ order: 'A-2000', email: PAYER, amount: '1250000.50' });
});

const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };

test('tabs, chips and the payer of what was found are not cut, and a finger hits them', async () => {
  const page = await served.signIn('owner', '/console/orders/panaderia/A-2000', TOUCHED);
  const tabs = page.getByRole('tab');
  await tabs.first().waitFor();
  for (const tab of await tabs.all()) {
    const { x, width } = await boxOf(tab);
    expect(x + width, await tab.innerText()).toBeLessThanOrEqual(PHONE.width);
  }
  await page.goto(`${served.origin}/console/orders?state=pending,approved&email=${PAYER}`);
  const filters = page.getByRole('group', { name: 'Filtros' }).getByRole('button');
  await filters.first().waitFor();
  for (const filter of await filters.all()) {
    const { width, height } = await boxOf(filter);
    expect(Math.min(width, height), await filter.innerText()).toBeGreaterThanOrEqual(LEAST_TARGET);
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('A-2000');
  const found = page.getByRole('option').getByText(PAYER);
  await found.waitFor();
  const { x, width } = await boxOf(found);
  const { x: left, width: room } = await boxOf(page.getByRole('option').first());
  expect([x >= left, x + width <= left + room]).toEqual([true, true]);
});

test('what is said for a moment is over the bar, and over no field', async () => {
  const page = await served.signIn('clerk', '/console/orders/panaderia/A-2000/edit', TOUCHED);
  await page.getByLabel('Descripción').fill('Pan de bono');
  await page.getByRole('button', { name: 'Guardar los cambios' }).click();
  const said = page.getByRole('status').getByText('Guardado');
  const { y, height } = await boxOf(said);
  expect([y >= 0, y + height <= 52]).toEqual([true, true]);
});
