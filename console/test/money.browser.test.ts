import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { cashoutCalls } from '../../server/src/testing/cashout-calls.ts';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { networkOrderCalls } from '../../server/src/testing/network-calls.ts';
import { drawn } from '../../server/src/testing/lanes.ts';
import { pressOn, tabTo, writeInto } from './keyboard.ts';
import { makeRecoveryCodes } from '../../server/src/users/credentials/credential-rows.ts';
import { DESKTOP, expectAccessible, expectNoOverflow, PHONE, useServedConsole } from './served-console.ts';

const SCREENS = drawn([DESKTOP, PHONE]);

const served = useServedConsole(moveMoney);

/** Two orders are paid, parts of one go back in every way, and a cashout waits. The day ends. */
async function moveMoney(): Promise<void> {
  const { service, shop } = served;
  const staff = await manageCalls(service, { name: 'console' });
  const network = networkOrderCalls(service, await service.network({ netname: 'efectivo' }));
  for (const order of ['A-1001', 'A-1002']) {
    const { serviceOrderId } = (await staff.get(`/orders/${shop.merchantId}/${order}`)).body;
    expect(await network.pay(serviceOrderId, `T-${order}`, '32000.00')).toMatchObject({ code: '0000' });
  }
  const refund = async (amount: string, refundedBy: string, act: string, body?: object): Promise<void> => {
    const asked = { amount: { amount, currency: 'COP' }, refundedBy, reason: 'test' };
    const { refund: id } = (await staff.send('POST', `/orders/${shop.merchantId}/A-1002/refunds`, asked)).body;
    expect((await staff.send('POST', `/refunds/${shop.merchantId}/${id}/${act}`, body)).status).toBe(200);
  };
  await refund('10000', 'network', 'pay', {});
  await refund('2000', 'merchant', 'pay', {});
  await refund('5000', 'operator', 'cancel');
  await refund('1000', 'operator', 'fail', { reason: 'test' });
  const calls = cashoutCalls(service, shop);
  expect(await calls.register(calls.registration())).toMatchObject({ code: '0000' });
  await service.runJobs();
  service.clock.advance({ days: 1 });
  await service.runJobs();
}

const MISCOUNT = {
  name: 'testing.miscount_payments',
  text: `update figures set count = count + $1, amount_minor = amount_minor + 100 * $1 where event = 'order.paid'`,
};

/** Opens the ledger of yesterday with the keys alone. */
async function openYesterday(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Libro', exact: true }).waitFor();
  await pressOn(page, page.getByRole('link', { name: 'panaderia' }));
  await page.getByRole('heading', { name: 'Libro de panaderia' }).waitFor();
  await pressOn(page, page.getByRole('link', { name: 'Resumen de hoy' }));
  await page.getByRole('heading', { name: 'domingo, 22 de noviembre de 2026' }).waitFor();
  await pressOn(page, page.getByRole('button', { name: 'Día anterior' }));
  await page.getByRole('heading', { name: 'sábado, 21 de noviembre de 2026' }).waitFor();
}

test.each(SCREENS)('ledger and payments of a day are compared by keyboard alone, at %o', async (viewport) => {
  const page = await served.signIn('finance', '/console/ledger', { viewport });
  await openYesterday(page);
  await page.getByText('El libro y los pagos de este día coinciden').waitFor();
  await page.getByText('Uno negativo lo debe el titular.').first().waitFor();
  const row = page.getByRole('row', { name: /Orden pagada/ }).first();
  expect(await row.textContent()).toMatch(/2 · \$\s64\.000 COP2 · \$\s64\.000 COPIgual/);
  for (const text of [
    'Reembolso por pagar4 · $ 18.000 COP4 · $ 18.000',
    'Reembolso que no se pagó2 · $ 6.000',
    'Reembolso pagado2 · $ 12.000',
  ])
    await page.getByRole('row').filter({ hasText: text }).waitFor();
  await expectNoOverflow(page);

  await served.service.db.query(MISCOUNT, [1]);
  await page.reload();
  await page.getByText('El libro y los pagos no coinciden').waitFor();
  expect(await row.textContent()).toMatch(/−1 · −\$\s1 COP/);
  await pressOn(page, page.getByRole('link', { name: 'Movimientos' }).first());
  await page.getByText('order/A-1001/paid/1').first().waitFor();
  await served.service.db.query(MISCOUNT, [-1]);
});

test('a fund is topped up once for each reference', async () => {
  const page = await served.signIn('finance', '/console/ledger/panaderia');
  const box = page.getByRole('dialog');
  for (const said of ['Abonado', 'Ese abono ya estaba registrado']) {
    await page.getByRole('button', { name: 'Abonar' }).click();
    await box.getByRole('button', { name: 'Abonar' }).click();
    await box.getByText('Campo obligatorio').first().waitFor();
    await box.getByLabel('Monto').fill('1000');
    await box.getByLabel('Referencia de la transferencia').fill('banco-1');
    await box.getByRole('button', { name: 'Abonar' }).click();
    await page.getByText(said).waitFor();
    await box.waitFor({ state: 'detached' });
  }
});

