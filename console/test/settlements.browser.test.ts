import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { drawn } from '../../server/src/testing/lanes.ts';
import { makeRecoveryCodes } from '../../server/src/users/credentials/credential-rows.ts';
import { pressOn, tabTo, writeInto } from './keyboard.ts';
import { DESKTOP, expectAccessible, PHONE, useServedConsole } from './served-console.ts';

const SCREENS = drawn([DESKTOP, PHONE]);
const ACCOUNT = {
  bankCode: '1007',
  bankName: 'Banco Ejemplo',
  type: 'savings',
  number: '04512345678',
  holderName: 'Panadería La Espiga SAS',
  holderDocumentType: 'NIT',
  holderDocument: '900123456',
};

const served = useServedConsole(async () => {
  await carryOut('PUT', '/calendars/colombia', {});
  const schedule = { period: 'weekly', weekday: 'friday', calendar: 'colombia', account: ACCOUNT };
  await carryOut('PATCH', '/settlement-schedules/panaderia/COP', schedule);
  const rule = { name: 'rete-fuente', kind: 'withholding', base: 'payments', percent: '1.5', currency: 'COP', since: '2026-01-01' };
  await carryOut('POST', '/settlement-rules', rule);
  await carryOut('PUT', '/bank-file-layouts/mensaje', { format: 'pain.001.001.09', timeZone: 'America/Bogota', payer: ACCOUNT });
});

async function carryOut(...sent: Parameters<Awaited<ReturnType<typeof manageCalls>>['send']>): Promise<Readonly<Record<string, unknown>>> {
  const { status, text, body } = await (await manageCalls(served.service, { name: 'staff' })).send(...sent);
  expect(status, text).toBeLessThan(300);
  return body;
}

/** An order that is paid, and a day later. */
async function paidYesterday(order: string): Promise<void> {
  await served.payOrder(order);
  served.service.clock.advance({ days: 1 });
}

/** A settlement of an order that was paid, and what was done with it since. Shape: → its number. */
async function settle(order: string, ...steps: readonly (readonly [step: string, body?: object])[]): Promise<string> {
  await paidYesterday(order);
  const settlement = String((await carryOut('POST', '/settlements/panaderia/run', { currency: 'COP' }))['settlement']);
  for (const [step, body] of steps)
    await (step === 'approve'
      ? carryOut('POST', '/settlements/approve', { settlements: [settlement] })
      : carryOut('POST', `/settlements/panaderia/${settlement}/${step}`, body));
  return settlement;
}

/** What a settlement pays, in whole pesos. */
async function netOf(settlement: string): Promise<number> {
  const { body } = await (await manageCalls(served.service)).get(`/settlements/panaderia/${settlement}`);
  return Math.round(Number((body['net'] as unknown as { readonly amount: string }).amount));
}
const amountOf = (pesos: number): RegExp => new RegExp(`\\$\\s${pesos.toLocaleString('es-CO').replaceAll('.', '[.]')}`);

