import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveForTest } from '../testing/child-server.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { eventually, PROCESS_MS, SOON_MS } from '../testing/deadlines.ts';
import { createShop, makeOrder, orderBody } from '../testing/served-shop.ts';

const KILLS = 6;

test(
  'while the embedded database is killed again and again, updates and sandbox payments are served, or 503 with Retry-After',
  { timeout: 180_000 },
  async () => {
    const dataDir = makeDataDirectory();
    onTestFinished(() => removeDataDirectory(dataDir));
    const environment = { CAUDAL_DATA_DIR: dataDir };
    const origin = await serveForTest(environment).origin;
    const shop = await createShop(environment, 'shop');
    await makeOrder(origin, shop, '100');
    const postmaster = (): number => Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

    const failed = { update: [] as string[], payment: [] as string[] };
    const sendUntilServed = (kind: keyof typeof failed, method: string, path: string, body: string): Promise<void> =>
      eventually(PROCESS_MS, async () => {
        const answer = await fetch(origin + path, { method, body });
        if (answer.status >= 500) failed[kind].push(`${answer.status}, Retry-After ${answer.headers.get('retry-after')}`);
        expect(answer.status).toBeLessThan(500);
      });

    for (let times = 1; times <= KILLS; times++) {
      const killed = await eventually(SOON_MS, postmaster);
      process.kill(killed, 'SIGKILL');
      await Promise.all([
        sendUntilServed('update', 'PATCH', '/api/v3/porders', orderBody(shop, String(100 + times))),
        sendUntilServed('payment', 'POST', '/sandbox/v1/payments', JSON.stringify({ reference: '1' })),
      ]);
      await eventually(SOON_MS, () => expect(postmaster()).not.toBe(killed));
    }
    for (const answers of Object.values(failed)) {
      expect(answers).not.toEqual([]);
      expect(answers.filter((answer) => !/^503, Retry-After [1-9]/.test(answer))).toEqual([]);
    }
  },
);
