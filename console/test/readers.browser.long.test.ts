import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { statement } from '../../server/src/kit/db.ts';
import { ALL_COUNTRIES } from '../../server/src/merchants/index.ts';
import { MESSAGE_PROBLEMS } from '../../server/src/messages/message-problems.ts';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { networkOrderCalls } from '../../server/src/testing/network-calls.ts';
import { startNoticeReceiver } from '../../server/src/testing/notice-receiver.ts';
import { NOTICE_PROBLEMS } from '../../server/src/notices/notice-problems.ts';
import { expectAccessible, PHONE, useServedConsole } from './served-console.ts';

// What a page says depends on its reader: the language, and what the reader may do.

const FAIL_MAILS = statement(
  'test.fail_mails',
  `update messages set state = 'given_up', problem = $1, ended_at = created_at, sealed = null`,
);

const MERCHANT = 'panaderia';
const ORDER = 'A-1001';
let notice: string;
/** The same notice in the inbox of the sandbox. */
let entry: string;
const served = useServedConsole(async ({ service, orders }) => {
  const staff = await manageCalls(service, { name: 'test' });
  // The shop has no notice URL.
  await staff.send('POST', '/sandbox/payments', { reference: (await orders.query(ORDER)).data['REFERENCE'] });
  await service.runJobs();
  const idOf = async (path: string, channel?: string): Promise<string> => {
    const items = (await staff.get(path)).body['items'] as unknown as readonly { readonly id: string; readonly channel?: string }[];
    return items.find((one) => one.channel === channel)?.id ?? '';
  };
  notice = await idOf(`/notices?merchant=${MERCHANT}`);
  entry = await idOf('/sandbox/inbox?limit=50', 'notice');
  await staff.send('POST', `/orders/${MERCHANT}/A-1002/cancel`, undefined, { 'if-match': '*' });
  const { body } = await staff.get(`/orders/${MERCHANT}/A-1002`);
  await networkOrderCalls(service, await service.network({ netname: 'efectivo' })).pay(String(body['serviceOrderId']), 'T-1', '32000.00');
});

const shows = (page: Page, text: string) => page.getByRole('main').getByText(text).first().waitFor();
const textOf = (page: Page) => page.getByRole('main').innerText();

test.each([
  ['es', 'el comercio no tiene URL de avisos'],
  ['pt', 'o estabelecimento não tem URL de avisos'],
] as const)('why a notice failed is said in the language of the reader, on every page that says it: %s', async (language, words) => {
  const page = await served.signIn('owner', '/console/account', { language, viewport: PHONE });
  const order = `/orders/${MERCHANT}/${ORDER}?tab=sent`;
  for (const address of [`/notices?merchant=${MERCHANT}`, `/notices/${notice}`, order, `/sandbox/inbox/notice/${entry}`]) {
    await page.goto(`${served.origin}/console${address}`);
    await shows(page, words);
    expect(await textOf(page)).not.toContain(NOTICE_PROBLEMS.unaddressed);
  }
});

test('a form begins with the only merchant that its reader sees, and asks where there are several', async () => {
  const page = await served.signIn('owner', '/console/orders/new');
  const merchant = page.getByLabel('Comercio', { exact: true });
  const begins = async (address: string): Promise<string> => {
    await page.goto(served.origin + address);
    return merchant.inputValue();
  };
  const forms = ['/console/orders/new', '/console/cashouts?open=register'];
  for (const form of forms) expect(await begins(form)).toBe(MERCHANT);
  await page.goto(`${served.origin}/console/users`);
  await page.getByRole('button', { name: 'Invitar' }).click();
  await page.getByLabel('Rol').selectOption('clerk');
  expect(await merchant.inputValue()).toBe(MERCHANT);
  // What nobody typed is not a change that somebody loses.
  await page.goto(`${served.origin}/console/orders/new`);
  await merchant.waitFor();
  await page.getByRole('link', { name: 'Órdenes' }).first().click();
  await page.waitForURL(/\/console\/orders$/);
  await served.service.merchant({ merchantId: 'otra' });
  for (const form of forms) expect(await begins(form)).toBe('');
});

test('a test notice says in the language of the reader that nobody answers', async () => {
  const receiver = await startNoticeReceiver();
  await receiver.close();
  await served.service.merchant({ merchantId: 'libreria', noticeUrl: receiver.url });
  const page = await served.signIn('owner', '/console/developers?merchant=libreria');
  await page.getByRole('button', { name: 'Enviar aviso de prueba' }).click();
  await shows(page, 'Por enviar');
  await served.service.runJobs();
  await shows(page, 'el servidor no responde');
  await page.goto(`${served.origin}/console/notices`);
  await page.getByRole('region', { name: 'Receptores que necesitan atención' }).getByText('el servidor no responde').waitFor();
});

