import type { Dialog, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { drawn } from '../../server/src/testing/lanes.ts';
import { DESKTOP, PHONE, useServedConsole } from './served-console.ts';

// What somebody typed and has not saved is never lost without a question.

const served = useServedConsole();

/** Answers what the browser asks, and says what it asked. */
function answering(page: Page): { stays: boolean; readonly asked: string[] } {
  const answers = { stays: true, asked: [] as string[] };
  page.on('dialog', (dialog: Dialog) => {
    answers.asked.push(dialog.type());
    // A page that is closed meanwhile asks nothing any more.
    (answers.stays ? dialog.dismiss() : dialog.accept()).catch(() => undefined);
  });
  return answers;
}

/** Opens a page, one step after another one: the way back leads there. */
async function openAfter(role: 'owner' | 'administrator', address: string, viewport = DESKTOP): Promise<Page> {
  const page = await served.signIn(role, '/console/exports', { viewport });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(
    `history.pushState({ place: 'test' }, '', '/console${address}'); dispatchEvent(new PopStateEvent('popstate', { state: history.state }))`,
  );
  return page;
}

/** Changes the first field of a form, whatever it is. Returns what takes the change back. */
async function edit(form: Locator): Promise<() => Promise<void>> {
  const field = form.locator('input:not([type=hidden]), select, textarea').first();
  await field.waitFor();
  const kind = await field.evaluate((element: { readonly tagName: string; readonly type: string }) => `${element.tagName} ${element.type}`);
  if (kind === 'INPUT checkbox') {
    await field.click();
    return () => field.click();
  }
  if (kind.startsWith('SELECT')) {
    const before = await field.inputValue();
    const values = await field
      .locator('option')
      .evaluateAll((all) => all.map((one) => (one as unknown as { readonly value: string }).value));
    await field.selectOption(values.find((one) => one !== before) ?? '');
    // A browser asks only where the user did something on the page.
    await field.press('Tab');
    return async () => void (await field.selectOption(before));
  }
  const before = await field.inputValue();
  const isTime = kind === 'INPUT datetime-local' || kind === 'INPUT date';
  if (isTime) {
    await field.fill(kind.endsWith('local') ? '2026-11-20T10:00' : '2027-01-20');
    await field.press('Tab');
  } else await field.pressSequentially('7');
  return () => field.fill(before);
}

const FORMS: readonly (readonly [address: string, open: string | undefined])[] = [
  ['/orders/new', undefined],
  ['/orders/panaderia/A-1001/edit', undefined],
  ['/merchants/new', undefined],
  ['/networks/new', undefined],
  ['/people', undefined],
  ['/sandbox', undefined],
  ['/cashouts', 'Registrar retiro'],
  ['/notices', 'Reenviar desde…'],
  ['/merchants/panaderia', 'Cambiar'],
  ['/ledger/panaderia', 'Abonar'],
  ['/users', 'Invitar'],
  ['/tokens', 'Crear token'],
  ['/account', 'Cambiar'],
  ['/orders', 'Exportar'],
];

test.each(drawn(FORMS, 4))(
  'what is typed at %s (%s) is lost by no reload, no way back and no closed box without a question',
  async (address, open) => {
    const page = await openAfter('owner', address);
    const answers = answering(page);
    if (open !== undefined) await page.getByRole('main').getByRole('button', { name: open }).first().click();
    const form = open === undefined ? page.getByRole('main').locator('form').first() : page.getByRole('dialog').locator('form');
    // Nothing differs yet, so nothing asks.
    await form.waitFor();
    const restore = await edit(form);
    const here = page.url();
    const stays = async (what: string, kind: string): Promise<void> => {
      await expect.poll(() => answers.asked.splice(0), { message: what }).toEqual([kind]);
      await expect.poll(() => page.url(), { message: what }).toBe(here);
      expect(await form.isVisible(), what).toBe(true);
    };
    await page.evaluate('void setTimeout(() => location.reload())');
    await stays('a reload', 'beforeunload');
    await page.evaluate('history.back()');
    await stays('the way back', 'confirm');
    if (open === undefined) {
      await page.getByRole('navigation').getByRole('link', { name: 'Retiros' }).click();
      await stays('the menu', 'confirm');
      await page.getByRole('button', { name: /^owner/ }).click();
      await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
      await stays('signing out', 'confirm');
    } else {
      await page.keyboard.press('Escape');
      await stays('Escape', 'confirm');
      await page.getByRole('dialog').getByRole('button', { name: 'Cerrar', exact: true }).click();
      await stays('the cross of the box', 'confirm');
      await page.getByRole('dialog').getByRole('button', { name: 'Volver', exact: true }).click();
      await stays('the button that gives up', 'confirm');
    }
    // What is as it was needs no question, and what was given up neither.
    await restore();
    answers.stays = false;
    await page.evaluate('history.back()');
    await form.waitFor({ state: 'hidden' });
    expect(page.url()).not.toBe(here);
    expect(answers.asked).toEqual([]);
  },
);

test('who leaves anyway leaves, and a form that was saved asks nothing', async () => {
  const page = await openAfter('administrator', '/orders/panaderia/A-1002/edit', PHONE);
  const answers = answering(page);
  answers.stays = false;
  await page.getByLabel('Nombre del pagador').fill('Ana');
  await page.evaluate('history.back()');
  await page.getByRole('heading', { name: 'Mis archivos', level: 1 }).waitFor();
  expect(answers.asked.splice(0)).toEqual(['confirm']);
  await page.evaluate('history.forward()');
  expect(await page.getByLabel('Nombre del pagador').inputValue()).toBe('');
  await page.getByLabel('Nombre del pagador').fill('Ana');
  await page.getByRole('button', { name: 'Guardar los cambios' }).click();
  await page.waitForURL('**/orders/panaderia/A-1002');
  await page.getByRole('heading', { name: 'A-1002' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'A-1002' }).waitFor();
  expect(answers.asked).toEqual([]);
});
