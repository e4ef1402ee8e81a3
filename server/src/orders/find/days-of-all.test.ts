import { afterAll, beforeAll, expect, test } from 'vitest';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';

let service: TestCaudal;
let api: ManageCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  api = await manageCalls(service);
});
afterAll(() => service.close());

/** The days whose lists and figures hold the one order, the zone that `me` names, and that of the figures. */
async function daysOfAll() {
  const me = await api.get('/me');
  const days: string[] = [];
  const listed: string[] = [];
  const counted: string[] = [];
  const exported: string[] = [];
  for (const day of ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']) {
    const found = await api.get(`/orders?createdFrom=${day}&createdTo=${day}`);
    if ((found.body as unknown as { readonly items: readonly unknown[] }).items.length > 0) listed.push(day);
    const filter = { from: day, to: day };
    const made = await api.send('POST', '/exports', { list: 'orders', format: 'ndjson', filter });
    await service.runJobs();
    const written = await api.get(`/exports/${String(made.body['export'])}`);
    if (written.body['rowsWritten'] === 1) exported.push(day);
    const counts = await api.get(`/figures?from=${day}&to=${day}`);
    const { timeZone, items } = counts.body as unknown as { readonly timeZone: string; readonly items: readonly unknown[] };
    days.push(timeZone);
    if (items.length > 0) counted.push(day);
  }
  return { me: me.body['timeZone'], figures: [...new Set(days)], listed, exported, counted };
}

test('days of everybody are those of the one time zone that all merchants have, and of UTC once there is a second', async () => {
  const shop = await service.merchant();
  service.clock.advance({ hours: 11 });
  expect(service.clock.now().toString()).toBe('2026-11-22T02:00:00Z');
  await orderCalls(service, shop).create({ order: 'N-1' });
  await service.runJobs();
  expect(await daysOfAll()).toEqual({
    me: 'America/Bogota',
    figures: ['America/Bogota'],
    listed: ['2026-11-21'],
    exported: ['2026-11-21'],
    counted: ['2026-11-21'],
  });
  await service.merchant({ country: '076' });
  expect(await daysOfAll()).toEqual({
    me: null,
    figures: ['UTC'],
    listed: ['2026-11-22'],
    exported: ['2026-11-22'],
    counted: ['2026-11-22'],
  });
});
