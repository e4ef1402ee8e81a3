import { describe, expect, test } from 'vitest';
import { eventually, SOON_MS } from '../../server/src/testing/deadlines.ts';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import { orderCalls } from '../../server/src/testing/order-calls.ts';
import { typeAtOnce } from './keyboard.ts';
import { DESKTOP, expectAccessible, expectNoOverflow, PHONE, useServedConsole } from './served-console.ts';

const served = useServedConsole();

describe('the console', () => {
  test('leads who is not signed in to the page of signing in, and back', async () => {
    const context = await served.browser.newContext({ locale: 'es' });
    const page = await context.newPage();
    await page.goto(`${served.origin}/console/orders?state=pending`);
    await page.waitForURL(/sign-in\?next=%2Fconsole%2Forders%3Fstate%3Dpending/);
    expect((await context.cookies()).map(({ name, value }) => [name, decodeURIComponent(value)])).toEqual([
      ['__Host-caudal-next', '/console/orders?state=pending'],
    ]);
  });

  test.each([
    [DESKTOP, 'light'],
    [PHONE, 'dark'],
  ] as const)('shows orders by the filter of its address, at %o in %s', async (viewport, colorScheme) => {
    const page = await served.signIn('owner', '/console/orders?state=pending&reference=0000', { viewport, colorScheme });
    await page.getByText('No hay nada que mostrar').waitFor();
    await page.getByRole('button', { name: 'Quitar: Referencia' }).click();
    await page.getByText('A-1002').waitFor();
    expect(new URL(page.url()).search).toBe('?state=pending');
    await expectAccessible(page);
  });
});

describe('the first screen', () => {
  test('asks for what the address shows before the console itself is there, and for nothing twice', async () => {
    const page = await served.signIn('owner', '/console/no-page');
    await page.locator('main h1').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    const wanted = ['/manage/v1/me', '/manage/v1/orders'];
    const early = Promise.all([...wanted.map((path) => page.waitForRequest(served.origin + path)), page.waitForRequest(/orders-page/)]);
    const isConsole = /\/assets\/console-[^/]*\.js$/;
    await page.route(isConsole, async (route) => {
      await early;
      await route.continue();
    });
    await page.goto(`${served.origin}/console/orders`);
    await page.getByText('A-1001').waitFor();
    expect(asked.filter((path) => wanted.includes(path)).sort()).toEqual(wanted);
    // The page names it, so that it comes beside the file that runs first.
    expect(await (await page.request.get(`${served.origin}/console/orders`)).text()).toMatch(/<link rel="modulepreload"[^>]*console-/);
    // A box over the page is large, and opened later if at all.
    expect(asked.filter((path) => path.includes('open-dialog'))).toEqual([]);
  });
});

