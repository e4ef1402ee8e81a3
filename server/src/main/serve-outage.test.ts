import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../kit/log.ts';
import { serveForTest, startChildServer, type ChildServer } from '../testing/child-server.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { openDatabaseProxy } from '../testing/database-proxy.ts';
import { eventually, PROCESS_MS, SOON_MS } from '../testing/deadlines.ts';
import { seededBytes } from '../testing/seed.ts';
import { createShop, makeOrder, orderBody, readAmount, sendOrder, sign, type ServedShop } from '../testing/served-shop.ts';
import { createTestDatabase } from '../testing/test-database.ts';

const log = createLog('silent');

describe('while the database is away', () => {
  const SECONDS = 5;
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let environment: Record<string, string>;
  let origin: string;
  let shop: ServedShop;
  let checkout: string;
  let server: ChildServer;

  beforeAll(async () => {
    dataDir = makeDataDirectory();
    postgres = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'a test', log });
    environment = { DATABASE_URL: postgres.ownerUrl, CAUDAL_MASTER_KEY: seededBytes(32).toString('hex'), CAUDAL_MODE: 'production' };
    server = startChildServer(environment);
    origin = await server.origin;
    shop = await createShop(environment, 'shop');
    const created = (await makeOrder(origin, shop, '100')) as { DATA: { checkout: string } };
    checkout = new URL(created.DATA.checkout).search;
  });
  afterAll(async () => {
    await server.stop();
    await postgres.stop();
    removeDataDirectory(dataDir);
  });

  function requests(): readonly (readonly [method: string, path: string, body?: string])[] {
    const { merchant } = shop;
    const ofOrder = `merchant=${merchant}&checksum=${sign(shop, 'A-1', merchant)}`;
    const registration = { merchant, operation: 'W-1', amount: '100', currency: 'COP', document: '1' };
    const asked = { order: 'A-1', type: 'refund.request', refund: 'R-1', refunded_by: 'operator', money: 'COP', amount: '1' };
    const ofList = sign(shop, 'refund.list', merchant, '20261101', '20261130');
    const refund = { merchant, ...asked, reason: 'returned', checksum: sign(shop, ...Object.values(asked)) };
    return [
      ['PATCH', '/api/v3/porders', orderBody(shop, '200')],
      ['POST', '/api/v3/porders', orderBody(shop, '200')],
      ['GET', `/api/v3/porders/A-1?${ofOrder}`],
      ['GET', `/api/v3/porders/A-1/history?${ofOrder}`],
      ['GET', `/api/v3/porders?reference=1&merchant=${merchant}&checksum=${sign(shop, '1', merchant)}`],
      ['DELETE', `/api/v3/porders/A-1?${ofOrder}`],
      ['POST', '/api/v3/refunds', JSON.stringify(refund)],
      ['GET', `/api/v3/refunds/R-1?merchant=${merchant}&type=refund.query&checksum=${sign(shop, 'refund.query', 'R-1', merchant)}`],
      ['GET', `/api/v3/refunds?merchant=${merchant}&type=refund.list&start=20261101&end=20261130&checksum=${ofList}`],
      ['DELETE', `/api/v3/refunds/R-1?merchant=${merchant}&type=refund.cancel&checksum=${sign(shop, 'refund.cancel', 'R-1', merchant)}`],
      ['GET', `/checkout${checkout}`],
      ['GET', `/cashout/v1/operation/${merchant}?checksum=${sign(shop, merchant, '', '')}`],
      ['POST', '/cashout/v1/operation', JSON.stringify({ ...registration, checksum: sign(shop, ...Object.values(registration)) })],
      ['GET', `/cashout/v1/operation/${merchant}/W-1?document=1&checksum=${sign(shop, merchant, 'W-1', '1')}`],
      ['DELETE', `/cashout/v1/operation/${merchant}/W-1?document=1&checksum=${sign(shop, merchant, 'W-1')}`],
    ];
  }

  async function expectUnavailable(): Promise<void> {
    await Promise.all(
      requests().map(async ([method, path, body]) => {
        const startedAt = performance.now();
        const answer = await fetch(origin + path, { method, ...(body === undefined ? {} : { body }) });
        expect(answer.status, `${method} ${path}`).toBe(503);
        expect((performance.now() - startedAt) / 1000, `${method} ${path}`).toBeLessThan(SECONDS);
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]/);
        if (path.startsWith('/checkout')) return expect(await answer.text(), 'a payer reads a page').toMatch(/^<!doctype html>/);
        const envelope = path.startsWith('/cashout/') ? { code: '0953', data: expect.anything() } : { CODE: '0953', DATA: {} };
        expect(await answer.json()).toMatchObject(envelope);
      }),
    );
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    const readiness = await fetch(`${origin}/readyz`);
    expect(readiness.status).toBe(503);
    expect(readiness.headers.get('retry-after')).toMatch(/^[1-9]/);
  }

  const expectServing = (amount: string): Promise<void> =>
    eventually(SOON_MS, async () => expect(await sendOrder(origin, 'PATCH', shop, amount)).toMatchObject({ CODE: '0000' }));

  test('every route answers 503 at once, and serves again when it is back', async () => {
    await expectServing('1000');
    await postgres.stop();
    await expectUnavailable();
    postgres = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'a test', log });
    await expectServing('2000');
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(await readAmount(origin, shop)).toBe('2000.00');
  });

  test('every route answers 503 within five seconds when it only hangs, and serves again when it goes on', async () => {
    await expectServing('3000');
    const client = new Client({ connectionString: postgres.ownerUrl });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(`select pid from pg_stat_activity where pid <> pg_backend_pid()`);
    await client.end();
    const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const frozen = [postmaster, ...rows.map(({ pid }) => pid)];
    for (const processId of frozen) process.kill(processId, 'SIGSTOP');
    try {
      await expectUnavailable();
      // A second time: then there are no connections left that could be asked.
      await expectUnavailable();
    } finally {
      for (const processId of frozen) process.kill(processId, 'SIGCONT');
    }
    await expectServing('4000');
  });
});

