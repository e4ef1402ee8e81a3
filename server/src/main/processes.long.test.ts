import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChildServer, type ChildServer } from '../testing/child-server.ts';
import { eventually, PROCESS_MS } from '../testing/deadlines.ts';
import { createShop, makeOrder, readAmount, sendOrder, type ServedShop } from '../testing/served-shop.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
let server: ChildServer;
let origin: string;
let shop: ServedShop;

beforeAll(async () => {
  database = await createTestDatabase();
  const environment = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: '0'.repeat(64), CAUDAL_MODE: 'production' };
  server = startChildServer({ ...environment, CAUDAL_PROCESSES: '2', CAUDAL_METRICS_ADDRESS: '127.0.0.1:0' });
  origin = await server.origin;
  shop = await createShop(environment, 'shop');
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const logged = (text: string): readonly Record<string, unknown>[] =>
  server
    .stderr()
    .split('\n')
    .filter((line) => line.includes(`"${text}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function readMetric(name: string): Promise<number> {
  const [{ address }] = logged('metrics are served at /metrics') as [{ address: string }];
  // A process that has just ended is still asked, and gives no answer.
  const text = await (await fetch(`${address}/metrics`)).text();
  return [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0);
}

/** Each request has a connection of its own, so all processes get some. */
const ask = async (times: number): Promise<void> => {
  for (let time = 0; time < times; time++) await fetch(`${origin}/healthz`, { headers: { connection: 'close' } });
};

test('several processes serve on one port; their metrics are added up', async () => {
  await ask(20);
  await eventually(PROCESS_MS, async () => expect(await readMetric('caudal_http_request_duration_seconds_count')).toBe(20));
  expect(await readMetric('caudal_processes')).toBe(2);
  expect(server.stdout().match(/Caudal serves/g)).toHaveLength(1);
});

test('one that is killed is replaced, and what was acknowledged is there', async () => {
  await makeOrder(origin, shop, '100');
  expect(await sendOrder(origin, 'PATCH', shop, '250')).toMatchObject({ CODE: '0000' });
  for (const { process: id } of logged('a process of the service serves')) process.kill(id as number, 'SIGKILL');
  await eventually(PROCESS_MS, async () => expect(await readAmount(origin, shop)).toBe('250.00'));
  await eventually(PROCESS_MS, async () => expect(await readMetric('caudal_processes')).toBe(2));
  expect(logged('a process of the service ended; another one begins')).toHaveLength(2);
});

test('a signal to the first process lets all of them end in order', async () => {
  expect(await sendOrder(origin, 'PATCH', shop, '300')).toMatchObject({ CODE: '0000' });
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(logged('shut down'), 'both, and the first one').toHaveLength(3);
  expect(logged('a process of the service ended; another one begins')).toHaveLength(2);
});