const csvFile = (text: string) => ({ name: 'archivo.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
const readSaved = async (download: Download): Promise<string> => readFile(await download.path(), 'utf8');
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const rowOf = (page: Page, settlement: string) =>
  page.getByRole('row').filter({ hasText: new RegExp(`N(\\.º|o\\.)\\s${settlement}(?!\\d)`) });

test.each(SCREENS)(
  'by keyboard alone at %o, finance prepares a settlement from its preview, approves, sends and pays it',
  async (viewport) => {
    const order = `A-${viewport.width}`;
    await paidYesterday(order);
    const page = await served.signIn('finance', '/console/settlements', { viewport });
    const box = page.getByRole('dialog');
    await pressOn(page, page.getByRole('button', { name: 'Preparar liquidación' }));
    await box.getByText('Recaudado · 1 movimiento').waitFor();
    await box.getByText('1,5 % de los pagos').waitFor();
    // Of 32,000 pesos 480 are withheld.
    await box.getByText(/\$\s31\.520/).waitFor();
    await expectAccessible(page);
    await pressOn(page, box.getByRole('button', { name: 'Preparar liquidación' }));
    await page.getByRole('heading', { name: /Liquidación\s\d+/, level: 1 }).waitFor();
    await said(page, 'Falta que el operador la apruebe');
    await page.getByRole('link', { name: `order/${order}/paid/1` }).waitFor();
    await expectAccessible(page);

    await pressOn(page, page.getByRole('button', { name: 'Aprobar' }));
    await box.getByText(/\$\s31\.520/).waitFor();
    await pressOn(page, box.getByRole('button', { name: 'Aprobar' }));
    await said(page, 'Falta que el operador la envíe al banco');
    await pressOn(page, page.getByRole('button', { name: 'Registrar el envío' }));
    await pressOn(page, box.getByRole('button', { name: 'Registrar el envío' }));
    await said(page, 'Falta que el banco la pague');
    await pressOn(page, page.getByRole('button', { name: 'Registrar el pago' }));
    await pressOn(page, box.getByRole('button', { name: 'Registrar el pago' }));
    await box.getByText('Campo obligatorio').waitFor();
    await writeInto(page, box.getByLabel('Referencia del banco'), 'TRX-90311');
    await expectAccessible(page);
    await pressOn(page, box.getByRole('button', { name: 'Registrar el pago' }));
    await said(page, 'TRX-90311');

    // From the payout to the order, and back.
    await pressOn(page, page.getByRole('link', { name: `order/${order}/paid/1` }));
    await page.getByRole('heading', { name: order, level: 1 }).waitFor();
    await pressOn(page, page.getByRole('link', { name: /Liquidación\s\d+/ }));
    await said(page, 'TRX-90311');
    await page.goto(`${served.origin}/console/ledger/panaderia/entries?transaction=order/${order}/paid/1`);
    await page.getByRole('link', { name: /Liquidación\s\d+/ }).waitFor();
    await expectAccessible(page);
  },
);

test.each(SCREENS)('by keyboard alone at %o, several drafts are approved together, and one that cannot be is named', async (viewport) => {
  const order = `B-${viewport.width}`;
  const first = await settle(`${order}-1`);
  const second = await settle(`${order}-2`);
  // What the second one would pay is held back since.
  await carryOut('POST', '/holds/panaderia', { amount: { amount: '32000', currency: 'COP' }, reason: 'Disputa' });
  const page = await served.signIn('finance', '/console/settlements?tab=approval', { viewport });
  const box = page.getByRole('dialog');
  for (const one of [second, first]) await pressOn(page, rowOf(page, one).getByRole('checkbox'), ' ');
  await pressOn(page, page.getByRole('group', { name: '2 seleccionados' }).getByRole('button', { name: 'Aprobar' }));
  await box.getByRole('heading', { name: 'Aprobar 2 liquidaciones' }).waitFor();
  const nets = await Promise.all([first, second].map(netOf));
  await box.getByText(amountOf(nets.reduce((sum, one) => sum + one, 0))).waitFor();
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Aprobar' }));
  await box.getByText('Se aprobó 1 liquidación.').waitFor();
  await box.getByText('Lo recaudado ya no alcanza').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  expect(await rowOf(page, second).count()).toBe(0);

  // The approved one was sent: the bank gives it back. The draft is cancelled.
  await carryOut('POST', `/settlements/panaderia/${second}/sent`);
  await page.goto(`${served.origin}/console/settlements/panaderia/${second}`);
  await pressOn(page, page.getByRole('button', { name: 'Otras acciones' }));
  await page.getByRole('menuitem', { name: 'Registrar la devolución' }).press('Enter');
  await writeInto(page, box.getByLabel('Motivo'), 'La cuenta está cerrada');
  await pressOn(page, box.getByRole('button', { name: 'Registrar la devolución' }));
  await said(page, 'Su dinero volvió a lo recaudado');
  await said(page, 'La cuenta está cerrada');
  await page.goto(`${served.origin}/console/settlements/panaderia/${first}`);
  await pressOn(page, page.getByRole('button', { name: 'Otras acciones' }));
  await page.getByRole('menuitem', { name: 'Cancelar el borrador' }).press('Enter');
  await pressOn(page, box.getByRole('button', { name: 'Cancelar el borrador' }));
  await box.getByText('Campo obligatorio').waitFor();
  await writeInto(page, box.getByLabel('Motivo'), 'Se hace de nuevo');
  await pressOn(page, box.getByRole('button', { name: 'Cancelar el borrador' }));
  await said(page, 'sus movimientos quedaron libres');
  await expectAccessible(page);
});

test.each(SCREENS)('by keyboard alone at %o, an approved settlement that the bank was never told of is taken back', async (viewport) => {
  const settlement = await settle(`G-${viewport.width}`, ['approve']);
  const page = await served.signIn('finance', `/console/settlements/panaderia/${settlement}`, { viewport });
  const box = page.getByRole('dialog');
  await pressOn(page, page.getByRole('button', { name: 'Otras acciones' }));
  await page.getByRole('menuitem', { name: 'Registrar la devolución' }).press('Enter');
  await writeInto(page, box.getByLabel('Motivo'), 'La cuenta cambió');
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Registrar la devolución' }));
  await said(page, 'Su dinero volvió a lo recaudado');
  await said(page, 'La cuenta cambió');
  expect(await page.getByRole('main').innerText()).not.toMatch(/banco/i);
});

test.each(SCREENS)('by keyboard alone at %o, operations sets the schedule of a merchant', async (viewport) => {
  const page = await served.signIn('operations', '/console/settlements/panaderia', { viewport });
  const box = page.getByRole('dialog');
  await pressOn(page, page.getByRole('button', { name: 'Cambiar: Calendario de pagos en COP' }));
  await tabTo(page, box.getByLabel('Frecuencia'));
  await page.keyboard.type('Cada mes');
  await writeInto(page, box.getByLabel('Día del mes'), '15');
  await writeInto(page, box.getByLabel('Reserva (%)'), '5');
  await writeInto(page, box.getByLabel('Días de la reserva'), '0');
  await writeInto(page, box.getByLabel('Número de cuenta'), '12');
  await pressOn(page, box.getByRole('button', { name: 'Guardar' }));
  await box.getByText('El número de cuenta lleva de 4 a 24 dígitos').waitFor();
  await writeInto(page, box.getByLabel('Número de cuenta'), '9900112233');
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Guardar' }));
  await box.getByText('Una reserva lleva porcentaje y días').waitFor();
  await writeInto(page, box.getByLabel('Días de la reserva'), '30');
  await pressOn(page, box.getByRole('button', { name: 'Guardar' }));
  await said(page, 'Cada mes, día 15');
  await said(page, /5\s%\sde lo recaudado, por 30 días/);
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('422'), expect.stringContaining('422')]);
});

