import { createHash } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { answering, startNoticeReceiver } from '../../server/src/testing/notice-receiver.ts';
import { orderCalls } from '../../server/src/testing/order-calls.ts';
import { openSession } from '../../server/src/users/sessions.ts';
import { drawn } from '../../server/src/testing/lanes.ts';
import { pressOn, tabTo, writeInto } from './keyboard.ts';
import { DESKTOP, expectAccessible, PHONE, useServedConsole } from './served-console.ts';

const SCREENS = drawn([DESKTOP, PHONE]);

const served = useServedConsole();

test.each(SCREENS)('a merchant is frozen and goes on, by keyboard alone at %o', async (viewport) => {
  const { shop, signIn } = served;
  const page = await signIn('owner', `/console/merchants/${shop.merchantId}`, { viewport });
  await pressOn(page, page.getByRole('button', { name: 'Congelar', exact: true }));
  await page.getByRole('dialog').waitFor();
  await expectAccessible(page);
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Congelar' }));
  await page.getByRole('button', { name: 'Descongelar', exact: true }).waitFor();
  expect((await shop.read()).isFrozen, 'the service knows it').toBe(true);
  await expectAccessible(page);
  await pressOn(page, page.getByRole('button', { name: 'Descongelar', exact: true }));
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Descongelar' }));
  await page.getByRole('button', { name: 'Congelar', exact: true }).waitFor();
});

/** A button, as far as it is pressed. The types of a browser are not those of these tests. */
type Pressed = { click(): void };

/** Presses a button twice in one moment, and once more while the service is slow. Gives what the page sent until `shown` is there. */
async function pressThrice(target: Locator, shown: Locator): Promise<readonly string[]> {
  const page = target.page();
  const sent: string[] = [];
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  await page.route('**/manage/v1/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (route.request().method() !== 'GET') {
      sent.push(pathname.replace(/^.manage.v1/, ''));
      await isFree;
    }
    await route.continue();
  });
  await target.waitFor();
  await target.evaluate((button: Pressed) => {
    button.click();
    button.click();
  });
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  await target.press('Enter');
  free();
  await shown.waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  return sent;
}

test('a button that is pressed again before the answer acts once', async () => {
  const { service, signIn, origin } = served;
  const shop = await service.merchant({ merchantId: 'libreria', noticeUrl: 'https://shop.example/notices' });
  const merchant = shop.merchantId;
  const orders = orderCalls(service, shop);
  const staff = await manageCalls(service, { name: 'console' });
  const page = await signIn('owner', `/console/developers?merchant=${merchant}`);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).last();
  expect(await pressThrice(button('Enviar aviso de prueba'), page.getByText('Por enviar'))).toEqual([`/notice-endpoints/${merchant}/test`]);

  // The answer to a second request is without the secret, and would take the place of the first.
  await button(/^Cambiar: Hash fijo/).click();
  const copied = button(/^Copiar: Hash fijo/);
  expect(await pressThrice(inDialog('Cambiar'), copied)).toEqual([`/merchants/${merchant}/rotate-fixed-hash`]);

  const cashout = { merchant, operation: 'D-1', amount: { amount: '45000', currency: 'COP' }, document: '1020304050' };
  expect(await staff.send('POST', '/cashouts', { ...cashout, sms: true, cellphone: '3001234567' })).toMatchObject({ status: 201 });
  await page.goto(`${origin}/console/cashouts/${merchant}/D-1`);
  await button('Clave nueva').click();
  expect(await pressThrice(inDialog('Clave nueva'), page.getByText('1 de 3'))).toEqual([`/cashouts/${merchant}/D-1/resend`]);

  await page.goto(`${origin}/console/merchants/${merchant}`);
  await button('Congelar').click();
  expect(await pressThrice(inDialog('Congelar'), button('Descongelar'))).toEqual([`/merchants/${merchant}/freeze`]);
  await button('Descongelar').click();
  expect(await pressThrice(inDialog('Descongelar'), button('Congelar'))).toEqual([`/merchants/${merchant}/thaw`]);

  for (const order of ['D-1', 'D-2']) await orders.create({ order });
  const { body: paid } = await staff.get(`/orders/${merchant}/D-1`);
  await page.goto(`${origin}/console/sandbox?reference=${String(paid['reference'])}`);
  expect(await pressThrice(button('Pagar'), button('Reversar'))).toEqual(['/sandbox/payments']);
  expect(await pressThrice(button('Reversar'), page.getByText('Reversado'))).toHaveLength(1);

  await page.goto(`${origin}/console/orders?order=D-2`);
  await page.getByRole('checkbox', { name: `${merchant}/D-2` }).check();
  await button('Cancelar').click();
  expect(await pressThrice(inDialog('Cancelar'), page.getByText('1 hecha'))).toEqual([`/orders/${merchant}/D-2/cancel`]);

  const { id } = (await (await page.request.get(`${origin}/manage/v1/me`)).json()) as { readonly id: string };
  const other = { address: '127.0.0.1', browser: 'Other browser' };
  const { sessionId } = await service.db.transaction(async (tx) => openSession(tx, id, other, service.clock.now()));
  await page.goto(`${origin}/console/account`);
  expect(await pressThrice(button('Cerrar'), page.getByText('La sesión se cerró'))).toEqual([`/sessions/${sessionId}`]);
});

