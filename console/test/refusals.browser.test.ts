import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { EDIT } from '../src/areas/orders/edit-words.ts';
import { ORDERS } from '../src/areas/orders/words.ts';
import { SANDBOX } from '../src/areas/sandbox/words.ts';
import { USERS } from '../src/areas/users/words.ts';
import { drawn } from '../../server/src/testing/lanes.ts';
import { DESKTOP, expectAccessible, expectNoOverflow, PHONE, useServedConsole } from './served-console.ts';

// What the service refuses is said in the language of the reader, as a whole and beside its field.

const served = useServedConsole();

/** The browser writes each refusal into its log. It has written all once the page is closed. */
async function forgetLog(page: Page): Promise<void> {
  await page.close();
  served.faults.splice(0);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const alertOf = (page: Page) => page.getByRole('alert');

test.each(
  drawn([
    ['es', PHONE, 'Escriba un monto mayor que cero, sin más decimales que los de la moneda', 'Ya existe una orden con ese número'],
    ['pt', DESKTOP, 'Escreva um valor maior que zero, sem mais decimais que os da moeda', 'Já existe um pedido com esse número'],
  ]),
)('an order, by its field and as a whole: %s', async (language, viewport, ofAmount, ofNumber) => {
  const { terms } = ORDERS[language];
  const page = await served.signIn('clerk', '/console/orders/new', { language, viewport });
  await page.getByLabel(terms.order).fill('A-1001');
  await page.getByLabel(terms.email).fill('ana@example.com');
  await page.getByLabel(terms.amount).fill('0');
  // It is a text until the merchant's currencies have come.
  await page.getByRole('combobox', { name: terms.currency }).selectOption('COP');
  await press(page, EDIT[language].create);
  await alertOf(page).getByText(ofAmount).waitFor();
  expect(await page.getByLabel(terms.amount).getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByText(ofAmount).count()).toBe(2);
  expect(await alertOf(page).innerText()).not.toContain('amount');
  await expectAccessible(page);
  await page.getByLabel(terms.amount).fill('32000');
  await press(page, EDIT[language].create);
  await alertOf(page).getByText(ofNumber).waitFor();
  await expectNoOverflow(page);
  await forgetLog(page);
});

test.each(
  drawn([
    ['es', DESKTOP, 'El servicio rechazó a la red de prueba: el documento o la clave no son correctos'],
    ['pt', PHONE, 'O serviço recusou a rede de teste: o documento ou a senha estão incorretos'],
  ]),
)('a simulated network, with its reason: %s', async (language, viewport, words) => {
  const page = await served.signIn('owner', '/console/sandbox', { language, viewport });
  await page.getByLabel(SANDBOX[language].document).fill('1020304050');
  await page.getByLabel(SANDBOX[language].password).fill('000000');
  await press(page, SANDBOX[language].collectButton);
  await alertOf(page).getByText(words).waitFor();
  await expectNoOverflow(page);
  await forgetLog(page);
});

test.each(
  drawn([
    ['es', PHONE, 'Ya existe un usuario con ese correo'],
    ['pt', DESKTOP, 'Já existe um usuário com esse e-mail'],
  ]),
)('an invitation, in its box: %s', async (language, viewport, words) => {
  const page = await served.signIn('administrator', '/console/users', { language, viewport });
  const email = (
    await page
      .getByText(/administrator-\d+@example\.com/)
      .first()
      .innerText()
  ).trim();
  await press(page, USERS[language].invite);
  const box = page.getByRole('dialog');
  await box.getByLabel(USERS[language].email, { exact: true }).fill(email);
  await box.getByLabel(USERS[language].name, { exact: true }).fill('Ana');
  await box.getByRole('button', { name: USERS[language].invite, exact: true }).click();
  await alertOf(page).getByText(words).waitFor();
  await expectNoOverflow(page);
  await forgetLog(page);
});

test('where the words do not come, the text of the service is shown', async () => {
  const page = await served.signIn('owner', '/console/sandbox');
  await page.route(/rare-words/, (route) => route.abort());
  await page.getByLabel(SANDBOX.es.document).fill('1020304050');
  await page.getByLabel(SANDBOX.es.password).fill('000000');
  await press(page, SANDBOX.es.collectButton);
  await alertOf(page).getByText('The simulated network was refused: password_wrong').waitFor();
  await forgetLog(page);
});