test.each(SCREENS)('by keyboard alone at %o, finance sets a rule and a hold of a merchant, and not its account', async (viewport) => {
  const order = `C-${viewport.width}`;
  await paidYesterday(order);
  const page = await served.signIn('finance', '/console/settlements/panaderia', { viewport });
  const box = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Agregar regla' }).waitFor();
  expect(await page.getByRole('button', { name: 'Cambiar: Calendario de pagos en COP' }).count()).toBe(0);

  // The merchant's own rule takes the place of the general one.
  const rules = page.getByRole('region', { name: 'Descuentos vigentes' });
  await pressOn(page, page.getByRole('button', { name: 'Cargar festivos' }));
  await writeInto(page, box.getByLabel('Calendario de festivos'), 'chile');
  await pressOn(page, box.getByRole('button', { name: 'Cargar festivos' }));
  await box.getByText('El programa no trae un calendario con ese nombre').waitFor();
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('422')]);
  await box.getByLabel('Archivo CSV').setInputFiles(csvFile('day,name\n2026-12-25,Navidad\n'));
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Cargar festivos' }));
  await box.waitFor({ state: 'detached' });

  await pressOn(page, page.getByRole('button', { name: 'Agregar regla' }));
  await writeInto(page, box.getByLabel('Nombre'), 'rete-fuente');
  await tabTo(page, box.getByLabel('Tipo'));
  await page.keyboard.type('Retenc');
  await writeInto(page, box.getByLabel('Porcentaje'), '0');
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Agregar regla' }));
  await rules.getByRole('row', { name: 'Reemplazada por la propia' }).waitFor();
  const own = rules.getByRole('row').filter({ hasText: 'Este comercio' });
  await own.getByText('Exento').waitFor();
  await pressOn(page, own.getByRole('button', { name: 'Terminar: rete-fuente' }));
  await pressOn(page, box.getByRole('button', { name: 'Terminar' }));
  await own.getByText('Vigente').waitFor({ state: 'detached' });

  const holds = page.getByRole('region', { name: 'Dinero bloqueado' });
  await pressOn(page, page.getByRole('button', { name: 'Bloquear dinero' }));
  await writeInto(page, box.getByLabel('Monto'), '9.000.000');
  await writeInto(page, box.getByLabel('Motivo'), `Disputa de ${order}`);
  await pressOn(page, box.getByRole('button', { name: 'Bloquear dinero' }));
  await box.getByRole('alert').getByText('Lo recaudado del comercio no alcanza').waitFor();
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('409')]);
  await writeInto(page, box.getByLabel('Monto'), '1.000');
  await pressOn(page, box.getByRole('button', { name: 'Bloquear dinero' }));
  const hold = holds.getByRole('row').filter({ hasText: `Disputa de ${order}` });
  await hold.getByText('A mano').waitFor();
  await expectAccessible(page);
  await pressOn(page, hold.getByRole('button', { name: 'Liberar' }));
  await writeInto(page, box.getByLabel('Motivo'), 'Se aclaró');
  await pressOn(page, box.getByRole('button', { name: 'Liberar' }));
  await hold.waitFor({ state: 'detached' });
  // An entry of the hold leads to it.
  await page.goto(`${served.origin}/console/ledger/panaderia/entries?account=held`);
  await pressOn(page, page.getByRole('link', { name: /^hold\/.*\/released$/ }).first());
  await hold.waitFor();
  await expectAccessible(page);
});

