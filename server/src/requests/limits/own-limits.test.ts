import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caudal } from '../../main/rooms.ts';
import { merchantCommands } from '../../merchants/index.ts';
import { networkCommands } from '../../networks/index.ts';
import { capturePrinted, runCommand } from '../../testing/captured.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';

let service: TestCaudal;
/** One of two processes: it admits half. */
let half: Caudal;
const printed = capturePrinted();
beforeAll(async () => {
  service = await startTestCaudal();
  half = await service.openAnother({ processes: 2 });
});
afterAll(async () => {
  await half.close();
  await service.close();
});

const run = (room: typeof merchantCommands, ...words: string[]): Promise<string> => printed.by(() => runCommand(service, room, ...words));

test('a merchant has limits of its own, which running servers follow', async () => {
  const [slow, other] = [await service.merchant(), await service.merchant()];
  const [slowCalls, otherCalls] = [slow, other].map((merchant) => orderCalls({ ...service, app: half.app }, merchant)) as [
    ReturnType<typeof orderCalls>,
    ReturnType<typeof orderCalls>,
  ];
  const times = async (calls: typeof slowCalls): Promise<number> =>
    (await Promise.all(Array.from({ length: 40 }, () => calls.query('none')))).filter(({ status }) => status === 429).length;
  expect(await times(slowCalls)).toBe(0);

  expect(await run(merchantCommands, 'merchants', 'limits', slow.merchantId, '--per-second', '2', '--burst', '8')).toContain(
    '2/s, burst 8, 1000 at a time',
  );
  await eventually(SOON_MS, async () => expect(await half.merchants.find(slow.merchantId)).toMatchObject({ limits: { perSecond: 2 } }));
  expect(await times(slowCalls)).toBeGreaterThanOrEqual(30);
  expect(await times(otherCalls)).toBe(0);
  expect(await run(merchantCommands, 'merchants', 'list')).toMatch(new RegExp(`${slow.merchantId} .*2/s, burst 8, 1000 at a time`));
  expect(await run(merchantCommands, 'merchants', 'show', slow.merchantId, '--json')).toContain('"limits":{"burst":8');

  await run(merchantCommands, 'merchants', 'limits', slow.merchantId, '--default');
  await eventually(SOON_MS, async () => expect(await half.merchants.find(slow.merchantId)).toMatchObject({ limits: null }));
  await eventually(SOON_MS, async () => expect(await times(slowCalls)).toBe(0));
});

test('a network has a limit of requests at the same time', async () => {
  const network = await service.network();
  await run(networkCommands, 'networks', 'limits', network.netname, '--concurrent', '4');
  await eventually(SOON_MS, async () => expect(await half.networks.find(network.netname)).toMatchObject({ limits: { concurrent: 4 } }));
  const calls = networkOrderCalls({ ...service, app: half.app }, network);
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => calls.lookUp('1')));
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(String((refused[0] as PromiseRejectedResult).reason)).toMatch(/HTTP 429.*0929/);
  expect(await run(networkCommands, 'networks', 'list')).toMatch(new RegExp(`${network.netname} .*20000/s, burst 40000, 4 at a time`));
});

test.each([[['--per-second', '0']], [['--burst', '1.5']], [['--concurrent', '10000000']], [[]], [['--default', '--burst', '1']]])(
  'refuses %j',
  async (words) => {
    await expect(run(merchantCommands, 'merchants', 'limits', 'nobody', ...words)).rejects.toThrow(/It takes 1 to|--default alone/);
  },
);
