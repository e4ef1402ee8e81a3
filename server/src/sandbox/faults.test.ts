import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpServer, sendJson } from '../kit/http.ts';
import { createLog } from '../kit/log.ts';
import { captureLog } from '../testing/captured.ts';
import { eventually, SOON_MS, within } from '../testing/deadlines.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { addFaults } from './faults.ts';

const FAULT = 'x-sandbox-fault';

describe('the whole service fails on request', () => {
  let service: TestCaudal;
  let shop: OrderCalls;
  beforeAll(async () => {
    service = await startTestCaudal();
    shop = orderCalls(service, await service.merchant());
    await service.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => service.close());

  test('503: refused before any work, in the envelope of its path, with Retry-After', async () => {
    const refused = await shop.create({ order: 'B-1' }, { [FAULT]: '503' });
    expect(refused).toMatchObject({ status: 503, code: '0953', data: {}, headers: { 'retry-after': '1' } });
    expect((await shop.query('B-1')).code).toBe('0001');
    const list = await service.app.inject({ url: '/cashout/v1/operation/shop', headers: { [FAULT]: '503' } });
    expect(list.json()).toMatchObject({ code: '0953', data: [] });
    const pay = await service.app.inject({ method: 'POST', url: '/cashout/v1/transaction/net', headers: { [FAULT]: '503' } });
    expect(pay.json()).toMatchObject({ code: '0953' });
  });

  test('an unknown one is refused in words that say which there are', async () => {
    const refused = await shop.create({ order: 'B-2' }, { [FAULT]: 'flood' });
    expect(refused).toMatchObject({
      status: 400,
      code: '0011',
      text: 'El encabezado X-Sandbox-Fault admite 503, slow o timeout',
      data: {},
    });
    expect((await shop.query('B-2')).code).toBe('0001');
  });

  test('timeout: the work is done, no answer comes, and the connection ends with the server', async () => {
    const body = JSON.stringify(shop.signed({ order: 'C-1' }));
    const socket = connect((service.app.server.address() as AddressInfo).port, '127.0.0.1');
    let received = 0;
    socket.on('data', ({ length }) => void (received += length));
    socket.write(
      `POST /api/v3/porders HTTP/1.1\r\nhost: x\r\n${FAULT}: timeout\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await eventually(SOON_MS, async () => expect((await shop.query('C-1')).code).toBe('0000'));
    await service.app.close();
    if (!socket.closed) await within(SOON_MS, 'the end of the connection', once(socket, 'close'));
    expect(received).toBe(0);
  });
});

test('a fault that was asked for is information in the log, one line without a stack', async () => {
  const { log, lines } = captureLog('info');
  const app = createHttpServer({ log, faultEnvelopes: [{ prefix: '', renderFault: ({ text }) => ({ text }) }] });
  addFaults(app);
  app.get('/api/x', (_request, reply) => sendJson(reply, { fine: true }));
  for (const fault of ['503', 'flood']) await app.inject({ url: '/api/x', headers: { [FAULT]: fault } });
  await app.close();
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
    ['unavailable', 'malformed'].map((fault) => ({
      level: 'info',
      time: expect.any(String) as string,
      requestId: expect.any(String) as string,
      fault,
      msg: `a fault was asked for: ${fault}`,
    })),
  );
});

test('slow answers come late, silent connections close after a while, and nothing else is touched', async () => {
  const app = createHttpServer({ log: createLog('silent'), faultEnvelopes: [{ prefix: '', renderFault: ({ code }) => ({ code }) }] });
  addFaults(app, { slowMs: 150, silentMs: 150 });
  for (const path of ['/api/x', '/sandbox/x']) app.get(path, (_request, reply) => sendJson(reply, { fine: true }));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const get = (path: string, fault: string): Promise<Response> => fetch(`${origin}${path}`, { headers: { [FAULT]: fault } });
  try {
    const startedAt = performance.now();
    const slow = get('/api/x', 'slow').then(async (answer) => [await answer.json(), performance.now() - startedAt] as const);
    const silent = get('/api/x', 'timeout').then(
      () => 'answered',
      () => performance.now() - startedAt,
    );
    expect(await (await get('/sandbox/x', 'timeout')).json()).toEqual({ fine: true });
    expect((await get('/api/x', 'flood')).status).toBe(400);
    const [body, tookMs] = await slow;
    expect(body).toEqual({ fine: true });
    expect(tookMs).toBeGreaterThan(140);
    expect(await silent).toBeGreaterThan(140);
  } finally {
    await app.close();
  }
});
