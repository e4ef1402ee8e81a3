import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashoutChecks } from '../cashouts/index.ts';
import { withSnapshot } from '../kit/snapshot.ts';
import { orderChecks } from '../orders/index.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { networkOrderCalls } from '../testing/network-calls.ts';
import { startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';
import { verifyCommand } from './verify.cli.ts';

const printed = capturePrinted();

let service: TestCaudal;
let shop: TestMerchant;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant();
  for (const order of ['A-1', 'A-2']) {
    await send('POST', '/api/v3/porders', orderBody(order, '45000'));
    await send('PATCH', '/api/v3/porders', orderBody(order, '52000'));
  }
  const network = networkOrderCalls(service, await service.network());
  for (const order of ['A-3', 'A-4']) {
    const created = await send('POST', '/api/v3/porders', orderBody(order, '45000'));
    const idorder = created.DATA?.['SVordenID'];
    expect((await network.pay(idorder, `T-${order}`)).code).toBe('0000');
    if (order === 'A-4') expect((await network.reverse(idorder, `T-${order}`)).code).toBe('0000');
  }
  for (const operation of ['W-1', 'W-2']) await send('POST', '/cashout/v1/operation', cashoutBody(operation));
  const cancel = { checksum: checksumOf([shop.merchantId, 'W-2'], shop.fixedHash), document: '1020304050' };
  await send('DELETE', `/cashout/v1/operation/${shop.merchantId}/W-2`, cancel);
});
afterAll(() => service.close());

async function send(
  method: 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body: object,
): Promise<{ readonly DATA?: Readonly<Record<string, string>> }> {
  const answer = await service.app.inject({ method, url, payload: JSON.stringify(body) });
  expect(answer.body).toContain('"0000"');
  return answer.json();
}

function orderBody(order: string, amount: string): object {
  const email = 'payer@example.com';
  const signed = { email, country: '343', order, money: 'COP', amount };
  return { merchant: shop.merchantId, ...signed, checksum: checksumOf(Object.values(signed), shop.fixedHash) };
}