test.each([
  [MESSAGE_PROBLEMS.overLimit, 'demasiados para este destinatario'],
  ['EENVELOPE 550 5.1.1', 'EENVELOPE 550 5.1.1'],
])('why a mail did not go out has words where the service says it, and else the codes of its server: %s', async (problem, words) => {
  await served.service.db.query(FAIL_MAILS, [problem]);
  const page = await served.signIn('owner', '/console/messages?state=given_up');
  await shows(page, words);
  await page.goto(`${served.origin}/console/orders/${MERCHANT}/${ORDER}?tab=sent`);
  await shows(page, words);
});

test('a notice that failed says what helps: to do it, or who does it', async () => {
  const acts = 'Cambie la URL de avisos del comercio.';
  const page = await served.signIn('administrator', `/console/notices/${notice}`);
  await shows(page, 'Envíelo otra vez');
  await page.getByRole('link', { name: acts }).click();
  await page.getByRole('button', { name: 'Cambiar: Dirección de los avisos' }).waitFor();

  const clerk = await served.signIn('clerk', `/console/notices/${notice}`, { viewport: PHONE });
  await shows(clerk, 'La URL de avisos la cambia el administrador del comercio.');
  await shows(clerk, 'El administrador del comercio o soporte pueden enviarlo otra vez.');
  expect(await textOf(clerk)).not.toContain(acts);
  await expectAccessible(clerk);
});

test.each(['/refused-payments', `/orders/${MERCHANT}/A-1002`])('%s asks only those to resolve who may', async (address) => {
  const page = await served.signIn('operations', `/console${address}`);
  await shows(page, 'Resuelva cada uno con una nota.');
  await page.getByRole('button', { name: 'Resolver' }).waitFor();
  const clerk = await served.signIn('clerk', `/console${address}`);
  await shows(clerk, 'Los resuelve el equipo de operaciones del servicio.');
  await shows(clerk, 'Abierto');
  expect(await textOf(clerk)).not.toContain('Resuelva');
});

const BEYOND = {
  name: 'test.refused_beyond',
  text: `insert into refused_payments_beyond values ('network:efecty', '2026-11-20', 'COP', 1250, 5625000000, $1)`,
};

test('what networks were refused beyond the list is said to the service alone', async () => {
  await served.service.db.query(BEYOND, [served.service.clock.now()]);
  const page = await served.signIn('operations', '/console/refused-payments', { viewport: PHONE });
  await shows(page, 'Hay más de los que muestra esta lista');
  await shows(page, '1250 pagos');
  await shows(page, '$ 56.250.000');
  await expectAccessible(page);
  const clerk = await served.signIn('clerk', '/console/refused-payments');
  await shows(clerk, 'Abierto');
  expect(await textOf(clerk)).not.toContain('Hay más');
});

test.each([
  ['clerk', 'Hable con el administrador de su comercio.'],
  ['administrator', 'Es para quien opera el servicio.'],
  ['support', 'Hable con un propietario del servicio.'],
] as const)('who may not see a page is sent to who can change that: %s', async (role, words) => {
  await shows(await served.signIn(role, '/console/audit'), words);
});

test.each([
  ['owner', 'la auditoría los guarda'],
  ['operations', 'Anótelos antes de guardar'],
] as const)('how to undo a setting names only what the reader may see: %s', async (role, words) => {
  const page = await served.signIn(role, `/console/merchants/${MERCHANT}`);
  await page.getByRole('button', { name: 'Cambiar: Marca para los pagadores' }).click();
  await page.getByRole('dialog').getByText(words).waitFor();
});

test('the many countries of a network are three names and a number, and a press shows all', async () => {
  const abroad = ALL_COUNTRIES.filter((code) => code !== '343');
  await served.service.network({ netname: 'exterior', countries: abroad });
  const page = await served.signIn('owner', '/console/networks/exterior', { viewport: PHONE });
  const summary = page.getByText('Argentina, Bolivia, Brasil y 13 más');
  await summary.waitFor();
  const last = page.getByText(/República Dominicana, Uruguay$/);
  expect(await last.isVisible()).toBe(false);
  await summary.click();
  await last.waitFor();
  await expectAccessible(page);
});