const ACT_NAMES =
  /Prepar|Aprov|Aprob|Approv|Cambiar|Change|Mudar|Alterar|Bloque|Hold|Liber|Release|Termin|End|Encerr|Agregar|Add|Adicion|Otras|More|Outras/;
test.each(SCREENS)('at %o, a bank file is made of approved settlements, and the bank’s results are recorded', async (viewport) => {
  const first = await settle(`F-${viewport.width}-1`, ['approve']);
  const second = await settle(`F-${viewport.width}-2`, ['approve']);
  const page = await served.signIn('finance', '/console/settlements?tab=bank', { viewport });
  const box = page.getByRole('dialog');
  for (const one of [second, first]) await pressOn(page, rowOf(page, one).getByRole('checkbox'), ' ');
  await pressOn(page, page.getByRole('group', { name: '2 seleccionados' }).getByRole('button', { name: 'Archivo del banco' }));
  await box.getByRole('heading', { name: 'Archivo del banco con 2 pagos' }).waitFor();
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Archivo del banco' }));
  const saved = page.waitForEvent('download');
  await pressOn(page, box.getByRole('button', { name: 'Descargar' }));
  const made = await readSaved(await saved);
  expect(made).toContain(`<EndToEndId>`);
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  // The file is there again, byte for byte.
  await pressOn(page, page.getByRole('link', { name: 'Archivos del banco' }));
  await page.getByRole('heading', { name: 'Archivos del banco', level: 1 }).waitFor();
  const again = page.waitForEvent('download');
  await pressOn(page, page.getByRole('button', { name: /^Descargar/ }).first());
  expect(await readSaved(await again)).toBe(made);
  await expectAccessible(page);

  await pressOn(page, page.getByRole('button', { name: 'Resultados del banco' }));
  const results = `settlement,result,reference,reason\n${first},paid,TRX-90311,\n`;
  await box.getByLabel('Archivo CSV').setInputFiles(csvFile(`${results}999999,paid,TRX-1,\n`));
  await box.getByText('Línea 3:').waitFor();
  await expectAccessible(page);
  await box.getByLabel('Archivo CSV').setInputFiles(csvFile(`${results}${second},returned,,Cuenta cerrada\n`));
  await box.getByRole('row').filter({ hasText: 'Devuelta' }).waitFor();
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Registrar' }));
  await box.waitFor({ state: 'detached' });
  for (const [settlement, text] of [
    [first, 'TRX-90311'],
    [second, 'Cuenta cerrada'],
  ] as const) {
    await page.goto(`${served.origin}/console/settlements/panaderia/${settlement}`);
    await said(page, text);
  }
});

