import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caudal } from '../main/rooms.ts';
import { sandboxOrderManagement } from '../orders/index.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { counterManagement, inboxManagement } from './index.ts';

// Nothing of a sandbox exists in production: contract §7.6.

let sandbox: TestCaudal;
let production: Caudal;
beforeAll(async () => {
  sandbox = await startTestCaudal();
  await sandbox.app.inject({ method: 'POST', url: '/sandbox/v1/clock', payload: { advance: 'P2D' } });
  production = await sandbox.openAnother({ mode: 'production' });
});
afterAll(async () => {
  await production.close();
  await sandbox.close();
});

const PATHS = ['v1/clock', 'v1/payments', 'v1/payments/x', 'v1/collections', 'v1/collections/x', 'v1/inbox', 'inbox', 'inbox/mail/1'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

test('no route of the sandbox exists in production', async () => {
  expect(sandbox.app.printRoutes({ commonPrefix: false })).toContain('/sandbox/');
  expect(production.app.printRoutes({ commonPrefix: false })).not.toContain('sandbox');
  for (const path of PATHS) {
    const url = `/sandbox/${path}`;
    const answers = await Promise.all(METHODS.map((method) => sandbox.app.inject({ method, url })));
    expect(
      answers.map(({ statusCode }) => statusCode),
      url,
    ).toContain(path === 'inbox/mail/1' ? 404 : 200);
    for (const method of METHODS) {
      const answer = await production.app.inject({ method, url, payload: '{"advance":"P1D"}' });
      expect(answer.statusCode, `${method} ${url}`).toBe(404);
    }
  }
});

const documentOf = async ({ app }: Pick<Caudal, 'app'>): Promise<string> => (await app.inject('/manage/v1/openapi.json')).body;

test('no operation of the management API that only a sandbox has exists in production', async () => {
  const only = [...sandboxOrderManagement, ...counterManagement, ...inboxManagement];
  const [here, there] = [await documentOf(sandbox), await documentOf(production)];
  for (const { name, route } of only) {
    expect(here).toContain(`"operationId": "${name}"`);
    expect(there).not.toContain(`"operationId": "${name}"`);
    const [method, url] = route.replace(/\{\w+\}/g, 'x').split(' ') as ['GET', string];
    const answers = [await sandbox.app.inject({ method, url }), await production.app.inject({ method, url })];
    expect(
      answers.map(({ statusCode }) => statusCode),
      route,
    ).toEqual([401, 404]);
  }
});

test('the documents of production know no sandbox', async () => {
  const [document, page] = await Promise.all(
    ['/openapi.json', '/docs/reference'].map(async (url) => (await production.app.inject(url)).body),
  );
  for (const text of [document, page]) expect(/\/sandbox\/(v1|inbox)|X-Sandbox-Fault|"Sandbox"|SandboxFault/.exec(text ?? '')).toBeNull();
  expect(document).toContain('"Orders"');
  const urls = ['/docs/reference/move-clock', '/docs/reference/simulate-payment', '/docs/workbench'];
  expect(await Promise.all(urls.map(async (url) => (await production.app.inject(url)).statusCode))).toEqual([404, 404, 404]);
});

test('the clock of production is the machine’s, whatever a sandbox left in the database', async () => {
  expect(production.clock).toBe(sandbox.clock);
});

test('faults cannot be asked for in production', async () => {
  const merchant = await sandbox.merchant();
  const shop = orderCalls({ ...sandbox, app: production.app }, merchant);
  for (const fault of ['503', 'timeout', 'slow', 'flood']) {
    const answer = await shop.create({ order: `P-${fault}` }, { 'x-sandbox-fault': fault });
    expect(answer).toMatchObject({ status: 200, code: '0000' });
  }
});
