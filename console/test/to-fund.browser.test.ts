import { expect, test } from 'vitest';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { DESKTOP, expectAccessible, expectNoOverflow, PHONE, useServedConsole } from './served-console.ts';

// What a merchant has collected goes to its fund: by hand, and by a rule.

const served = useServedConsole(async ({ payOrder }) => {
  await payOrder('A-2001', { amount: '90000.00' });
});

type Balances = {
  readonly balances: readonly { readonly account: string; readonly balance: { readonly amount: string; readonly currency: string } }[];
};

async function heldOn(account: string): Promise<string | undefined> {
  const staff = await manageCalls(served.service, { name: 'console' });
  const { balances } = (await staff.get('/ledger/balances?merchant=panaderia')).body as unknown as Balances;
  return balances.find((one) => one.account === account && one.balance.currency === 'COP')?.balance.amount;
}

test.each([DESKTOP, PHONE])('the administrator of a merchant moves what was collected, once for each opening, at %o', async (viewport) => {
  const before = Number(await heldOn('available'));
  const page = await served.signIn('administrator', '/console/ledger/panaderia', { viewport, hasTouch: viewport === PHONE });
  await page.getByRole('button', { name: 'Pasar al fondo' }).click();
  const box = page.getByRole('dialog');
  await box.getByText('Lo recaudado por órdenes pasa al fondo').waitFor();
  await box.getByLabel('Monto').fill('900.000');
  await box.getByText('= 900.000,00 pesos colombianos').waitFor();
  await box.getByRole('button', { name: 'Pasar al fondo' }).click();
  await box.getByText('Lo recaudado del comercio no alcanza').waitFor();
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('409')]);
  await expectNoOverflow(page);
  await box.getByLabel('Monto').fill('10.000');
  await box.getByRole('button', { name: 'Pasar al fondo' }).click();
  await page.getByText('Pasó al fondo').waitFor();
  expect(Number(await heldOn('available'))).toBe(before + 10_000);
  await expectAccessible(page);
});

test.each([DESKTOP, PHONE])('a rule is set, shown and removed, at %o', async (viewport) => {
  const page = await served.signIn('administrator', '/console/ledger/panaderia', { viewport, hasTouch: viewport === PHONE });
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Paso automático al fondo' }) });
  await section.getByText('No pasa nada por sí solo.').first().waitFor();
  await section.getByRole('button', { name: 'Cambiar: Paso automático en COP' }).click();
  const box = page.getByRole('dialog');
  await box.getByLabel('Cuando el fondo tenga menos de').fill('500.000');
  await box.getByLabel('Hasta completar en el fondo').fill('100.000');
  await box.getByRole('button', { name: 'Guardar' }).click();
  await box.getByText('El mínimo es mayor que el monto hasta el que se completa').waitFor();
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('422')]);
  await box.getByLabel('Cuando el fondo tenga menos de').fill('');
  await expectNoOverflow(page);
  await box.getByRole('button', { name: 'Guardar' }).click();
  await section.getByText('Una vez, al empezar cada día').waitFor();
  await section.getByText('La próxima vez').waitFor();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await section.getByRole('button', { name: 'Cambiar: Paso automático en COP' }).click();
  await box.getByRole('button', { name: 'Quitar' }).click();
  await page.getByText('Ya no pasa nada por sí solo').waitFor();
});

test('who only looks is offered neither', async () => {
  const page = await served.signIn('viewer', '/console/ledger/panaderia');
  await page.getByText('No pasa nada por sí solo.').first().waitFor();
  expect(await page.getByRole('button', { name: /Pasar al fondo|Paso automático/ }).count()).toBe(0);
});