test('a test notice is sent to the merchant’s server, and its answer is shown', async () => {
  const receiver = await startNoticeReceiver();
  receiver.answer(answering(418, 'a teapot'));
  const staff = await manageCalls(served.service, { name: 'console' });
  await staff.send('PUT', `/merchants/${served.shop.merchantId}/notice-url`, { noticeUrl: receiver.url });
  const page = await served.signIn('administrator', '/console/developers', { viewport: PHONE });
  await pressOn(page, page.getByRole('button', { name: 'Enviar aviso de prueba' }));
  await page.getByText('Por enviar').waitFor();
  await served.service.runJobs();
  await page.getByText('HTTP 418 · rechazado · a teapot').waitFor();
  expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([{ type: 'notice.test', status: 'test' }]);
  await expectAccessible(page);
  await receiver.close();
});

test.each(SCREENS)('the last requests are shown, or those alone that were refused, by keyboard at %o', async (viewport) => {
  const order = `L-${viewport.width}`;
  await served.orders.create({ order });
  await served.orders.query('A-404');
  await served.orders.query('W'.repeat(40));
  const page = await served.signIn('administrator', '/console/developers', { viewport });
  const requests = page.getByRole('region', { name: 'Últimas solicitudes' });
  await requests.getByText('createOrder').first().waitFor();
  await requests.getByRole('link', { name: order }).waitFor();
  await pressOn(page, page.getByRole('checkbox', { name: 'Solo rechazos y fallas' }), 'Space');
  await requests.getByRole('link', { name: order }).waitFor({ state: 'detached' });
  await requests.getByText('A-404').first().waitFor();
  await served.orders.query(`A-${viewport.width}`);
  await pressOn(page, page.getByRole('button', { name: 'Leer de nuevo' }));
  await requests.getByText(`A-${viewport.width}`).waitFor();
  await expectAccessible(page);
});

