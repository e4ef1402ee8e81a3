import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { statement } from '../../server/src/kit/db.ts';
import { cashoutCalls } from '../../server/src/testing/cashout-calls.ts';
import { manageCalls, type ManageCalls } from '../../server/src/testing/manage-calls.ts';
import { networkCalls } from '../../server/src/testing/network-calls.ts';
import { answering, startNoticeReceiver, type NoticeReceiver } from '../../server/src/testing/notice-receiver.ts';
import { drawn } from '../../server/src/testing/lanes.ts';
import { pressOn, tabTo, writeInto } from './keyboard.ts';
import { DESKTOP, expectAccessible, PHONE, useServedConsole } from './served-console.ts';

const SCREENS = drawn([DESKTOP, PHONE]);

const MERCHANT = 'mercado';
const WAITING_MAILS = statement(
  'test.waiting_mails',
  `update messages set state = 'pending', problem = 'ECONNREFUSED', ended_at = null, due_at = $1 where channel = 'mail'`,
);
let receiver: NoticeReceiver;
let staff: ManageCalls;
const served = useServedConsole(async ({ service }) => {
  receiver = await startNoticeReceiver();
  await service.merchant({ merchantId: MERCHANT, name: 'Mercado Central', noticeUrl: receiver.url });
  staff = await manageCalls(service, { name: 'test' });
});
afterAll(() => receiver.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

/** An order of the merchant that is paid, so that there is a notice to send. */
async function payOrder(order: string): Promise<void> {
  const amount = { amount: '32000', currency: 'COP' };
  const made = await staff.send('POST', '/orders', { merchant: MERCHANT, order, email: 'ana@example.com', amount });
  await staff.send('POST', '/sandbox/payments', { reference: made.body['reference'] });
}

test.each(SCREENS)('somebody sees why a notice failed and sends it again, by keyboard alone at %o', async (viewport) => {
  const { service } = served;
  const order = `N-${viewport.width}`;
  receiver.answer(answering(500, 'no such table: orders'));
  await payOrder(order);
  await service.runJobs();
  await staff.send('POST', `/notice-endpoints/${MERCHANT}/pause`);
  receiver.answer(answering(200, 'noted'));
  const page = await served.signIn('operations', `/console/notices?merchant=${MERCHANT}&state=waiting`, { viewport });
  await page.getByText('Fallando').first().waitFor();
  await pressOn(page, page.getByRole('link', { name: `Orden ${order}` }));
  await page.getByText('HTTP 500 · error del servidor').first().waitFor();
  await page.getByText('no such table: orders').first().waitFor();
  await page.getByText('"po_id"').waitFor();
  await expectAccessible(page);
  await page.goBack();
  await pressOn(page, button(page, 'Reanudar'));
  await pressOn(page, inDialog(page, 'Reanudar'));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await service.runJobs();
  await page.goto(`${served.origin}/console/notices?merchant=${MERCHANT}`);
  await pressOn(page, page.getByRole('link', { name: `Orden ${order}` }));
  await pressOn(page, button(page, 'Enviar otra vez'));
  await pressOn(page, inDialog(page, 'Enviar otra vez'));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await service.runJobs();
  // Attempts that ended the same are one row.
  await page.getByRole('row', { name: /^2–3 .*noted$/ }).waitFor();
  await page.getByLabel('De', { exact: true }).selectOption('1');
  await page.getByRole('deletion').filter({ hasText: 'no such table: orders' }).waitFor();
  await expectAccessible(page);
});

test('a cellphone is shown as it will be dialled, while it is typed', async () => {
  const page = await served.signIn('administrator', '/console/cashouts?open=register', { viewport: PHONE });
  const cellphone = page.getByLabel('Celular');
  await page.getByLabel('Enviar la clave por SMS').check();
  await page.getByText('Un celular de Colombia. Uno de otro país empieza con + y su indicativo.').waitFor();
  for (const [typed, says] of [
    ['0300 123 4567', 'El SMS va al +573001234567'],
    ['6015550000', 'No es un celular de Colombia. Si es de otro país, empieza con + y su indicativo.'],
    ['+52 1 55 1234 5678', 'El SMS va al +525512345678'],
  ] as const) {
    await cellphone.fill(typed);
    await page.getByText(says, { exact: true }).waitFor();
  }
  await expectAccessible(page);
});

test.each(SCREENS)(
  'somebody repairs a receiver and sends the notice that waits for hours now, by keyboard alone at %o',
  async (viewport) => {
    const { service } = served;
    const order = `S-${viewport.width}`;
    receiver.answer(answering(500, 'down'));
    await payOrder(order);
    for (let hour = 0; hour < 4; hour++) {
      await service.runJobs();
      service.clock.advance({ hours: 1 });
    }
    receiver.answer(answering(200, 'up again'));
    const page = await served.signIn('support', `/console/notices?merchant=${MERCHANT}&state=waiting`, { viewport });
    await pressOn(page, page.getByRole('link', { name: `Orden ${order}` }));
    await pressOn(page, button(page, 'Enviar ahora'));
    await inDialog(page, 'Enviar ahora').waitFor();
    await expectAccessible(page);
    await pressOn(page, inDialog(page, 'Enviar ahora'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await service.runJobs();
    await page.getByRole('region', { name: 'Intentos' }).getByText('up again').waitFor();
    await page.getByRole('main').getByText('Entregado').first().waitFor();
  },
);

test('a mail that waits is sent now from the list, and one that ended is left alone', async () => {
  await served.service.db.query(WAITING_MAILS, [served.service.clock.now().add({ hours: 1 })]);
  const page = await served.signIn('support', '/console/messages?state=pending', { viewport: PHONE });
  await page
    .getByRole('checkbox', { name: /Seleccionar:/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Enviar ahora' }).click();
  await page.getByText('1 mensaje se envía ahora').waitFor();
  await expectAccessible(page);
});

test('a merchant registers a cashout, sees its password once, renews and cancels it, by keyboard alone on a phone', async () => {
  const page = await served.signIn('administrator', '/console/cashouts', { viewport: PHONE });
  await pressOn(page, button(page, 'Registrar retiro'));
  await writeInto(page, page.getByLabel('Número del retiro'), 'W-1');
  await writeInto(page, page.getByLabel('Monto', { exact: true }), '45000');
  await page.getByLabel('Moneda').press('C');
  await writeInto(page, page.getByLabel('Documento'), '1020304050');
  await expectAccessible(page);
  await pressOn(page, inDialog(page, 'Registrar retiro'));
  await page.getByText('No se muestra otra vez').waitFor();
  await pressOn(page, inDialog(page, 'Cerrar').last());
  await page.getByRole('heading', { name: 'W-1' }).waitFor();
  await expectAccessible(page);
  await pressOn(page, button(page, 'Clave nueva'));
  await pressOn(page, inDialog(page, 'Clave nueva'));
  await page.getByText('No se muestra otra vez').waitFor();
  await pressOn(page, inDialog(page, 'Cerrar').last());
  await page.getByText('1 de 3').waitFor();
  await pressOn(page, button(page, 'Cancelar el retiro'));
  await pressOn(page, inDialog(page, 'Cancelar el retiro'));
  await page.getByRole('main').getByText('Cancelado').waitFor();
  await tabTo(page, page.getByRole('tab', { name: /Resumen/ }));
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: /Registrado/ }).waitFor();
});

test.each(SCREENS)('somebody exports last month and checks the file in the browser, by keyboard alone at %o', async (viewport) => {
  const page = await served.signIn('finance', '/console/orders?createdFrom=2026-11-01&createdTo=2026-11-30', { viewport });
  await pressOn(page, button(page, 'Exportar'));
  await pressOn(page, inDialog(page, 'Exportar'));
  await page.getByRole('link', { name: 'Ver mis archivos' }).waitFor();
  await served.service.runJobs();
  await pressOn(page, page.getByRole('link', { name: 'Ver mis archivos' }));
  const link = page.getByRole('link', { name: 'Descargar' });
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), pressOn(page, link)]);
  await pressOn(page, button(page, 'Comprobar un archivo'));
  const bytes = readFileSync(await download.path());
  const choose = (buffer: Buffer) =>
    page.getByLabel('Archivo', { exact: true }).setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer });
  await choose(bytes);
  await page.getByText('Está entero y sin cambios').waitFor();
  await choose(Buffer.from(bytes.toString().replace('32000,00', '32000,01')));
  await page.getByText('No está entero').waitFor();
  await expectAccessible(page);
});