const jsonFile = (value: unknown) => ({ name: 'formato.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(value)) });
const LAYOUT = {
  format: 'csv',
  timeZone: 'America/Bogota',
  payer: ACCOUNT,
  csv: {
    encoding: 'utf-8',
    lineEnd: 'lf',
    separator: ';',
    quoting: 'needed',
    header: true,
    decimal: ',',
    days: 'YYYYMMDD',
    columns: [
      { name: 'Referencia', field: 'settlement' },
      { name: 'Cuenta', field: 'accountNumber' },
      { name: 'Valor', field: 'amount' },
    ],
  },
};

test.each(SCREENS)('by keyboard alone at %o, finance sets how a bank takes files, once it has seen one', async (viewport) => {
  const layout = `banco-${viewport.width}`;
  const page = await served.signIn('finance', '/console/bank-files', { viewport });
  const box = page.getByRole('dialog');
  const file = box.getByLabel('Definición, en un archivo JSON');
  await pressOn(page, page.getByRole('link', { name: 'Formatos de archivo' }));
  await page.getByRole('row').filter({ hasText: 'mensaje' }).waitFor();
  await expectAccessible(page);
  await pressOn(page, page.getByRole('button', { name: 'Agregar formato' }));
  await file.setInputFiles(jsonFile([1]));
  await box.getByText('El archivo no tiene un objeto JSON.').waitFor();
  const [, ...columns] = LAYOUT.csv.columns;
  await file.setInputFiles(jsonFile({ ...LAYOUT, timeZone: 'Bogota', csv: { ...LAYOUT.csv, columns } }));
  const refused = box.getByRole('alert');
  await refused.getByText('Con este formato no se puede hacer un archivo').waitFor();
  await refused.getByText('timeZone No es una zona horaria').waitFor();
  await refused.getByText('csv/columns Falta una columna con settlement').waitFor();
  await expectAccessible(page);
  await file.setInputFiles(jsonFile(LAYOUT));
  await file.setInputFiles(jsonFile({ format: 'pain.001.001.09', timeZone: 'America/Bogota', payer: ACCOUNT }));
  await box.getByText('EndToEndId').waitFor();
  // What is wider than the box scrolls inside itself.
  const [outer, inner] = [await box.boundingBox(), await box.locator('pre').boundingBox()];
  expect(inner?.width).toBeLessThan(outer?.width ?? 0);
  await file.setInputFiles(jsonFile(LAYOUT));
  await box.getByText('Referencia;Cuenta;Valor').waitFor();
  await pressOn(page, box.getByRole('button', { name: 'Guardar' }));
  await box.getByText('Campo obligatorio').waitFor();
  await writeInto(page, box.getByLabel('Nombre'), 'mensaje');
  await box.getByText('Ya hay un formato con este nombre').waitFor();
  await writeInto(page, box.getByLabel('Nombre'), layout);
  await expectAccessible(page);
  await pressOn(page, box.getByRole('button', { name: 'Guardar' }));
  await box.waitFor({ state: 'detached' });

  await pressOn(page, page.getByRole('link', { name: layout }));
  await page.getByText('Referencia;Cuenta;Valor').waitFor();
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await pressOn(page, page.getByRole('button', { name: 'Descargar la definición' }));
  expect(JSON.parse(await readSaved(await saved))).toEqual(LAYOUT);
  await pressOn(page, page.getByRole('button', { name: 'Cambiar el formato' }));
  await file.setInputFiles(jsonFile({ ...LAYOUT, csv: { ...LAYOUT.csv, separator: '|' } }));
  await box.getByText('Referencia|Cuenta|Valor').waitFor();
  await pressOn(page, box.getByRole('button', { name: 'Guardar' }));
  await box.waitFor({ state: 'detached' });
  await page.getByText('Referencia|Cuenta|Valor').waitFor();
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('422')]);
});

