import { afterAll, beforeAll, expect, test } from 'vitest';
import { listActs } from '../audit/act-rows.ts';
import { cashoutManaged } from '../cashouts/index.ts';
import { isWrite } from '../manage/managed-operation.ts';
import { orderManaged } from '../orders/index.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { networkOrderCalls } from '../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

let service: TestCaudal;
let shop: TestMerchant;
let staff: ManageCalls;
let clerk: ManageCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant();
  staff = await manageCalls(service, { name: 'console' });
  clerk = await manageCalls(service, { name: 'till', merchantId: shop.merchantId, permissions: ['cashouts:write', 'notices:send'] });
});
afterAll(() => service.close());

const money = { amount: '45000', currency: 'COP' };
const order = (id: string) =>
  staff.send('POST', '/orders', { merchant: shop.merchantId, order: id, email: 'ana@example.com', amount: money });
const cashout = (id: string, key?: string) => {
  const body = { merchant: shop.merchantId, operation: id, amount: money, document: '1020304050' };
  return clerk.send('POST', '/cashouts', body, key === undefined ? {} : { 'idempotency-key': key });
};
const atOrder = (id: string): string => `/orders/${shop.merchantId}/${id}`;
const atCashout = (id: string): string => `/cashouts/${shop.merchantId}/${id}`;

async function paidOrder(id: string): Promise<void> {
  const { serviceOrderId } = (await order(id)).body;
  expect(await networkOrderCalls(service, await service.network()).pay(serviceOrderId, 'T-1')).toMatchObject({ code: '0000' });
}

/** One request of each write that succeeds: what prepares it, and the request itself. */
const SCENES: Readonly<Record<string, { before?: () => Promise<unknown>; run: () => ReturnType<ManageCalls['send']>; target: string }>> = {
  createOrder: { run: () => order('A-1'), target: 'order A-1' },
  updateOrder: {
    before: () => order('A-2'),
    run: () => staff.send('PATCH', atOrder('A-2'), { userName: 'Ana Gómez' }, { 'if-match': '*' }),
    target: 'order A-2',
  },
  cancelOrder: { before: () => order('A-3'), run: () => staff.send('POST', `${atOrder('A-3')}/cancel`), target: 'order A-3' },
  voidOrder: {
    before: () => paidOrder('A-4'),
    run: () => staff.send('POST', `${atOrder('A-4')}/void`, { reason: 'paid twice' }),
    target: 'order A-4',
  },
  registerCashout: { run: () => cashout('W-1'), target: 'cashout W-1' },
  cancelCashout: { before: () => cashout('W-2'), run: () => clerk.send('POST', `${atCashout('W-2')}/cancel`), target: 'cashout W-2' },
  nullifyCashout: {
    before: () => cashout('W-3'),
    run: () => staff.send('POST', `${atCashout('W-3')}/nullify`, { reason: 'wrong person' }),
    target: 'cashout W-3',
  },
  resendOneTimePassword: {
    before: () => cashout('W-4'),
    run: () => clerk.send('POST', `${atCashout('W-4')}/resend`),
    target: 'cashout W-4',
  },
};

const actsOf = async (operation: string) => listActs(service.db, { operation, merchantId: shop.merchantId, limit: 100 });

test('every write of orders and cashouts has its scene', () => {
  const writes = [...orderManaged, ...cashoutManaged].filter(isWrite).map(({ name }) => name);
  expect(Object.keys(SCENES).toSorted()).toEqual(writes.toSorted());
});

test.each(Object.entries(SCENES))('%s leaves one act: who, on what, and what changed, without values of people', async (name, scene) => {
  await scene.before?.();
  const known = (await actsOf(name)).length;
  const { status } = await scene.run();
  expect(status).toBeLessThan(300);
  const acts = await actsOf(name);
  expect(acts.length).toBe(known + 1);
  const [act] = acts;
  expect(act).toMatchObject({ actor: { kind: 'token' }, target: scene.target, outcome: 'done', requestId: expect.any(String) });
  const { changes } = JSON.parse(act?.content ?? '{}') as { changes?: object };
  expect(Object.keys(changes ?? {})).not.toEqual([]);
  expect(act?.content).not.toMatch(/ana@example|Ana Gómez|1020304050/);
  expect(act?.content, 'amounts have all their decimals').not.toMatch(/"\d+ [A-Z]{3}"/);
});

test('a replay is no second act', async () => {
  await cashout('W-5', 'K-5');
  const known = (await actsOf('registerCashout')).length;
  expect((await cashout('W-5', 'K-5')).headers['idempotency-replayed']).toBe('true');
  expect((await actsOf('registerCashout')).length).toBe(known);
});

const refused = async () => (await actsOf('registerCashout')).filter(({ outcome }) => outcome === 'refused:cashout_exists').length;

test('a refusal under a key is one act, and its replay none', async () => {
  await cashout('W-6');
  const known = await refused();
  expect((await cashout('W-6', 'K-6')).problem).toBe('cashout_exists');
  expect((await cashout('W-6', 'K-6')).problem).toBe('cashout_exists');
  expect(await refused()).toBe(known + 1);
});