/** What a test reads of an element in the browser. */
type Coloured = {
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(element: Coloured): { readonly color: string; readonly backgroundColor: string } };
  };
};

/** The colours of its text and of its ground. */
const colour = (element: Coloured): readonly string[] => {
  const { color, backgroundColor } = element.ownerDocument.defaultView.getComputedStyle(element);
  return [color, backgroundColor];
};

test('the inbox of a sandbox shows the password of an SMS, what proves a notice, and a mail as it looks', async () => {
  await payOrder('I-1');
  const amount = { amount: '45000', currency: 'COP' };
  const given = { document: '1020304050', sms: true, cellphone: '3001234567' };
  await staff.send('POST', '/cashouts', { merchant: 'panaderia', operation: 'I-1', amount, ...given });
  await served.service.runJobs();
  const { body } = await staff.get('/sandbox/inbox?limit=50');
  const entries = body['items'] as unknown as readonly {
    readonly channel: string;
    readonly id: string;
    readonly about: string;
    readonly otp: string;
  }[];
  const open = async (channel: string): Promise<Page> => {
    const entry = entries.find((one) => one.channel === channel && one.about === 'I-1');
    return served.signIn('owner', `/console/sandbox/inbox/${channel}/${entry?.id}`, { viewport: PHONE, colorScheme: 'dark' });
  };
  const sms = await open('sms');
  await sms.getByRole('heading', { name: 'SMS: Clave de un solo uso' }).waitFor();
  await sms
    .getByRole('definition')
    .getByText(String(entries.find(({ channel }) => channel === 'sms')?.otp))
    .waitFor();
  await expectAccessible(sms);
  const notice = await open('notice');
  await notice.getByRole('heading', { name: 'Aviso: Pagado' }).waitFor();
  await notice.getByRole('heading', { name: 'Encabezados que lo prueban' }).waitFor();
  await notice.getByRole('term').getByText('webhook-signature', { exact: true }).waitFor();
  await expectAccessible(notice);
  const mail = await open('mail');
  const heading = mail.frameLocator('iframe').getByRole('heading');
  const [text] = await heading.evaluate(colour);
  const [, ground] = await mail.locator('iframe').evaluate(colour);
  expect([text, ground]).toEqual(['rgb(255, 255, 255)', 'rgb(18, 18, 18)']);
});

