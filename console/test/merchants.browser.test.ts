import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { answering, startNoticeReceiver } from '../../server/src/testing/notice-receiver.ts';
import { pressOn, writeInto } from './keyboard.ts';
import { DESKTOP, expectAccessible, PHONE, useServedConsole } from './served-console.ts';

const served = useServedConsole();

test.each([DESKTOP, PHONE])('a merchant is frozen and goes on, by keyboard alone at %o', async (viewport) => {
  const { shop, signIn } = served;
  const page = await signIn('owner', `/console/merchants/${shop.merchantId}`, { viewport });
  await pressOn(page, page.getByRole('button', { name: 'Congelar', exact: true }));
  await expectAccessible(page);
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Congelar' }));
  await page.getByRole('button', { name: 'Descongelar', exact: true }).waitFor();
  expect((await shop.read()).isFrozen, 'the service knows it').toBe(true);
  await expectAccessible(page);
  await pressOn(page, page.getByRole('button', { name: 'Descongelar', exact: true }));
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Descongelar' }));
  await page.getByRole('button', { name: 'Congelar', exact: true }).waitFor();
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
  await page.getByText('HTTP 418 a teapot').waitFor();
  expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([{ type: 'notice.test', status: 'test' }]);
  await expectAccessible(page);
  await receiver.close();
});

test.each([
  [DESKTOP, 'Hash fijo, de los checksums'],
  [PHONE, 'Hash de los avisos'],
])('a secret is replaced, by keyboard alone at %o, and the new one is shown once: %s', async (viewport, secret) => {
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