test.each(SCREENS)('payers may choose the amount between limits, and no more, by keyboard alone at %o', async (viewport) => {
  const { service, shop } = served;
  const staff = await manageCalls(service, { name: 'console' });
  const openAmounts = async () => (await staff.get(`/merchants/${shop.merchantId}`)).body['openAmounts'];
  const page = await served.signIn('owner', `/console/merchants/${shop.merchantId}`, { viewport });
  const change = page.getByRole('button', { name: 'Cambiar: Monto que elige el pagador, en COP' });
  await pressOn(page, change);
  await writeInto(page, page.getByLabel('Mínimo'), '10000');
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Guardar' }));
  await page.getByText('Campo obligatorio').first().waitFor();
  await writeInto(page, page.getByLabel('Máximo'), '500000');
  await expectAccessible(page);
  // The field says in words what it understood: only without the box is the amount that of the page.
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Guardar' }));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('10.000').waitFor();
  expect(await openAmounts()).toEqual([{ currency: 'COP', least: '10000.00', most: '500000.00' }]);
  const order = `O-${viewport.width}`;
  await expect.poll(async () => (await served.orders.create({ order, amount: '0' })).code).toBe('0000');
  const shown = await served.signIn('clerk', `/console/orders/${shop.merchantId}/${order}`, { viewport });
  await shown.getByText('A elección del pagador').waitFor();
  await pressOn(page, change);
  for (const field of ['Mínimo', 'Máximo']) {
    await tabTo(page, page.getByLabel(field));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
  }
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Guardar' }));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('10.000').waitFor({ state: 'detached' });
  expect(await openAmounts()).toEqual([]);
});

test.each(SCREENS)('a network’s fee and hours for payers are set, by keyboard alone at %o', async (viewport) => {
  const { service } = served;
  const { netname } = await service.network({ countries: ['343'] });
  const page = await served.signIn('owner', `/console/networks/${netname}`, { viewport });
  await pressOn(page, page.getByRole('button', { name: 'Cambiar: Lo que ven los pagadores' }));
  await writeInto(page, page.getByLabel('Horario'), 'mon-sun always');
  await writeInto(page, page.getByLabel('Tarifa en COP'), '15000');
  const save = page.getByRole('dialog').getByRole('button', { name: 'Guardar' });
  await pressOn(page, save);
  await page.getByRole('dialog').getByRole('alert').waitFor();
  served.faults.splice(0, served.faults.length, ...served.faults.filter((fault) => !fault.includes('422')));
  await writeInto(page, page.getByLabel('Horario'), 'mon-sat 08:00-20:00');
  await expectAccessible(page);
  await pressOn(page, save);
  // The form shows the amount, too, before it is saved.
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByText('$ 15.000').waitFor();
  const staff = await manageCalls(service, { name: 'console' });
  expect((await staff.get(`/networks/${netname}/brand`)).body).toMatchObject({
    fees: [{ amount: '15000.00', currency: 'COP' }],
    hours: 'mon-sat 08:00-20:00',
  });
});

test.each(
  drawn([
    [DESKTOP, 'Hash fijo, de los checksums'],
    [PHONE, 'Hash de los avisos'],
  ]),
)('a secret is replaced, by keyboard alone at %o, and the new one is shown once: %s', async (viewport, secret) => {
  const page = await served.signIn('administrator', '/console/developers', { viewport });
  await pressOn(page, page.getByRole('button', { name: new RegExp(`^Cambiar: ${secret}`) }));
  await writeInto(page, page.getByLabel(/Días que vale/), '3');
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Cambiar' }));
  await page.getByText('El anterior vale hasta').waitFor();
  await page.getByRole('button', { name: new RegExp(`^Copiar: ${secret}`) }).waitFor();
  await expectAccessible(page);
  const hash = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
  await pressOn(page, page.getByRole('dialog').getByRole('checkbox'), 'Space');
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Cerrar' }).last());
  await page.getByText('vale hasta').first().waitFor();
  await pressOn(page, page.getByLabel('Operación'), 'q');
  await page.waitForURL(/operation=queryOrder/);
  await writeInto(page, page.getByLabel('order', { exact: true }), "A'1001");
  await writeInto(page, page.getByLabel('Hash fijo', { exact: true }), hash);
  const text = `A'1001${served.shop.merchantId}${hash}`;
  await page.getByText(createHash('sha512').update(text).digest('hex')).waitFor();
  await page.getByText(`'A'\\''1001' '${served.shop.merchantId}' "$FIXED_HASH"`).waitFor();
  await expectAccessible(page);
});
