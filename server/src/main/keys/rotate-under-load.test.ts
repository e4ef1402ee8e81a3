import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../kit/outcome.ts';
import { hashRotation } from '../../merchants/change-merchant.ts';
import { secretRotation } from '../../networks/change-network.ts';
import type { CreatedNetwork } from '../../networks/index.ts';
import { eventually, PROCESS_MS, SOON_MS } from '../../testing/deadlines.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import type { Caudal } from '../rooms.ts';

let service: TestCaudal;
let other: Caudal;

beforeAll(async () => {
  service = await startTestCaudal();
  other = await service.openAnother();
});
afterAll(async () => {
  await other.close();
  await service.close();
});

/**
 * Sends requests with the earlier secret on two servers, changes it, and sends on with both.
 * Shape: `send` throws where a request is refused; `change` gives the new secret once every server has it.
 */
async function underLoad(
  send: (server: Caudal | TestCaudal, secret: string) => Promise<void>,
  earlier: string,
  change: () => Promise<string>,
) {
  const secrets = [earlier];
  const load = { isOver: false, sent: 0 };
  const work = async (worker: number): Promise<void> => {
    for (let turn = worker; !load.isOver; turn++) {
      await send(turn % 2 === 0 ? service : other, secrets[turn % secrets.length] as string);
      load.sent++;
    }
  };
  const sendMore = (): Promise<void> => {
    const until = load.sent + 100;
    return eventually(PROCESS_MS, async () => expect(load.sent).toBeGreaterThan(until));
  };
  const changing = async (): Promise<void> => {
    try {
      await sendMore();
      secrets.push(await change());
      await sendMore();
    } finally {
      load.isOver = true;
    }
  };
  await Promise.all([changing(), ...Array.from({ length: 16 }, (_, worker) => work(worker))]);
}

async function expectBothKnown({ merchantId, read }: TestMerchant): Promise<void> {
  for (const known of [await read(), await other.merchants.find(merchantId)]) expect(known?.fixedHashes).toHaveLength(2);
}

test('no request of a merchant is refused while its fixed hash changes, with the earlier or the new one', async () => {
  const merchant = await service.merchant();
  let orders = 0;
  const send = async ({ app }: Caudal | TestCaudal, fixedHash: string): Promise<void> => {
    const { code } = await orderCalls({ ...service, app }, { ...merchant, fixedHash }).create({ order: `O-${++orders}` });
    expect(code).toBe('0000');
  };
  await underLoad(send, merchant.fixedHash, async () => {
    const rotated = await service.db.transaction(hashRotation(service, merchant.merchantId, 1));
    if (isRefusal(rotated)) throw new Error(rotated.refusal);
    await eventually(SOON_MS, () => expectBothKnown(merchant));
    return rotated.fixedHash;
  });
});

test('no request of a network is refused while its secret changes, with the earlier or the new one', async () => {
  const merchant = await service.merchant();
  const { data } = await orderCalls(service, merchant).create({ order: 'O-N', reference: '770001' });
  expect(data['Referencia']).toBe('770001');
  const network: CreatedNetwork = await service.network();
  const send = async ({ app }: Caudal | TestCaudal, secret: string): Promise<void> => {
    const { code } = await networkOrderCalls({ app, clock: service.clock }, { ...network, secret }).lookUp('770001');
    expect(code).toBe('0000');
  };
  await underLoad(send, network.secret, async () => {
    const rotated = await service.db.transaction(secretRotation(service, network.netname, 1));
    if (isRefusal(rotated)) throw new Error(rotated.refusal);
    await eventually(SOON_MS, async () => {
      for (const { networks } of [service, other]) expect((await networks.find(network.netname))?.secrets).toHaveLength(2);
    });
    return rotated.secret;
  });
});
