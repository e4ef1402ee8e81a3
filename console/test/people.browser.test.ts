import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { orderCalls } from '../../server/src/testing/order-calls.ts';
import { drawn } from '../../server/src/testing/lanes.ts';
import { pressOn, tabTo, writeInto } from './keyboard.ts';
import { DESKTOP, expectAccessible, PHONE, useServedConsole } from './served-console.ts';

const served = useServedConsole();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Each time that the clock is moved, tomorrow is three days later. */
const tomorrows = ['22/11/2026', '25/11/2026'];

test.each(
  drawn([
    [DESKTOP, 'E-1'],
    [PHONE, 'E-2'],
  ]),
)('three days pass in the sandbox, by keyboard alone at %o, and the page shows what expired', async (viewport, order) => {
  const { service, shop } = served;
  await orderCalls(service, shop).create({
    order,
    email: 'ana@example.com',
    amount: '18500.00',
    expiration: tomorrows.shift() ?? '',
  });
  const page = await served.signIn('owner', '/console/sandbox', { viewport });
  await pressOn(page, button(page, 'Tres días'));
  await page.getByRole('dialog').getByText('nunca retrocede').waitFor();
  await expectAccessible(page);
  await pressOn(page, button(page, 'Adelantar el reloj'));
  await page.getByText('Qué venció mientras tanto').waitFor();
  await service.runJobs();
  await tabTo(page, page.getByRole('link', { name: order }));
  await expectAccessible(page);
});

test('a user is invited, changed and disabled by keyboard alone, and the audit log shows who did it', async () => {
  const page = await served.signIn('owner', '/console/users', { viewport: PHONE });
  await pressOn(page, button(page, 'Invitar'));
  await writeInto(page, page.getByLabel('Correo', { exact: true }), 'bruno@example.com');
  await writeInto(page, page.getByLabel('Nombre', { exact: true }), 'Bruno');
  await expectAccessible(page);
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Invitar' }));
  // Before that the box is the form still, which asks before it is closed.
  await page.getByRole('heading', { name: 'La invitación está en camino' }).waitFor();
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Cerrar' }).last());
  await pressOn(page, page.getByRole('link', { name: 'bruno@example.com' }));
  await pressOn(page, button(page, 'Cambiar'));
  await writeInto(page, page.getByLabel('Nombre', { exact: true }), 'Bruno Díaz');
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Cambiar' }));
  await page.getByRole('heading', { name: 'Bruno Díaz' }).waitFor();
  await expectAccessible(page);
  await page.goto(`${served.origin}/console/audit?operation=changeUser`);
  await page
    .getByRole('link')
    .filter({ hasText: /2026|nov/ })
    .first()
    .click();
  await page.getByRole('definition').getByText('Bruno Díaz').waitFor();
  await expectAccessible(page);
});

test('a token is made with the permissions that are chosen, and is shown once', async () => {
  const page = await served.signIn('owner', '/console/tokens');
  await pressOn(page, button(page, 'Crear token'));
  await writeInto(page, page.getByLabel('Nombre', { exact: true }), 'reports');
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Crear token' }));
  await page.getByText('Elija al menos un permiso').waitFor();
  await pressOn(page, page.getByLabel('Exportaciones: ver'), 'Space');
  await expectAccessible(page);
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Crear token' }));
  await page.getByText('Solo se muestra esta vez').waitFor();
  await pressOn(page, page.getByLabel('Ya está guardado en un lugar seguro'), 'Space');
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Cerrar' }).last());
  await page.getByText('1 permiso').waitFor();
});

test('the instants of every page are in the zone of one’s merchant, and for who sees all in the one that all have', async () => {
  for (const role of ['administrator', 'owner'] as const) {
    const page = await served.signIn(role, '/console/users');
    const instant = page.locator('main time').first();
    await instant.waitFor();
    expect(await instant.getAttribute('title')).toContain('America/Bogota');
  }
});
