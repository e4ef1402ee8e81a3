import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { drawn } from '../../server/src/testing/lanes.ts';
import { pressOn, tabTo, writeInto } from './keyboard.ts';
import { DESKTOP, expectAccessible, PHONE, useServedConsole } from './served-console.ts';

const SCREENS = drawn([DESKTOP, PHONE]);

const served = useServedConsole();

/** An order that was paid, so long ago that its network no longer takes the payment back, and the address of its page. */
async function paidOrder(order: string): Promise<string> {
  await served.payOrder(order);
  served.service.clock.advance({ seconds: 51 });
  return `/console/orders/panaderia/${order}`;
}

/** A refund that the merchant has asked for, and what the operator did about it. */
async function refundBy(refundedBy: string, order: string, amount: string, ...acts: (readonly [string, object?])[]): Promise<void> {
  const shop = await manageCalls(served.service, { permissions: ['refunds:write'], merchantId: 'panaderia' });
  const body = { amount: { amount, currency: 'COP' }, refundedBy, reason: 'Faltó una torta' };
  const asked = await shop.send('POST', `/orders/panaderia/${order}/refunds`, body);
  const operator = await manageCalls(served.service);
  for (const [act, given] of acts)
    expect((await operator.send('POST', `/refunds/panaderia/${asked.body['refund']}/${act}`, given)).status).toBe(200);
}

const refund = (...given: Parameters<typeof refundBy> extends [string, ...infer Rest] ? Rest : never): Promise<void> =>
  refundBy('operator', ...given);

const said = (page: Page, text: string) => page.getByText(text).first().waitFor();

test.each(SCREENS)(
  'by keyboard alone at %o, a clerk asks for a part of a payment, sees it approved, and withdraws another',
  async (viewport) => {
    const order = `A-${viewport.width}`;
    const page = await served.signIn('clerk', await paidOrder(order), { viewport });
    await pressOn(page, page.getByRole('button', { name: 'Reembolsar' }));
    const box = page.getByRole('dialog');
    await box.getByText('El operador del servicio aprueba el reembolso').waitFor();
    await pressOn(page, box.getByRole('button', { name: 'Reembolsar' }));
    await box.getByText('Campo obligatorio').first().waitFor();
    await writeInto(page, box.getByLabel('Monto'), '40.000');
    await tabTo(page, box.getByLabel('¿Quién le devuelve el dinero al pagador?'));
    await page.keyboard.type('El operador');
    await writeInto(page, box.getByLabel('Motivo'), 'Faltó una torta');
    await expectAccessible(page);
    await pressOn(page, box.getByRole('button', { name: 'Reembolsar' }));
    await box.getByRole('alert').getByText('Es más de lo que queda del pago').waitFor();
    expect(served.faults.splice(0)).toEqual([expect.stringContaining('409')]);
    await writeInto(page, box.getByLabel('Monto'), '10.000,00');
    await pressOn(page, box.getByRole('button', { name: 'Reembolsar' }));
    const row = page.getByRole('region', { name: 'Reembolsos' }).getByRole('row', { name: /10\.000/ });
    await row.getByText('Falta que el operador lo apruebe').waitFor();
    await expectAccessible(page);

    await pressOn(page, page.getByRole('button', { name: 'Reembolsar' }));
    await box.getByText(/De este pago quedan \$\s22\.000/).waitFor();
    expect(await box.getByLabel('Monto').inputValue()).toMatch(/^22\.000/);
    await page.keyboard.press('Escape');

    // The operator approves it, and the page of the clerk hears of it.
    const { body } = await (await manageCalls(served.service)).get(`/refunds?merchant=panaderia&state=requested`);
    const [asked] = body['items'] as unknown as readonly { readonly refund: string }[];
    await (await manageCalls(served.service)).send('POST', `/refunds/panaderia/${asked?.refund}/approve`);
    await row.getByText('Falta que lo pague el operador').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    // Nothing is left for the clerk to do, and no column is there for it.
    expect(await page.getByRole('region', { name: 'Reembolsos' }).getByText('Acciones', { exact: true }).count()).toBe(0);

    await refund(order, '5000');
    const other = page.getByRole('region', { name: 'Reembolsos' }).getByRole('row', { name: /5\.000/ });
    await pressOn(page, other.getByRole('button', { name: 'Cancelar' }));
    await pressOn(page, box.getByRole('button', { name: 'Cancelar el reembolso' }));
    await other.getByText('Cancelado').waitFor();
    await tabTo(page, page.getByRole('tab', { name: 'Resumen' }));
    await page.keyboard.press('ArrowRight');
    await said(page, 'Reembolso cancelado');
    await said(page, 'Reembolso aprobado');
    expect(await page.getByRole('main').innerText()).toMatch(/\$\s10\.000/);
    await expectAccessible(page);
  },
);