test('a hold is shown while it lasts, and not when its minutes are over', async () => {
  const calls = cashoutCalls(served.service, served.shop);
  const { data } = await calls.register(calls.registration({ operation: 'W-held', document: '66666666' }));
  const network = networkCalls(served.service, await served.service.network());
  await network.lookUp(data['otp'], '66666666');
  const page = await served.signIn('operations', '/console/cashouts/panaderia/W-held');
  await page.getByText(`${network.netname} · hasta`).waitFor();
  // Four seconds are left when it is read, and the page is not read again.
  served.service.clock.advance({ minutes: 4, seconds: 56 });
  await page.reload();
  await page.getByText(`${network.netname} · hasta`).waitFor();
  await page.getByText('Ninguna red').waitFor();
  expect(await page.getByRole('button', { name: 'Soltar' }).count()).toBe(0);
});

test('a cashout whose password no longer works says so', async () => {
  const calls = cashoutCalls(served.service, served.shop);
  await calls.register(calls.registration({ operation: 'W-dead', document: '77777777' }));
  const network = networkCalls(served.service, await served.service.network());
  for (let time = 0; time < 5; time++) await network.lookUp('000000', '77777777');
  const page = await served.signIn('support', '/console/cashouts/panaderia/W-dead');
  await page.getByText(/^La clave ya no sirve/).waitFor();
  await expectAccessible(page);
});
