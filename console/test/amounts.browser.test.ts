import { expect, test } from 'vitest';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { drawn } from '../../server/src/testing/lanes.ts';
import { DESKTOP, expectAccessible, expectNoOverflow, PHONE, useServedConsole } from './served-console.ts';

// Amounts as people of each language write them: docs/decisions/0059.

const served = useServedConsole();

test.each(
  drawn([
    ['es', PHONE, '50.000', '50,000', /Escriba 50,00 o 50\.000,00/, '= 50.000,00 pesos colombianos'],
    ['pt', DESKTOP, '$ 50.000,00', '50.00', /Escreva 50,00/, '= 50.000,00 pesos colombianos'],
    ['en', DESKTOP, '$50,000', '50.000', /Write 50\.00 or 50,000\.00/, '= 50,000.00 Colombian pesos'],
  ]),
)('in %s an order of fifty thousand is created, and nothing is guessed', async (language, viewport, text, unclear, instead, echo) => {
  const names = {
    es: { order: 'Número de la orden', amount: 'Monto', currency: 'Moneda', email: 'Correo del pagador', create: 'Crear orden' },
    pt: { order: 'Pedido', amount: 'Valor', currency: 'Moeda', email: 'E-mail do pagador', create: 'Criar pedido' },
    en: { order: 'Order', amount: 'Amount', currency: 'Currency', email: 'Payer’s e-mail', create: 'Create order' },
  }[language];
  const page = await served.signIn('clerk', '/console/orders/new', { language, viewport });
  await page.getByRole('combobox', { name: names.currency }).selectOption('COP');
  await page.getByLabel(names.order, { exact: true }).fill(`M-${language}`);
  await page.getByLabel(names.email).fill('ana@example.com');
  const amount = page.getByLabel(names.amount, { exact: true });
  await amount.fill(unclear);
  await page.getByText(instead).waitFor();
  await page.getByRole('button', { name: names.create }).click();
  expect(await amount.getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await amount.fill(text);
  await page.getByText(echo).waitFor();
  await page.getByRole('button', { name: names.create }).click();
  await page.getByRole('heading', { name: `M-${language}` }).waitFor();
  expect((await served.orders.query(`M-${language}`)).data).toMatchObject({ AMOUNT: '50000.00' });
});

test('a change of more than ten times asks first, and nothing is saved before', async () => {
  await served.orders.create({ order: 'M-1', amount: '52000' });
  const page = await served.signIn('clerk', '/console/orders/panaderia/M-1/edit');
  const amount = page.getByLabel('Monto', { exact: true });
  expect(await amount.inputValue()).toBe('52.000,00');
  await amount.fill('520,00');
  const ask = page.getByRole('checkbox', { name: /Cambia más de diez veces: de 52\.000,00 pesos colombianos a 520,00 pesos colombianos/ });
  await ask.waitFor();
  const save = page.getByRole('button', { name: 'Guardar los cambios' });
  await save.click();
  await page.getByText('Confirme este cambio').waitFor();
  expect((await served.orders.query('M-1')).data).toMatchObject({ AMOUNT: '52000.00' });
  await expectAccessible(page);
  await ask.check();
  await save.click();
  await page.getByText('Guardado').waitFor();
  expect((await served.orders.query('M-1')).data).toMatchObject({ AMOUNT: '520.00' });
});

test.each([
  ['es', 'Espera antes de volver al comercio', '2,5', '= 2,5 segundos', 'Guardar los cambios'],
  ['en', 'Wait before returning to the merchant', '2.5', '= 2.5 seconds', 'Save the changes'],
  ['pt', 'Espera antes de voltar ao estabelecimento', '2,5', '= 2,5 segundos', 'Salvar as alterações'],
] as const)('in %s a wait is asked for in seconds', async (language, label, typed, echo, save) => {
  const order = `T-${language}`;
  await served.orders.create({ order, amount: '52000' });
  const page = await served.signIn('clerk', `/console/orders/panaderia/${order}/edit`, { language });
  await page.getByLabel(label).fill(typed);
  await page.getByText(echo).waitFor();
  await page.getByRole('button', { name: save }).click();
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/edit'));
  await page.getByText(echo.slice(2)).first().waitFor();
  expect((await served.orders.query(order)).data).toMatchObject({ AMOUNT: '52000.00' });
  const staff = await manageCalls(served.service, { name: `reader-${language}` });
  expect((await staff.get(`/orders/panaderia/${order}`)).body).toMatchObject({ redirectTimeoutMs: 2_500 });
});

test('lists are filtered by amounts as they are written, and the address has plain decimals', async () => {
  await served.orders.create({ order: 'M-2', amount: '99000' });
  const page = await served.signIn('clerk', '/console/orders');
  await page.getByRole('button', { name: 'Filtrar' }).click();
  await page.getByRole('menuitem', { name: 'Monto desde' }).click();
  await page.getByLabel('Monto desde').last().fill('90.000');
  await page.getByRole('button', { name: 'Aplicar' }).click();
  await page.waitForURL(({ searchParams }) => searchParams.get('amountFrom') === '90000' && searchParams.get('currency') === 'COP');
  await page.getByRole('link', { name: 'M-2' }).waitFor();
  // The rows of before stay until the new ones are there.
  await page.getByRole('link', { name: 'M-1', exact: true }).waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /Monto desde.*90\.000/ })
    .first()
    .waitFor();
});

test.each([
  ['es', '99.001', /Órdenes de \$ 99\.001 COP/],
  ['en', '99,001.00', /Orders of \$99,001 COP/],
] as const)('an amount that somebody reads out finds its orders, in %s', async (language, typed, choice) => {
  const order = `R-${language}`;
  await served.orders.create({ order, amount: '99001' });
  const page = await served.signIn('clerk', '/console', { language });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(typed);
  await page.getByRole('option', { name: choice }).click();
  await page.getByRole('link', { name: order, exact: true }).waitFor();
});

test('a list whose filter is wrong says what is missing', async () => {
  const page = await served.signIn('clerk', '/console/orders?amountFrom=5');
  await page.getByText('Diga también la moneda').waitFor();
  expect(served.faults.splice(0)).toEqual(Array(2).fill(expect.stringContaining('422')));
});

type Balance = { readonly account: string; readonly balance: { readonly amount: string; readonly currency: string } };

test('a top-up of 500.000 is five hundred thousand', async () => {
  const staff = await manageCalls(served.service, { name: 'console' });
  const merchant = served.shop.merchantId;
  const available = async (): Promise<string> => {
    const { balances } = (await staff.get(`/ledger/balances?merchant=${merchant}`)).body as unknown as { balances: Balance[] };
    return balances.find(({ account, balance }) => account === 'available' && balance.currency === 'COP')?.balance.amount ?? '0.00';
  };
  const before = Number(await available());
  const page = await served.signIn('owner', `/console/ledger/${merchant}`);
  await page.getByRole('button', { name: 'Abonar' }).click();
  await page.getByLabel('Monto').fill('500.000');
  await page.getByText('= 500.000,00 pesos colombianos').waitFor();
  await page.getByLabel('Referencia').fill('BANCO-77');
  await page.getByRole('dialog').getByRole('button', { name: 'Abonar' }).click();
  await expect.poll(available).toBe((before + 500_000).toFixed(2));
});