test('figures are drawn, and the table and the file have the same numbers', async () => {
  const page = await served.signIn('finance', '/console/figures?range=7d&merchant=panaderia', { viewport: PHONE });
  await page.locator('canvas').first().waitFor();
  await page.getByRole('button', { name: 'Tabla: Órdenes' }).press('Enter');
  await page.getByRole('row', { name: '21 de nov 3 2 0' }).waitFor();
  expect(new URL(page.url()).searchParams.get('tables')).toBe('orders');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV: Valor en COP' }).press('Enter')]);
  const lines = (await text(await file.createReadStream())).split('\r\n');
  expect(lines).toContain('2026-11-21,96000.00,64000.00');
  await expectAccessible(page);
});

test.each(SCREENS)('a clerk sees by keyboard alone whether a customer has paid, at %o', async (viewport) => {
  const page = await served.signIn('clerk', '/console', { viewport });
  await writeInto(page, page.getByRole('searchbox'), 'ana@ex');
  const hits = page.locator('main li').filter({ hasText: 'Referencia' });
  await page.getByText('3 resultados').waitFor();
  const said = await hits.allTextContents();
  expect(said.filter((one) => /Pagada.*\$\s32\.000 COP/.test(one))).toHaveLength(2);
  expect(said.filter((one) => /Pendiente.*Orden A-1003.*Cambiar el monto/.test(one))).toHaveLength(1);
  expect(new URL(page.url()).searchParams.get('q')).toBe('ana@ex');
  await tabTo(page, page.getByRole('link', { name: 'Cambiar el monto' }));
  await expectNoOverflow(page);
});

test('operations see today, the last month, the last payments and what needs attention; finance sees what came in', async () => {
  const page = await served.signIn('operations', '/console', { viewport: PHONE });
  await page.getByRole('heading', { name: 'Alertas' }).waitFor();
  await page.getByText('Sin pagos rechazados por resolver').waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Por pagar' })
    .getByText(/^[1-9]/)
    .first()
    .waitFor();
  await page.locator('canvas').waitFor();
  await page.getByRole('link', { name: 'A-1001', exact: true }).waitFor();
  await expectAccessible(page);
  const other = await served.signIn('finance', '/console');
  await other.waitForURL(/\/console\/ledger$/);
  expect(await other.getByRole('row', { name: /Recibido por órdenes/ }).textContent()).toMatch(/\$\s64\.000 COP \(2\)/);
  await other.getByRole('link', { name: 'Cuadra', exact: true }).waitFor();
});

// The last one: it moves the clock.
test('who has no codes confirms who it is in another tab, and what was typed stays', async () => {
  const page = await served.signIn('owner', '/console/ledger/panaderia', { viewport: PHONE });
  await page.getByRole('button', { name: 'Abonar' }).click();
  const box = page.getByRole('dialog');
  await box.getByLabel('Monto').fill('1000');
  await box.getByLabel('Referencia de la transferencia').fill('banco-3');
  served.service.clock.advance({ minutes: 11 });
  await box.getByRole('button', { name: 'Abonar' }).click();
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    box.getByRole('link', { name: 'Confirmar en otra pestaña' }).click(),
  ]);
  await tab.getByRole('heading', { name: /identidad/ }).waitFor();
  await expectAccessible(page);
  expect(await box.getByLabel('Código').count()).toBe(0);
  expect(await box.getByLabel('Referencia de la transferencia').inputValue()).toBe('banco-3');
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('403')]);
});

test('who signed in a while ago confirms who it is in the box, and what was typed stays', async () => {
  const page = await served.signIn('finance', '/console/ledger/panaderia', { viewport: PHONE });
  const { id } = (await page.evaluate(`fetch('/manage/v1/me').then((answer) => answer.json())`)) as { readonly id: string };
  const codes = await served.service.db.transaction((tx) => Promise.resolve(makeRecoveryCodes(tx, id)));
  await page.reload();
  await page.getByRole('button', { name: 'Abonar' }).click();
  const box = page.getByRole('dialog');
  await box.getByLabel('Monto').fill('1000');
  await box.getByLabel('Referencia de la transferencia').fill('banco-2');
  served.service.clock.advance({ minutes: 11 });
  await box.getByRole('button', { name: 'Abonar' }).click();
  await box.getByText('confirme su identidad').waitFor();
  await expectAccessible(page);
  await box.getByLabel('Código').fill('WRONG');
  await box.getByLabel('Código').press('Enter');
  await box.getByText('El código no es correcto').waitFor();
  await box.getByLabel('Código').fill(codes[0] as string);
  await box.getByRole('button', { name: 'Confirmar' }).click();
  await box.getByText('Confirmado').waitFor();
  await box.getByRole('button', { name: 'Abonar' }).click();
  await page.getByText('Abonado').waitFor();
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('403'), expect.stringContaining('401')]);
});