test(
  'connections that break at any moment lose nothing that was acknowledged, and do not end the server',
  { timeout: 180_000 },
  async () => {
    const database = await createTestDatabase();
    const proxy = await openDatabaseProxy(database.url);
    const environment = { DATABASE_URL: proxy.url, CAUDAL_MASTER_KEY: '0'.repeat(64), CAUDAL_MODE: 'production' };
    const server = serveForTest(environment);
    const origin = await server.origin;
    const shop = await createShop(environment, 'shop');
    await makeOrder(origin, shop, '1');

    const acknowledged: string[] = [];
    let refused = 0;
    let amount = 1_000;
    const client = async (): Promise<void> => {
      while (amount < 1_600) {
        const mine = String(++amount);
        const { CODE: code } = await sendOrder(origin, 'PATCH', shop, mine);
        if (code === '0000') acknowledged.push(mine);
        else expect(code).toBe('0953');
        if (code === '0953') refused++;
        if (amount % 20 === 0) proxy.cut();
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(0);

    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    const { rows } = await reader.query<{ amount: string }>(`select changes->'amount'->>1 as amount from order_history order by version`);
    await reader.end();
    const written = new Set(rows.map((row) => row.amount));
    expect(acknowledged.filter((mine) => !written.has(`${mine}00 COP`))).toEqual([]);
    await proxy.close();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await database.drop();
  },
);

test('a server that waits for its database ends in order too', async () => {
  const server = serveForTest({ DATABASE_URL: 'postgres://caudal@127.0.0.1:1/caudal', CAUDAL_MASTER_KEY: '0'.repeat(64) });
  await eventually(PROCESS_MS, () => expect(server.stderr()).toContain('the database is not reachable yet'));
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});