describe('by the keys alone', () => {
  test('somebody finds an order by the end of its reference, saves a view, and comes back to it', async () => {
    const page = await served.signIn('owner', '/console/orders');
    await page.getByText('A-1001').waitFor();
    const reference = (await page.locator('tbody tr').last().locator('td[data-title=Referencia]').textContent()) ?? '';
    await page.keyboard.press('Control+k');
    await typeAtOnce(page, page.getByRole('combobox'), reference.slice(-6));
    await page.getByRole('option', { name: reference }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/orders\/panaderia\/A-100\d$/);

    await page.goto(`${served.origin}/console/orders?state=approved,pending`);
    await page.getByRole('button', { name: 'Vistas' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Guardar esta vista' }).press('Enter');
    await typeAtOnce(page, page.getByLabel('Nombre'), 'Las de hoy');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Las de hoy' }).waitFor();
    await page.goto(`${served.origin}/console/orders`);
    await page.getByRole('button', { name: 'Vistas' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Las de hoy' }).press('Enter');
    await page.waitForURL(/\/console\/orders\?state=approved,pending$/);
  });

  test('the help shows the keys, and the focus comes back', async () => {
    const page = await served.signIn('clerk', '/console/orders');
    await page.getByText('A-1001').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Teclas' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

test('a list says what changed, and shows it when somebody asks', async () => {
  const page = await served.signIn('clerk', '/console/orders');
  await page.getByText('A-1001').waitFor();
  await served.orders.create({ order: 'A-2000', email: 'beto@example.com', amount: '10000' });
  const changed = page.getByRole('button', { name: /cambio/ });
  await changed.waitFor();
  expect(await page.getByText('A-2000').count()).toBe(0);
  await changed.click();
  await page.getByText('A-2000').waitFor();
});

test('a page says that an answer takes long, and that there is no connection, and comes back by itself', async () => {
  const page = await served.signIn('clerk', '/console/orders');
  await page.getByText('A-1001').waitFor();
  await page.clock.install();
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  await page.route('**/manage/v1/cashouts*', (route) => isFree.then(() => route.continue()));
  await page.getByRole('link', { name: 'Retiros' }).click();
  await page.locator('main [aria-busy=true]').waitFor();
  await page.clock.fastForward(3_000);
  await page.getByText('Tarda más de lo normal').waitFor();
  free();
  await page.getByText('No hay nada que mostrar').waitFor();

  await page.context().setOffline(true);
  // A stream that is open stays open without a network, until its server ends it.
  served.service.app.server.closeAllConnections();
  const isStale = page.locator('p[role=status]', { hasText: 'Lo que ve puede no estar al día.' });
  const isOffline = page.getByText('Sin conexión: lo que ve puede no estar al día.');
  await expect.poll(() => page.clock.fastForward(3_000).then(() => isOffline.count()), { timeout: 10_000 }).toBe(1);
  // What was read half a minute ago is read again, which fails.
  await page.clock.fastForward(30_000);
  await page.getByRole('link', { name: 'Órdenes' }).click();
  await page.getByText('A-1001').waitFor();
  await expect.poll(() => page.clock.fastForward(3_000).then(() => isStale.count()), { timeout: 10_000 }).toBe(1);
  await page.context().setOffline(false);
  await isOffline.waitFor({ state: 'detached' });
  await isStale.waitFor({ state: 'detached' });
  expect(await page.getByText('A-1001').count()).toBe(1);
  served.faults.splice(0);
});

test('what was typed is kept without a connection and after a lost answer, and is carried out once', async () => {
  const page = await served.signIn('clerk', '/console/orders/new');
  const fields = { 'Número de la orden': 'A-3000', Monto: '27500', 'Correo del pagador': 'ana@example.com' };
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole('combobox', { name: 'Moneda' }).selectOption('COP');
  const create = page.getByRole('button', { name: 'Crear' });
  const noConnection = page.getByRole('alert').getByText('No hay conexión con el servicio');
  await page.context().setOffline(true);
  await create.click();
  await noConnection.waitFor();
  await page.context().setOffline(false);
  // The order is created, and nobody hears of it.
  let sent = 0;
  await page.route('**/manage/v1/orders', async (route) => (sent++ === 0 ? route.fetch().then(() => route.abort()) : route.continue()));
  await create.click();
  await expect.poll(() => sent).toBe(1);
  await noConnection.waitFor();
  for (const [label, text] of Object.entries(fields)) expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(text);
  await create.click();
  await page.waitForURL(/\/orders\/panaderia\/A-3000$/);
  expect(sent).toBe(2);
  served.faults.splice(0);
});

test('a list shows one state, and last month, in one press each, with how many there are and what they are worth', async () => {
  const page = await served.signIn('clerk', '/console/orders');
  const states = page.getByRole('group', { name: 'Estado' });
  await states.getByRole('button', { name: /^Pendiente [1-9]/ }).waitFor();
  await page.getByText(/^\d+ en total/).waitFor();
  await states.getByRole('button', { name: /^Vencida 0/ }).click();
  await page.getByText('No hay nada que mostrar').waitFor();
  await page.getByText('0 en total').waitFor();
  expect(new URL(page.url()).search).toBe('?state=expired');
  await states.getByRole('button', { name: /^Todo [1-9]/ }).click();
  await page.getByRole('button', { name: 'Creación: cualquier fecha' }).click();
  await page.getByRole('menuitem', { name: 'Mes pasado' }).click();
  await page.getByText('0 en total').waitFor();
  expect(new URL(page.url()).search).toBe('?createdFrom=2026-10-01&createdTo=2026-10-31');
  // One choice is one control, which takes it back.
  await page.getByRole('button', { name: /^Creación: mes pasado/ }).click();
  await page.getByRole('menuitem', { name: 'Este mes' }).click();
  await page.getByRole('link', { name: 'A-1001' }).waitFor();
  await expectAccessible(page);
  // The audit log takes instants: its days begin in the zone of the list.
  const acts = await served.signIn('owner', '/console/audit');
  await acts.getByText(/^[1-9]\d* en total/).waitFor();
  await acts.getByRole('button', { name: 'Cualquier fecha' }).click();
  await acts.getByRole('menuitem', { name: 'Ayer' }).click();
  await acts.getByText('0 en total').waitFor();
  expect(new URL(acts.url()).search).toBe('?since=2026-11-20T05:00:00Z&until=2026-11-21T05:00:00Z');
});

let tries = 0;
/** Another order each time: one that was taken just before a freeze would be refused after it. */
const takesOrders = async (): Promise<boolean> => (await served.orders.create({ order: `Z-${++tries}` })).code === '0000';

test('a form that was left leads nobody back, and opens again with what the service has now', async () => {
  const order = 'A-1003';
  const page = await served.signIn('clerk', `/console/orders?order=${order}`);
  // Who leaves is asked: what is being saved may still be refused, and then it would be lost.
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  await page.getByRole('link', { name: order }).click();
  await page.getByRole('link', { name: 'Cambiar', exact: true }).click();
  const amount = page.getByLabel('Monto', { exact: true });
  await amount.fill('41000');
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  let sent = 0;
  await page.route(`**/manage/v1/orders/panaderia/${order}`, async (route) => {
    if (route.request().method() === 'PATCH' && sent++ === 0) await isFree;
    await route.continue();
  });
  const save = page.getByRole('button', { name: 'Guardar los cambios' });
  await save.click();
  await expect.poll(() => sent).toBe(1);
  await page.goBack();
  await page.goBack();
  await page.waitForURL(/orders\?order=A-1003$/);
  free();
  await page.getByText('Guardado').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/orders');

  const change = (now: string) => served.orders.update({ order, amount: now, email: 'ana@example.com' });
  await change('52000');
  await page.goForward();
  await page.goForward();
  await save.waitFor();
  expect(await amount.inputValue()).toBe('52.000,00');
  await amount.fill('1');
  await change('53000');
  await page.goto(`${served.origin}/openapi.json`);
  await page.goBack();
  await save.waitFor();
  expect(await amount.inputValue()).toBe('53.000,00');
  expect([sent, await page.getByRole('button', { name: 'Comparar' }).count()]).toEqual([1, 0]);
  const asked = page.waitForRequest('**/manage/v1/me');
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await asked;

  const staff = await manageCalls(served.service, { name: 'console' });
  const act = async (name: 'freeze' | 'thaw'): Promise<void> => {
    await staff.send('POST', `/merchants/panaderia/${name}`);
    await expect.poll(takesOrders).toBe(name === 'thaw');
  };
  await act('freeze');
  await amount.fill('60000');
  await save.click();
  await page.getByRole('alert').getByText('El comercio está congelado').waitFor();
  await act('thaw');
  await save.click();
  await page.waitForURL(/panaderia\/A-1003$/);
  expect((await served.orders.query(order)).data).toMatchObject({ AMOUNT: '60000.00' });
  served.faults.splice(0);
});

test('an open tab hears again after a proxy said no, and leads to the page of signing in when the role was taken', async () => {
  const page = await served.signIn('clerk', '/console/no-page');
  await page.clock.install();
  let asked = 0;
  await page.route('**/manage/v1/events', (route) => (asked++ === 0 ? route.fulfill({ status: 502 }) : route.continue()));
  await page.goto(`${served.origin}/console/orders`);
  await page.getByText('A-1001').waitFor();
  await expect.poll(() => page.clock.fastForward(5_000).then(() => asked), { timeout: 10_000 }).toBe(2);
  const staff = await manageCalls(served.service, { name: 'console' });
  const { id } = (await (await page.request.get(`${served.origin}/manage/v1/me`)).json()) as { readonly id: string };
  expect((await staff.send('PATCH', `/users/${id}`, { role: 'viewer' }, { 'if-match': '*' })).status).toBe(200);
  // The service ends the stream by itself within seconds. A browser comes again.
  served.service.app.server.closeAllConnections();
  await page.waitForURL(/\/console\/sign-in\?next=/);
  served.faults.splice(0);
});

test('an open tab shows who has signed in meanwhile in another one, and nothing of who was here before', async () => {
  const page = await served.signIn('owner', '/console/orders');
  await page.getByText('A-1001').first().waitFor();
  const other = await served.signIn('clerk');
  const session = (await other.context().cookies()).find(({ name }) => name === '__Host-caudal');
  await page.context().addCookies([session as NonNullable<typeof session>]);
  const reloaded = page.waitForEvent('load');
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
  await reloaded;
  await page
    .getByText(/^clerk-\d+@/)
    .first()
    .waitFor();
  expect(await page.getByText(/^owner-\d+@/).count()).toBe(0);
});

test('an id of 200 letters makes no page wider than the screen, and hides no column', async () => {
  const order = 'W'.repeat(200);
  await served.orders.create({ order });
  const page = await served.signIn('clerk', '/console/orders', { viewport: PHONE });
  await page.getByText(order).first().waitFor();
  await expectNoOverflow(page);
  await page.goto(`${served.origin}/console/orders/panaderia/${order}/edit`);
  await page.getByRole('link', { name: order }).waitFor();
  await expectNoOverflow(page);
  await page.setViewportSize(DESKTOP);
  await page.goto(`${served.origin}/console/orders`);
  await page.getByText(order).first().waitFor();
  const hidden =
    'Array.from(document.querySelectorAll("main table"), ({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth - clientWidth)';
  expect(await page.evaluate(hidden)).toEqual([0]);
});

test('a list shows its first rows at once, and then all', async () => {
  for (let order = 0; order < 12; order++) await served.orders.create({ order: `B-${order}` });
  const page = await served.signIn('clerk', '/console/no-page', { viewport: PHONE });
  await page.locator('main h1').waitFor();
  await page.addInitScript(`globalThis.counts = [];
    new MutationObserver(() => counts.push(document.querySelectorAll('tbody tr').length)).observe(document, { childList: true, subtree: true });`);
  await page.goto(`${served.origin}/console/orders`);
  // The oldest one is last.
  await page.getByText('A-1001').waitFor();
  const { items } = (await (await page.request.get(`${served.origin}/manage/v1/orders`)).json()) as { readonly items: readonly unknown[] };
  expect(await page.locator('tbody tr').count()).toBe(items.length);
  const counts: readonly number[] = await page.evaluate('counts');
  expect(new Set(counts.filter((count) => count > 0))).toEqual(new Set([12, items.length]));
});

test('an open tab whose files are gone loads those of the new build by itself; a file that stays away is said', async () => {
  const page = await served.signIn('clerk', '/console/orders');
  await page.getByText('A-1001').waitFor();
  let isGone = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isGone = false;
  });
  await page.route('**/cashouts-page-*.js', (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
  await page.getByRole('link', { name: 'Retiros' }).click();
  await page.getByRole('heading', { level: 1, name: 'Retiros' }).waitFor();
  await page.route('**/order-page-*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto(`${served.origin}/console/orders/panaderia/A-1001`);
  await page.getByRole('alert').waitFor();
  // What the browser says of files that do not come, and nothing else. It has said all once the page is closed.
  await page.close();
  for (const fault of served.faults.splice(0)) expect(fault).toMatch(/404|dynamically imported module/);
});

test('a page begins at its top, and the way back leads to where it was left', async () => {
  for (let order = 0; order < 30; order++) await served.orders.create({ order: `S-${order}` });
  const page = await served.signIn('clerk', '/console/orders', { viewport: PHONE });
  // One of the last rows: they come after the first ones.
  const last = page.getByRole('link', { name: 'S-1', exact: true });
  await last.click();
  await page.getByRole('heading', { level: 1, name: 'S-1' }).waitFor();
  expect(await page.evaluate('scrollY')).toBe(0);
  await page.goBack();
  await eventually(SOON_MS, async () => {
    expect(await page.evaluate('scrollY')).toBeGreaterThan(PHONE.height);
    const { y } = (await last.boundingBox()) ?? { y: -1 };
    expect(Math.abs(y - PHONE.height / 2)).toBeLessThan(PHONE.height / 2);
  });
  await page.goForward();
  await page.getByRole('heading', { level: 1, name: 'S-1' }).waitFor();
  await eventually(SOON_MS, async () => expect(await page.evaluate('scrollY')).toBe(0));
});

test('what does not exist, or is of another merchant, is a page with a title', async () => {
  const other = await served.service.merchant({ merchantId: 'ferreteria' });
  await orderCalls(served.service, other).create({ order: 'F-1' });
  const page = await served.signIn('clerk', '/console/orders/ferreteria/F-1');
  const title = page.getByRole('heading', { level: 1, name: 'No encontramos esto' });
  await title.waitFor();
  const said = await page.locator('main').textContent();
  await expectAccessible(page);
  await page.goto(`${served.origin}/console/orders/ferreteria/F-2`);
  await title.waitFor();
  expect([await page.locator('main').textContent(), await page.title()]).toEqual([said, 'No encontramos esto – Caudal']);
  served.faults.splice(0);
});