test.each(SCREENS)(
  'by keyboard alone at %o, operations approve a refund from the list, pay it, and record that one failed',
  async (viewport) => {
    const order = `B-${viewport.width}`;
    const address = await paidOrder(order);
    await refund(order, '12000');
    await refund(order, '3000', ['approve']);
    const page = await served.signIn('operations', '/console', { viewport });
    await tabTo(page, page.getByRole('link', { name: 'Ver todos: Reembolsos pendientes' }));
    await page.keyboard.press('Enter');
    const rowOf = (amount: RegExp) => page.getByRole('row', { name: order }).filter({ hasText: amount });
    const box = page.getByRole('dialog');
    await rowOf(/12\.000/).waitFor();
    await expectAccessible(page);
    await pressOn(page, rowOf(/12\.000/).getByRole('button', { name: 'Aprobar' }));
    await pressOn(page, box.getByRole('button', { name: 'Aprobar' }));
    await rowOf(/12\.000/)
      .getByText('Falta que lo pague el operador')
      .waitFor();
    await tabTo(page, page.getByRole('tab', { name: 'Pendientes' }));
    for (const name of ['Por aprobar', 'Por pagar']) {
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name, selected: true }).waitFor();
    }
    await pressOn(page, rowOf(/12\.000/).getByRole('button', { name: 'Registrar el pago' }));
    await writeInto(page, box.getByLabel('Comprobante'), 'TRX-90311');
    await expectAccessible(page);
    await pressOn(page, box.getByRole('button', { name: 'Registrar el pago' }));
    await rowOf(/12\.000/).waitFor({ state: 'detached' });
    await pressOn(page, rowOf(/3\.000/).getByRole('button', { name: 'Otras acciones' }));
    await page.getByRole('menuitem', { name: 'No se pudo pagar' }).waitFor();
    await page.getByRole('menuitem', { name: 'No se pudo pagar' }).press('Enter');
    await writeInto(page, box.getByLabel('Motivo'), 'La cuenta está cerrada');
    await pressOn(page, box.getByRole('button', { name: 'No se pudo pagar' }));
    await rowOf(/3\.000/).waitFor({ state: 'detached' });

    await page.goto(served.origin + address);
    for (const text of ['TRX-90311', 'La cuenta está cerrada']) await said(page, text);
    await expectAccessible(page);
    await page.goto(`${served.origin}/console/refunds?tab=all&state=failed`);
    await rowOf(/3\.000/)
      .getByText('No se pudo pagar')
      .waitFor();
    // Another tab begins at its first page, without what the list was filtered by.
    await tabTo(page, page.getByRole('tab', { name: 'Todos' }));
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL('**/console/refunds?tab=payment');
  },
);

