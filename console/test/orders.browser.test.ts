import { expect, test } from 'vitest';
import { drawn } from '../../server/src/testing/lanes.ts';
import { pressOn, tabTo, typeAtOnce, writeInto } from './keyboard.ts';
import { DESKTOP, expectAccessible, PHONE, useServedConsole } from './served-console.ts';

const SCREENS = drawn([DESKTOP, PHONE]);

const served = useServedConsole();

test.each([
  [DESKTOP, 'A-1001'],
  [PHONE, 'A-1002'],
])(
  'by keyboard alone at %o, an order is found by the last digits of its reference and changed while another user does',
  async (viewport, order) => {
    const { data } = await served.orders.query(order);
    const page = await served.signIn('clerk', '/console/orders', { viewport });
    await page.getByText(order).waitFor();
    await page.keyboard.press('Control+k');
    await typeAtOnce(page, page.getByRole('combobox'), String(data['REFERENCE']).slice(-6));
    await page.getByRole('option', { name: order }).waitFor();
    await page.keyboard.press('Enter');
    await pressOn(page, page.getByRole('link', { name: 'Cambiar' }));

    await writeInto(page, page.getByLabel('Monto'), '41000');
    await writeInto(page, page.getByLabel('Nombre del pagador'), 'Ana');
    await page.getByText('$ 32.000').waitFor();
    await served.orders.update({ order, amount: '35000', email: 'ana.maria@example.com' });
    await pressOn(page, page.getByRole('button', { name: 'Guardar los cambios' }));
    await page.getByText('Elija qué queda en cada campo').waitFor();
    served.faults.splice(0, served.faults.length, ...served.faults.filter((fault) => !fault.includes('412')));
    await expectAccessible(page);

    // Without a choice nothing goes on. Both values are there to choose from, and the one that only they changed is kept.
    await pressOn(page, page.getByRole('button', { name: 'Seguir con esto' }));
    await page.getByText('Elija uno en cada campo').waitFor();
    await tabTo(page, page.getByRole('radio').first());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'Usted' }).isChecked()).toBe(true);
    await pressOn(page, page.getByRole('button', { name: 'Seguir con esto' }));
    await page.locator('del').getByText('$ 35.000').waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Guardar los cambios' }));
    await page.getByRole('heading', { name: order }).waitFor();
    await page.getByText('Guardado').waitFor();
    const { data: after } = await served.orders.query(order);
    expect(after).toMatchObject({ AMOUNT: '41000.00', EMAIL: 'ana.maria@example.com' });
  },
);

test('the page of an order shows every part of it, and the page that the payer saw', async () => {
  const page = await served.signIn('owner', '/console/orders/panaderia/A-1001', { viewport: PHONE });
  await page.getByText('Aún no tiene pagos').waitFor();
  await page.getByRole('tab', { name: /Historia/ }).click();
  await page.getByText('ana.maria@example.com').last().waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Página del pagador' }).click();
  await page.frameLocator('iframe').getByText('$ 41.000').first().waitFor();
  await tabTo(page, page.getByRole('slider'));
  await page.keyboard.press('Home');
  await page.frameLocator('iframe').getByText('$ 32.000').first().waitFor();
  expect(new URL(page.url()).search).toBe('?tab=page&version=1');
  await expectAccessible(page);
  await page.getByRole('tab', { name: /Avisos/ }).click();
  await page.getByText('Datos para pagar').waitFor();
});

/** For each part of a line: whether it is behind the part before. Of numbers and amounts, each character too. */
const IN_ORDER = `((parts) => parts.map((part, place) => {
  const { left } = part.getBoundingClientRect();
  const lefts = [left - 1];
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  while (part.matches('ins, bdi + bdi, .amount') && texts.nextNode())
    for (let at = 0; at < texts.currentNode.length; at++) {
      const range = document.createRange();
      range.setStart(texts.currentNode, at);
      range.setEnd(texts.currentNode, at + 1);
      lefts.push(range.getBoundingClientRect().left);
    }
  const follows = place === 0 || left >= parts[place - 1].getBoundingClientRect().right;
  return follows && lefts.every((one, at) => at === 0 || one > lefts[at - 1]);
}))`;

test.each(['\u202e', '\u2069\u202e', '\u05d0'])('a text that begins with %j turns nothing that is beside it', async (mark) => {
  const order = `T-${mark.length}${mark.charCodeAt(0)}`;
  const email = `${mark}moc@example.com`;
  await served.orders.create({ order, email, description: `${mark}64`, user_di: '10203040', user_type_di: `${mark}CC` });
  await served.orders.update({ order, email, description: '12 Tortas' });
  const page = await served.signIn('owner', `/console/orders/panaderia/${order}`);
  const inOrder = async (line: string, text: string): Promise<unknown> => {
    await page.locator(line, { hasText: text }).waitFor();
    const found = `[...document.querySelectorAll('${line}')].find(({ textContent }) => textContent.includes('${text}'))`;
    return page.evaluate(`${IN_ORDER}([...${found}.children])`);
  };
  expect(await inOrder('dd:has(bdi)', '10203040'), 'kind and document').toEqual([true, true]);
  await page.getByRole('tab', { name: /Historia/ }).click();
  expect(await inOrder('dd:has(del)', 'Tortas'), 'before and after').toEqual([true, true]);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(order);
  expect(await inOrder('[role=option]', order), 'order, payer, amount, state').toEqual([true, true, true, true]);
});

