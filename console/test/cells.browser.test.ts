import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabaseProxy, type DatabaseProxy } from '../../server/src/testing/database-proxy.ts';
import { BROWSER_TIMEOUT_MS } from '../../server/src/testing/browser.ts';
import { drawn } from '../../server/src/testing/lanes.ts';
import { createTestDatabase } from '../../server/src/testing/test-database.ts';
import { DESKTOP, expectAccessible, PHONE, serveConsoleForTest, type ServedConsole } from './served-console.ts';

let served: ServedConsole;
let proxy: DatabaseProxy;

beforeAll(async () => {
  const database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.serviceUrl);
  served = await serveConsoleForTest({ cells: [{ ...database, serviceUrl: proxy.url }] });
  await served.service.merchant({ merchantId: 'mercado', cell: 1 });
}, BROWSER_TIMEOUT_MS);
afterAll(async () => {
  expect(served.faults).toEqual([]);
  await served.close();
  await proxy.close();
});

test.each(drawn([DESKTOP, PHONE]))('the cells are shown as they are, and a list says which one it lacks, at %o', async (viewport) => {
  proxy.refuse(false);
  const page = await served.signIn('owner', '/console/cells', { viewport });
  const north = page.getByRole('row', { name: 'cell-1' });
  await north.getByText('Disponible').waitFor();
  await page.getByRole('row', { name: 'home (la principal)' }).getByText('Disponible').waitFor();
  expect(await north.textContent()).toMatch(/PostgreSQL \d+/);
  await expectAccessible(page);

  proxy.refuse(true);
  proxy.cut();
  await page.reload();
  await north.getByText('No responde').waitFor();
  await expectAccessible(page);
  await page.goto(`${served.origin}/console/orders`);
  await page.getByText('Faltan registros de celdas que no se pudieron consultar: cell-1.').waitFor();
  await page.getByText('A-1001').first().waitFor();
  await expectAccessible(page);
});