test.each(SCREENS)('who voids the rest of a payment says who gave it back, and the order is voided with it, at %o', async (viewport) => {
  const order = `C-${viewport.width}`;
  const address = await paidOrder(order);
  await refund(order, '12000', ['approve']);
  const page = await served.signIn('operations', address, { viewport });
  const box = page.getByRole('dialog');
  // While a refund is open the service refuses a void, and none is offered.
  await pressOn(page, page.getByRole('button', { name: 'Registrar el pago' }));
  expect(await page.getByRole('button', { name: 'Reembolsar', includeHidden: true }).count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Anular', includeHidden: true }).count()).toBe(0);
  await pressOn(page, box.getByRole('button', { name: 'Registrar el pago' }));
  await pressOn(page, page.getByRole('button', { name: 'Anular', exact: true }));
  await box.getByText(/\$\s20\.000/).waitFor();
  await writeInto(page, box.getByLabel('Motivo'), 'Se lo llevó el domiciliario');
  await pressOn(page, box.getByRole('button', { name: 'Anular' }));
  await box.getByText('Campo obligatorio').waitFor();
  await expectAccessible(page);
  await tabTo(page, box.getByLabel('¿Quién le devolvió el dinero al pagador?'));
  await page.keyboard.type('El comercio');
  await pressOn(page, box.getByRole('button', { name: 'Anular' }));
  for (const text of ['El operador, desde su cuenta bancaria', 'El comercio, con sus propios fondos']) await said(page, text);
  await said(page, 'Anulada');
  expect(await page.getByRole('button', { name: 'Reembolsar' }).count()).toBe(0);
  await expectAccessible(page);
});

test.each(
  drawn([
    ['support', 'en', 'The operations team of the service approves and records them.'],
    ['viewer', 'pt', 'Quem os pede é um administrador ou um caixa'],
    ['clerk', 'es', 'Los aprueba el operador del servicio.'],
  ] as const),
)(
  'a %s reads in %s who decides about refunds, sees those that are theirs alone, and is asked for nothing they may not do',
  async (role, language, words) => {
    const order = `D-${role}`;
    await paidOrder(order);
    await refund(order, '7000', ['approve']);
    const other = await served.service.merchant({ merchantId: `otra-${role}` });
    const page = await served.signIn(role, '/console/refunds', { viewport: PHONE, language });
    await said(page, words);
    await page.getByRole('row', { name: order }).waitFor();
    expect(
      await page
        .getByRole('row')
        .getByRole('button', { name: /Aprob|Approve|Registr|Record|Cancel/ })
        .count(),
    ).toBe(0);
    await expectAccessible(page);
    const stranger = await served.signIn('viewer', '/console/refunds', { merchantId: other.merchantId, language: 'en' });
    await said(stranger, 'There are no open refunds');
    await expectAccessible(stranger);
  },
);

test('a clerk registers a cashout with which the payer collects a refund, and is shown its password once', async () => {
  const address = await paidOrder('C-1');
  await refundBy('cashout', 'C-1', '7000', ['approve']);
  const page = await served.signIn('clerk', address);
  const row = page.getByRole('region', { name: 'Reembolsos' }).getByRole('row', { name: /7\.000/ });
  await row.getByRole('link', { name: 'Registrar un retiro' }).press('Enter');
  const box = page.getByRole('dialog');
  await box.getByText(/7\.000/).waitFor();
  await writeInto(page, box.getByLabel('Número del retiro'), 'W-C1');
  await writeInto(page, box.getByLabel('Documento'), '1020304050');
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Registrar retiro' }));
  await said(page, 'Entréguela al usuario final. No se muestra otra vez.');
  await pressOn(page, box.getByText('Cerrar', { exact: true }));
  await said(page, 'Reembolso que paga');
  await page.goto(`${served.origin}/console/orders/panaderia/C-1`);
  await row.getByText('Falta que el pagador lo cobre').waitFor();
  await row.getByRole('link', { name: 'W-C1' }).waitFor();
  await expectAccessible(page);
});

test.each(SCREENS)('by keyboard alone at %o, operations of a sandbox register such a cashout by SMS alone', async (viewport) => {
  const order = `E-${viewport.width}`;
  const address = await paidOrder(order);
  await refundBy('cashout', order, '7000', ['approve']);
  const page = await served.signIn('operations', address, { viewport });
  const row = page.getByRole('region', { name: 'Reembolsos' }).getByRole('row', { name: /7\.000/ });
  // The refund can be paid in another way as well, or fail.
  await pressOn(page, row.getByRole('button', { name: 'Otras acciones' }));
  for (const name of ['Registrar el pago', 'No se pudo pagar']) await page.getByRole('menuitem', { name }).waitFor();
  await page.keyboard.press('Escape');
  await pressOn(page, row.getByRole('link', { name: 'Registrar un retiro' }));
  const box = page.getByRole('dialog');
  await writeInto(page, box.getByLabel('Número del retiro'), `W-${order}`);
  await writeInto(page, box.getByLabel('Documento'), '1020304050');
  expect(await box.getByLabel('Enviar la clave por SMS').count()).toBe(0);
  await pressOn(page, box.getByRole('button', { name: 'Registrar retiro' }));
  await box.getByText('Campo obligatorio').waitFor();
  await writeInto(page, box.getByLabel('Celular'), '3001234567');
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Registrar retiro' }));
  await page.getByRole('heading', { name: `W-${order}`, level: 1 }).waitFor();
  await said(page, 'Reembolso que paga');
});