test.each(SCREENS)('the link of a pending order is copied at the top of its page, at %o', async (viewport) => {
  const page = await served.signIn('clerk', '/console/orders/panaderia/A-1001', { viewport });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await pressOn(page, page.getByRole('button', { name: 'Copiar enlace de pago' }));
  await page.getByText('Copiado').waitFor({ state: 'attached' });
  const link = await page.evaluate('navigator.clipboard.readText()');
  const shown = await page.getByRole('link', { name: new URL(link as string).host, exact: true }).getAttribute('href');
  expect([link, new URL(link as string).pathname]).toEqual([shown, '/checkout']);
  await expectAccessible(page);
  // A browser without a clipboard: the page says so.
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
  await pressOn(page, page.getByRole('button', { name: 'Copiar enlace de pago' }));
  await page.getByText('El navegador no deja copiar').waitFor();
  await expectAccessible(page);
});

test('an order is created by the rules of the service, and orders are cancelled together', async () => {
  const page = await served.signIn('clerk', '/console/orders', { viewport: PHONE });
  await pressOn(page, page.getByRole('link', { name: 'Crear orden' }));
  await pressOn(page, page.getByRole('button', { name: 'Crear orden' }));
  await page.getByText('Revise los campos marcados').waitFor();
  await writeInto(page, page.getByLabel('Número de la orden', { exact: true }), 'C-1');
  await writeInto(page, page.getByLabel('Monto'), '9500');
  await tabTo(page, page.getByLabel('Moneda'));
  await page.keyboard.type('COP');
  await writeInto(page, page.getByLabel('Correo del pagador'), 'eva@example.com');
  await pressOn(page, page.getByRole('button', { name: 'Crear orden' }));
  await page.getByRole('heading', { name: 'C-1' }).waitFor();

  await page.goto(`${served.origin}/console/orders`);
  for (const order of ['C-1', 'A-1003']) await pressOn(page, page.getByRole('checkbox', { name: `panaderia/${order}` }), 'Space');
  await pressOn(page, page.getByRole('button', { name: 'Cancelar' }));
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).last());
  await page.getByText('2 hechas').waitFor();
  expect((await served.orders.query('C-1')).data).toMatchObject({ STATE: 'CANCELADA' });
});

test.each(
  drawn([
    ['clerk', 'El operador del servicio lo aprueba', 'Registrar un retiro'],
    ['viewer', 'Lo pide un administrador o un cajero del comercio', 'Puede hacerlo un administrador o un cajero'],
    ['operations', 'Registre el pago cuando el pagador tenga su dinero', 'Registrar un retiro'],
    ['support', 'Lo hace un propietario del servicio', 'Puede hacerlo un administrador o un cajero'],
  ]),
)('a %s who searches a refund learns what can be done, and who does it', async (role, refund, cashout) => {
  const order = `F-${role}`;
  await served.payOrder(order);
  const page = await served.signIn(role, '/console/account', { viewport: PHONE });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await typeAtOnce(page, page.getByRole('combobox'), 'reembol');
  // The list of all refunds comes first.
  await page.getByRole('option', { name: 'Reembolsar un pago' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await pressOn(page, page.getByRole('link', { name: order, exact: true }));
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Cómo se devuelve el dinero' }) });
  await section.getByText(refund).waitFor();
  await section.getByText('en sus primeros 50 segundos: pídalo ya').waitFor();
  await section.getByText(cashout).waitFor();
  await expectAccessible(page);
  served.service.clock.advance({ seconds: 51 });
  await page.reload();
  await section.getByText('Ese plazo ya terminó').waitFor();
});

test.each([
  ['en', 'give money', 'How money goes back'],
  ['pt', 'estorno', 'Como devolver o dinheiro'],
] as const)('a refund is found by its word in %s, and an order that nobody paid says nothing of it', async (language, word, title) => {
  const page = await served.signIn('clerk', '/console/orders/panaderia/A-1001', { language });
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByRole('heading', { name: title, exact: true }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await typeAtOnce(page, page.getByRole('combobox'), word);
  await page.keyboard.press('Enter');
  await page.waitForURL(/state=approved/);
});

test('the receipt of a payment is printed on one sheet, without the frame of the console', async () => {
  const reference = await served.payOrder('R-1', { description: 'Torta ñ' });
  const page = await served.signIn('owner', '/console/orders/panaderia/R-1');
  await page.getByRole('link', { name: 'Comprobante' }).waitFor();
  for (const width of [768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = `Array.from(document.querySelectorAll('main table'), ({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth - clientWidth)`;
    expect(await page.evaluate(cut), `no act is out of sight at ${width} px`).toEqual([0, 0]);
  }
  await page.getByRole('link', { name: 'Comprobante' }).click();
  await page.getByRole('heading', { name: 'Comprobante de pago R-1' }).waitFor();
  for (const text of ['$ 32.000 COP', 'Torta ñ', reference]) await page.getByText(text).first().waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });
  for (const role of ['navigation', 'button'] as const) expect(await page.getByRole(role).count(), role).toBe(0);
  const sheet = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(sheet.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});
