import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashoutChecks } from '../../cashouts/index.ts';
import { ledgerChecks } from '../../ledger/index.ts';
import { setFees } from '../../ledger/fees.ts';
import { ROLES } from '../../manage/index.ts';
import type { CreatedNetwork } from '../../networks/index.ts';
import { findings } from '../../testing/findings.ts';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { networkCalls, networkOrderCalls } from '../../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { orderChecks } from '../index.ts';

let service: TestCaudal;
let network: CreatedNetwork;
let owner: ManageCalls;
let operations: ManageCalls;
let shop: Shop;

beforeAll(async () => {
  service = await startTestCaudal();
  network = await service.network();
  owner = await manageCalls(service, { name: 'owner' });
  operations = await manageCalls(service, { name: 'operations', permissions: [...ROLES.operations.permissions] });
  shop = await openShop();
});
const checks = async () => findings(service, [...orderChecks, ...cashoutChecks, ...ledgerChecks]);
afterAll(async () => {
  expect(await checks()).toEqual([]);
  await service.close();
});

type Shop = { readonly merchantId: string; readonly clerk: ManageCalls };
const cop = (amount: string) => ({ amount, currency: 'COP' });

/** A merchant whose cashouts cost 500, and 19 % of that, with 10,000 in its fund. */
async function openShop(fundMinor = 10_000_00n): Promise<Shop> {
  const { merchantId } = await service.merchant({ fundMinor });
  await setFees(service, { merchantId, kind: 'cashout', currency: 'COP', percentPpm: 0, fixedMinor: 500_00n, taxPpm: 190_000 });
  return { merchantId, clerk: await manageCalls(service, { name: 'clerk', merchantId, permissions: [...ROLES.clerk.permissions] }) };
}

let orders = 0;
/** An order of 45,000 that was paid, with a refund of so much. It is approved. */
async function approved(amount: string, of: Shop = shop, refundedBy = 'cashout'): Promise<readonly [order: string, refund: string]> {
  const order = `C-${++orders}`;
  const made = await owner.send('POST', '/orders', { merchant: of.merchantId, order, email: 'a@example.com', amount: cop('45000') });
  expect(await networkOrderCalls(service, network).pay(made.body['serviceOrderId'], `T-${order}`)).toMatchObject({ code: '0000' });
  service.clock.advance({ seconds: 51 });
  const refund = `R-${orders}`;
  const asked = { refund, amount: cop(amount), refundedBy, reason: 'returned goods' };
  const requested = await of.clerk.send('POST', `/orders/${of.merchantId}/${order}/refunds`, asked);
  expect(requested, requested.text).toMatchObject({ status: 201, body: { refundedBy, next: 'approval' } });
  expect(await change(refund, 'approve', {}, of)).toMatchObject({ status: 200, body: { next: 'payment' } });
  return [order, refund];
}
const change = (refund: string, to: string, body: object | undefined, of: Shop = shop) =>
  operations.send('POST', `/refunds/${of.merchantId}/${refund}/${to}`, to === 'approve' || to === 'cancel' ? undefined : body);
const give = (refund: string, operation: string, more: object = {}, of: Shop = shop, headers = {}) =>
  of.clerk.send('POST', `/refunds/${of.merchantId}/${refund}/cashout`, { operation, document: '1020304050', ...more }, headers);