test('who may not set how a bank takes files reads it, without the whole number of the account', async () => {
  const page = await served.signIn('auditor', '/console/bank-files/layouts', { viewport: PHONE });
  await said(page, 'El equipo financiero del servicio los define.');
  await page.getByRole('link', { name: 'mensaje' }).click();
  await page.getByText('EndToEndId').waitFor();
  expect(await page.getByRole('main').innerText()).not.toContain(ACCOUNT.number);
  expect(
    await page
      .getByRole('main')
      .getByRole('button', { name: /Cambiar|Descargar/ })
      .count(),
  ).toBe(0);
  await expectAccessible(page);
});

test('what results would do is shown of the file that is chosen last, and the same file can be chosen again', async () => {
  const first = await settle('J-1', ['approve'], ['sent']);
  const second = await settle('J-2', ['approve'], ['sent']);
  const page = await served.signIn('finance', '/console/bank-files');
  const box = page.getByRole('dialog');
  const file = box.getByLabel('Archivo CSV');
  const paid = (settlement: string) => csvFile(`settlement,result,reference,reason\n${settlement},paid,TRX-${settlement},\n`);
  await page.getByRole('button', { name: 'Resultados del banco' }).click();
  // The service is slow: another file is chosen before it has answered.
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  const asked = page.waitForRequest('**/manage/v1/settlement-results');
  await page.route('**/manage/v1/settlement-results', async (route) => {
    await isFree;
    await route.continue();
  });
  await file.setInputFiles(paid(first));
  await asked;
  await file.setInputFiles(paid(second));
  free();
  await rowOf(page, second).waitFor();
  expect(await rowOf(page, first).count()).toBe(0);
  // One that is too large is not judged, and nothing is shown in its place.
  await file.setInputFiles(csvFile('x'.repeat(2_000_000)));
  await box.getByText('El archivo es demasiado grande.').waitFor();
  expect(await rowOf(page, second).count()).toBe(0);
  await file.setInputFiles(paid(second));
  await rowOf(page, second).waitFor();
  const chooser = page.waitForEvent('filechooser');
  await file.click();
  await chooser;
  expect(await file.inputValue()).toBe('');
  await rowOf(page, second).waitFor({ state: 'detached' });
});

test('who signed in a while ago proves who it is before it is shown what results would do, and goes on with the same file', async () => {
  const settlement = await settle('G-1', ['approve'], ['sent']);
  const page = await served.signIn('finance', '/console/bank-files', { viewport: PHONE });
  const { id } = (await page.evaluate(`fetch('/manage/v1/me').then((answer) => answer.json())`)) as { readonly id: string };
  const codes = await served.service.db.transaction((tx) => Promise.resolve(makeRecoveryCodes(tx, id)));
  await page.reload();
  const box = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Resultados del banco' }).click();
  served.service.clock.advance({ minutes: 11 });
  await box.getByLabel('Archivo CSV').setInputFiles(csvFile(`settlement,result,reference,reason\n${settlement},paid,TRX-7,\n`));
  await box.getByLabel('Código').fill(codes[0] as string);
  await box.getByRole('button', { name: 'Confirmar' }).click();
  await box.getByText('Confirmado').waitFor();
  await box.getByRole('button', { name: 'Registrar' }).click();
  await box.getByRole('row').filter({ hasText: 'Pagada' }).waitFor();
  await box.getByRole('button', { name: 'Registrar' }).click();
  await box.waitFor({ state: 'detached' });
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('403')]);
});

const READERS = [
  ['administrator', 'es', 'La prepara y la aprueba el operador.'],
  ['viewer', 'pt', 'O operador a prepara e aprova.'],
  ['auditor', 'en', 'The finance team of the service makes and approves them'],
] as const;

