import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { capturePrinted } from '../../testing/captured.ts';
import { OWN_CERTIFICATE } from '../../testing/own-certificate.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { createProgram, type World } from '../program.ts';
import { walk } from './try.ts';

let service: TestCaudal;
let demo: TestMerchant;
let server: string;
let isSandbox = true;
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal();
  demo = await service.merchant({ merchantId: 'demo' });
  server = await service.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => service.close());

async function world(): Promise<World> {
  const { url, db, keys, clock } = service;
  const connection = { url, db, ownDb: db, actor: 'command:test', keys, clock, isSandbox, close: async () => undefined } as const;
  return { ...(await import('../connect.ts')), connect: async () => connection, readConsoleUrl: () => server };
}
const run = (...words: string[]): Promise<string> => printed.by(() => createProgram(world).parseAsync(['try', ...words], { from: 'user' }));

test('without a terminal it creates an order, pays it and shows its notice, in plain lines', async () => {
  const shown = await run();
  expect(shown).toMatch(/1\. Create an order\n\ncurl -X POST http:\S+ [^]*"Operacion":"CREADA"[^]*2\. Open its page/);
  expect(shown).toContain('https://pay.example/checkout?token=');
  expect(shown).toMatch(
    /3\. Pay it\n\ncurl -X POST \S+\/sandbox\/v1\/payments [^]*4\. The notice[^]*webhook-signature: v1,[^]*"status":"approved"/,
  );
  expect(shown).not.toContain(demo.fixedHash);
});

/** Walks with somebody at a terminal. */
async function walkWith(order: string, ask: (signal: AbortSignal) => Promise<void>): Promise<string> {
  let said = '';
  const options = { server, fixedHash: demo.fixedHash, order, say: (text: string) => void (said += text) };
  await walk({ ...options, ask: async (_question, signal) => ask(signal) });
  return said;
}

test('at a terminal it waits for Enter, and ends as well when the order is paid on its page', async () => {
  expect(await walkWith('TRY-1', async () => undefined)).toMatch(/sandbox\/v1\/payments -d/);
  const paidElsewhere = await walkWith('TRY-2', async (signal) => {
    const { reference } = (
      await service.db.query<{ reference: string }>(
        { name: 'testing.reference_of', text: `select reference from orders where order_id = 'TRY-2'` },
        [],
      )
    )[0] as { reference: string };
    await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference }) });
    await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
  });
  expect(paidElsewhere).not.toMatch(/sandbox\/v1\/payments -d/);
  expect(paidElsewhere).toMatch(/"status":"approved"/);
});

test('it refuses in one line where no server answers, where another one does, and in production', async () => {
  await expect(run('--server', 'http://127.0.0.1:1')).rejects.toThrow(/^No server answers at .* "npm start", or name it by --server\.$/);
  await expect(run('--server', `${server}/docs`)).rejects.toThrow(/does not answer as Caudal does\.$/);
  isSandbox = false;
  await expect(run()).rejects.toThrow(/works in a sandbox alone/);
  isSandbox = true;
});

test('it says that a certificate is not trusted, and not that no server answers', async () => {
  const untrusted = createServer(OWN_CERTIFICATE);
  onTestFinished(() => void untrusted.close());
  await once(untrusted.listen(0, '127.0.0.1'), 'listening');
  const address = `https://127.0.0.1:${(untrusted.address() as AddressInfo).port}`;
  await expect(run('--server', address)).rejects.toThrow(
    `The certificate of ${address} is not trusted here. NODE_EXTRA_CA_CERTS=FILE adds your own certificate authority.`,
  );
});