const show = async (refund: string, { merchantId }: Shop = shop) => (await owner.get(`/refunds/${merchantId}/${refund}`)).body;
const events = async (order: string, { merchantId }: Shop = shop) => {
  const { history } = (await owner.get(`/orders/${merchantId}/${order}`)).body as unknown as { history: { event: string }[] };
  return history.map(({ event }) => event).filter((event) => event.includes('refund') || event === 'order.voided');
};
/** Balances of pesos that are not zero, but for what came in for the fund. */
async function balances({ merchantId }: Shop): Promise<Readonly<Record<string, string>>> {
  const { balances: all } = (await owner.get(`/ledger/balances?merchant=${merchantId}`)).body as unknown as {
    balances: { account: string; balance: { amount: string; currency: string } }[];
  };
  const moved = all.filter(
    ({ account, balance: { amount, currency } }) => amount !== '0.00' && currency === 'COP' && account !== 'service:bank',
  );
  return Object.fromEntries(moved.map(({ account, balance }) => [account, balance.amount]));
}
const counter = () => networkCalls(service, network);
/** Finds a cashout by its password, and pays it. */
async function collect(otp: unknown, transaction: string): Promise<string> {
  const found = await counter().lookUp(otp, '1020304050');
  expect(found).toMatchObject({ code: '0000' });
  const { idoperation } = found.data as unknown as { idoperation: string };
  expect(await counter().pay(idoperation, transaction)).toMatchObject({ code: '0000' });
  return idoperation;
}
/** The jobs that are due, once the job of refunds looks again. */
async function settle(seconds = 3): Promise<void> {
  service.clock.advance({ seconds });
  await service.runJobs();
}

const net = () => `network:${network.netname}`;

test('a payer collects a refund at a counter: its money is that which was owed, and it is paid once the network cannot take it back', async () => {
  const own = await openShop();
  const [order, refund] = await approved('45000', own);
  const paid = { [net()]: '-45000.00' };
  expect(await balances(own)).toEqual({ ...paid, available: '10000.00', refunds: '45000.00' });
  const given = await give(refund, 'W-1', { description: 'Your money' }, own);
  const registered = { operation: 'W-1', state: 'pending', amount: cop('45000.00'), fee: cop('500.00'), refund };
  expect(given, given.text).toMatchObject({ status: 201, body: registered });
  const aside = { ...paid, available: '9405.00', reserved: '45595.00' };
  expect(await balances(own)).toEqual(aside);
  expect(await show(refund, own)).toMatchObject({ state: 'approved', next: 'collection', cashout: 'W-1' });
  expect(await checks()).toEqual([]);

  await collect(given.body['oneTimePassword'], 'P-1');
  const earned = { available: '9405.00', 'service:fees': '500.00', 'service:tax': '95.00' };
  expect(await balances(own)).toEqual(earned);
  await settle(119);
  expect(await show(refund, own)).toMatchObject({ state: 'approved', next: 'collection' });
  await settle();
  expect(await show(refund, own)).toMatchObject({ state: 'paid', next: null, refundedBy: 'cashout', cashout: 'W-1' });
  expect(await balances(own)).toEqual(earned);
  expect((await owner.get(`/orders/${own.merchantId}/${order}`)).body).toMatchObject({ state: 'voided' });
  expect(await events(order, own)).toEqual([
    'order.refund_requested',
    'order.refund_approved',
    'order.refund_cashout_registered',
    'order.voided',
  ]);
  expect(await checks()).toEqual([]);
});

test('a payment that its network takes back, an end and a cancellation leave the refund approved, and its money owed', async () => {
  const own = await openShop();
  const [order, refund] = await approved('15000', own);
  const before = await balances(own);
  const first = await give(refund, 'W-1', {}, own);
  const idoperation = await collect(first.body['oneTimePassword'], 'P-2');
  expect(await counter().reverse(idoperation, 'P-2')).toMatchObject({ code: '0000' });
  expect(await balances(own)).toEqual(before);
  // Until it is written down the refund is as it was.
  expect(await change(refund, 'pay', { refundedBy: 'operator' }, own)).toMatchObject({ status: 409, problem: 'refund_has_cashout' });
  await settle();
  expect(await show(refund, own)).toMatchObject({ state: 'approved', next: 'payment', cashout: null });

  expect(await give(refund, 'W-2', {}, own)).toMatchObject({ status: 201 });
  await own.clerk.send('POST', `/cashouts/${own.merchantId}/W-2/cancel`);
  expect(await balances(own)).toEqual(before);
  await settle();
  const today = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate().toString();
  expect(await give(refund, 'W-3', { expiresOn: today }, own)).toMatchObject({ status: 201 });
  await settle(86_400);
  await settle();
  expect(await balances(own)).toEqual(before);
  expect(await show(refund, own)).toMatchObject({ state: 'approved', next: 'payment', cashout: null, refundedBy: 'cashout' });
  expect(await checks()).toEqual([]);

  expect(await change(refund, 'pay', {}, own)).toMatchObject({ status: 422, problem: 'refunder_missing' });
  expect(await change(refund, 'pay', { refundedBy: 'operator' }, own)).toMatchObject({ body: { state: 'paid', refundedBy: 'operator' } });
  const reopened = ['order.refund_cashout_registered', 'order.refund_reopened'];
  const all = ['order.refund_requested', 'order.refund_approved', ...reopened, ...reopened, ...reopened, 'order.refunded'];
  expect(await events(order, own)).toEqual(all);
});