function cashoutBody(operation: string): object {
  const signed = { merchant: shop.merchantId, operation, amount: '20000', currency: 'COP', document: '1020304050' };
  return { ...signed, description: 'Prize', checksum: checksumOf(Object.values(signed), shop.fixedHash) };
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
    'an order without a history',
    `update order_history set order_id = 'Z-1' where order_id = 'A-1'`,
    `update order_history set order_id = 'A-1' where order_id = 'Z-1'`,
    'A-1 has no history',
  ],
  [
    'a history without an order, before those of all others',
    `insert into order_history select merchant_id, 'A-0', version, event, actor, changed_at, request_id, changes, digest from order_history where order_id = 'A-1' and version = 1`,
    `delete from order_history where order_id = 'A-0'`,
    'A-0 has a history but is not stored',
  ],
  [
    'a history without an order, behind those of all others',
    `insert into order_history select merchant_id, 'Z-1', version, event, actor, changed_at, request_id, changes, digest from order_history where order_id = 'A-1' and version = 1`,
    `delete from order_history where order_id = 'Z-1'`,
    'Z-1 has a history but is not stored',
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
    'a payment that the order does not count',
    `update orders set payments = 2 where order_id = 'A-3'`,
    `update orders set payments = 1 where order_id = 'A-3'`,
    'A-3 counts 2 payments, has 1 up to number 1',
  ],
  [
    'a payment given back in secret',
    `update order_payments set state = 'voided', given_back_at = paid_at, refunded_minor = amount_minor where order_id = 'A-3'`,
    `update order_payments set state = 'paid', given_back_at = null, refunded_minor = 0 where order_id = 'A-3'`,
    'A-3 counts 0 payments given back, has 1',
  ],
  [
    'an order that is paid although its last payment was given back',
    `update orders set state = 'approved' where order_id = 'A-4'`,
    `update orders set state = 'voided' where order_id = 'A-4'`,
    'A-4 is approved, its last payment reversed',
  ],
  [
    'a payment without its transaction',
    `delete from order_transactions where order_id = 'A-3'`,
    `insert into order_transactions select source, transaction_id, merchant_id, order_id, payment_number from order_payments where order_id = 'A-3'`,
    'A-3 has payment 1 under a transaction that does not name it: network:network-1 T-A-3',
  ],
  [
    'a payment that the ledger has with another fee',
    `update order_payments set fee_minor = 100 where order_id = 'A-3'`,
    `update order_payments set fee_minor = 0 where order_id = 'A-3'`,
    'A-3 lacks the ledger entry order/A-3/paid/1 (order_paid) collected 4499900 COP',
  ],
  [
    'ledger entries of an order that nobody paid',
    `insert into ledger_entries select merchant_id, 'order/A-1/paid/1', line, kind, account, currency, amount_minor, posted_at from ledger_entries where transaction_id = 'order/A-3/paid/1'`,
    `set session_replication_role = replica; delete from ledger_entries where transaction_id = 'order/A-1/paid/1'`,
    'order the ledger holds 4 transactions, but only 3 are explained',
  ],
  [
    'a count that is one too many',
    `update cashout_slot_counts set pending = pending + 1`,
    `update cashout_slot_counts set pending = pending - 1`,
    'keeps 2/0/0/1/0',
  ],
  [
    'a count of a day that is one too many',
    `update cashout_counts set pending = pending + 1`,
    `update cashout_counts set pending = pending - 1`,
    'but its slots keep',
  ],
  [
    'a count of a month that is one too few',
    `update cashout_month_counts set cancelled = cancelled - 1`,
    `update cashout_month_counts set cancelled = cancelled + 1`,
    'keeps 1/0/0/0/0',
  ],
  [
    'a cashout that changed its state unrecorded',
    `update cashouts set state = 'approved' where operation_id = 'W-1'; update cashout_counts set pending = pending - 1, approved = approved + 1; update cashout_month_counts set pending = pending - 1, approved = approved + 1; update cashout_slot_counts set pending = pending - 1, approved = approved + 1`,
    `update cashouts set state = 'pending' where operation_id = 'W-1'; update cashout_counts set pending = pending + 1, approved = approved - 1; update cashout_month_counts set pending = pending + 1, approved = approved - 1; update cashout_slot_counts set pending = pending + 1, approved = approved - 1`,
    'W-1 is approved, its history says pending',
  ],
  [
    'a cashout of which the ledger has another fee',
    `update cashouts set fee_minor = 100, reserved_minor = reserved_minor + 100 where operation_id = 'W-1'`,
    `update cashouts set fee_minor = 0, reserved_minor = reserved_minor - 100 where operation_id = 'W-1'`,
    'W-1 lacks the ledger entry cashout/W-1/registered (cashout_registered) available -2000100 COP',
  ],
  [
    'a payment of a cashout that nothing else knows of',
    `insert into cashout_payments select 'network-1', 'T-W', merchant_id, operation_id, cashout_id, '1', '11001', updated_at, updated_at from cashouts where operation_id = 'W-2'`,
    `delete from cashout_payments where transaction_id = 'T-W'`,
    'W-2 lacks the ledger entry cashout/W-2/paid',
  ],
  [
    'a cashout that ended and gave nothing back',
    `set session_replication_role = replica; delete from ledger_entries where transaction_id = 'cashout/W-2/released'`,
    `set session_replication_role = replica;
     insert into ledger_entries (merchant_id, transaction_id, line, kind, account, currency, amount_minor, posted_at)
     select merchant_id, 'cashout/W-2/released', line, 'cashout_released', account, currency, -amount_minor, posted_at
       from ledger_entries where transaction_id = 'cashout/W-2/registered'`,
    'W-2 lacks the ledger entry cashout/W-2/released',
  ],
  [
    'a change of a cashout that its history lacks',
    `update cashout_history set version = 3 where operation_id = 'W-2' and version = 2; update cashouts set version = 3 where operation_id = 'W-2'`,
    `update cashout_history set version = 2 where operation_id = 'W-2' and version = 3; update cashouts set version = 2 where operation_id = 'W-2'`,
    'W-2 lacks changes in its history',
  ],
  [
    'a pending cashout that the sweep would never find',
    `update cashouts set expires_at = expires_at + interval '1 day' where operation_id = 'W-1'`,
    `update cashouts set expires_at = expires_at - interval '1 day' where operation_id = 'W-1'`,
    'W-1 waits until the end of',
  ],
])('finds %s', async (_what, harm, mend, problem) => {
  await damage(harm);
  expect((await verify()).join()).toContain(problem);
  await damage(mend);
  expect(await verify()).toEqual([]);
});

const run = (...options: string[]): Promise<unknown> =>
  runCommand(
    service,
    (program, connect) => verifyCommand(program, connect, async () => [...orderChecks, ...cashoutChecks]),
    'verify',
    ...options,
  );

test('--all goes on after the first promise that does not hold, and fails at the end', async () => {
  await damage(`update orders set version = 3 where order_id = 'A-1'; update cashout_counts set pending = pending + 1`);
  try {
    await expect(run()).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('A-1 is at version 3') });
    expect(printed.stdout()).not.toContain('but its slots keep');
    const refusal = { exitCode: 1, message: expect.stringMatching(/^[2-9] of \d+ promises do not hold\.$/) };
    await expect(run('--all')).rejects.toMatchObject(refusal);
    expect(printed.stdout()).toMatch(/^Not true: .* A-1 is at version 3/m);
    expect(printed.stdout()).toMatch(/^Not true: .* but its slots keep/m);
    printed.clear();
    await expect(run('--all', '--json')).rejects.toMatchObject(refusal);
    const lines = printed
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { holds: boolean });
    expect(lines).toHaveLength(orderChecks.length + cashoutChecks.length);
  } finally {
    await damage(`update orders set version = 2 where order_id = 'A-1'; update cashout_counts set pending = pending - 1`);
  }
});