test.each(drawn(READERS))('a %s reads in %s what becomes of settlements, and is offered no act', async (role, language, words) => {
  const settlement = await settle(`D-${role}`);
  const page = await served.signIn(role, '/console/settlements', { viewport: PHONE, language });
  await said(page, words);
  await rowOf(page, settlement).waitFor();
  const acts = page.getByRole('main').getByRole('button', { name: ACT_NAMES });
  expect((await page.getByRole('checkbox').count()) + (await acts.count())).toBe(0);
  await expectAccessible(page);
  await page.goto(`${served.origin}/console/settlements/panaderia/${settlement}`);
  await page.getByRole('link', { name: `order/D-${role}/paid/1` }).waitFor();
  expect(await acts.count()).toBe(0);
  await expectAccessible(page);
  await page.goto(`${served.origin}/console/settlements/panaderia`);
  await said(page, /\*\d{4}/);
  expect(await page.getByRole('main').innerText()).not.toMatch(/04512345678|9900112233/);
  expect(await acts.count()).toBe(0);
  await expectAccessible(page);
});

test("a merchant's people see none of another merchant", async () => {
  await settle('E-1');
  const { merchantId } = await served.service.merchant({ merchantId: 'otra' });
  const page = await served.signIn('viewer', '/console/settlements', { merchantId, language: 'en' });
  await said(page, 'There are no settlements');
  await expectAccessible(page);
});

test('a notice of a settlement leads to it', async () => {
  await carryOut('PUT', '/merchants/panaderia/update-notices', { isOn: true });
  const settlement = await settle('H-1', ['approve'], ['sent'], ['paid', { bankReference: 'TRX-90312' }]);
  const { body } = await (await manageCalls(served.service)).get('/notices?merchant=panaderia&kind=settlement');
  const [notice] = body['items'] as unknown as readonly { readonly id: string }[];
  const page = await served.signIn('administrator', `/console/notices/${notice?.id}`);
  await page.getByRole('link', { name: settlement, exact: true }).click();
  await said(page, 'TRX-90312');
});

test('all rules of a merchant are shown, its own behind many general ones, and nothing is said before its currencies are known', async () => {
  const terms = { kind: 'withholding', base: 'payments', percent: '2', since: '2026-01-01' };
  // A page of the list holds 200.
  for (let number = 1; number <= 201; number++)
    await carryOut('POST', '/settlement-rules', { ...terms, name: `de-todos-${number}`, currency: 'USD' });
  await served.service.merchant({ merchantId: 'lejana' });
  await carryOut('POST', '/settlement-rules', { ...terms, name: 'rete-ica', currency: 'COP', merchant: 'lejana' });
  const page = await served.signIn('auditor', '/console/settlements', { language: 'es' });
  await page.route('**/manage/v1/merchants/lejana', async (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${served.origin}/console/settlements/lejana`);
  const retry = page.getByRole('button', { name: 'Intentar de nuevo' });
  await retry.waitFor();
  expect(await page.getByText('No se descuenta nada').count()).toBe(0);
  expect(served.faults.splice(0)).toEqual([expect.stringContaining('500')]);
  await page.unroute('**/manage/v1/merchants/lejana');
  await retry.click();
  await page.getByRole('region', { name: 'Descuentos vigentes' }).getByText('rete-ica').waitFor();
});

test('a settlement is prepared for a merchant behind hundreds of others, and of one that is given the box says its name', async () => {
  // A page of the list holds 200.
  await Promise.all(Array.from({ length: 201 }, (_, place) => served.service.merchant({ merchantId: `a-${place}` })));
  await paidYesterday('I-1');
  const page = await served.signIn('finance', '/console/settlements');
  const box = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Preparar liquidación' }).click();
  await box.getByLabel('Comercio').selectOption('panaderia');
  await box.getByText('Así quedaría').waitFor();
  await box.getByText(/^Recaudado · /).waitFor();
  await page.goto(`${served.origin}/console/settlements/panaderia`);
  await page.getByRole('button', { name: 'Preparar liquidación' }).click();
  await box.getByRole('heading', { name: 'Preparar liquidación · panaderia' }).waitFor();
});