test('a cashout for a refund is judged as a registration, and one is there at a time', async () => {
  const own = await openShop(500_00n);
  const [order, refund] = await approved('15000', own);
  const nothing = await balances(own);
  // The fee and its tax are 595.
  expect(await give(refund, 'W-1', {}, own)).toMatchObject({ status: 409, problem: 'fund_too_small' });
  await owner.send('POST', `/ledger/${own.merchantId}/top-ups`, { amount: cop('10000') });
  expect(await give(refund, 'W-1', { document: 'not one' }, own)).toMatchObject({ status: 422, problem: 'fields_invalid' });
  const limit = (most: string | null) => owner.send('PATCH', `/merchants/${own.merchantId}/cashout-limits/COP`, { most });
  expect(await limit('14000')).toMatchObject({ status: 200 });
  expect(await give(refund, 'W-1', {}, own)).toMatchObject({ status: 422, problem: 'amount_out_of_limits' });
  expect(await limit(null)).toMatchObject({ status: 200 });
  expect(await give(refund, 'W-1', { expiresOn: '2020-01-01' }, own)).toMatchObject({ status: 422, problem: 'expire_out_of_range' });
  expect(await give('none', 'W-1', {}, own)).toMatchObject({ status: 404 });
  expect(await operations.send('POST', `/refunds/${own.merchantId}/${refund}/cashout`, { operation: 'W-1', document: '1' })).toMatchObject({
    status: 403,
  });
  expect(await balances(own)).toEqual({ ...nothing, available: '10500.00' });

  const tries = ['W-1', 'W-2', 'W-3', 'W-4'].map(async (operation) => give(refund, operation, {}, own));
  const answers = await Promise.all(tries);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409]);
  const { cashout } = await show(refund, own);
  expect(answers.find(({ status }) => status === 201)?.body['operation']).toBe(cashout);
  for (const to of ['pay', 'fail', 'cancel'])
    expect(await change(refund, to, to === 'fail' ? { reason: 'r' } : { refundedBy: 'network' }, own)).toMatchObject({
      status: 409,
      problem: 'refund_has_cashout',
    });
  const ended = await operations.send('POST', `/orders/${own.merchantId}/${order}/void`, { reason: 'r', refundedBy: 'network' });
  expect(ended).toMatchObject({ status: 409, problem: 'refund_open' });

  const [, other] = await approved('1000', own);
  expect(await give(other, String(cashout), {}, own)).toMatchObject({ status: 409, problem: 'cashout_exists' });
  const key = { 'idempotency-key': 'cashout-of-refund' };
  const once = await give(other, 'W-9', {}, own, key);
  expect(once).toMatchObject({ status: 201, body: { oneTimePassword: expect.any(String) } });
  const again = await give(other, 'W-9', {}, own, key);
  expect([again.status, again.headers['idempotency-replayed'], again.body['oneTimePassword']]).toEqual([201, 'true', undefined]);
});

