import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashoutChecks } from '../cashouts/index.ts';
import { checksum } from '../kit/checksum.ts';
import { withSnapshot } from '../kit/snapshot.ts';
import { orderChecks } from '../orders/index.ts';
import { startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
let shop: TestMerchant;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant();
  for (const order of ['A-1', 'A-2']) {
    await send('POST', '/api/v3/porders', orderBody(order, '45000'));
    await send('PATCH', '/api/v3/porders', orderBody(order, '52000'));
  }
  for (const operation of ['W-1', 'W-2']) await send('POST', '/cashout/v1/operation', cashoutBody(operation));
  const cancel = { checksum: checksum('sha512', [shop.merchantId, 'W-2'], shop.fixedHash), document: '1020304050' };
  await send('DELETE', `/cashout/v1/operation/${shop.merchantId}/W-2`, cancel);
});
afterAll(() => service.close());

async function send(method: 'POST' | 'PATCH' | 'DELETE', url: string, body: object): Promise<void> {
  const answer = await service.app.inject({ method, url, payload: JSON.stringify(body) });
  expect(answer.body).toContain('"0000"');
}

function orderBody(order: string, amount: string): object {
  const email = 'payer@example.com';
  const signed = { email, country: '343', order, money: 'COP', amount };
  return { merchant: shop.merchantId, ...signed, checksum: checksum('sha512', Object.values(signed), shop.fixedHash) };
}

function cashoutBody(operation: string): object {
  const signed = { merchant: shop.merchantId, operation, amount: '20000', currency: 'COP', document: '1020304050' };
  return { ...signed, description: 'Prize', checksum: checksum('sha512', Object.values(signed), shop.fixedHash) };
}

/** What the checks find; each finding as one text. */
async function verify(): Promise<string[]> {
  return withSnapshot(service.url, async (snapshot) => {
    const found: string[] = [];
    for (const { run } of [...orderChecks, ...cashoutChecks]) {
      const { finding } = await run(snapshot, service.clock.now());
      if (finding !== undefined) found.push(`${finding.id} ${finding.problem}`);
    }
    return found;
  });
}

async function damage(sql: string): Promise<void> {
  const client = new Client({ connectionString: service.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test('finds nothing in what the service wrote', async () => {
  expect(await verify()).toEqual([]);
});

test.each([
  [
    'an amount that no history explains',
    `update orders set amount_minor = amount_minor + 1 where order_id = 'A-1'`,
    `update orders set amount_minor = amount_minor - 1 where order_id = 'A-1'`,
    'A-1 amount is not what its history says',
  ],
  [
    'a state that no history explains',
    `update orders set state = 'approved' where order_id = 'A-2'`,
    `update orders set state = 'pending' where order_id = 'A-2'`,
    'A-2 state is not what its history says',
  ],
  [
    'a version without a history',
    `update orders set version = 3 where order_id = 'A-1'`,
    `update orders set version = 2 where order_id = 'A-1'`,
    'A-1 is at version 3, its history at 2',
  ],
  [
    'an open order without its reference',
    `update open_references set expires_at = expires_at - interval '1 day' where order_id = 'A-1'`,
    `update open_references set expires_at = expires_at + interval '1 day' where order_id = 'A-1'`,
    'A-1 is open but does not hold its reference until it expires',
  ],
  [
    'a count that is one too many',
    `update cashout_counts set pending = pending + 1`,
    `update cashout_counts set pending = pending - 1`,
    'keeps 2/0/0/1/0',
  ],
  [
    'a count of a month that is one too few',
    `update cashout_month_counts set cancelled = cancelled - 1`,
    `update cashout_month_counts set cancelled = cancelled + 1`,
    'keeps 1/0/0/0/0',
  ],
  [
    'a cashout that changed its state unrecorded',
    `update cashouts set state = 'approved' where operation_id = 'W-1'; update cashout_counts set pending = pending - 1, approved = approved + 1; update cashout_month_counts set pending = pending - 1, approved = approved + 1`,
    `update cashouts set state = 'pending' where operation_id = 'W-1'; update cashout_counts set pending = pending + 1, approved = approved - 1; update cashout_month_counts set pending = pending + 1, approved = approved - 1`,
    'W-1 is approved, its history says pending',
  ],
])('finds %s', async (_what, harm, mend, problem) => {
  await damage(harm);
  expect((await verify()).join()).toContain(problem);
  await damage(mend);
  expect(await verify()).toEqual([]);
});