test('a refund is paid in one way: what somebody else is to pay has no cashout, and what was collected nobody pays again', async () => {
  const own = await openShop();
  for (const refundedBy of ['network', 'operator', 'merchant']) {
    const [, refund] = await approved('15000', own, refundedBy);
    const before = await balances(own);
    expect(await give(refund, `W-${refundedBy}`, {}, own)).toMatchObject({ status: 409, problem: 'refund_not_for_cashout' });
    expect(await balances(own)).toEqual(before);
    expect(await change(refund, 'pay', { proof: 'TRX-1' }, own)).toMatchObject({ status: 200, body: { isRepeated: false } });
    expect(await give(refund, `W-${refundedBy}`, {}, own)).toMatchObject({ status: 409, problem: 'refund_ended' });
  }
  const [, collected] = await approved('15000', own);
  const { body } = await give(collected, 'W-1', {}, own);
  await collect(body['oneTimePassword'], 'P-once');
  await settle(125);
  for (const sent of [{}, { proof: 'TRX-2' }, { refundedBy: 'operator' }])
    expect(await change(collected, 'pay', sent, own)).toMatchObject({ status: 409, problem: 'refund_ended' });
  expect(await show(collected, own)).toMatchObject({ state: 'paid', refundedBy: 'cashout', proof: null });
});

test('whatever two servers do at once with the money of one merchant, none waits for another in a circle, and nothing is lost', async () => {
  const own = await openShop(10_000_000_00n);
  const other = await service.openAnother();
  const there: Shop = {
    merchantId: own.merchantId,
    clerk: await manageCalls({ ...service, app: other.app }, { merchantId: own.merchantId, permissions: [...ROLES.clerk.permissions] }),
  };
  const refunds: string[] = [];
  for (let made = 0; made < 16; made++) refunds.push((await approved('1000', own))[1]);
  const [collected, cancelled, fails, raced] = [0, 4, 8, 12].map((first) => refunds.slice(first, first + 4)) as [
    string[],
    string[],
    string[],
    string[],
  ];
  const passwords = new Map<string, unknown>();
  for (const refund of [...collected, ...cancelled])
    passwords.set(refund, (await give(refund, `G-${refund}`, { document: `9${refund.slice(2)}0` }, own)).body['oneTimePassword']);
  const pay = async (refund: string): Promise<string> => {
    const found = await counter().lookUp(passwords.get(refund), `9${refund.slice(2)}0`);
    const { idoperation } = found.data as unknown as { idoperation: string };
    return (await counter().pay(idoperation, `P-${refund}`)).code;
  };
  const plain = async (shopOf: Shop, index: number): Promise<number> => {
    const body = { merchant: own.merchantId, operation: `X-${index}`, amount: cop('10'), document: '1020304050' };
    return (await shopOf.clerk.send('POST', '/cashouts', body)).status;
  };
  const [paid, ended, failed, given, alone] = await Promise.all([
    Promise.all(collected.map(pay)),
    Promise.all(cancelled.map(async (refund) => (await there.clerk.send('POST', `/cashouts/${own.merchantId}/G-${refund}/cancel`)).status)),
    Promise.all(fails.map(async (refund) => (await change(refund, 'pay', { refundedBy: 'network' }, own)).status)),
    Promise.all(
      raced.flatMap((refund, index) =>
        [own, there].map(async (of) => (await give(refund, `R-${refund}-${of === own ? 1 : 2}-${index}`, {}, of)).status),
      ),
    ),
    Promise.all(Array.from({ length: 16 }, async (_, index) => plain(index % 2 === 0 ? own : there, index))),
  ]);
  expect([paid, ended, failed]).toEqual([Array(4).fill('0000'), Array(4).fill(200), Array(4).fill(200)]);
  expect(given.toSorted((one, two) => one - two)).toEqual([...Array<number>(4).fill(201), ...Array<number>(4).fill(409)]);
  expect(alone).toEqual(Array(16).fill(201));
  expect(await checks()).toEqual([]);
  service.clock.advance({ seconds: 125 });
  await Promise.all([
    service.runJobs(),
    ...other.jobs.filter(({ name }) => name === 'orders.settle_cashouts').map(async (job) => job.step()),
  ]);
  for (const refund of collected) expect(await show(refund, own)).toMatchObject({ state: 'paid', refundedBy: 'cashout' });
  for (const refund of cancelled) expect(await show(refund, own)).toMatchObject({ state: 'approved', cashout: null });
  for (const refund of raced) expect(await show(refund, own)).toMatchObject({ state: 'approved', next: 'collection' });
  await other.close();
});
